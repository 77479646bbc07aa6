#include "job/read_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include <yaml-cpp/yaml.h>

#include "job/read_buffer.hpp"
#include "job/read_texture.hpp"
#include "job/yaml_fields.hpp"

namespace crosslane::job {
namespace {

constexpr std::array buffer_kinds = {
    ResourceKind::typed_buffer,    ResourceKind::structured_buffer,    ResourceKind::byte_address_buffer,
    ResourceKind::rw_typed_buffer, ResourceKind::rw_structured_buffer, ResourceKind::rw_byte_address_buffer,
    ResourceKind::constant_buffer,
};

struct RuleName {
  std::string_view name;
  Rule rule;
};

// The first three are today's; files written earlier have the others.
constexpr std::array rule_names = {
    RuleName{"BufferExact", Rule::exact},          RuleName{"BufferFloatULP", Rule::ulp},
    RuleName{"BufferFloatEpsilon", Rule::epsilon}, RuleName{"BufferFuzzy", Rule::ulp},
    RuleName{"BufferFuzzyULP", Rule::ulp},         RuleName{"BufferFuzzyEpsilon", Rule::epsilon},
};

class JobReader {
 public:
  JobReader(YamlText& text, Job& job) : text_(&text), job_(&job) {}

  void read(const YAML::Node& document) {
    YamlFields fields(*text_, document, "");
    read_shaders(fields);
    if (!job_->lacks.empty()) {
      return;  // graphics have fields of their own
    }
    read_dispatch(fields);
    read_buffers(fields);
    read_samplers(fields);
    read_sets(fields);
    read_results(fields);
    read_push_constants(fields);
    for (const auto* const other :
         {"AccelerationStructures", "RayTracingPipelineConfig", "HitGroups", "ShaderBindingTable"}) {
      if (fields.find(other)) {
        job_->lacks.emplace_back("ray tracing");
      }
    }
    if (fields.find("RuntimeSettings")) {
      job_->notes.emplace_back("RuntimeSettings are for Direct3D and make no difference here");
    }
    if (fields.find("Bindings")) {
      job_->notes.emplace_back("Bindings are for graphics and make no difference here");
    }
    fields.finish();
    drop_repetitions(job_->lacks);
  }

 private:
  static void drop_repetitions(std::vector<std::string>& words) {
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
  }

  void read_shaders(YamlFields& fields) {
    static_cast<void>(fields.require("Shaders"));
    const auto shaders = fields.list("Shaders");
    for (std::size_t i = 0; i < shaders.size(); ++i) {
      YamlFields shader(*text_, shaders[i], fmt::format("Shaders[{}]", i));
      if (const auto stage = shader.text("Stage"); stage != "Compute") {
        job_->lacks.push_back(fmt::format("shaders of stage {}", stage));
        return;
      }
      job_->entry_point = shader.text("Entry");
      if (const auto size = shader.find("DispatchSize")) {
        read_group_count(*size, shader.path_of("DispatchSize"));
      }
      for (const auto& constant : shader.list("SpecializationConstants")) {
        const auto path = fmt::format("{}[{}]", shader.path_of("SpecializationConstants"), job_->constants.size());
        job_->constants.push_back(read_constant(*text_, constant, path));
        const auto id = job_->constants.back().id;
        if (std::ranges::count(job_->constants, id, &JobConstant::id) > 1) {
          text_->complain(constant, path, fmt::format("constant {} has a value already", id));
        }
      }
      shader.finish();
    }
    if (shaders.size() > 1) {
      fields.complain("Shaders", "a job has one compute shader");
    } else if (shaders.empty()) {
      fields.complain("Shaders", "a job has a shader");
    }
  }

  void read_group_count(const YAML::Node& node, const std::string& path) {
    const auto counts = list_items(*text_, node, path);
    if (counts.size() != job_->groups.size()) {
      text_->complain(node, path, "write three numbers of thread groups, [x, y, z]");
      return;
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto count = parse_number(scalar_text(*text_, counts[i], path), Format::uint32);
      if (!count) {
        text_->complain(counts[i], path, count.error().message);
      }
      job_->groups.at(i) = static_cast<std::uint32_t>(count.value_or(1));
    }
  }

  void read_dispatch(YamlFields& fields) {
    const auto node = fields.find("DispatchParameters");
    if (!node) {
      return;
    }
    YamlFields parameters(*text_, *node, "DispatchParameters");
    if (const auto count = parameters.find("DispatchGroupCount")) {
      read_group_count(*count, parameters.path_of("DispatchGroupCount"));
    }
    if (parameters.find("VertexCount")) {
      job_->notes.emplace_back("VertexCount is for graphics and makes no difference here");
    }
    parameters.finish();
  }

