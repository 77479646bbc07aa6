#include "cli/npy.hpp"

#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/folder_test.hpp"
#include "cli/npy_bytes.hpp"

namespace crosslane::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Expected<NpyHeader> read(const std::string& bytes) {
  std::istringstream stream(bytes);
  return read_npy_header(stream, bytes.size(), "a.npy");
}

std::string message_of(const std::string& bytes) {
  const Expected<NpyHeader> header = read(bytes);
  return header ? "no error" : header.error().message;
}

std::string message_of_dictionary(const std::string& dictionary) { return message_of(test::npy_header(dictionary)); }

template <typename T>
class NpyTypes : public testing::Test {};
using ElementTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
TYPED_TEST_SUITE(NpyTypes, ElementTypes);

TYPED_TEST(NpyTypes, AreRead) {
  const auto header = read(test::npy_bytes(std::vector<TypeParam>{1, 2, 3}));
  ASSERT_TRUE(header.has_value()) << header.error().message;
  EXPECT_EQ(header->type, scalar_type_of<TypeParam>);
  EXPECT_THAT(header->shape, ElementsAre(3));
  EXPECT_EQ(header->count, 3U);
  EXPECT_EQ(header->data_bytes(), 3 * sizeof(TypeParam));
}

TEST(NpyHeader, ReadsAnyShape) {
  const auto shape = [](const std::string& text, std::uint64_t count) {
    const auto header = read(test::npy_header(test::npy_dictionary("'<f4'", text)) + std::string(count * 4, '\0'));
    return header ? std::tuple(header->shape, header->count) : std::tuple(std::vector<std::uint64_t>{99}, count);
  };
  using Shape = std::vector<std::uint64_t>;
  EXPECT_EQ(shape("()", 1), std::tuple(Shape{}, 1));
  EXPECT_EQ(shape("(0,)", 0), std::tuple(Shape{0}, 0));
  EXPECT_EQ(shape("(5,)", 5), std::tuple(Shape{5}, 5));
  EXPECT_EQ(shape("(2, 3, 4)", 24), std::tuple(Shape{2, 3, 4}, 24));
  EXPECT_EQ(shape("(2L, 3L)", 6), std::tuple(Shape{2, 3}, 6));  // as Python 2 wrote it
  EXPECT_EQ(shape("(9999999999999999999, 9999999999999999999, 0)", 0),
            std::tuple(Shape{9999999999999999999U, 9999999999999999999U, 0}, 0));
}

// What NumPy 2.4 writes for np.array([[1, 2, 3], [4, 5, 6]], np.int32), byte for byte.
TEST(NpyHeader, ReadsWhatNumPyWrites) {
  using namespace std::string_literals;
  const std::string bytes = "\x93NUMPY\x01\x00v\x00{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }"s +
                            std::string(58, ' ') + "\n" +
                            "\x01\0\0\0\x02\0\0\0\x03\0\0\0\x04\0\0\0\x05\0\0\0\x06\0\0\0"s;
  const auto header = read(bytes);
  ASSERT_TRUE(header.has_value()) << header.error().message;
  EXPECT_EQ(header->type, ScalarType::i32);
  EXPECT_THAT(header->shape, ElementsAre(2, 3));
  EXPECT_EQ(header->data_offset, 128U);
}

// NumPy reads any literal of Python that is such a dictionary, whoever wrote it.
TEST(NpyHeader, ReadsEverySpellingOfTheDictionary) {
  for (const std::string dictionary : {
           R"({"descr": "<i4", "fortran_order": False, "shape": (2, 3)})",
           R"({"descr": '<i4', 'fortran_order': False, "shape": (2, 3,),})",
           "{'shape': (2, 3), 'fortran_order': False, 'descr': '<i4', }",
           "{'fortran_order': True, 'shape': (2, 3), 'descr': '<i4'}",
           "{'descr':'<i4','fortran_order':False,'shape':(2,3)}",
           "  {\t'descr'\t:\n '<i4' ,\r\n'fortran_order' :False, 'shape': ( 2 ,\t3 , ) , }\t",
           R"({u'descr': u'<i4', u"fortran_order": False, u'shape': (2L, 3L)})",
           "({'descr': ('<i4'), 'fortran_order': (False), 'shape': ((2), (3))})",
       }) {
    const auto header = read(test::npy_header(dictionary) + std::string(24, 'x'));
    ASSERT_TRUE(header.has_value()) << dictionary << ": " << header.error().message;
    EXPECT_EQ(header->type, ScalarType::i32) << dictionary;
    EXPECT_THAT(header->shape, ElementsAre(2, 3)) << dictionary;
  }
}

