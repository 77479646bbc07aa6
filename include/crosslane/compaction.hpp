// Compaction: keeps some elements of an array, in their order, side by side (stream compaction; NumPy's a[mask]).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "crosslane/device.hpp"
#include "crosslane/kernel.hpp"
#include "crosslane/method.hpp"
#include "crosslane/passes.hpp"
#include "crosslane/scalar_type.hpp"

namespace crosslane {

enum class Comparison : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };

/// Keeps elements whose flag is not 0: a 32-bit word for each, in an array of their own.
struct ByFlags {};

/// Keeps values for which `value comparison operand` holds, as in C++: NaN differs from everything, −0 equals +0. Exact
/// on every device, also for denormals and where the device has no 64-bit types.
struct ByComparison {
  ScalarType type = ScalarType::u32;
  Comparison comparison = Comparison::not_equal;
  std::uint64_t operand = 0;  ///< the bits of a value of `type`, in the low ones

  template <typename T>
  static ByComparison of(Comparison comparison, T operand) {
    ByComparison made{scalar_type_of<T>, comparison, 0};
    std::memcpy(&made.operand, &operand, sizeof(T));
    return made;
  }
};

/// Keeps what a function of the program's own keeps, which crosslane_compaction_kernels() compiled into `kernels`.
struct ByFunctor {
  KernelFamily kernels;
  std::array<std::uint32_t, 8> constants = {};  ///< handed to the function
};

using Selection = std::variant<ByFlags, ByComparison, ByFunctor>;

struct CompactionOptions {
  std::uint32_t element_bytes = 4;  ///< 4, 8 or 16; that of the type for ByComparison
  Selection selection = ByFlags{};
  bool indices = false;  ///< the outputs are the elements' places in the array, 32 bits each, in their stead
  Method method = Method::automatic;
  /// Asked first where `method` is `automatic`; not kept after `Compaction::create`.
  const DecisionSource* decisions = nullptr;
  Passes passes = Passes::automatic;
  /// Lanes per wave to ask for; nothing: the device's standard size.
  std::optional<std::uint32_t> wave_size = {};
};

/// What one compaction reads and writes. No output overlaps anything else; offsets are multiples of the elements' size.
struct CompactionArrays {
  BufferPlace input = {};     ///< nowhere for indices by flags, which need no elements
  BufferPlace flags = {};     ///< with ByFlags
  BufferPlace kept = {};      ///< with room for as many elements as `input` has
  BufferPlace rejected = {};  ///< where the others go, in order too, with as much room; nowhere: they go nowhere
  BufferPlace count = {};     ///< receives how many were kept: 64 bits, low word first; a multiple of 8
  /// Receives the three words of an indirect dispatch over what was kept: enough groups of `per_group` elements each,
  /// in two dimensions where one holds no more than 65,535. Nowhere: not wanted.
  BufferPlace arguments = {};
  std::uint32_t per_group = 0;
};

/// A plan to compact arrays of one kind of elements on one device. Make it once, record it as often as needed.
///
/// Stable: kept elements stay in their order, and so do rejected ones. The result is the same on every device and by
/// every method. The state on the device belongs to the plan, so recordings of one plan must not run at the same time
/// on two queues; on one queue they may follow each other as closely as they like.
class Compaction {
 public:
  /// Errors: `invalid_argument` for a size of elements other than 4, 8 and 16 or that is not the type's; `unsupported`
  /// where the device lacks the wave operations or the wave size, or a functor's kernels lack the variant.
  static Expected<Compaction> create(Device& device, const CompactionOptions& options);

  Compaction(Compaction&&) noexcept;
  Compaction& operator=(Compaction&&) noexcept;
  ~Compaction();

  /// Records the compaction of `count` elements, no more than 2^32. Barriers are due before and after, as with every
  /// dispatch. Errors: `invalid_argument` for ranges that are missing, outside their buffers or overlapping;
  /// `unsupported` for outputs of more than eight bindings' size.
  Expected<void> record(CommandList& list, const CompactionArrays& arrays, std::uint64_t count);

  /// The same for a number of elements that the device knows: 64 bits at `counts`, a multiple of 8. `capacity` is the
  /// most that it may be; more counts as `capacity`.
  Expected<void> record_indirect(CommandList& list, const CompactionArrays& arrays, const BufferPlace& counts,
                                 std::uint64_t capacity);

  /// The method that runs: never `automatic`.
  [[nodiscard]] Method method() const;
  /// Why another method runs than the one asked for; empty where it is the one.
  [[nodiscard]] const std::string& method_note() const;
  /// Never `automatic`.
  [[nodiscard]] Passes passes() const;

 private:
  struct Plan;
  explicit Compaction(std::unique_ptr<Plan> plan);
  std::unique_ptr<Plan> plan_;
};

}  // namespace crosslane
