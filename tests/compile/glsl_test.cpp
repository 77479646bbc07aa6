#include "compile/glsl.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/test_support.hpp"
#include "spirv/parse.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::compile {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* header = "#version 450\nlayout(local_size_x = 8) in;\n";

GlslRequest text_request(const std::string& source) {
  GlslRequest request;
  request.file = "test.comp";
  request.source = source;
  return request;
}

Error error_of(const GlslRequest& request) {
  const auto result = compile_glsl(request);
  EXPECT_FALSE(result.has_value());
  return result ? Error{} : result.error();
}

bool has_opcode(const std::vector<std::uint32_t>& words, std::uint16_t opcode) {
  bool found = false;
  const auto parsed = spirv::parse(words, [&](const spirv::Instruction& instruction) {
    found = found || instruction.opcode == opcode;
    return Expected<void>();
  });
  EXPECT_TRUE(parsed.has_value());
  return found;
}

std::vector<std::uint32_t> words_of_request(const GlslRequest& request) {
  auto result = compile_glsl(request);
  EXPECT_TRUE(result.has_value()) << text_of(result.error());
  return result ? result->words : std::vector<std::uint32_t>();
}

constexpr std::uint16_t op_line = 8;

class Glsl : public FolderTest {};

TEST_F(Glsl, CompilesToTheEnvironmentsVersion) {
  const auto request = text_request(std::string(header) + "void main() {}\n");
  for (const auto& [environment, version] :
       {std::pair{"vulkan1.1", spirv::Version{1, 3}}, std::pair{"vulkan1.2", spirv::Version{1, 5}},
        std::pair{"vulkan1.3", spirv::Version{1, 6}}}) {
    auto with = request;
    with.environment = environment;
    const auto result = compile_glsl(with);
    ASSERT_TRUE(result.has_value()) << text_of(result.error());
    const auto reflection = spirv::reflect(result->words, "main");
    ASSERT_TRUE(reflection.has_value());
    EXPECT_EQ(reflection->version, version);
    EXPECT_EQ(reflection->group_size[0], 8U);
    EXPECT_THAT(result->warnings, IsEmpty());
  }
  auto unknown = request;
  unknown.environment = "opengl4.5";
  EXPECT_EQ(error_of(unknown).code, ErrorCode::invalid_argument);
}

TEST_F(Glsl, KeepsLinesWhereWanted) {
  auto request = text_request(
      std::string(header) +
      "layout(binding = 0) buffer Out { uint value; };\nvoid main() { value = gl_GlobalInvocationID.x; }\n");
  EXPECT_TRUE(has_opcode(words_of_request(request), op_line));
  request.debug_info = false;
  EXPECT_FALSE(has_opcode(words_of_request(request), op_line));
}

TEST_F(Glsl, TellsTheFirstErrorWithFileAndLine) {
  const auto error = error_of(text_request(std::string(header) + "void main() {\n  x = 1;\n  y = 2;\n}\n"));
  EXPECT_EQ(error.code, ErrorCode::invalid_input);
  EXPECT_THAT(error.message,
              HasSubstr("'test.comp' does not compile as GLSL: test.comp:4: 'x' : undeclared identifier"));
  ASSERT_EQ(error.reasons.size(), 1U);
  EXPECT_THAT(error.reasons[0], HasSubstr("'y'"));
}

TEST_F(Glsl, RefusesWhatIsNoShader) {
  for (const std::string source : {"", "nonsense", "#version 450\n", "#version 450\nvoid other() {}\n",
                                   "#version 999\nvoid main() {}\n", "\xff\xfe\xfd"}) {
    EXPECT_EQ(error_of(text_request(source)).code, ErrorCode::invalid_input) << source;
  }
}

TEST_F(Glsl, DefinesComeFromTheRequest) {
  auto request =
      text_request(std::string(header) + "#if !defined(FLAG) || VALUE != 3\n#error missing\n#endif\nvoid main() {}\n");
  EXPECT_THAT(error_of(request).message, HasSubstr("missing"));
  request.defines = {{"FLAG", ""}, {"VALUE", "3"}};
  EXPECT_TRUE(compile_glsl(request).has_value());
}

TEST_F(Glsl, IncludesAreFoundBesideTheFileAndInFolders) {
  const auto file = write("shader.comp", std::string(header) +
                                             "#include \"near/a.glsl\"\n#include \"far.glsl\"\n"
                                             "#include <far.glsl>\nvoid main() { b(); far(); }\n");
  write("near/a.glsl", "#include \"b.glsl\"\n");
  write("near/b.glsl", "void b() {}\n");
  write("elsewhere/far.glsl", "#ifndef FAR\n#define FAR\nvoid far() {}\n#endif\n");
  GlslRequest request;
  request.file = file;
  EXPECT_THAT(error_of(request).message, HasSubstr("far.glsl"));
  request.include_directories = {folder_ / "elsewhere"};
  const auto result = compile_glsl(request);
  EXPECT_TRUE(result.has_value()) << text_of(result.error());
  write("near/b.glsl", "void b() { broken; }\n");
  EXPECT_THAT(error_of(request).message, HasSubstr("b.glsl:1"));
  write("near/b.glsl", "#include \"b.glsl\"\n");
  EXPECT_EQ(error_of(request).code, ErrorCode::invalid_input) << "it includes itself";
}

TEST_F(Glsl, FilesThatCannotBeReadAreErrors) {
  GlslRequest request;
  request.file = folder_ / "none.comp";
  EXPECT_THAT(error_of(request).message, HasSubstr("cannot read"));
  request.file = folder_;
  EXPECT_THAT(error_of(request).message, HasSubstr("is a folder"));
}

}  // namespace
}  // namespace crosslane::compile
