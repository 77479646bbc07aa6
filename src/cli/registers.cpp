#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <spirv/unified1/spirv.hpp11>

#include "algorithms/wave_size.hpp"
#include "cli/amd_without_hardware.hpp"
#include "cli/child_process.hpp"
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
#include "report/scalar.hpp"
#include "report/table.hpp"
#include "spirv/parse.hpp"

namespace crosslane::cli {
namespace {

struct RegisterFlags {
  std::string shader;
  std::string device = "auto";
  std::string amd;  ///< a chip; empty: a device that is here
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

/// What a device's driver says of one shader, for each wave size.
struct Answer {
  DeviceInfo device;
  std::string shader;
  std::uint32_t shuffles = 0;
  std::vector<RegisterUse> uses;  ///< at least one
  std::vector<std::string> notes;
};

report::Scalar scalar_of(const vulkan::StatisticValue& value) {
  return std::visit([](auto number) { return report::Scalar(number); }, value);
}

std::string text_of(const RegisterUse& use) {
  report::Table table({{"what"}, {"value", report::Align::right}, {"meaning"}});
  table.add({"registers", known(use.registers), "of a thread"});
  table.add({"spilled", known(use.spilled), "what did not fit into registers"});
  table.add({"groupshared bytes", known(use.groupshared_bytes), "of a group"});
  table.add({"waves at a time", known(use.waves_at_a_time), use.occupancy_note});
  for (const auto& statistic : use.statistics) {
    table.add({"driver: " + statistic.name, report::text(scalar_of(statistic.value)), statistic.description});
  }
  return fmt::format("\nwith waves of {} lanes\n{}", use.wave_size, table.text());
}

void print_text(const Console& console, const Answer& answer) {
  console.out << fmt::format("{} on {}: {}, driver {}\n{} shuffle{} in the shader\n", report::printable(answer.shader),
                             answer.device.id, report::printable(answer.device.name),
                             report::printable(answer.device.driver_version), answer.shuffles,
                             answer.shuffles == 1 ? "" : "s");
  for (const RegisterUse& use : answer.uses) {
    console.out << text_of(use);
  }
  if (const std::string text = warning(answer.shuffles); !text.empty()) {
    console.out << "\nwarning: " << text << '\n';
  }
  for (const std::string& note : answer.notes) {
    console.out << "\nnote: " << report::printable(note) << '\n';
  }
}

report::Json json_of(const RegisterUse& use) {
  report::Json json;
  json["wave_size"] = use.wave_size;
  json["registers"] = known_json(use.registers);
  json["spilled"] = known_json(use.spilled);
  json["groupshared_bytes"] = known_json(use.groupshared_bytes);
  json["waves_at_a_time"] = known_json(use.waves_at_a_time);
  json["occupancy_note"] = use.occupancy_note;
  json["statistics"] = report::Json::array();
  for (const auto& statistic : use.statistics) {
    json["statistics"].push_back({{"name", statistic.name},
                                  {"description", statistic.description},
                                  {"value", report::exact(scalar_of(statistic.value))}});
  }
  return json;
}

void print_json(const Console& console, const Answer& answer) {
  report::Json json = report::document();
  json["shader"] = answer.shader;
  json["device"] = report::device_summary(answer.device);
  json["shuffles"] = answer.shuffles;
  json["warning"] = warning(answer.shuffles);
  json["uses"] = report::Json::array();
  for (const RegisterUse& use : answer.uses) {
    json["uses"].push_back(json_of(use));
  }
  json["notes"] = answer.notes;
  console.out << report::dump(json);
}

// The size asked for, else those that the device has a choice of, else its own.
std::vector<std::optional<std::uint32_t>> wave_sizes_of(const RegisterFlags& flags, const DeviceInfo& device) {
  std::vector<std::optional<std::uint32_t>> sizes;
  if (flags.wave_size) {
    return {flags.wave_size};
  }
  for (const std::uint32_t size : chosen_wave_sizes(device)) {
    sizes.emplace_back(size);
  }
  return sizes.empty() ? std::vector<std::optional<std::uint32_t>>{std::nullopt} : sizes;
}

Expected<Answer> ask(const RegisterFlags& flags, const Console& console) {
  const auto shader = load(flags);
  if (!shader) {
    return tl::unexpected(shader.error());
  }
  const VerificationStore store(VerificationStore::default_file());
  const auto device = choose_device(gather_devices(), flags.device, store, console);
  if (!device) {
    return tl::unexpected(device.error());
  }
  Answer answer{
      (*device)->info(), std::filesystem::path(flags.shader).filename().string(), count_shuffles(*shader), {}, {}};
  PipelineDescription description;
  description.spirv = shader->words;
  description.entry_point = shader->entry_point;
  description.name = answer.shader;
  std::optional<Error> refused;
  for (const auto size : wave_sizes_of(flags, answer.device)) {
    description.wave_size = size;
    const auto statistics = vulkan::pipeline_statistics(**device, description);
    if (statistics) {
      answer.uses.push_back(register_use(answer.shader, answer.device.vendor, *statistics));
    } else {
      // A shader may be made for one of the sizes.
      answer.notes.push_back(statistics.error().message);
      refused = refused.value_or(statistics.error());
    }
  }
  return answer.uses.empty() ? Expected<Answer>(tl::unexpected<Error>(*refused)) : Expected<Answer>(std::move(answer));
}

// The same question to another process, whose one device is the AMD chip that is not there.
ExitCode ask_for_amd(const RegisterFlags& flags, const Console& console) {
  std::vector<std::string> arguments = {"registers", "--device",  "vulkan:0",   "--entry",
                                        flags.entry, "--profile", flags.profile};
  const auto add_all = [&](const char* flag, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      arguments.insert(arguments.end(), {flag, value});
    }
  };
  add_all("--define", flags.defines);
  add_all("--include", flags.include_directories);
  if (flags.wave_size) {
    arguments.insert(arguments.end(), {"--wave-size", std::to_string(*flags.wave_size)});
  }
  if (console.json) {
    arguments.emplace_back("--json");
  }
  arguments.insert(arguments.end(), {"--", flags.shader});
  const auto outcome = amd_environment(flags.amd).and_then(
      [&](const Environment& environment) { return run_again(arguments, environment); });
  if (!outcome) {
    return report_error(console, outcome.error());
  }
  if (outcome->signal != 0) {
    // So it does for names that it does not know.
    const bool unknown = outcome->err.find("Unknown family") != std::string::npos;
    return report_error(
        console, Error{unknown ? ErrorCode::invalid_argument : ErrorCode::device,
                       fmt::format("--amd {}: Mesa's RADV stops (signal {}): name a chip that its version knows, as "
                                   "navi21, vega10 or polaris10",
                                   flags.amd, outcome->signal),
                       {outcome->err.substr(0, outcome->err.find('\n'))}});
  }
  console.out << outcome->out;
  if (!console.json) {
    console.err << outcome->err;
  }
  return static_cast<ExitCode>(outcome->exit_code);
}

ExitCode run_registers(const RegisterFlags& flags, const Console& console) {
  const auto ready = include_directories_of("--include", flags.include_directories);
  if (!ready) {
    return report_error(console, ready.error());
  }
  if (!flags.amd.empty()) {
    return ask_for_amd(flags, console);
  }
  const auto answer = ask(flags, console);
  if (!answer) {
    return report_error(console, answer.error());
  }
  (console.json ? print_json : print_text)(console, *answer);
  return ExitCode::well;
}

}  // namespace

Verb add_registers(CLI::App& program) {
  CLI::App* const parser = program.add_subcommand(
      "registers", "What a driver's compiler makes of a shader: registers, spills, groupshared memory");
  const auto flags = std::make_shared<RegisterFlags>();
  parser->add_option("SHADER", flags->shader, "A file of HLSL (.hlsl), GLSL (.comp, .glsl) or SPIR-V (.spv, .spvasm)")
      ->required();
  auto* const device =
      parser->add_option("--device", flags->device, "auto, an id as vulkan:0, or a part of the device's name")
          ->capture_default_str();
  parser
      ->add_option("--amd", flags->amd,
                   "A chip of AMD's that need not be here, as navi21, vega10 or polaris10: Mesa's compiler tells")
      ->check(check_given)
      ->excludes(device);
  parser
      ->add_option("--wave-size", flags->wave_size,
                   "Lanes per wave to ask for; all that the device has a choice of if not given")
      ->check(CLI::Range(1U, 128U));
  parser->add_option("--entry", flags->entry, "The function to start at")->capture_default_str()->check(check_given);
  parser->add_option("--profile", flags->profile, "Shader model of HLSL")->capture_default_str()->check(check_given);
  add_list_flag(*parser, "--define", flags->defines, "NAME or NAME=VALUE: a macro");
  add_list_flag(*parser, "--include", flags->include_directories, "A folder in which #include looks");
  parser->add_flag("--json", json_flag_help)->disable_flag_override();
  parser->footer(
      "Examples:\n"
      "  crosslane registers blur.hlsl\n"
      "  crosslane registers blur.hlsl --amd navi21 --wave-size 64");
  return {parser, [flags](const Console& console) { return run_registers(*flags, console); }};
}

}  // namespace crosslane::cli
