// Reductions and scans over the lanes of a wave, in the order of the lanes.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/ops_wave_arithmetic.cpp"
#include <limits>

#include "machine/targets.hpp"

#include <hwy/foreach_target.h>

#include "machine/lane_loops-inl.hpp"
#include "machine/wave_ops.hpp"

HWY_BEFORE_NAMESPACE();
namespace crosslane::machine::HWY_NAMESPACE {
namespace {

template <typename T>
using Signed = std::make_signed_t<T>;
template <typename T>
using Limits = std::numeric_limits<T>;

// `identity` leaves every value as it is.
struct Sum {
  template <typename T>
  static constexpr T identity = T{0};
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
// 0 is what SPIR-V calls the identity, although it turns −0 into 0.
struct FloatSum {
  template <typename T>
  static constexpr T identity = T{0};
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a + b;
  }
};
struct Product {
  template <typename T>
  static constexpr T identity = T{1};
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(std::uint64_t{a} * b);
    } else {
      return a * b;
    }
  }
};
struct Minimum {
  template <typename T>
  static constexpr T identity = Limits<T>::max();
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <typename T>
  static constexpr T identity = T{0};
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct MinimumSigned {
  template <typename T>
  static constexpr T identity = static_cast<T>(Limits<Signed<T>>::max());
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<Signed<T>>(b) < static_cast<Signed<T>>(a) ? b : a;
  }
};
struct MaximumSigned {
  template <typename T>
  static constexpr T identity = static_cast<T>(Limits<Signed<T>>::min());
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<Signed<T>>(a) < static_cast<Signed<T>>(b) ? b : a;
  }
};
// A number wins over NaN.
struct FloatMinimum {
  template <typename T>
  static constexpr T identity = Limits<T>::infinity();
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return b < a || a != a ? b : a;
  }
};
struct FloatMaximum {
  template <typename T>
  static constexpr T identity = -Limits<T>::infinity();
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a < b || a != a ? b : a;
  }
};
struct And {
  template <typename T>
  static constexpr T identity = static_cast<T>(~T{0});
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a & b;
  }
};
struct LogicalAnd : And {
  template <typename T>
  static constexpr T identity = T{1};
};
struct Or {
  template <typename T>
  static constexpr T identity = T{0};
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a | b;
  }
};
struct Xor {
  template <typename T>
  static constexpr T identity = T{0};
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a ^ b;
  }
};

enum class Shape { reduce, inclusive, exclusive };

// One reduction or scan over the lanes of `lanes`.
template <typename F, typename Row>
void over_lanes(const Row* in, Row* out, Mask lanes, Shape shape) {
  using T = decltype(open(Row{}));
  T sum = F::template identity<T>;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    const T before = sum;
    sum = open(close<Row>(F{}(sum, open(in[lane]))));
    out[lane] = close<Row>(shape == Shape::exclusive ? before : sum);
  });
  if (shape == Shape::reduce) {
    for_each_lane(lanes, [&](std::uint32_t lane) { out[lane] = close<Row>(sum); });
  }
}

// The order does not matter for integers: a plain loop that vectorises.
template <typename F, typename T>
HWY_INLINE T reduce_integers(const Wave& wave, const T* HWY_RESTRICT in) {
  const std::uint32_t* HWY_RESTRICT active = wave.active_row;
  const std::uint32_t lanes = wave.padded & ~(row_lanes - 1);
  T sum = F::template identity<T>;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    sum = F{}(sum, active[lane] != 0 ? in[lane] : F::template identity<T>);
  }
  return sum;
}

Mask partition_of(const Wave& wave, const Operation& op, std::uint32_t lane) {
  const auto* rows = wave.row<std::uint32_t>(op.b);
  const auto word = [&](std::size_t index) { return std::uint64_t{rows[index * wave.padded + lane]}; };
  return {word(0) | word(1) << 32U, word(2) | word(3) << 32U};
}