TEST(NpyHeader, ReadsAHeaderThatIsNotPadded) {
  using namespace std::string_literals;
  const std::string dictionary = "{'descr': '<u4', 'fortran_order': False, 'shape': (1,)}";
  const auto header = read("\x93NUMPY\x01\0"s + static_cast<char>(dictionary.size()) + "\0"s + dictionary + "1234");
  ASSERT_TRUE(header.has_value()) << header.error().message;
  EXPECT_EQ(header->count, 1U);
}

TEST(NpyHeader, ReadsEverySpellingOfAType) {
  for (const auto& [type, code, name] :
       {std::tuple(ScalarType::u32, "u4", "uint32"), std::tuple(ScalarType::i32, "i4", "int32"),
        std::tuple(ScalarType::f32, "f4", "float32"), std::tuple(ScalarType::u64, "u8", "uint64"),
        std::tuple(ScalarType::i64, "i8", "int64"), std::tuple(ScalarType::f64, "f8", "float64")}) {
    for (const std::string order : {"<", "=", "|", ""}) {
      const std::string descr = "'" + order + code + "'";
      const auto header = read(test::npy_header(test::npy_dictionary(descr, "(1,)")) + std::string(size_of(type), 'x'));
      ASSERT_TRUE(header.has_value()) << descr << ": " << header.error().message;
      EXPECT_EQ(header->type, type) << descr;
    }
    const std::string descr = std::string("'") + name + "'";
    const auto header = read(test::npy_header(test::npy_dictionary(descr, "(1,)")) + std::string(size_of(type), 'x'));
    ASSERT_TRUE(header.has_value()) << descr << ": " << header.error().message;
    EXPECT_EQ(header->type, type) << descr;
  }
}

TEST(NpyHeader, ReadsFortranOrderAsItLies) {
  const auto header = read(test::npy_header(test::npy_dictionary("'<i8'", "(2, 3)", true)) + std::string(48, '\0'));
  ASSERT_TRUE(header.has_value());
  EXPECT_EQ(header->count, 6U);
}

TEST(NpyHeader, ReadsVersions2And3) {
  for (const int version : {2, 3}) {
    const std::string bytes = test::npy_header(test::npy_dictionary("'<u4'", "(2,)"), version) + std::string(8, 'x');
    const auto header = read(bytes);
    ASSERT_TRUE(header.has_value()) << header.error().message;
    EXPECT_EQ(header->data_offset, bytes.size() - 8);
  }
}

// Their length has a byte above 127, which must not be taken for a sign.
TEST(NpyHeader, ReadsLongHeaders) {
  for (const std::size_t blanks : {100U, 200U, 1000U, 40'000U}) {
    const std::string dictionary = test::npy_dictionary("'<u4'", "(2,)") + std::string(blanks, ' ');
    const auto header = read(test::npy_header(dictionary) + std::string(8, 'x'));
    ASSERT_TRUE(header.has_value()) << blanks << ": " << header.error().message;
    EXPECT_EQ(header->count, 2U);
  }
}

TEST(NpyHeader, NamesTypesThatAreNotRead) {
  const std::vector<std::pair<std::string, std::string>> types = {
      {"'|b1'", "bool"},
      {"'|u1'", "uint8"},
      {"'<u2'", "uint16"},
      {"'|i1'", "int8"},
      {"'<i2'", "int16"},
      {"'<f2'", "float16"},
      {"'<f16'", "float128"},
      {"'<c8'", "complex64"},
      {"'<c16'", "complex128"},
      {"'|O'", "object"},
      {"'|S10'", "byte string"},
      {"'<U7'", "string"},
      {"'<M8[ns]'", "datetime64"},
      {"'<m8[D]'", "timedelta64"},
      {"'|V8'", "void"},
      {"\"=f2\"", "float16"},
      {"'bool'", "bool"},
      {"[('x', '<f4'), ('shape', '<i4')]", "structure"},
      {R"([('it\'s', '<f4'), ("a]b", '<i4', (2, 2)), (('title', 'name'), [('x', '|u1')])])", "structure"},
      {"('<f4', (2,))", "structure"},
  };
  for (const auto& [descr, name] : types) {
    const Expected<NpyHeader> header = read(test::npy_header(test::npy_dictionary(descr, "(3,)")));
    ASSERT_FALSE(header.has_value()) << descr;
    EXPECT_EQ(header.error().code, ErrorCode::unsupported);
    EXPECT_THAT(header.error().message, AllOf(StartsWith("a.npy: elements of type " + name + " "),
                                              HasSubstr("not supported"), HasSubstr("save")));
  }
}

