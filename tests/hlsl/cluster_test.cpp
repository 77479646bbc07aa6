// Scans and reductions in clusters of every size, and in the wave, for the library's operators and for a user's,
// against values combined one after the other.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <map>

#include "hlsl/run_kernel.hpp"
#include "hlsl/values.hpp"
#include "hlsl/waves.hpp"

namespace crosslane::hlsl_tests {
namespace {

constexpr std::uint32_t threads = 256;  // of kernels/cluster.hlsl
enum Result : std::uint32_t { inclusive, before, total, reduced, results };

/// What a kernel's OP is on the host.
struct Operator {
  Value identity;
  std::function<Value(const Value& a, const Value& b)> combine;
  std::function<Value(std::uint32_t number)> element;
  bool commutative = true;
};

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <typename T>
T scalar_of(std::uint64_t bits) {
  return std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
}

template <typename T>
Value value_of(T scalar) {
  return {std::bit_cast<BitsOf<T>>(scalar)};
}

/// An operator over one scalar, with any bits as elements.
template <typename T, typename Combine>
Operator over_integers(T identity, Combine combine) {
  return {
      value_of(identity),
      [combine](const Value& a, const Value& b) {
        return value_of(static_cast<T>(combine(scalar_of<T>(a[0]), scalar_of<T>(b[0]))));
      },
      [](std::uint32_t number) {
        return value_of(scalar_of<T>(random_bits(2 * number) | (std::uint64_t{random_bits(2 * number + 1)} << 32U)));
      }};
}

/// Sums of floats that are small integers, so that they are exact in every order.
template <typename T>
Operator sum_of_floats() {
  return {value_of(T(-0.0)),
          [](const Value& a, const Value& b) { return value_of(scalar_of<T>(a[0]) + scalar_of<T>(b[0])); },
          [](std::uint32_t number) { return value_of(T(static_cast<int>(random_bits(number) % 17) - 8)); }};
}

template <typename T>
Operator minimum() {
  return over_integers(std::numeric_limits<T>::max(), [](T a, T b) { return std::min(a, b); });
}

template <typename T>
Operator maximum() {
  return over_integers(std::numeric_limits<T>::min(), [](T a, T b) { return std::max(a, b); });
}

/// Minima and maxima of float keys (float_order.hlsli): elements lie between the keys of the infinities.
template <typename Combine>
Operator over_keys(std::uint32_t identity, Combine combine) {
  Operator over = over_integers(identity, combine);
  over.element = [](std::uint32_t number) { return value_of(random_bits(number) >> 1U | 0x00800000U); };
  return over;
}

/// ArgMax of kernels/user_operators.hlsli; many elements are equal, so that their places matter.
Operator arg_max() {
  return {{std::bit_cast<std::uint32_t>(-std::numeric_limits<float>::infinity()), 0xFFFFFFFFU},
          [](const Value& a, const Value& b) {
            const auto x = scalar_of<float>(a[0]);
            const auto y = scalar_of<float>(b[0]);
            return x > y || (x == y && a[1] < b[1]) ? a : b;
          },
          [](std::uint32_t number) {
            const float value = static_cast<float>(random_bits(number) % 5) - 2.5F;
            return Value{std::bit_cast<std::uint32_t>(value), number};
          }};
}

/// MatrixProduct of kernels/user_operators.hlsli, row by row.
Operator matrix_product() {
  return {{1, 0, 0, 1},
          [](const Value& a, const Value& b) {
            Value product;
            for (const std::size_t row : {0U, 1U}) {
              for (const std::size_t column : {0U, 1U}) {
                const std::uint64_t sum = a[2 * row] * b[column] + a[2 * row + 1] * b[2 + column];
                product.push_back(static_cast<std::uint32_t>(sum));
              }
            }
            return product;
          },
          [](std::uint32_t number) {
            return Value{random_bits(4 * number), random_bits(4 * number + 1), random_bits(4 * number + 2),
                         random_bits(4 * number + 3)};
          },
          false};
}

/// The operators that CMakeLists.txt lists, by their kernels' names.
const Operator& operator_named(const std::string& name) {
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  static const std::map<std::string, Operator> table = {
      {"Sum.uint", over_integers<U32>(0, std::plus())},
      {"Sum.int", over_integers<std::int32_t>(0, [](std::int32_t a, std::int32_t b) { return U32(a) + U32(b); })},
      {"Sum.uint64_t", over_integers<U64>(0, std::plus())},
      {"Sum.float", sum_of_floats<float>()},
      {"Sum.double", sum_of_floats<double>()},
      {"Minimum.int", minimum<std::int32_t>()},
      {"Minimum.uint64_t", minimum<U64>()},
      {"Maximum.uint", maximum<U32>()},
      {"Maximum.int64_t", maximum<std::int64_t>()},
      {"BitAnd.uint", over_integers<U32>(~U32{0}, std::bit_and())},
      {"BitOr.uint64_t", over_integers<U64>(0, std::bit_or())},
      {"BitXor.uint", over_integers<U32>(0, std::bit_xor())},
      {"KeyMinimum.uint", over_keys(0xFF800000U, [](U32 a, U32 b) { return std::min(a, b); })},
      {"KeyMaximum.uint", over_keys(0x007FFFFFU, [](U32 a, U32 b) { return std::max(a, b); })},
      {"ArgMax", arg_max()},
      {"MatrixProduct", matrix_product()},
  };
  return table.at(name);
}

class Cluster : public testing::TestWithParam<std::string> {
 protected:
  Cluster() {
    const std::string kernel = unchecked(GetParam());  // "Sum.float.8"
    const std::size_t dot = kernel.rfind('.');
    const std::string size = kernel.substr(dot + 1);
    lanes_ = size == "wave" ? wave_size() : std::min(wave_size(), static_cast<std::uint32_t>(std::stoul(size)));
    operation_ = operator_named(kernel.substr(0, dot));
  }

