#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <spirv/unified1/spirv.hpp11>

#include "cli/compiler_search.hpp"
#include "cli/console.hpp"
#include "cli/device_choice.hpp"
#include "cli/flag_checks.hpp"
#include "cli/register_use.hpp"
#include "cli/shader_jobs.hpp"
#include "cli/verb.hpp"
#include "cli/verification_store.hpp"
#include "device/gather.hpp"
#include "job/shader.hpp"
#include "report/json.hpp"
#include "report/printable.hpp"
#include "report/table.hpp"
#include "spirv/parse.hpp"

namespace crosslane::cli {
namespace {

struct RegisterFlags {
  std::string shader;
  std::string device = "auto";
  std::string entry = "main";
  std::string profile = "cs_6_6";
  std::optional<std::uint32_t> wave_size;
  std::vector<std::string> defines;
  std::vector<std::string> include_directories;
};

Expected<job::Shader> load(const RegisterFlags& flags) {
  const auto language = job::language_of(flags.shader);
  if (!language) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("'{}' is no shader by its name: name a file that ends in .hlsl, .comp, .glsl, .spv or "
                            ".spvasm",
                            flags.shader));
  }
  job::ShaderSource source{flags.shader, *language};
  source.entry_point = flags.entry;
  source.profile = flags.profile;
  auto macros = parse_macros("--define", flags.defines);
  if (!macros) {
    return tl::unexpected(std::move(macros.error()));
  }
  source.defines = *std::move(macros);
  auto folders = include_directories_of("--include", flags.include_directories);
  if (!folders) {
    return tl::unexpected(std::move(folders.error()));
  }
  source.include_directories = *std::move(folders);
  return job::load_shader(source, find_compiler_when_needed());
}

// Shuffles that stand in the module.
std::uint32_t count_shuffles(const job::Shader& shader) {
  std::uint32_t shuffles = 0;
  // What cannot be parsed has been refused before.
  static_cast<void>(spirv::parse(shader.words, [&](const spirv::Instruction& instruction) -> Expected<void> {
    const auto opcode = static_cast<spv::Op>(instruction.opcode);
    shuffles += static_cast<std::uint32_t>(
        opcode == spv::Op::OpGroupNonUniformShuffle || opcode == spv::Op::OpGroupNonUniformShuffleXor ||
        opcode == spv::Op::OpGroupNonUniformShuffleUp || opcode == spv::Op::OpGroupNonUniformShuffleDown);
    return {};
  }));
  return shuffles;
}

std::string warning(std::uint32_t shuffles) {
  constexpr std::uint32_t many = 8;
  return shuffles < many ? ""
                         : fmt::format(
                               "{} shuffles stand in the shader, one for each 32 bits that move: a struct that "
                               "is shuffled whole costs one for each of its members",
                               shuffles);
}

template <typename T>
std::string known(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "not told";
}

template <typename T>
report::Json known_json(const std::optional<T>& value) {
  return value ? report::Json(*value) : report::Json();
}

void print_text(const Console& console, const DeviceInfo& device, const RegisterUse& use, std::uint32_t shuffles) {
  report::Table table({{"what"}, {"value", report::Align::right}, {"meaning"}});
  table.add({"registers", known(use.registers), "of a thread"});
  table.add({"spilled", known(use.spilled), "what did not fit into registers"});
  table.add({"groupshared bytes", known(use.groupshared_bytes), "of a group"});
  table.add({"waves at a time", known(use.waves_at_a_time), use.occupancy_note});
  table.add({"shuffles", std::to_string(shuffles), "in the shader"});
  for (const auto& statistic : use.statistics) {
    table.add({"driver: " + statistic.name, fmt::format("{:g}", statistic.value), statistic.description});
  }
  console.out << fmt::format("{} on {}: {}, driver {}, {} lanes per wave\n\n", report::printable(use.shader), device.id,
                             report::printable(device.name), report::printable(device.driver_version), use.wave_size)
              << table.text();
  if (const std::string text = warning(shuffles); !text.empty()) {
    console.out << "warning: " << text << '\n';
  }
}

