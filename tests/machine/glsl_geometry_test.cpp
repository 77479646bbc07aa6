// GLSL.std.450: lengths, directions, determinants and inverses, against long doubles. Their error follows from the
// formulas: a few roundings of numbers as large as the terms are.
#include <gtest/gtest.h>

#include "machine/glsl_forms.hpp"

namespace crosslane::test {
namespace {

using Numbers = std::vector<long double>;

constexpr std::size_t threads = 150;

Numbers numbers_of(auto values) {
  Numbers numbers;
  for (const auto value : values) {
    numbers.push_back(real(value));
  }
  return numbers;
}

// `oracle` takes each operand's numbers; the error allowed is `ulps` at the size of the result, or at `scale`, 1 if it
// sets none.
template <typename T, typename Oracle, typename... Values>
void check_formula(const std::string& name, const Type& result, const std::vector<Type>& types, long double ulps,
                   Oracle oracle, const Values&... values) {
  const Instruction instruction{
      .body = "%r = OpExtInst $R %glsl " + name + std::string(" %a %b %c").substr(0, 3 * types.size()),
      .result = result,
      .operands = types};
  check_whole<T>(
      instruction,
      [&](auto... operands) {
        std::vector<Near> expected;
        long double scale = 1;
        for (const auto value : oracle(std::vector<Numbers>{numbers_of(operands)...}, scale)) {
          expected.push_back({value, ulps * unit_in_last_place<T>(std::max(scale, std::fabs(value)))});
        }
        return expected;
      },
      values...);
}

long double dot(const Numbers& a, const Numbers& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

Numbers combined(long double p, const Numbers& a, long double q, const Numbers& b) {
  Numbers sum;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum.push_back(p * a[i] + q * b[i]);
  }
  return sum;
}

Numbers unit(const Numbers& a) { return combined(1 / std::sqrt(dot(a, a)), a, 0, a); }

// Vectors of length 1.
template <typename T>
std::vector<T> directions(Draw& draw, std::uint32_t rows) {
  const auto any = draw.between<T>(-1, 1, threads * rows);
  std::vector<T> units;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    Numbers vector{1.0L};  // never of length 0
    for (std::size_t i = 1; i < rows; ++i) {
      vector.push_back(real(any[thread * rows + i]));
    }
    for (const auto value : unit(vector)) {
      units.push_back(rounded<T>(value));
    }
  }
  return units;
}

template <typename T>
void check_vectors(std::uint32_t rows) {
  using Operands = const std::vector<Numbers>&;
  const auto vector = type_of<T>(rows);
  const auto scalar = type_of<T>();
  Draw draw(40 + rows);
  // Squares of these are beyond the largest half; lengths are not.
  const auto a = draw.between<T>(-300, 300, threads * rows);
  const auto b = draw.between<T>(-300, 300, threads * rows);
  const auto length = [](Operands x, long double&) { return Numbers{std::sqrt(dot(x[0], x[0]))}; };
  check_formula<T>("Length", scalar, {vector}, 4, length, a);
  const auto distance = [](Operands x, long double&) {
    const auto difference = combined(1, x[0], -1, x[1]);
    return Numbers{std::sqrt(dot(difference, difference))};
  };
  check_formula<T>("Distance", scalar, {vector, vector}, 4, distance, a, b);
  const auto normalized = [](Operands x, long double&) { return unit(x[0]); };
  check_formula<T>("Normalize", vector, {vector}, 4, normalized, a);
  const auto faced = [](Operands x, long double&) { return combined(dot(x[2], x[1]) < 0 ? 1 : -1, x[0], 0, x[0]); };
  const auto references = draw.between<T>(-1, 1, threads * rows);
  check_formula<T>("FaceForward", vector, {vector, vector, vector}, 0, faced, a, b, references);
  const auto normals = directions<T>(draw, rows);
  const auto rays = directions<T>(draw, rows);
  const auto reflected = [](Operands x, long double&) { return combined(1, x[0], -2 * dot(x[1], x[0]), x[1]); };
  check_formula<T>("Reflect", vector, {vector, vector}, 8, reflected, rays, normals);
  const auto refracted = [](Operands x, long double&) {
    const long double ratio = x[2][0];
    const long double angle = dot(x[1], x[0]);
    const long double k = 1 - ratio * ratio * (1 - angle * angle);
    return combined(ratio, x[0], -(ratio * angle + std::sqrt(k)), x[1]);
  };
  const auto ratios = draw.between<T>(0.5L, 0.9L, threads);
  check_formula<T>("Refract", vector, {vector, vector, scalar}, 16, refracted, rays, normals, ratios);
}

template <typename T>
void check_geometry() {
  for (const std::uint32_t rows : {1U, 2U, 3U, 4U}) {
    check_vectors<T>(rows);
  }
  Draw draw(50);
  const auto a = draw.between<T>(-8, 8, threads * 3);
  const auto b = draw.between<T>(-8, 8, threads * 3);
  const auto cross = [](const std::vector<Numbers>& x, long double& scale) {
    scale = 64;
    const auto& p = x[0];
    const auto& q = x[1];
    return Numbers{p[1] * q[2] - q[1] * p[2], p[2] * q[0] - q[2] * p[0], p[0] * q[1] - q[0] * p[1]};
  };
  check_formula<T>("Cross", type_of<T>(3), {type_of<T>(3), type_of<T>(3)}, 3, cross, a, b);
}

TEST(MachineGlslGeometry, SixteenBitFloats) { check_geometry<Half>(); }
TEST(MachineGlslGeometry, ThirtyTwoBitFloats) { check_geometry<float>(); }
TEST(MachineGlslGeometry, SixtyFourBitFloats) { check_geometry<double>(); }

// Beyond the critical angle nothing is refracted.
TEST(MachineGlslGeometry, TotalReflection) {
  std::vector<float> rays;
  std::vector<float> normals;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    rays.insert(rays.end(), {0.8F, -0.6F});
    normals.insert(normals.end(), {0, 1});
  }
  check_formula<float>(
      "Refract", type_of<float>(2), {type_of<float>(2), type_of<float>(2), type_of<float>()}, 0,
      [](const std::vector<Numbers>&, long double&) {
        return Numbers{0, 0};
      },
      rays, normals, std::vector<float>(threads, 1.5F));
}