TEST(NpyHeader, NamesTypesThatAreNoFlags) {
  const auto read_flags = [](const std::string& descr) {
    const std::string bytes = test::npy_header(test::npy_dictionary(descr, "(0,)"));
    std::istringstream stream(bytes);
    return read_npy_header(stream, bytes.size(), "a.npy", NpyElements::flags);
  };
  for (const std::string descr : {"'|b1'", "'|u1'", "'|i1'", "'bool'", "'u1'", "'<i1'"}) {
    const auto header = read_flags(descr);
    ASSERT_TRUE(header.has_value()) << header.error().message;
    EXPECT_TRUE(header->of_bytes);
  }
  for (const auto& [descr, type] : {std::pair{"'<u4'", ScalarType::u32}, std::pair{"'int32'", ScalarType::i32}}) {
    const auto header = read_flags(descr);
    ASSERT_TRUE(header.has_value()) << header.error().message;
    EXPECT_FALSE(header->of_bytes);
    EXPECT_EQ(header->type, type);
  }
  for (const auto& [descr, name, mend] :
       {std::tuple{"'<i2'", "int16", "np.save(file, a.astype(bool))"},
        std::tuple{"'<c8'", "complex64", "np.save(file, a.astype(bool))"},
        std::tuple{"'<f4'", "float32", "np.save(file, a.astype(bool))"},
        std::tuple{"'>u8'", "uint64", "np.save(file, a.astype(bool))"}, std::tuple{"'|V8'", "void", "save one field"},
        std::tuple{"[('x', '<f4'), ('y', '<i4')]", "structure", "save one field"}}) {
    const auto header = read_flags(descr);
    ASSERT_FALSE(header.has_value()) << descr;
    EXPECT_EQ(header.error().code, ErrorCode::unsupported);
    EXPECT_THAT(header.error().message, AllOf(StartsWith(std::string("a.npy: flags of type ") + name + " "),
                                              HasSubstr("only bool and integers of 8 and 32 bits: "), HasSubstr(mend)));
  }
  EXPECT_THAT(read_flags("'>i4'").error().message, HasSubstr("a.astype(a.dtype.newbyteorder('='))"));
  EXPECT_THAT(read_flags("'<q9'").error().message, HasSubstr("which np.save does not write"));
}

TEST(NpyHeader, RefusesTypesThatNumPyDoesNotWrite) {
  for (const char* const descr :
       {"'<q9'", "''", "'<'", "'<<i4'", "'!i4'", "'< i4'", "'<int32'", "None", "4", "'\\x3ci4'"}) {
    const Expected<NpyHeader> header = read(test::npy_header(test::npy_dictionary(descr, "(3,)")));
    ASSERT_FALSE(header.has_value()) << descr;
    EXPECT_EQ(header.error().code, ErrorCode::unsupported);
    EXPECT_THAT(header.error().message, AllOf(StartsWith("a.npy: "), HasSubstr(std::string("given as ") + descr + ","),
                                              HasSubstr("save the array again")));
  }
}

