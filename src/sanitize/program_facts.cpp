#include "sanitize/program_facts.hpp"

#include <algorithm>
#include <array>

#include "machine/observe.hpp"

namespace crosslane::sanitize {

namespace {

using machine::AccessKind;
using machine::AccessPlan;
using machine::AddressMode;
using machine::Operation;

bool is_texel_access(const Operation& op) {
  return std::ranges::any_of(std::array{machine::Element::float32, machine::Element::int32, machine::Element::int64},
                             [&](auto element) { return op.handler == machine::observe_texels_handler(element); });
}

// Calls `visit(operation, plan, mode)` for each operation that tells of an access.
template <typename Visit>
void for_each_access(const machine::Program& program, Visit visit) {
  for (const auto& op : program.ops) {
    if (is_texel_access(op)) {
      visit(op, program.accesses[op.count], op.a == machine::no_register ? AddressMode::rooted : AddressMode::fat);
      continue;
    }
    for (const auto mode : {AddressMode::rooted, AddressMode::fat, AddressMode::physical}) {
      if (op.handler == machine::observe_access_handler(mode)) {
        visit(op, program.accesses[op.count], mode);
      }
    }
  }
}

}  // namespace

std::vector<bool> written_roots(const machine::Program& program) {
  std::vector<bool> written(program.roots, false);
  for_each_access(program, [&](const Operation& op, const AccessPlan& plan, AddressMode mode) {
    if (plan.kind == AccessKind::read || mode == AddressMode::physical) {
      return;
    }
    if (mode == AddressMode::fat) {
      written.assign(program.roots, true);
    } else {
      written[op.aux] = true;
    }
  });
  return written;
}

std::vector<bool> coherent_sources(const machine::Program& program) {
  std::vector<bool> coherent(program.sources.size(), true);
  for_each_access(program, [&](const Operation& op, const AccessPlan& plan, AddressMode /*mode*/) {
    coherent[op.source] = coherent[op.source] && (plan.coherent || plan.kind == AccessKind::atomic);
  });
  return coherent;
}

// Fences for groupshared memory add nothing to the barriers that there must be.
bool synchronises(const machine::Program& program) {
  constexpr auto buffers = static_cast<std::uint32_t>(spv::MemorySemanticsMask::UniformMemory |
                                                      spv::MemorySemanticsMask::CrossWorkgroupMemory |
                                                      spv::MemorySemanticsMask::ImageMemory);
  return std::ranges::any_of(
             program.accesses,
             [](const machine::AccessPlan& plan) { return plan.kind == machine::AccessKind::atomic; }) ||
         std::ranges::any_of(program.barriers, [](const machine::BarrierPlan& plan) {
           return plan.execution == spv::Scope::Subgroup ||
                  (plan.execution == spv::Scope::Invocation && (plan.order.semantics & buffers) != 0);
         });
}

}  // namespace crosslane::sanitize
