// Copies of register rows, and the mask of active lanes as a row.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/ops_move.cpp"
#include <cstring>

#include "machine/targets.hpp"

#include <hwy/foreach_target.h>

#include "machine/handlers.hpp"
#include "machine/lane_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crosslane::machine::HWY_NAMESPACE {
namespace {

void copy(Wave& wave, const Operation& op) {
  std::memcpy(wave.row<std::byte>(op.dst), wave.row<std::byte>(op.a), op.count);
}

void zero(Wave& wave, const Operation& op) { std::memset(wave.row<std::byte>(op.dst), 0, op.count); }

template <typename T>
void masked_copy(Wave& wave, const Operation& op) {
  T* HWY_RESTRICT out = wave.row<T>(op.dst);
  const T* HWY_RESTRICT a = wave.row<T>(op.a);
  const std::size_t count = loop_count(op);
  if (wave.active == wave.full) {
    std::memcpy(out, a, count * sizeof(T));
    return;
  }
  const std::uint32_t* HWY_RESTRICT active = wave.active_row;
  const std::size_t lanes = wave.padded & ~std::size_t{row_lanes - 1};
  for (std::size_t row = 0; row < count; row += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      out[row + lane] = active[lane] != 0 ? a[row + lane] : out[row + lane];
    }
  }
}

}  // namespace

Handler plain_copy_handler() { return &copy; }
Handler plain_zero_handler() { return &zero; }

Handler active_copy_handler(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return &masked_copy<std::uint8_t>;
    case 2:
      return &masked_copy<std::uint16_t>;
    case 4:
      return &masked_copy<std::uint32_t>;
    default:
      return &masked_copy<std::uint64_t>;
  }
}

void expand_mask(Mask lanes, std::uint32_t* row, std::uint32_t padded) {
  for (std::uint32_t word = 0; word * 32 < padded; ++word) {
    const std::uint64_t half = word < 2 ? lanes.low : lanes.high;
    const auto bits = static_cast<std::uint32_t>(half >> (32U * (word & 1U)));
    std::uint32_t* HWY_RESTRICT out = row + static_cast<std::size_t>(word) * 32;
    const std::uint32_t count = padded - word * 32 >= 32 ? 32 : 16;
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      out[lane] = 0U - ((bits >> lane) & 1U);
    }
  }
}

Mask collect_mask(const std::uint32_t* row, std::uint32_t padded) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint32_t, row_lanes> tag;
  const std::size_t step = hn::Lanes(tag);
  Mask lanes;
  for (std::size_t lane = 0; lane < padded; lane += step) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, hn::Ne(hn::LoadU(tag, row + lane), hn::Zero(tag)), bits);
    std::uint64_t word = 0;
    std::memcpy(&word, bits, sizeof(word));
    (lane < 64 ? lanes.low : lanes.high) |= word << (lane & 63U);
  }
  return lanes;
}

}  // namespace crosslane::machine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crosslane::machine {

HWY_EXPORT(plain_copy_handler);
HWY_EXPORT(plain_zero_handler);
HWY_EXPORT(active_copy_handler);
HWY_EXPORT(expand_mask);
HWY_EXPORT(collect_mask);

Handler copy_handler() { return HWY_DYNAMIC_DISPATCH(plain_copy_handler)(); }
Handler zero_handler() { return HWY_DYNAMIC_DISPATCH(plain_zero_handler)(); }
Handler masked_copy_handler(std::uint32_t bytes) { return HWY_DYNAMIC_DISPATCH(active_copy_handler)(bytes); }

void set_active(Wave& wave, Mask lanes) {
  if (wave.active == lanes) {
    return;
  }
  wave.active = lanes;
  HWY_DYNAMIC_DISPATCH(expand_mask)(lanes, wave.active_row, wave.padded);
}

Mask true_lanes(const Wave& wave, const std::uint32_t* row) {
  return HWY_DYNAMIC_DISPATCH(collect_mask)(row, wave.padded) & wave.full;
}

}  // namespace crosslane::machine
#endif