void print_json(const Console& console, const DeviceInfo& device, const RegisterUse& use, std::uint32_t shuffles) {
  report::Json json = report::document();
  json["shader"] = use.shader;
  json["device"] = report::device_summary(device);
  json["wave_size"] = use.wave_size;
  json["registers"] = known_json(use.registers);
  json["spilled"] = known_json(use.spilled);
  json["groupshared_bytes"] = known_json(use.groupshared_bytes);
  json["waves_at_a_time"] = known_json(use.waves_at_a_time);
  json["occupancy_note"] = use.occupancy_note;
  json["shuffles"] = shuffles;
  json["warning"] = warning(shuffles);
  json["statistics"] = report::Json::array();
  for (const auto& statistic : use.statistics) {
    json["statistics"].push_back(
        {{"name", statistic.name}, {"description", statistic.description}, {"value", report::exact(statistic.value)}});
  }
  console.out << report::dump(json);
}

Expected<void> ask(const RegisterFlags& flags, const Console& console) {
  const auto shader = load(flags);
  if (!shader) {
    return tl::unexpected(shader.error());
  }
  const VerificationStore store(VerificationStore::default_file());
  const auto device = choose_device(gather_devices(), flags.device, store, console);
  if (!device) {
    return tl::unexpected(device.error());
  }
  PipelineDescription description;
  description.spirv = shader->words;
  description.entry_point = shader->entry_point;
  description.wave_size = flags.wave_size;
  description.name = std::filesystem::path(flags.shader).filename().string();
  return vulkan::pipeline_statistics(**device, description).map([&](const vulkan::PipelineStatistics& statistics) {
    const RegisterUse use = register_use(description.name, (*device)->info().vendor, statistics);
    (console.json ? print_json : print_text)(console, (*device)->info(), use, count_shuffles(*shader));
  });
}

ExitCode run_registers(const RegisterFlags& flags, const Console& console) {
  const auto asked = ask(flags, console);
  return asked ? ExitCode::well : report_error(console, asked.error());
}

}  // namespace

Verb add_registers(CLI::App& program) {
  CLI::App* const parser = program.add_subcommand(
      "registers", "What a driver's compiler makes of a shader: registers, spills, groupshared memory");
  const auto flags = std::make_shared<RegisterFlags>();
  parser->add_option("SHADER", flags->shader, "A file of HLSL (.hlsl), GLSL (.comp, .glsl) or SPIR-V (.spv, .spvasm)")
      ->required();
  parser->add_option("--device", flags->device, "auto, an id as vulkan:0, or a part of the device's name")
      ->capture_default_str();
  parser->add_option("--wave-size", flags->wave_size, "Lanes per wave to ask for")->check(CLI::Range(1U, 128U));
  parser->add_option("--entry", flags->entry, "The function to start at")->check(check_function)->capture_default_str();
  parser->add_option("--profile", flags->profile, "Shader model of HLSL")->capture_default_str();
  add_list_flag(*parser, "--define", flags->defines, "NAME or NAME=VALUE: a macro");
  add_list_flag(*parser, "--include", flags->include_directories, "A folder in which #include looks");
  parser->add_flag("--json", json_flag_help)->disable_flag_override();
  parser->footer(
      "Without AMD's hardware, Mesa's compiler tells too:\n"
      "  RADV_FORCE_FAMILY=navi21 VK_ICD_FILENAMES=/usr/share/vulkan/icd.d/radeon_icd.x86_64.json \\\n"
      "    crosslane registers blur.hlsl --device vulkan:0 --wave-size 64");
  return {parser, [flags](const Console& console) { return run_registers(*flags, console); }};
}

}  // namespace crosslane::cli
