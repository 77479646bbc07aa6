#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/compiler_search.hpp"
#include "cli/console.hpp"
#include "cli/device_choice.hpp"
#include "cli/devices_output.hpp"
#include "cli/verb.hpp"
#include "cli/verification_store.hpp"
#include "device/gather.hpp"
#include "report/json.hpp"

namespace crosslane::cli {
namespace {

Expected<compile::CompilerReport> examine_compiler() {
  return compile::find_compiler(compiler_places()).map([](const auto& compiler) {
    return compile::examine(*compiler);
  });
}

std::vector<DeviceFindings> examine_devices(const DeviceList& devices, bool verify_them, const VerificationStore& store,
                                            const Console& console) {
  std::vector<DeviceFindings> findings;
  for (std::size_t index = 0; index < devices.devices().size(); ++index) {
    const DeviceInfo& info = devices.devices()[index];
    DeviceFindings device{info, store.broken_promises(info), {}};
    if (verify_them) {
      report_progress(console, fmt::format("verifying {} ({}) …", info.id, info.name));
      device.conformance = devices.open(index).and_then([](const auto& opened) { return verify(*opened); });
      if (*device.conformance) {
        device.broken = broken_promises(**device.conformance);
        store.remember(info, *device.broken);
      }
    }
    findings.push_back(std::move(device));
  }
  return findings;
}

// A device that fails outweighs one that breaks promises: nothing is known of it.
ExitCode exit_code_of(const Findings& findings) {
  ExitCode code = ExitCode::well;
  for (const DeviceFindings& device : findings.devices) {
    if (device.conformance && !*device.conformance) {
      return ExitCode::device_failed;
    }
    if (device.conformance && !(*device.conformance)->all_kept()) {
      code = ExitCode::mismatch;
    }
  }
  return code;
}

ExitCode run_devices(bool verify_them, const Console& console) {
  const DeviceList devices = gather_devices();
  const VerificationStore store(VerificationStore::default_file());
  const Findings findings{examine_devices(devices, verify_them, store, console), devices.failures(),
                          examine_compiler()};
  if (console.json) {
    console.out << report::dump(devices_json(findings));
    return exit_code_of(findings);
  }
  console.out << devices_text(findings);
  for (const DeviceFindings& device : findings.devices) {
    if (device.conformance && !*device.conformance) {
      report_error(console,
                   fail_because(device.info.id + " could not be verified", device.conformance->error()).value());
    }
  }
  return exit_code_of(findings);
}

}  // namespace

Verb add_devices(CLI::App& program) {
  CLI::App* const parser =
      program.add_subcommand("devices", "Show the devices and the shader compiler found here, and what they can do");
  const auto verify_them = std::make_shared<bool>(false);
  parser->add_flag("--verify", *verify_them, "Run every wave operation on every device and compare the results")
      ->disable_flag_override();
  parser->add_flag("--json", json_flag_help)->disable_flag_override();
  parser->footer("Example:\n  crosslane devices --verify");
  return {parser, [verify_them](const Console& console) { return run_devices(*verify_them, console); }};
}

}  // namespace crosslane::cli