  void read_buffers(YamlFields& fields) {
    for (const auto& node : fields.list("Buffers")) {
      const auto path = fmt::format("Buffers[{}]", job_->buffers.size());
      auto buffer = read_buffer(*text_, node, path);
      if (job_->find(buffer.name) != nullptr) {
        text_->complain(node, path, fmt::format("there is a buffer '{}' already", buffer.name));
      }
      job_->buffers.push_back(std::move(buffer));
    }
  }

  void read_samplers(YamlFields& fields) {
    for (const auto& node : fields.list("Samplers")) {
      const auto path = fmt::format("Samplers[{}]", job_->samplers.size());
      auto sampler = read_sampler(*text_, node, path, job_->lacks);
      if (job_->find_sampler(sampler.name) != nullptr) {
        text_->complain(node, path, fmt::format("there is a sampler '{}' already", sampler.name));
      }
      job_->samplers.push_back(std::move(sampler));
    }
  }

  void read_sets(YamlFields& fields) {
    std::uint32_t set = 0;
    for (const auto& node : fields.list("DescriptorSets")) {
      YamlFields set_fields(*text_, node, fmt::format("DescriptorSets[{}]", set));
      std::size_t place = 0;
      for (const auto& resource : set_fields.list("Resources")) {
        read_resource(resource, fmt::format("{}[{}]", set_fields.path_of("Resources"), place++), set);
      }
      set_fields.finish();
      ++set;
    }
  }

  void read_resource(const YAML::Node& node, const std::string& path, std::uint32_t set) {
    YamlFields fields(*text_, node, path);
    Resource resource;
    resource.set = set;
    resource.buffer = fields.text("Name");
    const auto kind_name = fields.text("Kind");
    const auto* const kind =
        std::ranges::find_if(buffer_kinds, [&](ResourceKind candidate) { return name(candidate) == kind_name; });
    const bool lacking = kind_name == "AccelerationStructure" || is_unknown_texture(kind_name);
    if (lacking) {
      job_->lacks.emplace_back(kind_name == "AccelerationStructure" ? "ray tracing"
                                                                    : "images of the kind " + kind_name);
    } else if (const auto texture = texture_shape(kind_name)) {
      resource.kind = kind_name.starts_with("RW") ? ResourceKind::rw_texture : ResourceKind::texture;
      resource.texture = *texture;
    } else if (kind_name == name(ResourceKind::sampler)) {
      resource.kind = ResourceKind::sampler;
    } else if (kind == buffer_kinds.end()) {
      fields.complain("Kind", fmt::format("'{}' is no kind of resource", kind_name));
    } else {
      resource.kind = *kind;
    }
    read_places(fields, resource);
    if (fields.find("HeapIndex")) {
      job_->lacks.emplace_back("descriptor heaps that shaders index");
    } else if (!resource.directx && !resource.vulkan_binding) {
      fields.complain("DirectXBinding", "say where the shader has the resource, here or in VulkanBinding");
    }
    if (fields.find("TilesMapped") || fields.flag("IsReserved")) {
      job_->lacks.emplace_back("reserved resources");
    }
    fields.finish();
    if (!lacking) {
      check_named(fields, resource);
      job_->resources.push_back(std::move(resource));
    }
  }

  void check_named(YamlFields& fields, const Resource& resource) {
    if (resource.kind == ResourceKind::sampler) {
      if (job_->find_sampler(resource.buffer) == nullptr) {
        fields.complain("Name", fmt::format("there is no sampler '{}'", resource.buffer));
      }
      return;
    }
    const auto* const buffer = job_->find(resource.buffer);
    if (buffer == nullptr) {
      fields.complain("Name", fmt::format("there is no buffer '{}'", resource.buffer));
    } else if ((resource.kind == ResourceKind::texture || resource.kind == ResourceKind::rw_texture) &&
               !buffer->texture) {
      fields.complain("Name", fmt::format("a texture has a size: give '{}' OutputProps", resource.buffer));
    }
  }

  void read_places(YamlFields& fields, Resource& resource) {
    resource.has_counter = fields.flag("HasCounter");
    if (const auto directx = fields.find("DirectXBinding")) {
      YamlFields binding(*text_, *directx, fields.path_of("DirectXBinding"));
      resource.directx = Register{binding.number("Register"), binding.number("Space")};
      binding.finish();
    }
    if (const auto vulkan = fields.find("VulkanBinding")) {
      YamlFields binding(*text_, *vulkan, fields.path_of("VulkanBinding"));
      resource.vulkan_binding = binding.number("Binding");
      resource.counter_binding = binding.optional_number("CounterBinding");
      resource.has_counter = resource.has_counter || resource.counter_binding.has_value();
      binding.finish();
    }
  }

