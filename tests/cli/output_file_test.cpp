#include "cli/output_file.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "cli/folder_test.hpp"
#include "cli/npy_bytes.hpp"
#include "support/expected.hpp"

namespace crosslane::cli {
namespace {

namespace fs = std::filesystem;
using crosslane::test::fails;
using crosslane::test::must;

class OutputFileTest : public test::FolderTest {
 protected:
  OutputFileTest() {
    fs::create_directory(folder_ / "sub");
    test::write_file(folder_ / "file", "old");
  }

  void expect_refused(const std::string& name, const std::string& why) const {
    EXPECT_TRUE(fails(find_output(folder_ / name), ErrorCode::invalid_argument, why)) << name;
    EXPECT_TRUE(fails(check_output(folder_ / name, true), ErrorCode::invalid_argument, why)) << name;
  }
};

TEST_F(OutputFileTest, IsWhereItsNameSays) {
  for (const std::string name : {"new", "file", "sub/new"}) {
    EXPECT_EQ(must(find_output(folder_ / name)).target, folder_ / name);
    EXPECT_EQ(must(find_output(folder_ / name)).text(), (folder_ / name).string());
  }
  EXPECT_EQ(must(find_output("new")).target, "new");
  EXPECT_EQ(must(find_output("./-")).target, "./-");
}

TEST_F(OutputFileTest, IsWhereItsLinksLead) {
  fs::create_symlink("file", folder_ / "link");
  fs::create_symlink("sub/new", folder_ / "dangling");
  fs::create_directory_symlink("sub", folder_ / "folder");
  fs::create_symlink(folder_ / "file", folder_ / "sub" / "absolute");
  fs::create_symlink("../folder/../dangling", folder_ / "sub" / "chain");
  const auto leads_to = [&](const std::string& name, const std::string& target) {
    const auto file = must(find_output(folder_ / name));
    EXPECT_EQ(fs::weakly_canonical(file.target), fs::weakly_canonical(folder_ / target)) << name;
    EXPECT_EQ(file.name, folder_ / name);
    EXPECT_EQ(file.text(), (folder_ / name).string() + " (a link to " + file.target.string() + ")");
  };
  leads_to("link", "file");
  leads_to("dangling", "sub/new");
  leads_to("sub/absolute", "file");
  leads_to("sub/chain", "sub/new");
  EXPECT_EQ(must(find_output(folder_ / "folder" / "new")).target, folder_ / "folder" / "new");
}

TEST_F(OutputFileTest, IsOverwrittenOnlyWhenForced) {
  fs::create_symlink("file", folder_ / "link");
  fs::create_symlink("new", folder_ / "dangling");
  for (const std::string name : {"file", "link"}) {
    EXPECT_TRUE(fails(check_output(folder_ / name, false), ErrorCode::invalid_argument, "overwrite it with --force"));
    EXPECT_TRUE(check_output(folder_ / name, true).has_value());
  }
  EXPECT_TRUE(check_output(folder_ / "new", false).has_value());
  EXPECT_TRUE(check_output(folder_ / "dangling", false).has_value()) << "there is nothing to overwrite";
}

TEST_F(OutputFileTest, IsNoLinkInACircle) {
  fs::create_symlink("second", folder_ / "first");
  fs::create_symlink("first", folder_ / "second");
  expect_refused("first", "first: its symbolic links lead in a circle");
  expect_refused("first/new", "lead in a circle");
}

TEST_F(OutputFileTest, IsARegularFile) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder_ / "link");
  expect_refused("pipe", "pipe: this is not a regular file: name an .npy file");
  expect_refused("link", "link: this is not a regular file: name an .npy file");
  expect_refused("sub", "sub: this is a directory: name an .npy file in it");
  expect_refused("sub/", "sub/: this is a directory: name an .npy file in it");
}

TEST_F(OutputFileTest, IsInAFolderThatIsThere) {
  expect_refused("none/new", "there is no folder " + (folder_ / "none").string() + ": make it first");
  expect_refused("file/new", (folder_ / "file").string() + " is no folder: name an .npy file in one");
  expect_refused("file/none/new", (folder_ / "file").string() + " is no folder: name an .npy file in one");
  fs::create_symlink("none/new", folder_ / "link");
  expect_refused("link", "(a link to " + (folder_ / "none/new").string() + "): there is no folder");
  fs::create_symlink("none", folder_ / "dangling");
  expect_refused("dangling/new", (folder_ / "dangling").string() + " is no folder: name an .npy file in one");
}

TEST_F(OutputFileTest, HasTheNameOfAFile) {
  expect_refused("new/", "new/: the name ends in a slash");
  expect_refused("file/", "file/: the name ends in a slash");
  EXPECT_TRUE(fails(find_output(""), ErrorCode::invalid_argument, "the name of the output file is empty"));
  EXPECT_TRUE(fails(find_output("-"), ErrorCode::invalid_argument, "arrays are not written to standard output"));
  EXPECT_TRUE(find_output(folder_ / std::string(255, 'a')).has_value());
  expect_refused(std::string(256, 'a'), "File name too long");
}

}  // namespace
}  // namespace crosslane::cli