// Gauss and Jordan's elimination, with the largest pivot: the inverse, and the determinant behind it. Matrices are
// stored column by column, which does not matter to either.
Numbers eliminated(Numbers matrix, std::size_t n) {
  Numbers inverse(n * n, 0);
  long double determinant = 1;
  for (std::size_t i = 0; i < n; ++i) {
    inverse[i * n + i] = 1;
  }
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t pivot = step;
    for (std::size_t line = step; line < n; ++line) {
      pivot = std::fabs(matrix[line * n + step]) > std::fabs(matrix[pivot * n + step]) ? line : pivot;
    }
    determinant *= pivot == step ? 1 : -1;
    for (std::size_t i = 0; i < n; ++i) {
      std::swap(matrix[pivot * n + i], matrix[step * n + i]);
      std::swap(inverse[pivot * n + i], inverse[step * n + i]);
    }
    const long double scale = matrix[step * n + step];
    determinant *= scale;
    for (std::size_t i = 0; i < n; ++i) {
      matrix[step * n + i] /= scale;
      inverse[step * n + i] /= scale;
    }
    for (std::size_t line = 0; line < n; ++line) {
      const long double factor = line == step ? 0 : matrix[line * n + step];
      for (std::size_t i = 0; i < n; ++i) {
        matrix[line * n + i] -= factor * matrix[step * n + i];
        inverse[line * n + i] -= factor * inverse[step * n + i];
      }
    }
  }
  inverse.push_back(determinant);
  return inverse;
}

template <typename T>
void check_matrices() {
  for (const std::uint32_t n : {2U, 3U, 4U}) {
    const Type matrix{'f', static_cast<std::uint32_t>(8 * sizeof(T)), n, n};
    auto values = Draw(60 + n).between<T>(-1, 1, threads * n * n);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto place = i % (n * n);
      values[i] = place % (n + 1) == 0 ? rounded<T>(real(values[i]) + 4) : values[i];  // far from singular
    }
    const auto determinant = [n](const std::vector<Numbers>& x, long double& scale) {
      scale = 500;
      return Numbers{eliminated(x[0], n).back()};
    };
    check_formula<T>("Determinant", type_of<T>(), {matrix}, 8, determinant, values);
    const auto inverse = [n](const std::vector<Numbers>& x, long double&) {
      auto numbers = eliminated(x[0], n);
      numbers.pop_back();
      return numbers;
    };
    check_formula<T>("MatrixInverse", matrix, {matrix}, 16, inverse, values);
  }
}

TEST(MachineGlslMatrix, SixteenBitFloats) { check_matrices<Half>(); }
TEST(MachineGlslMatrix, ThirtyTwoBitFloats) { check_matrices<float>(); }
TEST(MachineGlslMatrix, SixtyFourBitFloats) { check_matrices<double>(); }

}  // namespace
}  // namespace crosslane::test