  void read_results(YamlFields& fields) {
    std::size_t place = 0;
    for (const auto& node : fields.list("Results")) {
      YamlFields result_fields(*text_, node, fmt::format("Results[{}]", place++));
      job_->results.push_back(read_result(result_fields));
      result_fields.finish();
    }
  }

  ExpectedResult read_result(YamlFields& fields) {
    ExpectedResult result;
    result.name = fields.text("Result");
    const auto rule_name = fields.text("Rule");
    const auto* const rule = std::ranges::find(rule_names, rule_name, &RuleName::name);
    if (rule == rule_names.end()) {
      fields.complain("Rule",
                      fmt::format("'{}' is no rule: use BufferExact, BufferFloatULP or BufferFloatEpsilon", rule_name));
      return result;
    }
    result.rule = rule->rule;
    result.actual = fields.text("Actual");
    result.expected = fields.text("Expected");
    if (result.rule == Rule::ulp) {
      result.ulps = fields.number("ULPT");
      result.zero_tolerance = fields.real("ZeroTolerance", 0);
    } else if (result.rule == Rule::epsilon) {
      result.epsilon = fields.real("Epsilon");
    }
    if (result.rule != Rule::exact) {
      result.denormals = read_denormals(fields);
    }
    check_buffers(fields, result);
    return result;
  }

  static DenormMode read_denormals(YamlFields& fields) {
    if (!fields.find("DenormMode")) {
      return DenormMode::any;
    }
    const auto word = fields.text("DenormMode");
    if (word != "Any" && word != "FTZ" && word != "Preserve") {
      fields.complain("DenormMode", fmt::format("'{}' is no mode: use Any, FTZ or Preserve", word));
    }
    return word == "FTZ" ? DenormMode::flush_to_zero : word == "Preserve" ? DenormMode::preserve : DenormMode::any;
  }

  void check_buffers(YamlFields& fields, const ExpectedResult& result) {
    const auto* const actual = job_->find(result.actual);
    const auto* const expected = job_->find(result.expected);
    if (actual == nullptr) {
      fields.complain("Actual", fmt::format("there is no buffer '{}'", result.actual));
    } else if (expected == nullptr) {
      fields.complain("Expected", fmt::format("there is no buffer '{}'", result.expected));
    } else if (result.rule != Rule::exact && (!is_float(actual->format) || actual->format != expected->format)) {
      fields.complain(
          "Rule", fmt::format("{} compares floats of one format, but '{}' has {} and '{}' has {}", name(result.rule),
                              actual->name, name(actual->format), expected->name, name(expected->format)));
    }
  }

  void read_push_constants(YamlFields& fields) {
    std::size_t block_place = 0;
    for (const auto& node : fields.list("PushConstants")) {
      YamlFields block(*text_, node, fmt::format("PushConstants[{}]", block_place++));
      if (const auto stage = block.text("Stage"); stage != "Compute") {
        block.complain("Stage", fmt::format("'{}' is no stage of a compute job", stage));
      }
      static_cast<void>(block.require("Values"));
      std::size_t place = 0;
      for (const auto& value : block.list("Values")) {
        read_push_constant(*text_, value, fmt::format("{}[{}]", block.path_of("Values"), place++),
                           job_->push_constants);
      }
      block.finish();
    }
  }

  YamlText* text_;
  Job* job_;
};

}  // namespace

Expected<Job> read_job(std::string_view yaml, const std::string& file, std::uint32_t first_line) {
  YamlText text(file, first_line);
  Job job;
  try {
    const auto documents = YAML::LoadAll(std::string(yaml));
    if (documents.size() != 1) {
      text.complain_at_line(0, fmt::format("a job is one YAML document, and here are {}", documents.size()));
    } else {
      JobReader(text, job).read(documents.front());
    }
  } catch (const YAML::Exception& exception) {
    text.complain_at_line(exception.mark.is_null() ? 0 : static_cast<std::uint32_t>(exception.mark.line),
                          fmt::format("this is no YAML: {}", exception.msg));
  } catch (const std::exception& exception) {
    text.complain_at_line(0, fmt::format("this cannot be read as YAML: {}", exception.what()));
  }
  if (text.error()) {
    return tl::unexpected(*text.error());
  }
  return job;
}

}  // namespace crosslane::job
