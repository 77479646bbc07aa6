// Complex numbers as vectors of two: the real part is x, the imaginary part y. Sums, differences and real factors are
// those of vectors.
#ifndef CROSSLANE_COMPLEX_HLSLI
#define CROSSLANE_COMPLEX_HLSLI

namespace crosslane {

// Cost: two multiplications and two fused multiply-adds.
template <typename T>
vector<T, 2> ComplexMultiply(vector<T, 2> a, vector<T, 2> b) {
  return vector<T, 2>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// a / i, a quarter turn clockwise. Cost: one negation.
template <typename T>
vector<T, 2> ComplexDivideByI(vector<T, 2> a) {
  return vector<T, 2>(a.y, -a.x);
}

}  // namespace crosslane

#endif  // CROSSLANE_COMPLEX_HLSLI
