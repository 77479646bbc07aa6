#include "compile/diagnostics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crosslane::compile {
namespace {

using testing::ElementsAre;

TEST(Diagnostics, TheFirstErrorIsTakenWithItsPlace) {
  EXPECT_EQ(first_error("a.hlsl:1:2: warning: so so\nx\n^\na.hlsl:3:4: error: bad\nb.hlsl:5:6: error: worse\n"),
            "a.hlsl:3:4: bad");
  EXPECT_EQ(first_error("error: no place\n"), "no place");
  EXPECT_EQ(first_error("a.hlsl:1:10: fatal error: 'b' file not found"),
            "a.hlsl:1:10: fatal error: 'b' file not found");
  EXPECT_EQ(first_error("Unknown argument: '-x'\n"), "Unknown argument: '-x'");
  EXPECT_EQ(first_error(""), "it gave no reason");
}

TEST(Diagnostics, AFailureHoldsTheWholeText) {
  Request request;
  request.file = "a.hlsl";
  const Error error = explain_failure(request, "a.hlsl:3:4: error: bad\n  code\n  ^\n", {});
  EXPECT_EQ(error.code, ErrorCode::invalid_input);
  EXPECT_EQ(error.message, "'a.hlsl' does not compile for cs_6_2: a.hlsl:3:4: bad");
  EXPECT_THAT(error.reasons, ElementsAre("a.hlsl:3:4: error: bad\n  code\n  ^\n"));
}

TEST(Diagnostics, MultiPrefixIsUnsupportedOnlyForTheFaultAndForSpirv) {
  Request request;
  const std::string text = "a.hlsl:3:4: error: WaveMultiPrefixSum intrinsic function unimplemented\n";
  EXPECT_EQ(explain_failure(request, text, {.lacks_multi_prefix = true}).code, ErrorCode::unsupported);
  EXPECT_EQ(explain_failure(request, text, {}).code, ErrorCode::invalid_input);
  request.target = Target::dxil;
  EXPECT_EQ(explain_failure(request, text, {.lacks_multi_prefix = true}).code, ErrorCode::invalid_input);
}

TEST(Diagnostics, WarningsAboutWhatIsTakenCareOfAreLeftOut) {
  const std::string ours =
      "a.hlsl:1:2: warning: Wave size is not supported by Vulkan SPIR-V. Consider x.\n[WaveSize(4)]\n^\n";
  const std::string signing = "warning: DXIL signing library (dxil.dll,libdxil.so) not found.  Resulting DXIL y.\n\n";
  const std::string theirs = "a.hlsl:5:6: warning: implicit truncation [-Wconversion]\n  x = y;\n      ^\n";
  EXPECT_EQ(warnings_of(ours), "");
  EXPECT_EQ(warnings_of(signing), "");
  EXPECT_EQ(warnings_of("warning: Member functions will not be linked to their class in the debug information. z\n"),
            "");
  EXPECT_EQ(warnings_of(ours + theirs + signing), theirs);
  EXPECT_EQ(warnings_of(""), "");
  EXPECT_TRUE(mentions_wave_size(theirs + ours));
  EXPECT_FALSE(mentions_wave_size(theirs));
}

}  // namespace
}  // namespace crosslane::compile
