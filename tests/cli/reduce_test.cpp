// `crosslane reduce` on files, against the dumbest correct code.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"
#include "support/sweep.hpp"

namespace crosslane::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Integers over the whole range of the type, floats of mixed sign that do not cancel to nothing.
template <typename T>
std::vector<T> random_values(std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<T> values(count);
  for (T& value : values) {
    if constexpr (std::is_floating_point_v<T>) {
      value = static_cast<T>(static_cast<double>(random() >> 11U) * 0x1p-53 - 0.25);
    } else {
      value = static_cast<T>(random());
    }
  }
  return values;
}

template <typename T>
T reduced(const std::vector<T>& values, const std::string& op) {
  if constexpr (std::is_floating_point_v<T>) {
    long double sum = 0;
    T result = values.empty() ? T{0} : values.front();
    for (const T value : values) {
      sum += value;
      result = op == "min" ? std::min(result, value) : std::max(result, value);
    }
    return op == "sum" ? static_cast<T>(sum) : result;
  } else {
    using Bits = std::make_unsigned_t<T>;
    Bits bits = op == "and" ? static_cast<Bits>(~Bits{0}) : Bits{0};
    T result = values.empty() ? T{0} : values.front();
    for (const T value : values) {
      const Bits word = static_cast<Bits>(value);
      bits = op == "sum" ? bits + word : op == "and" ? bits & word : op == "or" ? bits | word : bits ^ word;
      result = op == "min" ? std::min(result, value) : std::max(result, value);
    }
    return op == "min" || op == "max" ? result : static_cast<T>(bits);
  }
}

template <typename T>
T value_of(const nlohmann::json& json) {
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(std::strtod(text.c_str(), nullptr));
    } else if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(std::strtoll(text.c_str(), nullptr, 10));
    } else {
      return static_cast<T>(std::strtoull(text.c_str(), nullptr, 10));
    }
  }
  return json.get<T>();
}

template <typename T>
std::string type_name() {
  const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  return kind + std::to_string(8 * sizeof(T));
}

class Reduce : public test::ProgramTest {
 protected:
  // Lavapipe has every type; on a device without 64-bit ones these tests cannot run.
  nlohmann::json reduce(const std::string& bytes, std::vector<std::string> flags, int exit_code = 0) {
    test::write_file(folder_ / "a.npy", bytes);
    flags.insert(flags.begin(), {"reduce", "a.npy", "--json", "--device", "vulkan:0"});
    const test::Outcome result = run(flags);
    EXPECT_EQ(result.exit_code, exit_code) << result.out << result.err;
    return result.json();
  }
};

template <typename T>
class ReduceTypes : public Reduce {};
using ElementTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
TYPED_TEST_SUITE(ReduceTypes, ElementTypes);

TYPED_TEST(ReduceTypes, ByEveryMethodForEverySizeAndOperator) {
  using T = TypeParam;
  std::vector<std::string> ops = {"sum", "min", "max"};
  if (!std::is_floating_point_v<T>) {
    ops.insert(ops.end(), {"and", "or", "xor"});
  }
  // The algorithm's own tests sweep sizes at every wave size; one full sweep of the program is enough for every day.
  const bool full = test::expected_wave_size() == 8 || crosslane::test::long_run();
  for (const std::size_t count :
       full ? std::vector<std::size_t>{0, 1, 7, 10'007, (1U << 20U) + 3} : std::vector<std::size_t>{7, 10'007}) {
    const std::vector<T> values = random_values<T>(count);
    const std::string bytes = test::npy_bytes(values);
    double magnitude = 0.0;
    for (const T value : values) {
      magnitude += std::abs(static_cast<double>(value));
    }
    for (const std::string& op : ops) {
      if (count == 0 && (op == "min" || op == "max")) {
        continue;  // BadInput.MinimumAndMaximumOfNothing
      }
      SCOPED_TRACE(op + " of " + std::to_string(count));
      const nlohmann::json json = this->reduce(bytes, {"--op", op, "--method", "all"});
      EXPECT_EQ(json["file"], "a.npy");
      EXPECT_EQ(json["type"], type_name<T>());
      EXPECT_EQ(json["count"], count);
      EXPECT_EQ(json["op"], op);
      EXPECT_EQ(json["agree"], true);
      ASSERT_EQ(json["methods"].size(), 3U);
      EXPECT_EQ(json["methods"][0]["method"], "groupshared");
      EXPECT_EQ(json["methods"][1]["method"], "shuffle");
      EXPECT_EQ(json["methods"][2]["method"], "wave_intrinsics");
      const T expected = reduced(values, op);
      const bool exact = op != "sum" || !std::is_floating_point_v<T>;
      // The stated bounds are a few units in the last place; the true sum is the oracle's, to one rounding.
      const double tolerance = exact ? 0.0 : 32.0 * std::numeric_limits<T>::epsilon() * magnitude;
      for (const nlohmann::json& method : json["methods"]) {
        EXPECT_GE(method["gpu_time_ms"].template get<double>(), 0.0);
        EXPECT_EQ(method["note"].template get<std::string>().empty(), method["ran"] == method["method"]) << method;
        const T value = value_of<T>(method["value"]);
        if (exact) {
          EXPECT_EQ(value, expected) << method["method"];
        } else {
          EXPECT_NEAR(static_cast<double>(value), static_cast<double>(expected), tolerance) << method["method"];
        }
      }
    }
  }
}

