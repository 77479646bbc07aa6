// Finds what is wrong with a compute shader: runs it on the wave machine at many wave sizes, in many orders, and
// watches what it does. No GPU and no driver take part.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"

namespace crosslane {

/// A note is no fault by itself; errors and warnings are.
enum class Severity : std::uint8_t { note, warning, error };

/// "note", "warning", "error".
std::string_view name(Severity severity);

/// Whose rules count where they differ: Direct3D 12 defines what is read outside of a buffer (0) and unsigned division
/// by zero, and lets the lanes of a wave rely on lockstep; Vulkan does neither.
enum class Rules : std::uint8_t { d3d12, vulkan };

/// Which thread of a group each lane is.
enum class LaneLayout : std::uint8_t {
  linear,  ///< along x, then y, then z
  quads,   ///< squares of 2 × 2 threads, where the group's width and height are even
};

/// "linear", "quads".
std::string_view name(LaneLayout layout);

/// An order in which what nothing orders runs.
enum class ScheduleKind : std::uint8_t {
  rising,           ///< waves and thread groups in the order of their numbers
  falling_waves,    ///< the last wave of a group first
  reversed_groups,  ///< the last thread group first, two at a time
  one_lane,         ///< the lanes of a wave one after the other, from one wave operation, barrier or branch to the next
  parting_lanes,    ///< lanes that parted meet again only where SPV_KHR_subgroup_uniform_control_flow promises it
  parting_waves,    ///< only where SPIR-V without extensions does: what depends on that is a note
};

/// "waves rising", "waves falling", "groups reversed", "one lane at a time", "uniform-control-flow",
/// "workgroup-uniform".
std::string_view name(ScheduleKind schedule);

/// A place in the shader's source that takes part in a finding; line 0 where the module does not say.
struct FindingLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string text;  ///< the line, where the module holds its source; else empty
  std::string what;  ///< "reads groupshared 'tile'"
};

/// A fault, once for all the times it was seen.
struct Finding {
  std::string id;  ///< stable: "groupshared-race", …
  Severity severity = Severity::error;
  std::string message;                     ///< what happened, in one sentence
  std::vector<std::uint32_t> wave_sizes;   ///< rising
  std::vector<std::string> schedules;      ///< orders and layouts under which it was seen
  std::vector<FindingLocation> locations;  ///< the first is where it shows
  std::array<std::uint32_t, 3> group{};    ///< of the first time
  std::uint32_t wave = 0;
  std::vector<std::uint32_t> lanes;
  std::vector<std::array<std::uint32_t, 3>> threads;  ///< in their group, one for each of the lanes
  std::vector<std::string> values;                    ///< "lane 31 reads lane 32", …
  std::string hint;                                   ///< how such faults are usually mended
  std::uint64_t count = 0;                            ///< how often it was seen, in instructions of waves
};

/// One resource of the shader and what it holds before each run.
struct CheckResource {
  std::string name;
  std::uint32_t set = 0;
  std::uint32_t slot = 0;
  std::uint32_t element = 0;               ///< of an array of resources
  std::vector<std::byte> bytes = {};       ///< of a buffer; of an image its levels, layer after layer
  std::optional<TexelFormat> texels = {};  ///< of a typed buffer
  std::optional<ImageDescription> image = {};
  std::optional<Sampler> sampler = {};
  bool made_up = false;            ///< nobody said how large it is: findings about it say so
  bool output = false;             ///< the shader may write it: compared between runs
  bool unordered = false;          ///< its numbers may come in any order
  bool may_vary = false;           ///< is meant to depend on the wave size: not compared between wave sizes
  std::uint32_t number_bytes = 4;  ///< of one number, for comparing and for messages: 1, 2, 4 or 8
  bool floats = false;             ///< the numbers are floats: outputs that differ by rounding are the same
};

/// What is checked. Borrowed for the call.
struct CheckRequest {
  std::span<const std::uint32_t> spirv = {};
  std::string entry_point = "main";
  std::string name = {};  ///< shown in messages
  std::vector<SpecializationConstant> constants = {};
  std::vector<std::byte> push_constants = {};
  GroupCount groups = {1, 1, 1};
  std::vector<CheckResource> resources = {};
  /// Says of the resources' bytes after a run, in their order, whether results that are known hold; nothing where none
  /// are known. Never called twice at once.
  std::function<bool(std::span<const std::vector<std::byte>>)> results_hold = {};
};

struct CheckOptions {
  std::vector<std::uint32_t> wave_sizes = {4, 8, 16, 32, 64, 128};
  Rules rules = Rules::vulkan;
  /// Wave sizes that some devices report while their waves have others: each is reported at each wave size too. Right
  /// shaders may fail that.
  std::vector<std::uint32_t> lying_sizes = {};
  /// Loop iterations of threads, all together, after which the shader is taken for one that never ends if no thread
  /// group has ended meanwhile; one group may take half of them before others have their turn. Once that is seen, the
  /// other runs have 256 times fewer.
  std::uint64_t most_iterations = std::uint64_t{1} << 26U;
  /// Runs at a time; 0: as many as there are cores. Each takes memory of its own.
  std::uint32_t jobs = 0;
  /// Called after each run with how many are done and how many there are, never twice at once.
  std::function<void(std::size_t, std::size_t)> progress = {};
};

/// One run of the sweep.
struct CheckRun {
  std::uint32_t wave_size = 0;
  ScheduleKind schedule = ScheduleKind::rising;
  LaneLayout layout = LaneLayout::linear;
  std::uint32_t reported_lanes = 0;       ///< what the device said of its waves; 0: the truth
  bool finished = true;                   ///< else it stopped at what a finding tells
  std::optional<bool> results_hold = {};  ///< nothing where no results are known, or the run did not finish
};

struct CheckReport {
  std::vector<Finding> findings;  ///< gravest first
  std::vector<CheckRun> runs;

  /// True where there are notes at most.
  [[nodiscard]] bool clean() const;
};

/// A finding as text of several lines, as `crosslane check` prints it.
std::string describe(const Finding& finding);
/// All findings of a report, each with an empty line behind it; empty for none.
std::string describe(const CheckReport& report);

/// Watches what runs on a device of the wave machine, in the order in which it runs there: for programs that record
/// their own command lists. `check()` tries many orders; this one does not.
class DeviceCheck {
 public:
  virtual ~DeviceCheck() = default;

  /// From now on, until the result is gone, for pipelines and command lists that are made meanwhile; the device must
  /// live on. Errors: `unsupported` for a device that is not the wave machine.
  static Expected<std::unique_ptr<DeviceCheck>> begin(Device& device, Rules rules = Rules::vulkan);

  /// What all dispatches since the last call showed, each of them a run.
  [[nodiscard]] virtual CheckReport report() = 0;
};

/// What stands behind an id: for people, in sentences.
struct RuleText {
  std::string_view id;
  std::string_view rule;     ///< what is asked of a shader
  std::string_view example;  ///< a shader that breaks it, a few lines
  std::string_view mend;     ///< how it is usually mended
  std::string_view source;   ///< the specification that it rests on
};

/// All rules, in the order of docs/check.md.
std::span<const RuleText> rules();

/// The rule of an id; null for none.
const RuleText* find_rule(std::string_view id);

/// Runs the sweep. Same request and options, same report, whatever the host.
/// Errors: those of making the pipeline and of binding the resources; `invalid_argument` for no or impossible wave
/// sizes, and for more thread groups in a dimension than Direct3D allows, by its rules.
Expected<CheckReport> check(const CheckRequest& request, const CheckOptions& options = {});

}  // namespace crosslane
