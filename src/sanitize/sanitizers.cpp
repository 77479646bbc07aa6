#include "sanitize/sanitizers.hpp"

namespace crosslane::sanitize {

Sanitizers::Sanitizers(const machine::Program& program, Rules rules, const SourceText& text,
                       std::vector<BindingPlace> made_up)
    : reporter_(program, rules, text, std::move(made_up)),
      races_(program, {&groupshared_race_, &global_race_, &missing_coherent_}),
      groupshared_race_(reporter_, races_.clocks()),
      global_race_(reporter_, races_.clocks()),
      missing_coherent_(reporter_, races_.clocks()),
      bounds_(reporter_),
      barrier_(reporter_),
      progress_(reporter_),
      broadcast_(reporter_),
      oversized_(reporter_),
      undefined_(reporter_) {}

std::optional<std::uint32_t> Sanitizers::last_writer(std::uint32_t set, std::uint32_t slot, std::uint32_t element,
                                                     std::uint64_t offset) {
  for (const auto& binding : reporter_.program().bindings) {
    if (binding.set == set && binding.slot == slot && element < binding.count) {
      return races_.last_writer(binding.first_root + element, offset);
    }
  }
  return std::nullopt;
}

}  // namespace crosslane::sanitize