TEST(NpyHeader, MendsBigEndian) {
  EXPECT_THAT(
      message_of_dictionary(test::npy_dictionary("'>f8'", "(3,)")),
      AllOf(StartsWith("a.npy: "), HasSubstr("big-endian ('>f8')"), HasSubstr("a.astype(a.dtype.newbyteorder('='))")));
}

TEST(NpyHeader, CountsBytesOfTruncatedData) {
  const std::string bytes = test::npy_bytes(std::vector<float>(100));
  EXPECT_THAT(message_of(bytes.substr(0, bytes.size() - 1)),
              AllOf(StartsWith("a.npy: "), HasSubstr("truncated"),
                    HasSubstr("400 bytes of data expected for 100 elements of type f32, 399 found")));
}

TEST(NpyHeader, CountsBytesThatFollow) {
  EXPECT_THAT(message_of(test::npy_bytes(std::vector<float>(100)) + "abc"),
              AllOf(StartsWith("a.npy: 3 bytes follow the array"), HasSubstr("403 found")));
}

TEST(NpyHeader, RefusesAnEmptyFile) { EXPECT_THAT(message_of(""), HasSubstr("empty (0 bytes)")); }

TEST(NpyHeader, RefusesWhatIsNoNpy) {
  EXPECT_THAT(message_of("x"), HasSubstr("not an .npy file"));
  EXPECT_THAT(message_of(std::string(1000, 'x')), HasSubstr("not an .npy file"));
  EXPECT_THAT(message_of("PK\x03\x04 and more bytes"), HasSubstr(".npz"));
}

TEST(NpyHeader, RefusesHeadersThatEndEarly) {
  const std::string bytes = test::npy_bytes(std::vector<float>(1));
  for (std::size_t length = 8; length < bytes.size() - 4; ++length) {
    EXPECT_THAT(message_of(bytes.substr(0, length)), HasSubstr("ends inside its header")) << length;
  }
}

TEST(NpyHeader, RefusesUnknownVersions) {
  std::string bytes = test::npy_bytes(std::vector<float>(1));
  bytes[6] = '\x04';
  EXPECT_THAT(message_of(bytes), HasSubstr("version 4.0"));
  bytes[6] = '\x01';
  bytes[7] = '\x02';
  EXPECT_THAT(message_of(bytes), HasSubstr("version 1.2"));
}

TEST(NpyHeader, AllocatesNothingForALengthThatLies) {
  EXPECT_THAT(message_of(std::string("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF{'descr'", 20)),
              HasSubstr("claims 4294967295 bytes"));
}

TEST(NpyHeader, AllocatesNothingForAShapeThatLies) {
  EXPECT_THAT(message_of_dictionary(test::npy_dictionary("'<f4'", "(1152921504606846976,)")),
              HasSubstr("4611686018427387904 bytes of data expected"));
}

TEST(NpyHeader, RefusesShapesThatOverflow) {
  for (const char* const shape : {"(9223372036854775807,)", "(9999999999999999999,)", "(4294967296, 4294967296)",
                                  "(65536, 65536, 65536, 65536, 2)"}) {
    EXPECT_THAT(message_of_dictionary(test::npy_dictionary("'<f4'", shape)), HasSubstr("more elements than any memory"))
        << shape;
  }
}

TEST(NpyHeader, RefusesShapesThatAreNone) {
  for (const std::string shape : {"3", "(3)", "[3]", "(-3,)", "(3.0,)", "(0x3,)", "(1_0,)", "(010,)", "(L,)", "(None,)",
                                  "('3',)", "((3,),)", "(99999999999999999999,)"}) {
    EXPECT_THAT(message_of_dictionary(test::npy_dictionary("'<f4'", shape)),
                HasSubstr("shape in its header is malformed, no tuple of plain 64-bit numbers: "))
        << shape;
  }
}

