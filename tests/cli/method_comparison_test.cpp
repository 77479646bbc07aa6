// What comes of methods that disagree or cannot run, for each algorithm's work on files.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/compact_file.hpp"
#include "cli/faulty_device.hpp"
#include "cli/folder_test.hpp"
#include "cli/npy_bytes.hpp"
#include "cli/reduce_file.hpp"
#include "cli/scan_file.hpp"

namespace crosslane::cli {
namespace {

using crosslane::test::fails;
using crosslane::test::must;
using test::Fault;

class MethodComparison : public test::FolderTest {
 protected:
  MethodComparison() {
    std::vector<std::uint32_t> values(20'000);
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      values[i] = i * 2654435761U;
    }
    test::write_file(folder_ / "in.npy", test::npy_bytes(values));
  }

  Expected<MethodRuns<ReduceOutcome>> reduce(Device& device) {
    auto file = must(NpyFile::open(folder_ / "in.npy"));
    return reduce_file(device, file, {.op = Operator::sum, .methods = methods_, .wave_size = {}}, console_);
  }

  Expected<MethodRuns<PassesOutcome>> scan(Device& device) {
    auto file = must(NpyFile::open(folder_ / "in.npy"));
    ScanJob job;
    job.methods = methods_;
    return scan_file(device, file, job, folder_ / "out.npy", console_);
  }

  Expected<MethodRuns<CompactOutcome>> compact(Device& device, bool partition) {
    auto file = must(NpyFile::open(folder_ / "in.npy"));
    CompactJob job;
    job.methods = methods_;
    job.partition = partition;
    job.options.selection = ByComparison::of(Comparison::greater, 1U << 31U);
    return compact_file(device, file, nullptr, job, folder_ / "out.npy", console_);
  }

  // The three methods' work on a device where the method of that name has the fault; `check` sees the runs.
  template <typename Check>
  void on_faulty_device(const std::string& method, Fault fault, const Check& check) {
    test::FaultyDevice device(*machine_, method, fault);
    std::filesystem::remove(folder_ / "out.npy");
    check("reduce", must(reduce(device)));
    for (const bool partition : {false, true}) {
      std::filesystem::remove(folder_ / "out.npy");
      check("compact", must(compact(device, partition)));
    }
    std::filesystem::remove(folder_ / "out.npy");
    check("scan", must(scan(device)));
  }

  [[nodiscard]] bool is_written() const { return std::filesystem::exists(folder_ / "out.npy"); }

  std::vector<Method> methods_{all_methods.begin(), all_methods.end()};
  std::unique_ptr<Device> machine_ = must(machine::create_device());
  std::ostringstream out_;
  Console console_{out_, out_};
};

TEST_F(MethodComparison, ResultsThatAgreeAreWritten) {
  on_faulty_device("no method", Fault::wrong, [&](const std::string& verb, const auto& runs) {
    EXPECT_TRUE(runs.agree) << verb;
    EXPECT_EQ(runs.outcomes.size(), 3U) << verb;
    EXPECT_EQ(is_written(), verb != "reduce");
  });
}

TEST_F(MethodComparison, ResultsThatDisagreeAreNot) {
  for (const std::string method : {"shuffle", "wave_intrinsics"}) {
    on_faulty_device(method, Fault::wrong, [&](const std::string& verb, const auto& runs) {
      EXPECT_FALSE(runs.agree) << verb << " by " << method;
      EXPECT_EQ(files(), std::vector<std::string>{"in.npy"}) << verb << " by " << method;
    });
  }
}

TEST_F(MethodComparison, MethodsThatCannotRunSayWhy) {
  for (std::size_t place = 0; place < all_methods.size(); ++place) {
    on_faulty_device(std::string(name(all_methods.at(place))), Fault::unsupported,
                     [&](const std::string& verb, const auto& runs) {
                       EXPECT_TRUE(runs.agree) << verb;
                       for (std::size_t i = 0; i < all_methods.size(); ++i) {
                         EXPECT_EQ(runs.outcomes.at(i).ran.has_value(), i != place) << verb;
                       }
                       EXPECT_EQ(runs.outcomes.at(place).note, "refused by the test");
                       EXPECT_EQ(is_written(), verb != "reduce");
                     });
  }
}

TEST_F(MethodComparison, OneMethodMustRun) {
  test::FaultyDevice device(*machine_, "", Fault::unsupported);
  EXPECT_TRUE(fails(reduce(device), ErrorCode::unsupported, "refused by the test"));
  EXPECT_TRUE(fails(scan(device), ErrorCode::unsupported, "refused by the test"));
  EXPECT_TRUE(fails(compact(device, false), ErrorCode::unsupported, "refused by the test"));
  EXPECT_EQ(files(), std::vector<std::string>{"in.npy"});
}

}  // namespace
}  // namespace crosslane::cli
