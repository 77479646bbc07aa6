// Comparisons, tests and selections. "Ordered" comparisons are false where an operand is NaN, "unordered" ones true.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/ops_compare.cpp"
#include "machine/targets.hpp"

#include <hwy/foreach_target.h>

#include "machine/handlers.hpp"
#include "machine/lane_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crosslane::machine::HWY_NAMESPACE {
namespace {

template <typename T>
HWY_INLINE auto as_signed(T value) {
  return static_cast<std::make_signed_t<T>>(value);
}

struct Equal {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return a == b;
  }
};
struct NotEqual {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return a != b;
  }
};
struct Less {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return a < b;
  }
};
struct LessEqual {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct Greater {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return a > b;
  }
};
struct GreaterEqual {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return a >= b;
  }
};
struct LessSigned {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return as_signed(a) < as_signed(b);
  }
};
struct LessEqualSigned {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return as_signed(a) <= as_signed(b);
  }
};
struct GreaterSigned {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return as_signed(a) > as_signed(b);
  }
};
struct GreaterEqualSigned {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return as_signed(a) >= as_signed(b);
  }
};
struct Ordered {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return a == a && b == b;
  }
};
struct Unordered {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return a != a || b != b;
  }
};
struct LessOrGreater {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return a < b || a > b;
  }
};
// True where F is false: "unordered less" is "not ordered greater or equal".
template <typename F>
struct Inverse {
  template <typename T>
  HWY_INLINE bool operator()(T a, T b) const {
    return !F{}(a, b);
  }
};
struct IsNan {
  template <typename T>
  HWY_INLINE bool operator()(T a) const {
    return a != a;
  }
};
struct IsInfinite {
  template <typename T>
  HWY_INLINE bool operator()(T a) const {
    return a - a != a - a && a == a;
  }
};
struct LogicalNot {
  HWY_INLINE bool operator()(std::uint32_t a) const { return a == 0; }
};

template <typename T>
struct Choose {
  HWY_INLINE T operator()(std::uint32_t condition, T a, T b) const { return condition != 0 ? a : b; }
};
template <typename T>
constexpr Handler choose = &map3<Choose<T>, T, std::uint32_t, T, T>;

Handler integer_comparison(spv::Op opcode, Element element) {
  switch (opcode) {
    case spv::Op::OpIEqual:
    case spv::Op::OpLogicalEqual:
    case spv::Op::OpPtrEqual:
      return integer_test2<Equal>(element);
    case spv::Op::OpINotEqual:
    case spv::Op::OpLogicalNotEqual:
    case spv::Op::OpPtrNotEqual:
      return integer_test2<NotEqual>(element);
    case spv::Op::OpULessThan:
      return integer_test2<Less>(element);
    case spv::Op::OpULessThanEqual:
      return integer_test2<LessEqual>(element);
    case spv::Op::OpUGreaterThan:
      return integer_test2<Greater>(element);
    case spv::Op::OpUGreaterThanEqual:
      return integer_test2<GreaterEqual>(element);
    case spv::Op::OpSLessThan:
      return integer_test2<LessSigned>(element);
    case spv::Op::OpSLessThanEqual:
      return integer_test2<LessEqualSigned>(element);
    case spv::Op::OpSGreaterThan:
      return integer_test2<GreaterSigned>(element);
    case spv::Op::OpSGreaterThanEqual:
      return integer_test2<GreaterEqualSigned>(element);
    case spv::Op::OpLogicalNot:
      return &map1<LogicalNot, std::uint32_t, std::uint32_t>;
    default:
      return nullptr;
  }
}

Handler float_comparison(spv::Op opcode, Element element) {
  switch (opcode) {
    case spv::Op::OpFOrdEqual:
      return float_test2<Equal>(element);
    case spv::Op::OpFUnordEqual:
      return float_test2<Inverse<LessOrGreater>>(element);
    case spv::Op::OpFOrdNotEqual:
    case spv::Op::OpLessOrGreater:
      return float_test2<LessOrGreater>(element);
    case spv::Op::OpFUnordNotEqual:
      return float_test2<NotEqual>(element);
    case spv::Op::OpFOrdLessThan:
      return float_test2<Less>(element);
    case spv::Op::OpFUnordLessThan:
      return float_test2<Inverse<GreaterEqual>>(element);
    case spv::Op::OpFOrdGreaterThan:
      return float_test2<Greater>(element);
    case spv::Op::OpFUnordGreaterThan:
      return float_test2<Inverse<LessEqual>>(element);
    case spv::Op::OpFOrdLessThanEqual:
      return float_test2<LessEqual>(element);
    case spv::Op::OpFUnordLessThanEqual:
      return float_test2<Inverse<Greater>>(element);
    case spv::Op::OpFOrdGreaterThanEqual:
      return float_test2<GreaterEqual>(element);
    case spv::Op::OpFUnordGreaterThanEqual:
      return float_test2<Inverse<Less>>(element);
    case spv::Op::OpOrdered:
      return float_test2<Ordered>(element);
    case spv::Op::OpUnordered:
      return float_test2<Unordered>(element);
    case spv::Op::OpIsNan:
      return float_test1<IsNan>(element);
    case spv::Op::OpIsInf:
      return float_test1<IsInfinite>(element);
    default:
      return nullptr;
  }
}

}  // namespace

Handler test_handler(spv::Op opcode, Element element) {
  const auto handler = integer_comparison(opcode, element);
  return handler != nullptr ? handler : float_comparison(opcode, element);
}

Handler choose_handler(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return choose<std::uint8_t>;
    case 2:
      return choose<std::uint16_t>;
    case 4:
      return choose<std::uint32_t>;
    default:
      return choose<std::uint64_t>;
  }
}

}  // namespace crosslane::machine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crosslane::machine {

HWY_EXPORT(test_handler);
HWY_EXPORT(choose_handler);

Handler comparison_handler(spv::Op opcode, Element element) {
  return HWY_DYNAMIC_DISPATCH(test_handler)(opcode, element);
}

Handler select_handler(std::uint32_t bytes) { return HWY_DYNAMIC_DISPATCH(choose_handler)(bytes); }

}  // namespace crosslane::machine
#endif
