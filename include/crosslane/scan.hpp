// Scan: the running combination of an array's elements (prefix sums).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/kernel.hpp"
#include "crosslane/method.hpp"
#include "crosslane/operator.hpp"
#include "crosslane/passes.hpp"
#include "crosslane/scalar_type.hpp"

namespace crosslane {

/// An operator of the program's own, which crosslane_scan_kernels() compiled into `kernels`. It must be associative,
/// and need not be commutative.
struct ScanFunctor {
  KernelFamily kernels;
  std::uint32_t element_bytes = 4;  ///< 4, 8 or 16
};

struct ScanOptions {
  ScalarType type = ScalarType::u32;
  Operator op = Operator::sum;  ///< sum, minimum or maximum
  /// In place of `type` and `op`.
  std::optional<ScanFunctor> functor = {};
  bool exclusive = false;  ///< element i gets the elements before i, the first one the operator's identity
  Method method = Method::automatic;
  /// Asked first where `method` is `automatic`; not kept after `Scan::create`.
  const DecisionSource* decisions = nullptr;
  Passes passes = Passes::automatic;
  /// Lanes per wave to ask for; nothing: the device's standard size.
  std::optional<std::uint32_t> wave_size = {};
};

/// A plan to scan arrays of one type with one operator on one device. Make it once, record it as often as needed.
///
/// Results have the type of the elements: integer sums wrap modulo 2^32 or 2^64. Float sums: as in `Reduction`, each
/// result is within error_bound(n) · Σ|x| of the exact one, is NaN from the first NaN on, and never −0. In one pass the
/// rounding may differ from run to run, in several it does not. The first result of an exclusive scan is 0 for sums and
/// the largest value of the type for minima, the smallest for maxima (infinities for floats).
///
/// The state on the device belongs to the plan, so recordings of one plan must not run at the same time on two queues;
/// on one queue they may follow each other as closely as they like.
class Scan {
 public:
  /// Errors: `invalid_argument` for operators other than sum, minimum and maximum; `unsupported` where the device lacks
  /// the type, the wave operations or the wave size, or a functor's kernels lack the variant.
  static Expected<Scan> create(Device& device, const ScanOptions& options);

  Scan(Scan&&) noexcept;
  Scan& operator=(Scan&&) noexcept;
  ~Scan();

  /// Records the scan of `count` elements of `input` from byte `input_offset` on into `output` from byte
  /// `output_offset` on. Offsets are multiples of the element size; equal ones modulo 16 bytes are fastest. Input and
  /// output are the same range or do not overlap. Barriers are due before and after, as with every dispatch. Errors:
  /// `invalid_argument` for ranges outside the buffers or overlapping ones.
  Expected<void> record(CommandList& list, Buffer& input, std::uint64_t input_offset, std::uint64_t count,
                        Buffer& output, std::uint64_t output_offset = 0);

  /// The same for a number of elements that the device knows: 64 bits, low word first, in `counts` at byte
  /// `count_offset`, a multiple of 8. `capacity` is the most that it may be; more counts as `capacity`.
  Expected<void> record_indirect(CommandList& list, Buffer& input, std::uint64_t input_offset, Buffer& counts,
                                 std::uint64_t count_offset, std::uint64_t capacity, Buffer& output,
                                 std::uint64_t output_offset = 0);

  /// The method that runs: never `automatic`.
  [[nodiscard]] Method method() const;
  /// Why another method runs than the one asked for; empty where it is the one.
  [[nodiscard]] const std::string& method_note() const;
  /// Never `automatic`.
  [[nodiscard]] Passes passes() const;
  /// For float sums of `count` elements: the factor of Σ|x| that bounds the error. 0 for all else.
  [[nodiscard]] double error_bound(std::uint64_t count) const;

 private:
  struct Plan;
  explicit Scan(std::unique_ptr<Plan> plan);
  std::unique_ptr<Plan> plan_;
};

/// The one-call form for values on the host: uploads, scans, waits. `T` is one of the six element types.
template <typename T>
Expected<std::vector<T>> scan(Device& device, std::span<const T> values, const ScanOptions& options = {});

}  // namespace crosslane
