#include "sanitize/reporter.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "machine/group.hpp"

namespace crosslane::sanitize {

bool Reporter::is_known(const FindingKey& key) {
  const auto found = known_.find(key);
  if (found == known_.end()) {
    return false;
  }
  ++findings_[found->second].count;
  return true;
}

void Reporter::add(const FindingKey& key, Finding finding) {
  known_[key] = findings_.size();
  finding.count = 1;
  findings_.push_back(std::move(finding));
}

FindingLocation Reporter::location(std::uint32_t source, std::string what) const {
  const auto& line = program_.sources[source].line;
  return {line.file, line.line, line.column, text_.line(line.file, line.line), std::move(what)};
}

std::string Reporter::memory_name(const machine::LaneAddress& address) const {
  if (address.root == machine::groupshared_root) {
    for (const auto& variable : program_.groupshared) {
      if (address.offset >= variable.offset && address.offset - variable.offset < variable.bytes) {
        return variable.name.empty() ? "groupshared memory" : fmt::format("groupshared '{}'", variable.name);
      }
    }
    return "groupshared memory";
  }
  for (const auto& binding : program_.bindings) {
    if (address.root >= binding.first_root && address.root - binding.first_root < binding.count) {
      const std::string_view kind = binding.image ? "image" : "buffer";
      return binding.name.empty() ? fmt::format("the {} at set {}, binding {}", kind, binding.set, binding.slot)
                                  : fmt::format("{} '{}'", kind, binding.name);
    }
  }
  return address.root == machine::constants_root ? "the push constants" : "memory";
}

std::string Reporter::place_name(const machine::Wave& wave, const machine::LaneAddress& address) const {
  auto offset = address.offset;
  if (address.root == machine::groupshared_root) {
    for (const auto& variable : program_.groupshared) {
      if (address.offset >= variable.offset && address.offset - variable.offset < variable.bytes) {
        offset -= variable.offset;
        return fmt::format("{}, byte {} of {}", memory_name(address), offset, variable.bytes);
      }
    }
  }
  if (address.root >= wave.group->roots.size()) {
    return fmt::format("address {:#x}", address.offset);
  }
  return fmt::format("{}, byte {} of {}", memory_name(address), offset, wave.group->roots[address.root].bytes);
}

void Reporter::add_size_note(Finding& finding, std::uint32_t root) const {
  for (const auto& binding : program_.bindings) {
    const BindingPlace place{binding.set, binding.slot};
    if (root < binding.first_root || root - binding.first_root >= binding.count ||
        std::ranges::find(made_up_, place) == made_up_.end()) {
      continue;
    }
    const auto name = binding.name.empty() ? fmt::format("{}:{}", binding.set, binding.slot) : binding.name;
    finding.values.push_back(
        fmt::format("the size of '{}' was made up: give it with --size {}=BYTES or --in {}=FILE.npy, and the dispatch "
                    "with --groups",
                    name, name, name));
  }
}

std::uint32_t Reporter::number_of(const machine::OpSource& source) const {
  return static_cast<std::uint32_t>(&source - program_.sources.data());
}

Finding finding_at(const machine::Wave& wave, machine::Mask lanes, std::string id, Severity severity) {
  Finding finding;
  finding.id = std::move(id);
  finding.severity = severity;
  finding.group = wave.group->id;
  finding.wave = wave.index;
  machine::for_each_lane(lanes, [&](std::uint32_t lane) {
    finding.lanes.push_back(lane);
    finding.threads.push_back(thread_of(wave, lane));
  });
  return finding;
}

std::vector<Finding> Reporter::take() { return std::exchange(findings_, {}); }

std::array<std::uint32_t, 3> thread_of(const machine::Wave& wave, std::uint32_t lane) {
  const auto& size = wave.program->group_size;
  const auto place = wave.index * wave.lanes + lane;
  const auto* threads = wave.group->threads;
  const auto thread = threads != nullptr && place < threads->size() ? (*threads)[place] : place;
  return {thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1]};
}

std::string lane_name(const machine::Wave& wave, std::uint32_t lane) {
  const auto thread = thread_of(wave, lane);
  return fmt::format("lane {} of wave {} (thread {}, {}, {})", lane, wave.index, thread[0], thread[1], thread[2]);
}

}  // namespace crosslane::sanitize
