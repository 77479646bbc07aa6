#include "sanitize/program_facts.hpp"

#include <algorithm>

#include "machine/observe.hpp"

namespace crosslane::sanitize {

std::vector<bool> written_roots(const machine::Program& program) {
  std::vector<bool> written(program.roots, false);
  for (const auto& op : program.ops) {
    for (const auto mode : {machine::AddressMode::rooted, machine::AddressMode::fat}) {
      if (op.handler == machine::observe_access_handler(mode) &&
          program.accesses[op.count].kind != machine::AccessKind::read) {
        if (mode == machine::AddressMode::fat) {
          written.assign(program.roots, true);
          return written;
        }
        written[op.aux] = true;
      }
    }
  }
  return written;
}

std::vector<bool> coherent_sources(const machine::Program& program) {
  std::vector<bool> coherent(program.sources.size(), true);
  for (const auto& op : program.ops) {
    for (const auto mode : {machine::AddressMode::rooted, machine::AddressMode::fat, machine::AddressMode::physical}) {
      if (op.handler == machine::observe_access_handler(mode)) {
        const auto& plan = program.accesses[op.count];
        coherent[op.source] = coherent[op.source] && (plan.coherent || plan.kind == machine::AccessKind::atomic);
      }
    }
  }
  return coherent;
}

bool synchronises(const machine::Program& program) {
  return std::ranges::any_of(
             program.accesses,
             [](const machine::AccessPlan& plan) { return plan.kind == machine::AccessKind::atomic; }) ||
         std::ranges::any_of(program.barriers,
                             [](const machine::BarrierPlan& plan) { return plan.execution == spv::Scope::Subgroup; });
}

}  // namespace crosslane::sanitize