TEST_F(Reduce, HasOneShapeForOneMethodAsForAll) {
  const std::string bytes = test::npy_bytes(std::vector<std::uint32_t>{1, 2, 3});
  const nlohmann::json all = reduce(bytes, {"--method", "all"});
  for (const std::string method : {"groupshared", "shuffle", "wave_intrinsics", "automatic"}) {
    const nlohmann::json one = reduce(bytes, {"--method", method});
    ASSERT_EQ(one["methods"].size(), 1U);
    EXPECT_EQ(one["methods"][0]["value"], 6);
    if (method != "automatic") {
      EXPECT_EQ(one["methods"][0]["method"], method);
    } else {
      EXPECT_EQ(one["methods"][0]["method"], one["methods"][0]["ran"]) << "the method that ran is named";
      EXPECT_EQ(one["methods"][0]["note"], "chosen automatically");
    }
    std::vector<std::string> keys_of_one;
    std::vector<std::string> keys_of_all;
    for (const auto& [key, value] : one.items()) {
      keys_of_one.push_back(key);
    }
    for (const auto& [key, value] : all.items()) {
      keys_of_all.push_back(key);
    }
    EXPECT_EQ(keys_of_one, keys_of_all);
  }
}

TEST_F(Reduce, TellsTheDevice) {
  const nlohmann::json device = reduce(test::npy_bytes(std::vector<std::uint32_t>{1}), {})["device"];
  EXPECT_EQ(device["id"], "vulkan:0");
  EXPECT_NE(device["name"], "");
  EXPECT_EQ(device["wave_sizes"]["standard"], test::expected_wave_size());
  EXPECT_EQ(reduce(test::npy_bytes(std::vector<std::uint32_t>{1}), {})["wave_size"], test::expected_wave_size());
}

TEST_F(Reduce, QuotesIntegersBeyond2To53) {
  const auto value = [&](const std::string& bytes) { return reduce(bytes, {})["methods"][0]["value"]; };
  EXPECT_EQ(value(test::npy_bytes(std::vector<std::uint64_t>{std::uint64_t{1} << 53U, 1})), "9007199254740993");
  EXPECT_EQ(value(test::npy_bytes(std::vector<std::uint64_t>{(std::uint64_t{1} << 53U) - 1, 1})), 9007199254740992U);
  EXPECT_EQ(value(test::npy_bytes(std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()})),
            "-9223372036854775808");
}

TEST_F(Reduce, QuotesWhatIsNoNumber) {
  const auto value = [&](const std::vector<float>& values, const std::string& op) {
    return reduce(test::npy_bytes(values), {"--method", "all", "--op", op})["methods"][2]["value"];
  };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(value({1.0F, std::nanf(""), 2.0F}, "sum"), "NaN");
  EXPECT_EQ(value({1.0F, std::nanf(""), 2.0F}, "min"), "NaN");
  EXPECT_EQ(value({infinity, 1.0F}, "sum"), "Infinity");
  EXPECT_EQ(value({-infinity, 1.0F}, "sum"), "-Infinity");
  EXPECT_EQ(value({-infinity, infinity}, "sum"), "NaN");
}

TEST_F(Reduce, ReadsAnyShapeFlat) {
  const std::vector<double> values = {1, 2, 4, 8, 16, 32};
  for (const bool fortran_order : {false, true}) {
    const std::string bytes =
        test::npy_header(test::npy_dictionary("'<f8'", "(1, 2, 3)", fortran_order)) + test::bytes_of(values);
    const nlohmann::json json = reduce(bytes, {});
    EXPECT_EQ(json["shape"], nlohmann::json({1, 2, 3}));
    EXPECT_EQ(json["methods"][0]["value"], 63);
  }
  EXPECT_EQ(reduce(test::npy_header(test::npy_dictionary("'<i4'", "()")) + "\x05" + std::string(3, '\0'),
                   {})["methods"][0]["value"],
            5);
}