  /// Runs with these elements; of `idle` clusters in a row the last one does not take part.
  void run(std::uint32_t idle, std::uint32_t condition_of_so_many) {
    idle_ = idle;
    const std::size_t components = operation_.identity.size();
    arrays_.assign(5, {});
    elements_.clear();
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      elements_.push_back(operation_.element(thread));
      append(arrays_[0], elements_.back());
      arrays_[2].words.push_back(random_bits(thread + idle) % condition_of_so_many == 0 ? 1 : 0);
    }
    arrays_[1] = Array::results(std::size_t{results} * threads * components * 2);
    arrays_[3] = Array::results(std::size_t{threads} * 3);
    arrays_[4] = Array::results(std::size_t{threads} * 3);
    run_kernel("cluster." + GetParam(), arrays_, {static_cast<std::uint32_t>(components), idle});
    clusters_.clear();
    for (const Wave& wave : read_full_waves(arrays_[3])) {
      for (const auto& [lane, thread] : wave) {
        if (lane % lanes_ == 0) {
          clusters_.push_back({lane / lanes_, {}});
        }
        clusters_.back().threads.push_back(thread);
      }
    }
  }

  /// The threads of one cluster in the order of their lanes.
  struct Members {
    std::uint32_t number;  ///< of the cluster in its wave
    std::vector<std::uint32_t> threads;
  };

  [[nodiscard]] bool takes_part(const Members& cluster) const {
    return idle_ == 0 || cluster.number % idle_ != idle_ - 1;
  }

  [[nodiscard]] Value result(Result which, std::uint32_t thread) const {
    return value_at(arrays_[1], which * threads + thread, operation_.identity.size());
  }

