// Headers changed at random: whatever comes, the reader answers with a header that fits the file, or with a message.
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy.hpp"
#include "cli/npy_bytes.hpp"
#include "support/sweep.hpp"

namespace crosslane::cli {
namespace {

using crosslane::test::extent;

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string operator()(std::string bytes) {
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      change(bytes);
    }
    return bytes;
  }

 private:
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

  void change(std::string& bytes) {
    static const std::vector<std::string_view> tokens = {"'",
                                                         "(",
                                                         ")",
                                                         "{",
                                                         "}",
                                                         ",",
                                                         ":",
                                                         "[",
                                                         "]",
                                                         "\n",
                                                         " ",
                                                         "L",
                                                         "-1",
                                                         "0",
                                                         "99999999999999999999",
                                                         "4294967296",
                                                         "'descr'",
                                                         "'shape'",
                                                         "'fortran_order'",
                                                         "True",
                                                         "None",
                                                         "'<f4'",
                                                         "'>f8'",
                                                         "'|O'",
                                                         "\x93NUMPY",
                                                         "\xFF",
                                                         ""};
    const std::size_t at = below(bytes.size() + 1);
    switch (below(5)) {
      case 0:  // one bit
        if (at < bytes.size()) {
          bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << below(8)));
        }
        break;
      case 1:  // cut off
        bytes.resize(at);
        break;
      case 2:  // a piece away
        bytes.erase(at, below(8));
        break;
      case 3:  // a piece twice
        bytes.insert(at, bytes.substr(below(bytes.size() + 1), below(40)));
        break;
      default:  // a token in, over what is there
        const std::string_view token = tokens[below(tokens.size())];
        bytes.replace(at, below(token.size() + 1), token);
    }
  }

  std::mt19937 random_;
};

class NpyMutation : public testing::TestWithParam<int> {};

TEST_P(NpyMutation, NeverBreaksTheReader) {
  const std::vector<std::string> seeds = {
      test::npy_bytes(std::vector<float>(7)),
      test::npy_header(test::npy_dictionary("'<u8'", "(2, 3, 4)", true), 2) + std::string(192, 'x'),
      test::npy_header(test::npy_dictionary("'<i4'", "()")) + "1234",
      test::npy_header(test::npy_dictionary("[('shape', '<f4'), ('b', '|S3')]", "(2,)"), 3) + std::string(14, 'x'),
  };
  Mutator mutate(static_cast<std::uint32_t>(GetParam()));
  int read = 0;
  const int mutations = extent(20'000, 1'000'000);
  for (int i = 0; i < mutations; ++i) {
    const std::string bytes = mutate(seeds[static_cast<std::size_t>(i) % seeds.size()]);
    std::istringstream stream(bytes);
    const Expected<NpyHeader> header = read_npy_header(stream, bytes.size(), "a.npy");
    if (header) {
      ++read;
      EXPECT_EQ(header->data_offset + header->data_bytes(), bytes.size()) << testing::PrintToString(bytes);
      std::uint64_t count = 1;
      for (const std::uint64_t size : header->shape) {
        count *= size;
      }
      EXPECT_EQ(count, header->count) << testing::PrintToString(bytes);
    } else {
      EXPECT_THAT(header.error().message, testing::StartsWith("a.npy: ")) << testing::PrintToString(bytes);
    }
  }
  EXPECT_GT(read, 0) << "mutations that leave the header alone must still be read";
}

INSTANTIATE_TEST_SUITE_P(Seeds, NpyMutation, testing::Range(1, 6));

}  // namespace
}  // namespace crosslane::cli
