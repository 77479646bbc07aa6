// What operations on single numbers give, in C++.
#include "machine/random/interpret_arithmetic.hpp"

#include <algorithm>

namespace crosslane::machine_tests {

std::uint32_t compute(Binary operation, std::uint32_t a, std::uint32_t b) {
  switch (operation) {
    case Binary::add:
      return a + b;
    case Binary::subtract:
      return a - b;
    case Binary::multiply:
      return a * b;
    case Binary::divide:
      return a / (b | 1U);
    case Binary::remainder:
      return a % (b | 1U);
    case Binary::bit_and:
      return a & b;
    case Binary::bit_or:
      return a | b;
    case Binary::bit_xor:
      return a ^ b;
    case Binary::shift_left:
      return a << (b % 32);
    case Binary::shift_right:
      return a >> (b % 32);
    case Binary::less:
      return a < b ? 1 : 0;
    case Binary::less_signed:
      return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? 1 : 0;
    case Binary::equal:
      return a == b ? 1 : 0;
    case Binary::not_equal:
      return a != b ? 1 : 0;
  }
  return 0;
}

std::uint32_t identity(Arithmetic operation) {
  switch (operation) {
    case Arithmetic::multiply:
    case Arithmetic::logical_and:
      return 1;
    case Arithmetic::minimum:
    case Arithmetic::bit_and:
      return 0xFFFFFFFF;
    case Arithmetic::minimum_signed:
      return 0x7FFFFFFF;
    case Arithmetic::maximum_signed:
      return 0x80000000;
    default:
      return 0;
  }
}

std::uint32_t combine(Arithmetic operation, std::uint32_t a, std::uint32_t b) {
  switch (operation) {
    case Arithmetic::add:
      return a + b;
    case Arithmetic::multiply:
      return a * b;
    case Arithmetic::minimum:
      return std::min(a, b);
    case Arithmetic::maximum:
      return std::max(a, b);
    case Arithmetic::minimum_signed:
      return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? a : b;
    case Arithmetic::maximum_signed:
      return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? b : a;
    case Arithmetic::bit_and:
    case Arithmetic::logical_and:
      return a & b;
    case Arithmetic::bit_or:
    case Arithmetic::logical_or:
      return a | b;
    case Arithmetic::bit_xor:
    case Arithmetic::logical_xor:
      return a ^ b;
  }
  return 0;
}

bool is_logical(Arithmetic operation) { return operation >= Arithmetic::logical_and; }

}  // namespace crosslane::machine_tests
