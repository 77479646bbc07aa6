// Reduction: combines all elements of an array with one operator.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "crosslane/device.hpp"
#include "crosslane/method.hpp"
#include "crosslane/operator.hpp"
#include "crosslane/scalar_type.hpp"

namespace crosslane {

struct ReductionOptions {
  ScalarType type = ScalarType::u32;
  Operator op = Operator::sum;
  Method method = Method::automatic;
  /// Asked first where `method` is `automatic`; not kept after `Reduction::create`.
  const DecisionSource* decisions = nullptr;
  /// One shape of tree whatever the wave size, method and device: float sums give the same bits everywhere that
  /// denormals are kept. Slower. Integers, minima and maxima are the same everywhere in any case.
  bool reproducible = false;
  /// Lanes per wave to ask for; nothing: the device's standard size.
  std::optional<std::uint32_t> wave_size;
};

/// A plan to reduce arrays of one type with one operator on one device. Make it once, record it as often as needed.
///
/// Integer sums wrap modulo 2^32 or 2^64. Float sums: |result − exact| ≤ error_bound(n) · Σ|x|, NaN if any element is
/// NaN or infinities of both signs meet, and never −0. The state on the device belongs to the plan, so recordings of
/// one plan must not run at the same time on two queues; on one queue they may follow each other as closely as they
/// like.
class Reduction {
 public:
  /// Errors: `invalid_argument` where `op` is not defined for `type`; `unsupported` where the device lacks the type,
  /// the wave operations or the wave size.
  static Expected<Reduction> create(Device& device, const ReductionOptions& options);

  Reduction(Reduction&&) noexcept;
  Reduction& operator=(Reduction&&) noexcept;
  ~Reduction();

  /// Records the reduction of `count` elements of `input` from byte `input_offset` on; the result, one element, goes
  /// to `output` at byte `output_offset`. Both offsets are multiples of the element size, no more is asked of them.
  /// As with every dispatch, a barrier is due between what writes the input and this, and between this and what reads
  /// the output; this records only the barriers that the plan's own state needs. Errors: `invalid_argument` for ranges
  /// outside the buffers, and for the minimum or maximum of no elements; the sum, or, xor of none is 0, the and of none
  /// has all bits set.
  Expected<void> record(CommandList& list, Buffer& input, std::uint64_t input_offset, std::uint64_t count,
                        Buffer& output, std::uint64_t output_offset = 0);

  /// The same for a number of elements that the device knows: 64 bits, low word first, in `counts` at byte
  /// `count_offset`, a multiple of 8. `capacity` is the most that it may be; more counts as `capacity`. The minimum of
  /// no elements is then the largest value of the type and the maximum the smallest (infinities for floats).
  Expected<void> record_indirect(CommandList& list, Buffer& input, std::uint64_t input_offset, Buffer& counts,
                                 std::uint64_t count_offset, std::uint64_t capacity, Buffer& output,
                                 std::uint64_t output_offset = 0);

  /// The method that runs: never `automatic`.
  [[nodiscard]] Method method() const;
  /// Why another method runs than the one asked for; empty where it is the one.
  [[nodiscard]] const std::string& method_note() const;
  /// For float sums of `count` elements: the factor of Σ|x| that bounds the error. 0 for all else.
  [[nodiscard]] double error_bound(std::uint64_t count) const;

 private:
  struct Plan;
  explicit Reduction(std::unique_ptr<Plan> plan);
  std::unique_ptr<Plan> plan_;
};

/// The one-call form for values on the host: uploads, reduces, waits. `T` is one of the six element types.
template <typename T>
Expected<T> reduce(Device& device, std::span<const T> values, Operator op = Operator::sum,
                   Method method = Method::automatic);

}  // namespace crosslane
