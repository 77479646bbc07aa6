#include "cli/temporary_file.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/folder_test.hpp"
#include "cli/npy_bytes.hpp"
#include "support/expected.hpp"

namespace crosslane::cli {
namespace {

namespace fs = std::filesystem;
using crosslane::test::must;

class TemporaryFileTest : public test::FolderTest {
 protected:
  static std::string contents(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  void write(const std::string& name, const std::string& text) const {
    auto file = must(TemporaryFile::create(folder_ / name));
    test::write_file(file.name(), text);
    must(file.commit());
  }
};

TEST_F(TemporaryFileTest, TakesItsNameAtTheEnd) {
  {
    auto file = must(TemporaryFile::create(folder_ / "new"));
    EXPECT_EQ(files().size(), 1U);
    EXPECT_FALSE(fs::exists(folder_ / "new"));
    test::write_file(file.name(), "text");
    must(file.commit());
  }
  EXPECT_EQ(files(), std::vector<std::string>{"new"});
  EXPECT_EQ(contents(folder_ / "new"), "text");
}

TEST_F(TemporaryFileTest, KeepsThePermissionsOfTheFileThatItReplaces) {
  write("a", "old");
  constexpr auto open_to_all = fs::perms::owner_all | fs::perms::group_read | fs::perms::others_read;
  fs::permissions(folder_ / "a", open_to_all);
  write("a", "new");
  EXPECT_EQ(fs::status(folder_ / "a").permissions(), open_to_all);
}

TEST_F(TemporaryFileTest, IsGoneWithoutAnEnd) {
  {
    const auto file = must(TemporaryFile::create(folder_ / "new"));
    EXPECT_EQ(files().size(), 1U);
  }
  EXPECT_EQ(files().size(), 0U);
}

TEST_F(TemporaryFileTest, IsGoneAfterASignal) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          const auto file = must(TemporaryFile::create(folder_ / "new"));
          std::raise(signal);
        },
        testing::KilledBySignal(signal), "");
    EXPECT_EQ(files().size(), 0U);
  }
}

TEST_F(TemporaryFileTest, TakesNamesAsLongAsNamesAre) {
  for (const std::size_t length : {249U, 250U, 255U}) {
    write(std::string(length, 'a'), "text");
    EXPECT_EQ(contents(folder_ / std::string(length, 'a')), "text");
  }
}

TEST_F(TemporaryFileTest, ReplacesWhatALinkLeadsTo) {
  fs::create_directory(folder_ / "sub");
  test::write_file(folder_ / "sub" / "file", "old");
  fs::create_symlink("sub/file", folder_ / "link");
  fs::create_symlink("sub/new", folder_ / "dangling");
  for (const auto& [link, target] : {std::pair{"link", "file"}, std::pair{"dangling", "new"}}) {
    write(link, "text");
    EXPECT_TRUE(fs::is_symlink(folder_ / link));
    EXPECT_EQ(contents(folder_ / "sub" / target), "text");
  }
  EXPECT_EQ(files(), (std::vector<std::string>{"dangling", "link"}));
}

}  // namespace
}  // namespace crosslane::cli
