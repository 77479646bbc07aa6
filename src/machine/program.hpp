// A module decoded for one wave size: flat operations over register rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/observer.hpp"
#include "machine/op.hpp"
#include "spirv/module.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::machine {

/// A construct as the running wave needs it; see spirv::Construct.
struct ConstructPlan {
  std::uint32_t parent = 0;
  std::uint32_t merge = 0;            ///< place in `ops`
  std::uint32_t continue_target = 0;  ///< place in `ops`
};

/// Bytes that are in the registers before a wave starts and never change.
struct InitialBytes {
  std::uint32_t offset = 0;
  std::vector<std::byte> bytes;
};

enum class BuiltIn : std::uint8_t {
  workgroup_id,
  num_workgroups,
  local_invocation_id,
  global_invocation_id,
  local_invocation_index,
  subgroup_id,
  num_subgroups,
  subgroup_size,
  subgroup_lane,
  subgroup_eq_mask,
  subgroup_ge_mask,
  subgroup_gt_mask,
  subgroup_le_mask,
  subgroup_lt_mask,
  device_index,
};

/// Rows that a built-in fills.
constexpr std::uint32_t components_of(BuiltIn what) {
  if (what >= BuiltIn::subgroup_eq_mask && what <= BuiltIn::subgroup_lt_mask) {
    return 4;
  }
  return what <= BuiltIn::global_invocation_id ? 3 : 1;
}

struct BuiltInRegister {
  BuiltIn what = BuiltIn::workgroup_id;
  std::uint32_t offset = 0;  ///< of the first component's row
};

/// A binding of the shader and the roots (places in the dispatch's table) that stand for its descriptors.
struct BindingRoots {
  std::uint32_t set = 0;
  std::uint32_t slot = 0;
  std::uint32_t first_root = 0;
  std::uint32_t count = 1;
  spirv::BindingKind kind = spirv::BindingKind::unknown;
  std::string name;
  std::optional<spirv::ImageShape> image;    ///< of images
  std::optional<spirv::ScalarInfo> scalars;  ///< what the shader takes texels for
};

/// Where an operation comes from.
struct OpSource {
  spv::Op opcode = spv::Op::OpNop;
  spirv::SourceLine line;
};

/// A variable in groupshared memory.
struct GroupsharedVariable {
  std::string name;  ///< the source's, empty where the module keeps no names
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// One case of an OpSwitch.
struct SwitchCase {
  std::uint64_t value = 0;
  std::uint32_t target = 0;  ///< place in `ops`
};

struct SwitchTable {
  std::vector<SwitchCase> cases;
  std::uint32_t otherwise = 0;
};

constexpr std::uint32_t constants_root = 0;    ///< push constants
constexpr std::uint32_t groupshared_root = 1;  ///< the group's memory
constexpr std::uint32_t first_binding_root = 2;
/// Roots for an array of descriptors whose length the module leaves open.
constexpr std::uint32_t runtime_descriptors = 1024;
constexpr std::uint32_t most_group_threads = 4096;
constexpr std::uint64_t largest_groupshared_bytes = std::uint64_t{1} << 20U;

struct Program {
  std::vector<Operation> ops;
  std::vector<ConstructPlan> constructs;
  std::vector<InitialBytes> initial;
  std::vector<BuiltInRegister> built_ins;
  std::vector<BindingRoots> bindings;
  std::vector<SwitchTable> switches;
  std::vector<OpSource> sources;
  std::vector<AccessPlan> accesses;   ///< of programs that are observed
  std::vector<BarrierPlan> barriers;  ///< likewise
  std::vector<GroupsharedVariable> groupshared;
  bool follows_undefined = false;    ///< its operations keep Wave::poison
  bool vulkan_memory_model = false;  ///< else GLSL450's
  std::uint32_t roots = first_binding_root;
  std::uint32_t register_bytes = 0;  ///< of one wave
  std::uint32_t active_row = 0;      ///< register of Wave::active_row
  std::uint32_t wave_size = 0;
  std::uint32_t padded = 0;
  std::array<std::uint32_t, 3> group_size{};
  std::uint64_t groupshared_bytes = 0;
  std::uint64_t constants_bytes = 0;
  /// Results can depend on the order in which thread groups reach their atomics and coherent accesses: such groups take
  /// turns.
  bool ordered = false;
};

}  // namespace crosslane::machine