template <typename F, typename Row>
void row_arithmetic(Wave& wave, const Operation& op, const Row* in, Row* out) {
  switch (static_cast<spv::GroupOperation>(op.imm)) {
    case spv::GroupOperation::Reduce:
      if constexpr (std::is_integral_v<Row>) {
        const Row sum = reduce_integers<F>(wave, in);
        for (std::uint32_t lane = 0; lane < wave.padded; ++lane) {
          out[lane] = sum;
        }
      } else {
        over_lanes<F>(in, out, wave.active, Shape::reduce);
      }
      return;
    case spv::GroupOperation::InclusiveScan:
      over_lanes<F>(in, out, wave.active, Shape::inclusive);
      return;
    case spv::GroupOperation::ExclusiveScan:
      over_lanes<F>(in, out, wave.active, Shape::exclusive);
      return;
    case spv::GroupOperation::ClusteredReduce:
      for (std::uint32_t first = 0; first < wave.lanes; first += op.aux) {
        over_lanes<F>(in, out, wave.active & (first_lanes(first + op.aux) - first_lanes(first)), Shape::reduce);
      }
      return;
    default:
      break;
  }
  const auto operation = static_cast<spv::GroupOperation>(op.imm);
  const Shape shape = operation == spv::GroupOperation::PartitionedReduceNV          ? Shape::reduce
                      : operation == spv::GroupOperation::PartitionedInclusiveScanNV ? Shape::inclusive
                                                                                     : Shape::exclusive;
  for (Mask left = wave.active; left.any();) {
    const std::uint32_t first = left.first();
    // The lane itself is always in: a partition without it would never end.
    const Mask lanes = (partition_of(wave, op, first) & left) | (first_lanes(first + 1) - first_lanes(first));
    over_lanes<F>(in, out, lanes, shape);
    left = left - lanes;
  }
}

template <typename F, typename Row>
void arithmetic(Wave& wave, const Operation& op) {
  for (std::uint32_t component = 0; component < op.count; ++component) {
    const std::size_t start = std::size_t{component} * wave.padded;
    row_arithmetic<F, Row>(wave, op, wave.row<Row>(op.a) + start, wave.row<Row>(op.dst) + start);
  }
}

template <typename F>
Handler of_integers(Element element) {
  switch (bytes_of(element)) {
    case 1:
      return &arithmetic<F, std::uint8_t>;
    case 2:
      return &arithmetic<F, std::uint16_t>;
    case 4:
      return &arithmetic<F, std::uint32_t>;
    default:
      return &arithmetic<F, std::uint64_t>;
  }
}

template <typename F>
Handler of_floats(Element element) {
  switch (element) {
    case Element::float16:
      return &arithmetic<F, Half>;
    case Element::float32:
      return &arithmetic<F, float>;
    case Element::float64:
      return &arithmetic<F, double>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler lanes_arithmetic(spv::Op opcode, Element element) {
  switch (opcode) {
    case spv::Op::OpGroupNonUniformIAdd:
      return of_integers<Sum>(element);
    case spv::Op::OpGroupNonUniformFAdd:
      return of_floats<FloatSum>(element);
    case spv::Op::OpGroupNonUniformIMul:
      return of_integers<Product>(element);
    case spv::Op::OpGroupNonUniformFMul:
      return of_floats<Product>(element);
    case spv::Op::OpGroupNonUniformSMin:
      return of_integers<MinimumSigned>(element);
    case spv::Op::OpGroupNonUniformUMin:
      return of_integers<Minimum>(element);
    case spv::Op::OpGroupNonUniformFMin:
      return of_floats<FloatMinimum>(element);
    case spv::Op::OpGroupNonUniformSMax:
      return of_integers<MaximumSigned>(element);
    case spv::Op::OpGroupNonUniformUMax:
      return of_integers<Maximum>(element);
    case spv::Op::OpGroupNonUniformFMax:
      return of_floats<FloatMaximum>(element);
    case spv::Op::OpGroupNonUniformBitwiseAnd:
      return of_integers<And>(element);
    case spv::Op::OpGroupNonUniformBitwiseOr:
    case spv::Op::OpGroupNonUniformLogicalOr:
      return of_integers<Or>(element);
    case spv::Op::OpGroupNonUniformBitwiseXor:
    case spv::Op::OpGroupNonUniformLogicalXor:
      return of_integers<Xor>(element);
    case spv::Op::OpGroupNonUniformLogicalAnd:
      return of_integers<LogicalAnd>(element);
    default:
      return nullptr;
  }
}

}  // namespace crosslane::machine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crosslane::machine {

HWY_EXPORT(lanes_arithmetic);

Handler wave_arithmetic_handler(spv::Op opcode, Element element) {
  return HWY_DYNAMIC_DISPATCH(lanes_arithmetic)(opcode, element);
}

}  // namespace crosslane::machine
#endif
