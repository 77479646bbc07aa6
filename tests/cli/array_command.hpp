// A test of a verb that reads arrays and writes one, on the device under test.
#pragma once

#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"

namespace crosslane::cli::test {

class ArrayCommand : public ProgramTest {
 protected:
  explicit ArrayCommand(std::string verb) : verb_(std::move(verb)) {}

  std::string text_of(const std::string& file) {
    std::ifstream stream(folder_ / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  template <typename T>
  void write(const std::string& file, const std::vector<T>& values) {
    write_file(folder_ / file, npy_bytes(values));
  }

  /// The `count` values that a file ends with; it has no more.
  template <typename T>
  std::vector<T> data_of(const std::string& file, std::size_t count) {
    const std::string text = text_of(file);
    std::vector<T> values(count);
    const std::size_t header = text.find('\n') + 1;
    EXPECT_EQ(header % 64, 0U) << "the header is padded to 64 bytes";
    EXPECT_EQ(text.size() - header, count * sizeof(T)) << file;
    if (text.size() == header + count * sizeof(T) && count != 0) {
      std::memcpy(values.data(), text.data() + header, count * sizeof(T));
    }
    return values;
  }

  Outcome run_on_device(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), verb_);
    arguments.insert(arguments.end(), {"--device", test_device()});
    return run(arguments);
  }

 private:
  std::string verb_;
};

}  // namespace crosslane::cli::test
