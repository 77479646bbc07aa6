// Operators as types: what reduces and scans are built over. An operator of your own is a struct with the same two
// static functions:
//
//   struct MyOperator {
//     static T identity();          // combine(identity(), x) is x, to the bit
//     static T combine(T a, T b);   // associative; for reductions also commutative, for scans it need not be
//   };
//
// Two more are HLSL's own: `wave_intrinsic(v)` reduces the active lanes and `wave_prefix_intrinsic(v)` combines those before
// this one. Only the method `wave_intrinsics` asks for them, and HLSL has the second for sums only.
#ifndef CROSSLANE_OPERATORS_HLSLI
#define CROSSLANE_OPERATORS_HLSLI

namespace crosslane {

template <typename T> struct Sum {
  static T identity() { return T(0); }
  static T combine(T a, T b) { return a + b; }
  static T wave_intrinsic(T v) { return WaveActiveSum(v); }
  static T wave_prefix_intrinsic(T v) { return WavePrefixSum(v); }
};

// The identity of float addition is -0: adding +0 would turn a -0 into +0.
template <> struct Sum<float> {
  static float identity() { return asfloat(0x80000000u); }
  static float combine(float a, float b) { return a + b; }
  static float wave_intrinsic(float v) { return WaveActiveSum(v); }
  static float wave_prefix_intrinsic(float v) { return WavePrefixSum(v); }
};

template <> struct Sum<double> {
  static double identity() { return asdouble(0u, 0x80000000u); }
  static double combine(double a, double b) { return a + b; }
  static double wave_intrinsic(double v) { return WaveActiveSum(v); }
  static double wave_prefix_intrinsic(double v) { return WavePrefixSum(v); }
};

// The least and the greatest value of an integer type.
template <typename T> struct Limits;
template <> struct Limits<uint> {
  static uint lowest() { return 0u; }
  static uint highest() { return 0xFFFFFFFFu; }
};
template <> struct Limits<int> {
  static int lowest() { return asint(0x80000000u); }
  static int highest() { return 0x7FFFFFFF; }
};
template <> struct Limits<uint64_t> {
  static uint64_t lowest() { return uint64_t(0); }
  static uint64_t highest() { return ~uint64_t(0); }
};
template <> struct Limits<int64_t> {
  static int64_t lowest() { return int64_t(uint64_t(1) << 63); }
  static int64_t highest() { return int64_t(~(uint64_t(1) << 63)); }
};

template <typename T> struct Minimum {
  static T identity() { return Limits<T>::highest(); }
  static T combine(T a, T b) { return min(a, b); }
  static T wave_intrinsic(T v) { return WaveActiveMin(v); }
};

template <typename T> struct Maximum {
  static T identity() { return Limits<T>::lowest(); }
  static T combine(T a, T b) { return max(a, b); }
  static T wave_intrinsic(T v) { return WaveActiveMax(v); }
};

template <typename T> struct BitAnd {
  static T identity() { return ~T(0); }
  static T combine(T a, T b) { return a & b; }
  static T wave_intrinsic(T v) { return WaveActiveBitAnd(v); }
};

template <typename T> struct BitOr {
  static T identity() { return T(0); }
  static T combine(T a, T b) { return a | b; }
  static T wave_intrinsic(T v) { return WaveActiveBitOr(v); }
};

template <typename T> struct BitXor {
  static T identity() { return T(0); }
  static T combine(T a, T b) { return a ^ b; }
  static T wave_intrinsic(T v) { return WaveActiveBitXor(v); }
};

}  // namespace crosslane

#endif  // CROSSLANE_OPERATORS_HLSLI
