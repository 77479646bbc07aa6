#include "cli/verification_store.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/folder_test.hpp"

namespace crosslane::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

DeviceInfo some_device() {
  DeviceInfo info;
  info.uuid = "00112233445566778899aabbccddeeff";
  info.driver_version = "1.2.3";
  info.wave_sizes = {.minimum = 8, .maximum = 8, .standard = 8};
  return info;
}

class VerificationStoreTest : public test::FolderTest {
 protected:
  void write(const std::string& text) const {
    std::filesystem::create_directories(file_.parent_path());
    std::ofstream(file_) << text;
  }

  const std::filesystem::path file_ = folder_ / "crosslane" / "verified.json";
  const VerificationStore store_{file_};
};

TEST_F(VerificationStoreTest, KnowsNothingAtFirst) { EXPECT_EQ(store_.broken_promises(some_device()), std::nullopt); }

TEST_F(VerificationStoreTest, RemembersWhatWasBroken) {
  store_.remember(some_device(), {"active-sum", "shuffle-up"});
  EXPECT_THAT(VerificationStore(file_).broken_promises(some_device()),
              Optional(ElementsAre("active-sum", "shuffle-up")));
  store_.remember(some_device(), {});
  EXPECT_THAT(VerificationStore(file_).broken_promises(some_device()), Optional(IsEmpty()));
}

TEST_F(VerificationStoreTest, LeavesNoTemporaryFiles) {
  store_.remember(some_device(), {});
  store_.remember(some_device(), {"x"});
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file_.parent_path()), {}), 1);
}

TEST_F(VerificationStoreTest, TellsDevicesDriversAndWaveSizesApart) {
  DeviceInfo other_device = some_device();
  other_device.uuid = "ff";
  DeviceInfo other_driver = some_device();
  other_driver.driver_version = "1.2.4";
  DeviceInfo other_waves = some_device();
  other_waves.wave_sizes.standard = 16;
  store_.remember(some_device(), {"a"});
  for (const DeviceInfo& other : {other_device, other_driver, other_waves}) {
    EXPECT_EQ(store_.broken_promises(other), std::nullopt);
  }
  store_.remember(other_driver, {"b"});
  EXPECT_THAT(store_.broken_promises(some_device()), Optional(ElementsAre("a")));
  EXPECT_THAT(store_.broken_promises(other_driver), Optional(ElementsAre("b")));
}

TEST_F(VerificationStoreTest, IgnoresFilesThatAreDamagedOrForeign) {
  store_.remember(some_device(), {"a"});
  std::ifstream stream(file_);
  const std::string good((std::istreambuf_iterator<char>(stream)), {});
  ASSERT_FALSE(good.empty());
  for (std::size_t length = 0; length + 2 < good.size(); ++length) {
    write(good.substr(0, length));
    EXPECT_EQ(store_.broken_promises(some_device()), std::nullopt) << length;
  }
  std::string wrong_entry = good;
  wrong_entry.replace(wrong_entry.find("\"a\""), 3, "42");
  for (const std::string& text :
       {std::string("[]"), std::string("null"), std::string(R"({"schema_version":1})"),
        std::string(R"({"schema_version":1,"devices":[]})"), std::string(R"({"schema_version":2,"devices":{}})"),
        std::string("{\"a\":\"\xFF\"}"), wrong_entry}) {
    write(text);
    EXPECT_EQ(store_.broken_promises(some_device()), std::nullopt) << text;
    store_.remember(some_device(), {"b"});
    EXPECT_THAT(store_.broken_promises(some_device()), Optional(ElementsAre("b"))) << text;
  }
}

TEST_F(VerificationStoreTest, BearsAFolderThatCannotBeMade) {
  std::ofstream(folder_ / "crosslane") << "a file where a folder should be";
  store_.remember(some_device(), {"a"});
  EXPECT_EQ(store_.broken_promises(some_device()), std::nullopt);
}

TEST_F(VerificationStoreTest, RemembersNothingWithoutAFile) {
  const VerificationStore none{std::filesystem::path()};
  none.remember(some_device(), {"a"});
  EXPECT_EQ(none.broken_promises(some_device()), std::nullopt);
}

TEST_F(VerificationStoreTest, LiesBelowTheCacheFolder) {
  // NOLINTBEGIN(concurrency-mt-unsafe): one thread
  setenv("XDG_CACHE_HOME", "/xdg", 1);
  setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(VerificationStore::default_file(), "/xdg/crosslane/verified.json");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(VerificationStore::default_file(), "/home/someone/.cache/crosslane/verified.json");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(VerificationStore::default_file(), "/home/someone/.cache/crosslane/verified.json");
  unsetenv("HOME");
  EXPECT_EQ(VerificationStore::default_file(), "");
  // NOLINTEND(concurrency-mt-unsafe)
}

}  // namespace
}  // namespace crosslane::cli