TEST(NpyHeader, RefusesDictionariesThatAreNone) {
  for (const char* const dictionary : {"",
                                       " ",
                                       "{",
                                       "}",
                                       "{}",
                                       "x",
                                       "{'descr': '<f4'}",
                                       "{'fortran_order': False, 'shape': (3,)}",
                                       "{'descr'}",
                                       "{'descr':'<f4','fortran_order'}",
                                       "{'descr' '<f4' 'fortran_order' False 'shape' (3,)}",
                                       "('descr', '<f4', 'fortran_order', False, 'shape', (3,))",
                                       "{descr: '<f4', fortran_order: False, shape: (3,)}",
                                       "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
                                       "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'shape': (4,)}",
                                       "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x",
                                       "{'descr': '<f4', 'fortran_order': False, 'shape': (3,,4)}",
                                       "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
                                       "{'descr': '<f4', 'fortran_order': False, 'shape': (3 4,)}",
                                       "{'descr': '<f4', 'fortran_order': False, 'shape': (3}",
                                       "{'descr': '<f4', 'fortran_order': False, 'shape': 3)}",
                                       "{'descr': '<f4', 'fortran_order': False, 'shape': }",
                                       "{'descr: '<f4', 'fortran_order': False, 'shape': (3,)}",
                                       "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)"}) {
    EXPECT_THAT(message_of_dictionary(dictionary),
                StartsWith("a.npy: its header is no dictionary of 'descr', 'fortran_order' and 'shape': "))
        << dictionary;
  }
}

TEST(NpyHeader, RefusesAnOrderThatIsNone) {
  for (const std::string order : {"maybe", "0", "None", "'True'", "true"}) {
    EXPECT_THAT(message_of_dictionary("{'descr': '<f4', 'fortran_order': " + order + ", 'shape': (3,)}"),
                HasSubstr("neither True nor False, but " + order + ":"));
  }
}

TEST(NpyHeader, UsesNoStackForBracketsWithoutEnd) {
  EXPECT_THAT(message_of_dictionary(std::string(60'000, '(')), HasSubstr("no dictionary"));
  EXPECT_THAT(message_of_dictionary(std::string(30'000, '{') + std::string(30'000, '}')), HasSubstr("no dictionary"));
}

class NpyFileTest : public test::FolderTest {
 protected:
  static std::string open_message(const std::filesystem::path& path) {
    const Expected<NpyFile> file = NpyFile::open(path);
    return file ? "no error" : file.error().message;
  }
};

TEST_F(NpyFileTest, ReadsThePiecesInOrder) {
  test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
  Expected<NpyFile> file = NpyFile::open(folder_ / "a.npy");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  std::vector<std::uint32_t> first(2);
  std::vector<std::uint32_t> rest(3);
  ASSERT_TRUE(file->read(std::as_writable_bytes(std::span(first))).has_value());
  ASSERT_TRUE(file->read(std::as_writable_bytes(std::span(rest))).has_value());
  EXPECT_THAT(first, ElementsAre(1, 2));
  EXPECT_THAT(rest, ElementsAre(3, 4, 5));
}

TEST_F(NpyFileTest, NoticesAFileThatShrinksWhileItIsRead) {
  test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<std::uint32_t>(100'000)));
  Expected<NpyFile> file = NpyFile::open(folder_ / "a.npy");
  ASSERT_TRUE(file.has_value());
  std::filesystem::resize_file(folder_ / "a.npy", 200'000);
  std::vector<std::uint32_t> values(100'000);
  const Expected<void> done = file->read(std::as_writable_bytes(std::span(values)));
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, ErrorCode::invalid_input);
}

TEST_F(NpyFileTest, NamesWhatIsNoFile) {
  EXPECT_THAT(open_message(""), AllOf(StartsWith("the name of the array's file is empty"), HasSubstr(".npy")));
  EXPECT_THAT(open_message(folder_ / "none.npy"), HasSubstr("no such file"));
  EXPECT_THAT(open_message(folder_), HasSubstr("is a directory"));
  EXPECT_THAT(open_message("/dev/null"), HasSubstr("not a regular file"));
  test::write_file(folder_ / "a.npy", "");
  EXPECT_THAT(open_message(folder_ / "a.npy" / "b.npy"), StartsWith((folder_ / "a.npy" / "b.npy").string()));
  std::filesystem::create_symlink("loop", folder_ / "loop");
  EXPECT_THAT(open_message(folder_ / "loop"), HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace crosslane::cli
