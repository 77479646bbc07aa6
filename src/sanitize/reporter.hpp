// What the sanitizers of one run find, each fault once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "crosslane/check.hpp"
#include "machine/observer.hpp"
#include "machine/program.hpp"
#include "sanitize/source_text.hpp"

namespace crosslane::sanitize {

/// A binding.
struct BindingPlace {
  std::uint32_t set = 0;
  std::uint32_t slot = 0;
  friend bool operator==(const BindingPlace&, const BindingPlace&) = default;
};

/// Findings with the same key are one.
struct FindingKey {
  std::string id;
  std::uint32_t source = 0;  ///< place in Program::sources, as the next
  std::uint32_t other_source = 0;
  std::uint32_t variant = 0;  ///< tells apart what is of another kind at the same places
  // The check takes the operator's own zero for a pointer. NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const FindingKey&, const FindingKey&) = default;
};

class Reporter {
 public:
  /// `made_up`: buffers whose size nobody gave.
  Reporter(const machine::Program& program, Rules rules, const SourceText& text, std::vector<BindingPlace> made_up)
      : program_(program), rules_(rules), text_(text), made_up_(std::move(made_up)) {}

  [[nodiscard]] const machine::Program& program() const { return program_; }
  [[nodiscard]] Rules rules() const { return rules_; }

  /// Counts a fault that is known; the first time it is null, and `add` tells what was found.
  [[nodiscard]] bool is_known(const FindingKey& key);
  void add(const FindingKey& key, Finding finding);

  /// Where an instruction stands, and what it does there.
  [[nodiscard]] FindingLocation location(std::uint32_t source, std::string what) const;
  /// "groupshared 'tile'", "buffer 'Out'", "image 'picture'" for what is at an address.
  [[nodiscard]] std::string memory_name(const machine::LaneAddress& address) const;
  /// "groupshared 'tile', byte 12 of 256".
  [[nodiscard]] std::string place_name(const machine::Wave& wave, const machine::LaneAddress& address) const;
  /// Says so where the size of what a finding is about was made up: it may be wrong.
  void add_size_note(Finding& finding, std::uint32_t root) const;
  [[nodiscard]] std::uint32_t number_of(const machine::OpSource& source) const;
  /// All that was found, in the order in which it was.
  [[nodiscard]] std::vector<Finding> take();

 private:
  const machine::Program& program_;
  Rules rules_;
  const SourceText& text_;
  std::vector<BindingPlace> made_up_;
  std::map<FindingKey, std::size_t> known_;
  std::vector<Finding> findings_;
};

/// A finding with group, wave, lanes and threads filled in.
Finding finding_at(const machine::Wave& wave, machine::Mask lanes, std::string id, Severity severity);

/// The thread of its group that a lane of a wave is.
std::array<std::uint32_t, 3> thread_of(const machine::Wave& wave, std::uint32_t lane);

/// "lane 3 of wave 1 (thread 35, 0, 0)".
std::string lane_name(const machine::Wave& wave, std::uint32_t lane);

}  // namespace crosslane::sanitize
