// What is said about compilers: the build's one, one that lacks something, and ones that only tests can have.
#include "compile/probes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/fault_probes.hpp"
#include "compile/spirv_words.hpp"
#include "compile/test_support.hpp"
#include "spirv/rewrite.hpp"

namespace crosslane::compile {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> names_of(const std::vector<ProbeResult>& probes) {
  std::vector<std::string> names;
  names.reserve(probes.size());
  for (const ProbeResult& probe : probes) {
    names.push_back(probe.name);
  }
  return names;
}

TEST(Probes, TheCompilerOfTheBuildIsFit) {
  const CompilerReport report = examine(test_compiler());
  EXPECT_TRUE(report.fit());
  for (const ProbeResult& need : report.needs) {
    EXPECT_TRUE(need.passed) << need.name << ": " << need.detail;
    EXPECT_NE(need.meaning, "") << need.name;
  }
  EXPECT_THAT(names_of(report.needs),
              testing::ElementsAre("hlsl-2021-templates", "native-shuffle", "native-shuffle-xor", "native-shuffle-up",
                                   "native-shuffle-down", "maximal-reconvergence", "dxil", "16-bit-types",
                                   "64-bit-types", "source-lines"));
  EXPECT_EQ(report.library, test_compiler().library());
  EXPECT_EQ(report.version, test_compiler().version());
  EXPECT_THAT(report.standing, HasSubstr("1.8.2407, accepted by probes, workarounds: "));
}

TEST(Probes, EachFaultIsReportedAsTheCompilerSeesIt) {
  const CompilerReport report = examine(test_compiler());
  const auto descriptions = fault_descriptions();
  ASSERT_EQ(report.faults.size(), descriptions.size());
  ASSERT_EQ(descriptions.size(), sizeof(Faults) / sizeof(bool)) << "each member has its probe";
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    const bool seen = test_compiler().faults().*descriptions[i].seen;
    EXPECT_EQ(report.faults[i].name, descriptions[i].name);
    EXPECT_EQ(report.faults[i].passed, !seen);
    EXPECT_THAT(report.faults[i].meaning, AllOf(HasSubstr(std::string(descriptions[i].what)),
                                                HasSubstr(std::string(descriptions[i].workaround))));
    EXPECT_EQ(report.standing.find(descriptions[i].name) != std::string::npos, seen);
  }
}

TEST(Probes, ThePinnedCompilerHasTheFaultsThatWereSeenInIt) {
  if (test_compiler().commit_count() != 4597) {
    GTEST_SKIP() << "says what is true of commit 4597; this compiler is " << test_compiler().version();
  }
  const Faults& faults = test_compiler().faults();
  EXPECT_TRUE(faults.declares_partitioned);
  EXPECT_TRUE(faults.moves_wave_operations);
  EXPECT_TRUE(faults.registers_share_bindings);
  EXPECT_TRUE(faults.drops_wave_size);
  EXPECT_TRUE(faults.lacks_multi_prefix);
  EXPECT_TRUE(faults.lacks_memory_model);
  EXPECT_TRUE(faults.leaves_checksum_zero);
  EXPECT_TRUE(faults.contracts_floats);
  EXPECT_EQ(examine(test_compiler()).standing,
            "below 1.8.2407, accepted by probes, workarounds: declares-partitioned, moves-wave-operations, "
            "registers-share-bindings, drops-wave-size, lacks-multi-prefix, lacks-memory-model, leaves-checksum-zero, "
            "contracts-floats");
}

TEST(Probes, ACompilerThatCanNothingFailsAll) {
  const auto results =
      examine_needs([](const Request&) -> Expected<Result> { return fail(ErrorCode::compiler, "it is only a stone"); });
  ASSERT_THAT(results, Not(IsEmpty()));
  EXPECT_THAT(results,
              Each(AllOf(Field(&ProbeResult::passed, false), Field(&ProbeResult::detail, "it is only a stone"))));
}

TEST(Probes, ACompilerThatLeavesOutWhatIsAskedForIsFoundOut) {
  // Whatever is asked, the answer is one empty shader, which is all that can be told of DXIL.
  auto empty = test_compiler().compile(source_request(shader_of("")));
  ASSERT_TRUE(empty);
  const auto stripped = spirv::strip_maximal_reconvergence(words_of(empty->binary));
  ASSERT_TRUE(stripped);
  empty->binary = bytes_of(*stripped);
  const auto results = examine_needs([&](const Request&) -> Expected<Result> { return *empty; });
  for (const ProbeResult& result : results) {
    EXPECT_EQ(result.passed, result.name == "dxil") << result.name;
  }
}

