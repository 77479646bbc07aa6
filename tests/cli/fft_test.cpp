// `crosslane fft` on files, against the definition of the transform.
#include <cmath>
#include <complex>
#include <cstdint>
#include <fstream>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/array_command.hpp"
#include "cli/npy_bytes.hpp"

namespace crosslane::cli {
namespace {

using testing::HasSubstr;
using Complex = std::complex<double>;

std::vector<Complex> dft(const std::vector<Complex>& x, double sign) {
  std::vector<Complex> results(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (std::size_t n = 0; n < x.size(); ++n) {
      const double angle = sign * 2 * std::numbers::pi * static_cast<double>(n * k) / static_cast<double>(x.size());
      results[k] += x[n] * std::polar(1.0, angle);
    }
  }
  return results;
}

class FftCommand : public test::ArrayCommand {
 protected:
  FftCommand() : ArrayCommand("fft") {}

  test::Outcome fft(std::vector<std::string> arguments) { return run_on_device(std::move(arguments)); }

  template <typename T>
  void write_array(const std::string& file, const std::string& descr, const std::string& shape,
                   const std::vector<T>& values) {
    test::write_file(folder_ / file, test::npy_header(test::npy_dictionary(descr, shape)) + test::bytes_of(values));
  }

  template <typename T>
  static void expect_near(const std::vector<std::complex<T>>& results, const std::vector<Complex>& expected,
                          const std::string& what = "") {
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_LT(std::abs(Complex(results[i]) - expected[i]), 1e-5) << i << ' ' << what;
    }
  }
};

const std::vector<Complex> eight = {{1, 2}, {-1, 0}, {0.5, 3}, {2, 2}, {0, -1}, {4, 0}, {1, 1}, {-3, 0.25}};

TEST_F(FftCommand, TransformsComplexNumbers) {
  write_array("in.npy", "'<c8'", "(8,)", std::vector<std::complex<float>>(eight.begin(), eight.end()));
  for (const std::string method : {"automatic", "groupshared", "shuffle"}) {
    const auto outcome = fft({"in.npy", "-o", method + ".npy", "--method", method, "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["schema_version"], 1);
    EXPECT_EQ(json["type"], "complex64");
    EXPECT_EQ(json["count"], 8);
    EXPECT_EQ(json["size"], 8);
    EXPECT_EQ(json["transforms"], 1);
    EXPECT_EQ(json["norm"], "backward");
    EXPECT_EQ(json["inverse"], false);
    EXPECT_EQ(json["methods"][0]["passes"], "one");
    EXPECT_THAT(text_of(method + ".npy"), HasSubstr("'descr': '<c8', 'fortran_order': False, 'shape': (8,)"));
    expect_near(data_of<std::complex<float>>(method + ".npy", 8), dft(eight, -1), method);
  }
}

TEST_F(FftCommand, ComparesAllMethods) {
  write_array("in.npy", "'<c8'", "(8,)", std::vector<std::complex<float>>(eight.begin(), eight.end()));
  const auto outcome = fft({"in.npy", "-o", "out.npy", "--method", "all", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(json["agree"], true);
  ASSERT_EQ(json["methods"].size(), 3U);
  EXPECT_EQ(json["methods"][0]["passes"], "one");
  EXPECT_EQ(json["methods"][1]["passes"], "one");
  EXPECT_EQ(json["methods"][2]["passes"], nullptr) << "wave_intrinsics";
  EXPECT_THAT(std::string(json["methods"][2]["note"]), HasSubstr("use method shuffle or groupshared"));
  expect_near(data_of<std::complex<float>>("out.npy", 8), dft(eight, -1));
}

TEST_F(FftCommand, KnowsNumPysNorms) {
  write_array("in.npy", "'<c16'", "(8,)", eight);
  const auto expect_factor = [&](const std::string& norm, bool inverse, double factor) {
    std::vector<std::string> arguments = {"in.npy", "-o", "out.npy", "--force", "--norm", norm};
    if (inverse) {
      arguments.emplace_back("--inverse");
    }
    const auto outcome = fft(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(inverse ? "1 transform of 8 points, inverse, of 8 complex128 elements"
                                               : "1 transform of 8 points, forward, of 8 complex128 elements"));
    auto expected = dft(eight, inverse ? 1 : -1);
    for (Complex& value : expected) {
      value *= factor;
    }
    expect_near(data_of<Complex>("out.npy", 8), expected, norm);
  };
  expect_factor("backward", false, 1);
  expect_factor("backward", true, 1.0 / 8);
  expect_factor("ortho", false, 1 / std::sqrt(8.0));
  expect_factor("ortho", true, 1 / std::sqrt(8.0));
  expect_factor("forward", false, 1.0 / 8);
  expect_factor("forward", true, 1);
}

TEST_F(FftCommand, TransformsAlongEveryAxis) {
  // 2 × 4 × 8 numbers.
  std::vector<Complex> values(64);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = {static_cast<double>(i * i % 17), static_cast<double>(i * 5 % 13)};
  }
  write_array("in.npy", "'<c16'", "(2, 4, 8)", values);
  struct Axis {
    std::string number;
    std::size_t size;
    std::size_t stride;
  };
  for (const auto& [number, size, stride] : {Axis{"0", 2, 32}, {"1", 4, 8}, {"-2", 4, 8}, {"2", 8, 1}, {"-1", 8, 1}}) {
    const auto outcome = fft({"in.npy", "-o", "out.npy", "--force", "--axis", number});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(text_of("out.npy"), HasSubstr("'shape': (2, 4, 8)"));
    std::vector<Complex> expected(values.size());
    for (std::size_t first = 0; first < values.size(); ++first) {
      if (first / stride % size == 0) {
        std::vector<Complex> line;
        for (std::size_t p = 0; p < size; ++p) {
          line.push_back(values[first + p * stride]);
        }
        line = dft(line, -1);
        for (std::size_t p = 0; p < size; ++p) {
          expected[first + p * stride] = line[p];
        }
      }
    }
    expect_near(data_of<Complex>("out.npy", values.size()), expected, "axis " + number);
  }
  EXPECT_THAT(fft({"in.npy", "-o", "out.npy", "--force", "--axis", "3"}).err,
              HasSubstr("in.npy: --axis 3: the array has 3 dimensions: use axes from -3 to 2"));
  EXPECT_EQ(fft({"in.npy", "-o", "out.npy", "--force", "--axis", "-4"}).exit_code, 2);
}

TEST_F(FftCommand, TakesRealNumbersAsNumPyDoes) {
  const std::vector<Complex> expected = dft({1, 2, 3, 5}, -1);
  write("floats.npy", std::vector<float>{1, 2, 3, 5});
  ASSERT_EQ(fft({"floats.npy", "-o", "of_floats.npy"}).exit_code, 0);
  expect_near(data_of<std::complex<float>>("of_floats.npy", 4), expected, "floats");
  write("numbers.npy", std::vector<std::int64_t>{1, 2, 3, 5});
  const auto outcome = fft({"numbers.npy", "-o", "of_numbers.npy", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["type"], "i64");
  expect_near(data_of<Complex>("of_numbers.npy", 4), expected, "numbers");
}

TEST_F(FftCommand, OfRealNumbersGivesHalfOfTheSpectrum) {
  // 2 × 8 numbers, as NumPy's rfft and irfft.
  const std::vector<double> numbers = {1, 2, 3, 5, 8, 13, 21, 34, 0, -1, 0, 1, 0, -1, 0, 4};
  write_array("in.npy", "'<f8'", "(2, 8)", numbers);
  const auto forward = fft({"in.npy", "-o", "half.npy", "--real", "--json"});
  ASSERT_EQ(forward.exit_code, 0) << forward.err;
  EXPECT_EQ(forward.json()["real"], true);
  EXPECT_EQ(forward.json()["size"], 8);
  EXPECT_THAT(text_of("half.npy"), HasSubstr("'descr': '<c16', 'fortran_order': False, 'shape': (2, 5)"));
  std::vector<Complex> expected;
  for (const std::size_t first : {0U, 8U}) {
    const auto spectrum = dft({numbers.begin() + static_cast<std::ptrdiff_t>(first),
                               numbers.begin() + static_cast<std::ptrdiff_t>(first) + 8},
                              -1);
    expected.insert(expected.end(), spectrum.begin(), spectrum.begin() + 5);
  }
  expect_near(data_of<Complex>("half.npy", 10), expected);
  const auto back = fft({"half.npy", "-o", "back.npy", "--real", "--inverse"});
  ASSERT_EQ(back.exit_code, 0) << back.err;
  EXPECT_THAT(text_of("back.npy"), HasSubstr("'descr': '<f8', 'fortran_order': False, 'shape': (2, 8)"));
  const auto again = data_of<double>("back.npy", 16);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_NEAR(again[i], numbers[i], 1e-12) << i;
  }
  // Integers count as doubles.
  write("numbers.npy", std::vector<std::int32_t>{1, 2, 3, 5});
  ASSERT_EQ(fft({"numbers.npy", "-o", "of_numbers.npy", "--real"}).exit_code, 0);
  expect_near(data_of<Complex>("of_numbers.npy", 3), {{11, 0}, {-2, 3}, {-3, 0}});
}

TEST_F(FftCommand, OfAnOddNumberOfRealNumbers) {
  const std::vector<double> numbers = {1, 2, 3, 5, 8, 13, 21};
  write("in.npy", numbers);
  ASSERT_EQ(fft({"in.npy", "-o", "half.npy", "--real"}).exit_code, 0);
  auto expected = dft({numbers.begin(), numbers.end()}, -1);
  expected.resize(4);
  expect_near(data_of<Complex>("half.npy", 4), expected);
  const auto back = fft({"half.npy", "-o", "back.npy", "--real", "--inverse", "-n", "7", "--json"});
  ASSERT_EQ(back.exit_code, 0) << back.err;
  EXPECT_EQ(back.json()["size"], 7);
  const auto again = data_of<double>("back.npy", 7);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_NEAR(again[i], numbers[i], 1e-12) << i;
  }
  // One number is half of the spectrum of one.
  write("one.npy", std::vector<double>{3});
  ASSERT_EQ(fft({"one.npy", "-o", "of_one.npy", "--real", "--inverse", "--size", "1"}).exit_code, 0);
  EXPECT_EQ(data_of<double>("of_one.npy", 1).front(), 3.0);
}

TEST_F(FftCommand, OfRealNumbersAlongOtherAxes) {
  // 4 × 2 numbers: two columns.
  write_array("in.npy", "'<f8'", "(4, 2)", std::vector<double>{1, 5, 2, 7, 3, -1, 5, 0});
  const auto forward = fft({"in.npy", "-o", "half.npy", "--real", "--axis", "0"});
  ASSERT_EQ(forward.exit_code, 0) << forward.err;
  EXPECT_THAT(text_of("half.npy"), HasSubstr("'shape': (3, 2)"));
  const auto left = dft({1, 2, 3, 5}, -1);
  const auto right = dft({5, 7, -1, 0}, -1);
  expect_near(data_of<Complex>("half.npy", 6), {left[0], right[0], left[1], right[1], left[2], right[2]});
}

TEST_F(FftCommand, TransformsAlongSeveralAxes) {
  // 3 × 4 × 2 numbers.
  std::vector<Complex> values(24);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = {static_cast<double>(i * i % 11), static_cast<double>(i * 5 % 13)};
  }
  write_array("in.npy", "'<c16'", "(3, 4, 2)", values);
  const auto along = [](const std::vector<Complex>& x, std::size_t size, std::size_t stride) {
    std::vector<Complex> results(x.size());
    for (std::size_t first = 0; first < x.size(); ++first) {
      if (first / stride % size == 0) {
        std::vector<Complex> line;
        for (std::size_t p = 0; p < size; ++p) {
          line.push_back(x[first + p * stride]);
        }
        line = dft(line, -1);
        for (std::size_t p = 0; p < size; ++p) {
          results[first + p * stride] = line[p];
        }
      }
    }
    return results;
  };
  const auto two = fft({"in.npy", "-o", "two.npy", "--2d", "--json"});
  ASSERT_EQ(two.exit_code, 0) << two.err;
  EXPECT_EQ(two.json()["sizes"], (std::vector<int>{4, 2}));
  EXPECT_EQ(two.json()["axes"], (std::vector<int>{-2, -1}));
  EXPECT_EQ(two.json()["transforms"], 3);
  expect_near(data_of<Complex>("two.npy", 24), along(along(values, 4, 2), 2, 1), "--2d");
  const auto named = fft({"in.npy", "-o", "named.npy", "--axes", "0,1"});
  ASSERT_EQ(named.exit_code, 0) << named.err;
  EXPECT_THAT(named.out, HasSubstr("2 transforms of 3 × 4 points each, forward, of 24 complex128 elements"));
  expect_near(data_of<Complex>("named.npy", 24), along(along(values, 3, 8), 4, 2), "--axes 0,1");
  const auto negative = fft({"in.npy", "-o", "negative.npy", "--axes=-3,-2"});
  ASSERT_EQ(negative.exit_code, 0) << negative.err;
  EXPECT_EQ(text_of("negative.npy"), text_of("named.npy"));
  EXPECT_THAT(fft({"in.npy", "-o", "out.npy", "--axes", "0,1,0"}).err,
              HasSubstr("in.npy: --axes 0,1,0 names axis 0 twice: name each once"));
  EXPECT_THAT(fft({"in.npy", "-o", "out.npy", "--axes", "0,5"}).err,
              HasSubstr("in.npy: --axes 0,5: the array has 3 dimensions: use axes from -3 to 2"));
  EXPECT_EQ(fft({"in.npy", "-o", "out.npy", "--2d", "--axis", "0"}).exit_code, 2);
  write_array("flat.npy", "'<c16'", "(8,)", eight);
  EXPECT_THAT(fft({"flat.npy", "-o", "out.npy", "--2d"}).err,
              HasSubstr("flat.npy: --2d: the array has 1 dimension: transform one with at least 2"));
}

TEST_F(FftCommand, OfRealNumbersInTwoDimensions) {
  const std::vector<double> numbers = {1, 2, 3, 5, 8, 13, 21, 34, 0, -1, 0, 1, 0, -1, 0};
  write_array("in.npy", "'<f8'", "(3, 5)", numbers);
  ASSERT_EQ(fft({"in.npy", "-o", "half.npy", "--real", "--2d"}).exit_code, 0);
  EXPECT_THAT(text_of("half.npy"), HasSubstr("'shape': (3, 3)"));
  const auto back = fft({"half.npy", "-o", "back.npy", "--real", "--2d", "--inverse", "--size", "5"});
  ASSERT_EQ(back.exit_code, 0) << back.err;
  const auto again = data_of<double>("back.npy", 15);
  Complex sum;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_NEAR(again[i], numbers[i], 1e-12) << i;
    sum += numbers[i];
  }
  EXPECT_LT(std::abs(data_of<Complex>("half.npy", 9).front() - sum), 1e-12);
}

TEST_F(FftCommand, OfHalves) {
  // 1 and i, in 16 bits each.
  const std::vector<std::uint16_t> values = {0x3C00, 0, 0, 0x3C00};
  write_array("in.npy", "'<f2'", "(2, 2)", values);
  const auto outcome = fft({"in.npy", "-o", "out.npy", "--halves", "--method", "all", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["type"], "float16");
  EXPECT_EQ(outcome.json()["size"], 2);
  EXPECT_EQ(outcome.json()["agree"], true);
  EXPECT_THAT(text_of("out.npy"), HasSubstr("'descr': '<f2', 'fortran_order': False, 'shape': (2, 2)"));
  EXPECT_EQ(data_of<std::uint16_t>("out.npy", 4), (std::vector<std::uint16_t>{0x3C00, 0x3C00, 0x3C00, 0xBC00}));
  EXPECT_THAT(fft({"in.npy", "-o", "out.npy", "--force", "--halves", "--real"}).err,
              HasSubstr("--halves are complex numbers, and --real transforms real ones: leave one of the two out"));
  write_array("flat.npy", "'<f2'", "(4,)", values);
  EXPECT_THAT(fft({"flat.npy", "-o", "out.npy", "--force", "--halves"}).err,
              HasSubstr("flat.npy: its shape is (4), and --halves takes a last axis of 2"));
  write("floats.npy", std::vector<float>(4));
  EXPECT_THAT(fft({"floats.npy", "-o", "out.npy", "--force", "--halves"}).err,
              HasSubstr("floats.npy: its elements are of type '<f4', and --halves takes float16"));
}

TEST_F(FftCommand, RefusesRealNumbersThatAreNone) {
  write_array("complex.npy", "'<c8'", "(8,)", std::vector<std::complex<float>>(8));
  EXPECT_THAT(fft({"complex.npy", "-o", "out.npy", "--real"}).err,
              HasSubstr("complex.npy: its elements are complex, and --real transforms real ones: leave it out"));
  write("one.npy", std::vector<float>(1));
  EXPECT_THAT(fft({"one.npy", "-o", "out.npy", "--real", "--inverse"}).err,
              HasSubstr("one.npy: half of a spectrum has 2 numbers or more along the axis, not 1: say --size 1"));
  write("three.npy", std::vector<float>(3));
  EXPECT_THAT(fft({"three.npy", "-o", "out.npy", "--real", "--inverse", "--size", "6"}).err,
              HasSubstr("three.npy: --size 6: half of a spectrum of 3 numbers is that of 4 or 5 real ones"));
  EXPECT_THAT(fft({"three.npy", "-o", "out.npy", "--inverse", "--size", "5"}).err,
              HasSubstr("--size says how many real numbers half of a spectrum becomes: add --real --inverse"));
}

TEST_F(FftCommand, OfNoTransformsIsAnArrayOfNone) {
  write_array("in.npy", "'<c8'", "(0, 8)", std::vector<std::complex<float>>{});
  ASSERT_EQ(fft({"in.npy", "-o", "out.npy"}).exit_code, 0);
  EXPECT_THAT(text_of("out.npy"), HasSubstr("'shape': (0, 8)"));
  const auto nothing = fft({"in.npy", "-o", "out.npy", "--force", "--axis", "0"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("in.npy: there is nothing along axis 0 to transform: its size is 0"));
}

TEST_F(FftCommand, LeavesNothingBehindAfterErrors) {
  write_array("in.npy", "'<c8'", "(8,)", std::vector<std::complex<float>>(8));
  write_array("one.npy", "'<c8'", "()", std::vector<std::complex<float>>(1));
  EXPECT_EQ(fft({"in.npy", "-o", "out.npy", "--norm", "none"}).exit_code, 2);
  EXPECT_EQ(fft({"in.npy"}).exit_code, 2);
  EXPECT_EQ(fft({"in.npy", "-o", "in.npy"}).exit_code, 2);
  EXPECT_THAT(fft({"one.npy", "-o", "out.npy"}).err, HasSubstr("the array has 0 dimensions"));
  const auto refused = fft({"in.npy", "-o", "out.npy", "--method", "wave_intrinsics"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("use method shuffle or groupshared"));
  for (const std::string flag : {"--axis", "--axes", "--size"}) {
    const auto empty = fft({"in.npy", "-o", "out.npy", flag, ""});
    EXPECT_EQ(empty.exit_code, 2) << flag;
    EXPECT_THAT(empty.err, HasSubstr(flag + ": there is no value"));
  }
  EXPECT_EQ(files(), (std::vector<std::string>{"in.npy", "one.npy", "stderr", "stdout"}));
}

}  // namespace
}  // namespace crosslane::cli
