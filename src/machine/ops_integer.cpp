// Integer arithmetic, shifts and bit fields. Results are defined where SPIR-V leaves them open: a division by zero
// gives all ones, as Direct3D 12 has it for unsigned ones, the smallest integer over −1 itself; shifts take their
// amount modulo the width.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/ops_integer.cpp"
#include "machine/targets.hpp"

#include <hwy/foreach_target.h>

#include "machine/handlers.hpp"
#include "machine/lane_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crosslane::machine::HWY_NAMESPACE {
namespace {

template <typename T>
using Signed = std::make_signed_t<T>;
template <typename T>
constexpr T width_of = static_cast<T>(8 * sizeof(T));
// Twice as wide: what products are computed in.
__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;
template <typename T>
using Wide = std::conditional_t<sizeof(T) == 8, UInt128, std::uint64_t>;
// No wider than needed: GCC 12 makes unsigned high halves of 16-bit factors that are multiplied in 64 bits.
template <typename T>
using SignedWide =
    std::conditional_t<sizeof(T) == 8, Int128, std::conditional_t<sizeof(T) == 4, std::int64_t, std::int32_t>>;

struct Add {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Subtract {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(a - b);
  }
};
struct Multiply {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(std::uint64_t{a} * b);
  }
};
struct MultiplyHigh {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>((static_cast<Wide<T>>(a) * b) >> width_of<T>);
  }
};
struct MultiplyHighSigned {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    const auto product =
        static_cast<SignedWide<T>>(static_cast<Signed<T>>(a)) * static_cast<SignedWide<T>>(static_cast<Signed<T>>(b));
    return static_cast<T>(product >> width_of<T>);
  }
};
struct Carry {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(a + b) < a ? 1 : 0;
  }
};
struct Borrow {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a < b ? 1 : 0;
  }
};
struct Divide {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return b == 0 ? static_cast<T>(~T{0}) : static_cast<T>(a / b);
  }
};
struct Remainder {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return b == 0 ? static_cast<T>(~T{0}) : static_cast<T>(a % b);
  }
};
struct DivideSigned {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    if (b == 0) {
      return static_cast<T>(~T{0});
    }
    return b == static_cast<T>(~T{0}) ? static_cast<T>(T{0} - a)
                                      : static_cast<T>(static_cast<Signed<T>>(a) / static_cast<Signed<T>>(b));
  }
};
// The sign of the dividend.
struct RemainderSigned {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    if (b == 0) {
      return static_cast<T>(~T{0});
    }
    return b == static_cast<T>(~T{0}) ? T{0} : static_cast<T>(static_cast<Signed<T>>(a) % static_cast<Signed<T>>(b));
  }
};
// The sign of the divisor.
struct Modulo {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    const T remainder = RemainderSigned{}(a, b);
    const bool differs = remainder != 0 && static_cast<Signed<T>>(remainder ^ b) < 0;
    return b != 0 && differs ? static_cast<T>(remainder + b) : remainder;
  }
};
struct ShiftLeft {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(a << (b & (width_of<T> - 1)));
  }
};
struct ShiftRight {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(a >> (b & (width_of<T> - 1)));
  }
};
struct ShiftRightSigned {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(static_cast<Signed<T>>(a) >> (b & (width_of<T> - 1)));
  }
};
struct And {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a & b;
  }
};
struct Or {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a | b;
  }
};
struct Xor {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a ^ b;
  }
};
struct Not {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct Negate {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return static_cast<T>(T{0} - a);
  }
};
struct Minimum {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct MinimumSigned {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<Signed<T>>(b) < static_cast<Signed<T>>(a) ? b : a;
  }
};
struct MaximumSigned {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<Signed<T>>(a) < static_cast<Signed<T>>(b) ? b : a;
  }
};
struct Clamp {
  template <typename T>
  HWY_INLINE T operator()(T value, T low, T high) const {
    return Minimum{}(Maximum{}(value, low), high);
  }
};
struct ClampSigned {
  template <typename T>
  HWY_INLINE T operator()(T value, T low, T high) const {
    return MinimumSigned{}(MaximumSigned{}(value, low), high);
  }
};
struct Absolute {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return static_cast<Signed<T>>(a) < 0 ? static_cast<T>(T{0} - a) : a;
  }
};
struct Sign {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return static_cast<T>((static_cast<Signed<T>>(a) > 0 ? 1 : 0) - (static_cast<Signed<T>>(a) < 0 ? 1 : 0));
  }
};
struct BitCount {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return static_cast<T>(std::popcount(a));
  }
};
struct BitReverse {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    std::uint64_t bits = a;
    bits = ((bits & 0x5555555555555555U) << 1U) | ((bits >> 1U) & 0x5555555555555555U);
    bits = ((bits & 0x3333333333333333U) << 2U) | ((bits >> 2U) & 0x3333333333333333U);
    bits = ((bits & 0x0F0F0F0F0F0F0F0FU) << 4U) | ((bits >> 4U) & 0x0F0F0F0F0F0F0F0FU);
    return static_cast<T>(__builtin_bswap64(bits) >> (64U - 8U * sizeof(T)));
  }
};
struct LowestBit {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return a == 0 ? static_cast<T>(~T{0}) : static_cast<T>(std::countr_zero(a));
  }
};
struct HighestBit {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return static_cast<T>(width_of<T> - 1 - static_cast<T>(std::countl_zero(a)));
  }
};
struct HighestBitSigned {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return HighestBit{}(static_cast<Signed<T>>(a) < 0 ? static_cast<T>(~a) : a);
  }
};