TEST(Probes, FaultsAreNotSeenWhereNothingCompiles) {
  // Except for the two that are exactly that.
  class Stone final : public DxcLibrary {
   public:
    [[nodiscard]] const std::filesystem::path& file() const override { return file_; }
    [[nodiscard]] const std::string& version() const override { return text_; }
    [[nodiscard]] const std::string& commit() const override { return text_; }
    [[nodiscard]] std::uint32_t commit_count() const override { return 0; }
    [[nodiscard]] Expected<DxcOutput> run(std::string_view /*source*/,
                                          const std::vector<std::string>& /*arguments*/) const override {
      return DxcOutput{};
    }
    [[nodiscard]] Expected<void> validate_dxil(std::span<const std::byte> /*container*/) const override { return {}; }

   private:
    std::filesystem::path file_;
    std::string text_;
  };
  const Faults faults = find_faults(Stone());
  EXPECT_TRUE(faults.lacks_multi_prefix);
  EXPECT_TRUE(faults.lacks_memory_model);
  EXPECT_FALSE(faults.declares_partitioned || faults.moves_wave_operations || faults.registers_share_bindings ||
               faults.drops_wave_size || faults.leaves_checksum_zero || faults.contracts_floats);
}

TEST(Probes, AnUnfitCompilerSaysWhatItLacksInsteadOfBlamingTheSource) {
  const auto compiler = load_compiler(CROSSLANE_TEST_UNFIT_LIBRARY);
  ASSERT_TRUE(compiler) << text_of(compiler.error());
  EXPECT_THAT((*compiler)->version(), Not(IsEmpty()));
  const auto result = (*compiler)->compile(source_request(shader_of("values[thread] = 1;")));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::compiler);
  EXPECT_THAT(result.error().message, HasSubstr("is unfit, it fails hlsl-2021-templates, native-shuffle, "));
  EXPECT_THAT(result.error().message, HasSubstr("set CROSSLANE_DXC to another one, or run scripts/fetch-dxc.sh"));
  EXPECT_THAT(result.error().message, Not(HasSubstr("dxil")));
  EXPECT_THAT(result.error().reasons, Contains(HasSubstr("native-shuffle (a lane shuffle is one native instruction")));

  const CompilerReport report = examine(**compiler);
  EXPECT_FALSE(report.fit());
  EXPECT_THAT(report.standing, HasSubstr("refused by probes (hlsl-2021-templates, "));
  // What it can do, it does.
  EXPECT_TRUE((*compiler)->compile(source_request(shader_of("values[thread] = 1;"), "cs_6_0", Target::dxil)));
}

TEST(Probes, RequireFitAcceptsWhatPassed) {
  EXPECT_TRUE(require_fit("/x.so", "1.8", {{"one", true, "needed", ""}}));
  const auto refused =
      require_fit("/x.so", "", {{"one", true, "needed", ""}, {"two", false, "needed too", "why\nmore"}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, StartsWith("the DirectX Shader Compiler '/x.so' (version unknown) is unfit, it "
                                                  "fails two: "));
  EXPECT_THAT(refused.error().reasons, testing::ElementsAre("two (needed too): why"));
}

TEST(Standing, ABuildFromSourceIsJudgedByItsCommitCount) {
  const std::vector<ProbeResult> needs = {{"need", true, "", ""}};
  const std::vector<ProbeResult> faults = {{"first", true, "", ""}, {"second", false, "", ""}};
  EXPECT_EQ(standing("1.8.0.4597", 4597, needs, faults), "below 1.8.2407, accepted by probes, workarounds: second");
  EXPECT_EQ(standing("1.8.0.4655", 4655, needs, {}), "below 1.8.2407, accepted by probes, workarounds: none");
  EXPECT_EQ(standing("1.8.0.4656", 4656, needs, {}), "at least 1.8.2407, accepted by probes, workarounds: none");
  EXPECT_EQ(standing("", 0, needs, {}), "below 1.8.2407, accepted by probes, workarounds: none");
}

TEST(Standing, AReleaseIsJudgedByItsYearAndMonth) {
  EXPECT_THAT(standing("1.8.2405.17", 0, {}, {}), StartsWith("below"));
  EXPECT_THAT(standing("1.8.2407.12", 0, {}, {}), StartsWith("at least"));
  EXPECT_THAT(standing("1.9.2602", 0, {}, {}), StartsWith("at least"));
  EXPECT_THAT(standing("1.7.2308.7", 9999, {}, {}), StartsWith("below"));
}

TEST(Standing, AnUnfitCompilerIsRefusedWhateverItsNumber) {
  EXPECT_EQ(standing("1.8.2502.8", 0, {{"need", false, "", ""}}, {}),
            "at least 1.8.2407, refused by probes (need), workarounds: none");
}

}  // namespace
}  // namespace crosslane::compile