  /// Everything but the reduction.
  void check_scans(const Members& cluster) const {
    Value before_lane = operation_.identity;
    Value of_cluster = operation_.identity;
    std::int32_t last = -1;
    for (std::size_t lane = 0; lane < cluster.threads.size(); ++lane) {
      const std::uint32_t thread = cluster.threads[lane];
      of_cluster = operation_.combine(of_cluster, elements_[thread]);
      last = arrays_[2].words[thread] != 0 ? static_cast<std::int32_t>(lane) : last;
    }
    for (std::size_t lane = 0; lane < cluster.threads.size(); ++lane) {
      const std::uint32_t thread = cluster.threads[lane];
      ASSERT_EQ(result(before, thread), before_lane) << where(cluster, lane);
      before_lane = operation_.combine(before_lane, elements_[thread]);
      ASSERT_EQ(result(inclusive, thread), before_lane) << where(cluster, lane);
      ASSERT_EQ(result(total, thread), of_cluster) << where(cluster, lane);
      const std::uint32_t* numbers = &arrays_[4].words[std::size_t{thread} * 3];
      ASSERT_EQ(numbers[0], lanes_);
      ASSERT_EQ(numbers[1], lane);
      ASSERT_EQ(static_cast<std::int32_t>(numbers[2]), last) << where(cluster, lane);
    }
  }

  void check_reduction(const Members& cluster) const {
    const Value expected = tree(cluster.threads);
    for (std::size_t lane = 0; lane < cluster.threads.size(); ++lane) {
      ASSERT_EQ(result(reduced, cluster.threads[lane]), expected) << where(cluster, lane);
    }
  }

  void check_idle(const Members& cluster) const {
    for (const std::uint32_t thread : cluster.threads) {
      for (const Result which : {inclusive, before, total, reduced}) {
        ASSERT_EQ(result(which, thread), unwritten_value(operation_.identity.size())) << "of an idle cluster";
      }
    }
  }

  Operator operation_;
  std::uint32_t lanes_ = 0;  // of a cluster
  std::vector<Members> clusters_;

 private:
  /// Neighbours first, then pairs of neighbours and so on.
  [[nodiscard]] Value tree(std::span<const std::uint32_t> of_threads) const {
    if (of_threads.size() == 1) {
      return elements_[of_threads[0]];
    }
    const std::size_t half = of_threads.size() / 2;
    return operation_.combine(tree(of_threads.first(half)), tree(of_threads.subspan(half)));
  }

  [[nodiscard]] std::string where(const Members& cluster, std::size_t lane) const {
    return fmt::format("lane {} of {} in cluster {}, idle {}", lane, lanes_, cluster.number, idle_);
  }

  std::uint32_t idle_ = 0;
  std::vector<Value> elements_;  // [thread]
  std::vector<Array> arrays_;
};

TEST_P(Cluster, CombinesTheValuesOfItsLanesInTheirOrder) {
  // In a wave all lanes take part; in clusters also some of them, while others have left.
  const bool in_wave = GetParam().ends_with(".wave");
  for (const std::uint32_t idle : in_wave ? std::vector{0U} : std::vector{0U, 2U, 3U}) {
    ASSERT_NO_FATAL_FAILURE(run(idle, idle == 3 ? 50 : 3));
    for (const Members& cluster : clusters_) {
      if (!takes_part(cluster)) {
        ASSERT_NO_FATAL_FAILURE(check_idle(cluster));
        continue;
      }
      ASSERT_NO_FATAL_FAILURE(check_scans(cluster));
      if (operation_.commutative) {
        ASSERT_NO_FATAL_FAILURE(check_reduction(cluster));
      }
    }
  }
}

/// Float sums that round: they have the bits of one tree.
class ClusterOfFloats : public Cluster {};

TEST_P(ClusterOfFloats, AreAddedNeighboursFirst) {
  operation_.element = [](std::uint32_t number) { return make_value({32}, number); };
  ASSERT_NO_FATAL_FAILURE(run(0, 1));
  for (const Members& cluster : clusters_) {
    ASSERT_NO_FATAL_FAILURE(check_reduction(cluster));
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Cluster, testing::ValuesIn(kernels_below("cluster.")), test_name);
INSTANTIATE_TEST_SUITE_P(Kernels, ClusterOfFloats, testing::Values("Sum.float.4", "Sum.float.32", "Sum.float.wave"),
                         test_name);

}  // namespace
}  // namespace crosslane::hlsl_tests