// The lowest `count` bits; all of them where count is the width or more.
template <typename T>
HWY_INLINE T low_bits(T count) {
  return count >= width_of<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << count) - 1U);
}
template <typename T>
HWY_INLINE T shift_right(T value, T offset) {
  return offset >= width_of<T> ? T{0} : static_cast<T>(value >> offset);
}
template <typename T>
HWY_INLINE T shift_left(T value, T offset) {
  return offset >= width_of<T> ? T{0} : static_cast<T>(value << offset);
}
struct Extract {
  template <typename T>
  HWY_INLINE T operator()(T base, T offset, T count) const {
    return static_cast<T>(shift_right(base, offset) & low_bits(count));
  }
};
struct ExtractSigned {
  template <typename T>
  HWY_INLINE T operator()(T base, T offset, T count) const {
    const T bits = Extract{}(base, offset, count);
    const T sign = count == 0 || count > width_of<T> ? T{0} : static_cast<T>(T{1} << (count - 1U));
    return static_cast<T>((bits ^ sign) - sign);
  }
};
struct Insert {
  template <typename T>
  HWY_INLINE T operator()(T base, T insert, T offset, T count) const {
    const T bits = shift_left(low_bits(count), offset);
    return static_cast<T>((base & static_cast<T>(~bits)) | (shift_left(insert, offset) & bits));
  }
};

}  // namespace

Handler core_integer_handler(spv::Op opcode, Element element) {
  switch (opcode) {
    case spv::Op::OpIAdd:
      return integer2<Add>(element);
    case spv::Op::OpISub:
      return integer2<Subtract>(element);
    case spv::Op::OpIMul:
      return integer2<Multiply>(element);
    case spv::Op::OpUDiv:
      return integer2<Divide>(element);
    case spv::Op::OpSDiv:
      return integer2<DivideSigned>(element);
    case spv::Op::OpUMod:
      return integer2<Remainder>(element);
    case spv::Op::OpSRem:
      return integer2<RemainderSigned>(element);
    case spv::Op::OpSMod:
      return integer2<Modulo>(element);
    case spv::Op::OpShiftLeftLogical:
      return integer2<ShiftLeft>(element);
    case spv::Op::OpShiftRightLogical:
      return integer2<ShiftRight>(element);
    case spv::Op::OpShiftRightArithmetic:
      return integer2<ShiftRightSigned>(element);
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpLogicalAnd:
      return integer2<And>(element);
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpLogicalOr:
      return integer2<Or>(element);
    case spv::Op::OpBitwiseXor:
      return integer2<Xor>(element);
    case spv::Op::OpNot:
      return integer1<Not>(element);
    case spv::Op::OpSNegate:
      return integer1<Negate>(element);
    case spv::Op::OpBitCount:
      return integer1<BitCount>(element);
    case spv::Op::OpBitReverse:
      return integer1<BitReverse>(element);
    case spv::Op::OpBitFieldUExtract:
      return integer3<Extract>(element);
    case spv::Op::OpBitFieldSExtract:
      return integer3<ExtractSigned>(element);
    case spv::Op::OpBitFieldInsert:
      return integer4<Insert>(element);
    default:
      return nullptr;
  }
}

Handler extra_integer_handler(IntegerOp operation, Element element) {
  switch (operation) {
    case IntegerOp::multiply_high_unsigned:
      return integer2<MultiplyHigh>(element);
    case IntegerOp::multiply_high_signed:
      return integer2<MultiplyHighSigned>(element);
    case IntegerOp::carry:
      return integer2<Carry>(element);
    case IntegerOp::borrow:
      return integer2<Borrow>(element);
    case IntegerOp::minimum_unsigned:
      return integer2<Minimum>(element);
    case IntegerOp::maximum_unsigned:
      return integer2<Maximum>(element);
    case IntegerOp::minimum_signed:
      return integer2<MinimumSigned>(element);
    case IntegerOp::maximum_signed:
      return integer2<MaximumSigned>(element);
    case IntegerOp::clamp_unsigned:
      return integer3<Clamp>(element);
    case IntegerOp::clamp_signed:
      return integer3<ClampSigned>(element);
    case IntegerOp::absolute:
      return integer1<Absolute>(element);
    case IntegerOp::sign:
      return integer1<Sign>(element);
    case IntegerOp::lowest_bit:
      return integer1<LowestBit>(element);
    case IntegerOp::highest_bit_signed:
      return integer1<HighestBitSigned>(element);
    case IntegerOp::highest_bit_unsigned:
      return integer1<HighestBit>(element);
  }
  return nullptr;
}

}  // namespace crosslane::machine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crosslane::machine {

HWY_EXPORT(core_integer_handler);
HWY_EXPORT(extra_integer_handler);

Handler integer_handler(spv::Op opcode, Element element) {
  return HWY_DYNAMIC_DISPATCH(core_integer_handler)(opcode, element);
}

Handler integer_handler(IntegerOp operation, Element element) {
  return HWY_DYNAMIC_DISPATCH(extra_integer_handler)(operation, element);
}

}  // namespace crosslane::machine
#endif
