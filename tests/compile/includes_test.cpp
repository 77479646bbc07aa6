// Sources in files: what they include is found, remembered and, where it is missing, named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/compiler.hpp"
#include "compile/test_support.hpp"

namespace crosslane::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Includes : public FolderTest {
 protected:
  static Request request_of(const std::filesystem::path& file) {
    Request request;
    request.file = file;
    return request;
  }
};

TEST_F(Includes, AllFilesAreDependenciesTheSourceFirst) {
  const auto deep = write("parts/deep/deep.hlsli", "#include \"../shared.hlsli\"\n");
  const auto shared = write("parts/shared.hlsli", "#pragma once\nstatic const uint shared_value = 3;\n");
  const auto library = write("library/crosslane/library.hlsli", "#include \"sibling.hlsli\"\n");
  const auto sibling = write("library/crosslane/sibling.hlsli", "\n");
  const auto main = write("main.hlsl",
                          "#include \"parts/deep/deep.hlsli\"\n#include \"parts/shared.hlsli\"\n"
                          "#include \"crosslane/library.hlsli\"\n" +
                              shader_of("values[thread] = shared_value;"));
  Request request = request_of(main);
  request.include_directories = {folder_ / "library"};
  const auto result = test_compiler().compile(request);
  ASSERT_TRUE(result) << text_of(result.error());
  EXPECT_THAT(result->dependencies, ElementsAre(main, deep, shared, library, sibling));
}

TEST_F(Includes, RelativePathsBecomeAbsoluteAndShort) {
  const auto header = write("header.hlsli", "static const uint shared_value = 3;\n");
  const auto main =
      write("below/main.hlsl", "#include \"../header.hlsli\"\n" + shader_of("values[thread] = shared_value;"));
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  const auto result = test_compiler().compile(request_of("below/../below/main.hlsl"));
  std::filesystem::current_path(before);
  ASSERT_TRUE(result) << text_of(result.error());
  EXPECT_THAT(result->dependencies, ElementsAre(main, header));
}

TEST_F(Includes, NamesMayHaveSpacesAndLettersOfAnyLanguage) {
  const auto header = write("ünï λ/größe.hlsli", "static const uint shared_value = 3;\n");
  const auto main =
      write("a b/シェーダ.hlsl", "#include \"größe.hlsli\"\n" + shader_of("values[thread] = shared_value;"));
  Request request = request_of(main);
  request.include_directories = {header.parent_path()};
  const auto result = test_compiler().compile(request);
  ASSERT_TRUE(result) << text_of(result.error());
  EXPECT_THAT(result->dependencies, ElementsAre(main, header));

  request.include_directories.clear();
  const auto failed = test_compiler().compile(request);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("シェーダ.hlsl:1:10"));
  EXPECT_THAT(failed.error().message, HasSubstr("größe.hlsli"));
}

TEST_F(Includes, AMissingFileIsNamedWithThePlaceThatWantsIt) {
  const auto main = write("main.hlsl", "\n#include \"nowhere.hlsli\"\n" + shader_of(""));
  const auto result = test_compiler().compile(request_of(main));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_input);
  EXPECT_THAT(result.error().message, HasSubstr(main.string() + ":2:10"));
  EXPECT_THAT(result.error().message, HasSubstr("'nowhere.hlsli' file not found"));
}

TEST_F(Includes, AFolderOfTheIncludedNameIsNoFile) {
  write("name.hlsli/inside", "");
  const auto main = write("main.hlsl", "#include \"name.hlsli\"\n" + shader_of(""));
  const auto result = test_compiler().compile(request_of(main));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("'name.hlsli' file not found"));
}

TEST_F(Includes, AnErrorInAnIncludedFileIsPlacedThere) {
  const auto header = write("header.hlsli", "\n\nuint broken(\n");
  const auto main = write("main.hlsl", "#include \"header.hlsli\"\n" + shader_of(""));
  const auto result = test_compiler().compile(request_of(main));
  ASSERT_FALSE(result);
  EXPECT_THAT(text_of(result.error()), HasSubstr("header.hlsli:"));
}

TEST_F(Includes, ASourceThatCannotBeReadIsNamed) {
  const auto missing = test_compiler().compile(request_of(folder_ / "missing.hlsl"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::invalid_input);
  EXPECT_EQ(missing.error().message,
            "cannot read '" + (folder_ / "missing.hlsl").string() + "': No such file or directory: check the path");
  const auto directory = test_compiler().compile(request_of(folder_));
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().message, "'" + folder_.string() + "' is a folder: name a file with a shader");
}

TEST_F(Includes, Utf16AndByteOrderMarksAreUnderstood) {
  const auto utf16 = [](std::string_view text) {
    std::string bytes = "\xFF\xFE";
    for (const char character : text) {
      bytes += {character, '\0'};
    }
    return bytes;
  };
  write("header.hlsli", utf16("static const uint shared_value = 3;\n"));
  const std::string source = "#include \"header.hlsli\"\n" + shader_of("values[thread] = shared_value;");
  for (const std::string& bytes : {utf16(source), "\xEF\xBB\xBF" + source}) {
    const auto result = test_compiler().compile(request_of(write("main.hlsl", bytes)));
    EXPECT_TRUE(result) << text_of(result.error());
  }
}

}  // namespace
}  // namespace crosslane::compile
