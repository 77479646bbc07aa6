// The alias cs_6_13: which profile it becomes, and what a source may use with it.
#include "compile/newest_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compile/dxil_checksum.hpp"
#include "compile/test_support.hpp"

namespace crosslane::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Request article_request(std::string source, Target target) {
  Request request = source_request(std::move(source), std::string(article_profile), target);
  request.file = "folder/an \"article\".hlsl";
  request.include_directories = {CROSSLANE_TEST_SOURCES "/hlsl"};
  return request;
}

// A compiler that knows cs_6_8 and takes the source from cs_6_5 down.
Expected<Result> compile_as_told(const Request& request, std::vector<std::string>& asked) {
  asked.push_back(request.profile);
  const int minor = std::stoi(request.profile.substr(5));
  if (minor > 8) {
    return fail(ErrorCode::invalid_input, "'a' does not compile: this compiler does not know that profile");
  }
  if (minor > 5) {
    return fail(ErrorCode::invalid_input, "not for " + request.profile);
  }
  return Result();
}

TEST(NewestProfile, IsTheFirstThatCompilerAndSourceAllow) {
  std::vector<std::string> asked;
  const auto result = compile_newest({}, [&](const Request& request) { return compile_as_told(request, asked); });
  ASSERT_TRUE(result);
  EXPECT_EQ(result->profile, "cs_6_5");
  EXPECT_THAT(asked, ElementsAre("cs_6_12", "cs_6_11", "cs_6_10", "cs_6_9", "cs_6_8", "cs_6_7", "cs_6_6", "cs_6_5"));
}

TEST(NewestProfile, ASourceThatIsWrongIsWrongForTheNewest) {
  const auto wrong = compile_newest({}, [](const Request& request) -> Expected<Result> {
    return fail(ErrorCode::invalid_input, "wrong for " + request.profile);
  });
  EXPECT_EQ(wrong.error().message, "wrong for cs_6_12");
  int calls = 0;
  const auto broken = compile_newest({}, [&](const Request&) -> Expected<Result> {
    ++calls;
    return fail(ErrorCode::compiler, "the compiler broke");
  });
  EXPECT_EQ(broken.error().message, "the compiler broke");
  EXPECT_EQ(calls, 1);
}

// What the article uses: its functions, a struct read by lane, a broadcast.
constexpr const char* article_source = R"(
struct LargeData { float4 data[8]; };
struct Mixed { int a; uint3 b; float c; bool d; };
StructuredBuffer<LargeData> large : register(t0);
StructuredBuffer<Mixed> mixed : register(t1);
RWStructuredBuffer<LargeData> out_large : register(u0);
RWStructuredBuffer<Mixed> out_mixed : register(u1);
RWStructuredBuffer<uint> sums : register(u2);
[numthreads(64, 1, 1)]
void main(uint thread : SV_DispatchThreadID) {
  const uint lane = WaveGetLaneIndex() ^ 1;
  out_large[thread] = WaveReadLaneAt(large[thread], lane);
  out_mixed[thread] = WaveReadLaneAt(mixed[thread], lane);
  sums[thread] = WaveShuffleUp(thread, 1) + WaveShuffleDown(thread, 1) + WaveShuffleXor(thread, 2) +
                 WaveBroadcast(thread, 0) + WaveReadLaneAt(thread, 3) + SafeReadLane(thread, 99);
}
)";

TEST(NewestProfile, DeclaresTheArticlesNamesWithoutAnInclude) {
  for (const Target target : {Target::dxil, Target::spirv}) {
    const auto result = test_compiler().compile(article_request(article_source, target));
    ASSERT_TRUE(result) << text_of(result.error());
    EXPECT_THAT(result->profile, testing::StartsWith("cs_6_"));
    EXPECT_THAT(result->profile, Not(article_profile));
  }
  // It is the alias that declares them.
  Request plain = article_request(article_source, Target::dxil);
  plain.profile = "cs_6_6";
  EXPECT_FALSE(test_compiler().compile(plain));
}

TEST(NewestProfile, MessagesNameTheSourceAndItsLine) {
  const auto result = test_compiler().compile(
      article_request("[numthreads(1, 1, 1)]\nvoid main() {\n  undeclared = 1;\n}\n", Target::dxil));
  ASSERT_FALSE(result);
  EXPECT_THAT(text_of(result.error()), HasSubstr("an \"article\".hlsl:3:3"));
}

TEST(NewestProfile, DxilHasItsChecksum) {
  const auto result = test_compiler().compile(article_request(article_source, Target::dxil));
  ASSERT_TRUE(result);
  EXPECT_EQ(stored_dxil_checksum(result->binary), dxil_checksum(result->binary));
}

}  // namespace
}  // namespace crosslane::compile