TEST_F(Reduce, GivesTheSameBitsByEveryMethodWhereAskedTo) {
  const std::vector<float> values = random_values<float>(100'003);
  const nlohmann::json json = reduce(test::npy_bytes(values), {"--method", "all", "--reproducible"});
  EXPECT_EQ(json["reproducible"], true);
  EXPECT_EQ(json["methods"][0]["value"], json["methods"][1]["value"]);
  EXPECT_EQ(json["methods"][0]["value"], json["methods"][2]["value"]);
}

TEST_F(Reduce, PrintsATableForPeople) {
  test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<std::uint32_t>{40, 2}));
  const test::Outcome text = run({"reduce", "a.npy", "--method", "all", "--device", "vulkan:0"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.err, "");
  EXPECT_THAT(text.out, AllOf(HasSubstr("sum of 2 u32 elements, shape (2,), from a.npy\n"), HasSubstr("on vulkan:0: "),
                              HasSubstr("groupshared"), HasSubstr("shuffle"), HasSubstr("wave_intrinsics"),
                              HasSubstr("42"), HasSubstr("all methods agree")));
}

TEST_F(Reduce, ShowsControlCharactersInTheNameOfTheFile) {
  const std::string name = "a\x1B[31m.npy";
  test::write_file(folder_ / name, test::npy_bytes(std::vector<std::uint32_t>{40, 2}));
  EXPECT_THAT(run({"reduce", name, "--device", "vulkan:0"}).out, HasSubstr(R"(from a\x1b[31m.npy)"));
  EXPECT_EQ(run({"reduce", name, "--device", "vulkan:0", "--json"}).json()["file"], name);
}

TEST_F(Reduce, PrintsFloatsShortestAndExact) {
  test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<float>{0.1F}));
  const test::Outcome text = run({"reduce", "a.npy", "--device", "vulkan:0"});
  EXPECT_THAT(text.out, HasSubstr(" 0.1 "));
  EXPECT_EQ(reduce(test::npy_bytes(std::vector<float>{0.1F}), {})["methods"][0]["value"].get<double>(),
            static_cast<double>(0.1F));
}

TEST_F(Reduce, FindsADeviceByPartOfItsName) {
  test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<std::uint32_t>{1}));
  const nlohmann::json by_id = run({"reduce", "a.npy", "--json", "--device", "vulkan:0"}).json();
  const std::string name = by_id["device"]["name"].get<std::string>();
  const nlohmann::json by_name = run({"reduce", "a.npy", "--json", "--device", name.substr(0, name.find(' '))}).json();
  EXPECT_EQ(by_name["device"]["id"], by_id["device"]["id"]);
}

TEST_F(Reduce, RefusesADeviceThatIsNotThere) {
  test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<std::uint32_t>{1}));
  for (const char* const device : {"vulkan:99", "vulkan:x", "no such device", "\x1B[31m", ""}) {
    const test::Outcome text = run({"reduce", "a.npy", "--device", device});
    EXPECT_THAT(text.err, Not(HasSubstr("\x1B")));
    EXPECT_EQ(text.exit_code, 2) << device << text.err;
    EXPECT_THAT(text.err, HasSubstr("vulkan:0")) << "the devices there are";
  }
}

TEST_F(Reduce, RefusesAWaveSizeThatTheDeviceLacks) {
  test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<std::uint32_t>{1}));
  const test::Outcome text = run({"reduce", "a.npy", "--device", "vulkan:0", "--wave-size", "128"});
  EXPECT_EQ(text.exit_code, 2) << text.err;
  EXPECT_THAT(text.err, AllOf(HasSubstr("--wave-size"), HasSubstr("128")));
}

TEST_F(Reduce, RefusesAFileLargerThanTheDevicesBuffers) {
  constexpr std::uintmax_t bytes = std::uintmax_t{1} << 42U;  // a hole; nothing of it is on the disk
  const std::string header = test::npy_header(test::npy_dictionary("'<f4'", "(1099511627776,)"));
  test::write_file(folder_ / "a.npy", header);
  std::error_code error;
  std::filesystem::resize_file(folder_ / "a.npy", header.size() + bytes, error);
  if (error) {
    GTEST_SKIP() << "this file system has no files of 4 TiB: " << error.message();
  }
  const test::Outcome text = run({"reduce", "a.npy", "--device", "vulkan:0"});
  EXPECT_EQ(text.exit_code, 2) << text.err;
  EXPECT_THAT(text.err, AllOf(HasSubstr("a.npy: its 4398046511104 bytes are more than"), HasSubstr("--device")));
}

TEST_F(Reduce, RunsOnTheWaveMachineWithoutVulkan) {
  test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<std::uint32_t>{1}));
  const test::RunOptions no_driver = {
      .environment = {{"VK_ICD_FILENAMES", "/none.json"}, {"VK_DRIVER_FILES", "/none.json"}}};
  const test::Outcome json = run({"reduce", "a.npy", "--json"}, no_driver);
  EXPECT_EQ(json.exit_code, 0);
  EXPECT_EQ(json.json()["device"]["id"], "machine");
}

}  // namespace
}  // namespace crosslane::cli
