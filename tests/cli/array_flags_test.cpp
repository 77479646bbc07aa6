#include "cli/array_flags.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "cli/folder_test.hpp"
#include "cli/npy_bytes.hpp"
#include "support/expected.hpp"

namespace crosslane::cli {
namespace {

using crosslane::test::fails;
using crosslane::test::must;

class ArrayFlagsTest : public test::FolderTest {
 protected:
  ArrayFlagsTest() {
    test::write_file(folder_ / "in.npy", test::npy_bytes(std::vector<std::int64_t>{1, 2, 3}));
    flags_.file = (folder_ / "in.npy").string();
    flags_.output = (folder_ / "out.npy").string();
  }

  ArrayFlags flags_;
};

TEST_F(ArrayFlagsTest, TellWhatBecameOfTheOutput) {
  const auto file = must(open_array(flags_, "scan"));
  const auto written = array_document(flags_, file, true);
  EXPECT_EQ(written["file"], flags_.file);
  EXPECT_EQ(written["output"], flags_.output);
  EXPECT_EQ(written["type"], "i64");
  EXPECT_EQ(written["count"], 3);
  EXPECT_EQ(output_text(flags_, true), "");
  EXPECT_TRUE(array_document(flags_, file, false)["output"].is_null());
  EXPECT_EQ(output_text(flags_, false), flags_.output + " was not written\n");
}

TEST_F(ArrayFlagsTest, AreCheckedBeforeADeviceIsAsked) {
  test::write_file(folder_ / "out.npy", "");
  EXPECT_TRUE(fails(open_array(flags_, "scan"), ErrorCode::invalid_argument, "overwrite it with --force"));
  flags_.force = true;
  EXPECT_TRUE(open_array(flags_, "scan").has_value());
  flags_.file = (folder_ / "none.npy").string();
  EXPECT_TRUE(fails(open_array(flags_, "scan"), ErrorCode::invalid_input, "there is no such file"));
}

}  // namespace
}  // namespace crosslane::cli
