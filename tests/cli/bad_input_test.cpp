// Every input that the program cannot use: exit code 2 and one message that names the file and the mend.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"

namespace crosslane::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class BadInput : public test::ProgramTest {
 protected:
  // Both as text and as JSON: exit code 2, the file's name and `what` in the message.
  void expect_refused(const std::string& file, std::string_view what, std::vector<std::string> flags = {},
                      const test::RunOptions& options = {}) {
    std::vector<std::string> arguments = {"reduce", file};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const test::Outcome text = run(arguments, options);
    EXPECT_EQ(text.exit_code, 2) << text.err;
    EXPECT_EQ(text.out, "");
    EXPECT_THAT(text.err, AllOf(StartsWith("crosslane: error: "), HasSubstr(file), HasSubstr(what)));

    arguments.emplace_back("--json");
    const test::Outcome with_json = run(arguments, options);
    EXPECT_EQ(with_json.exit_code, 2) << with_json.out;
    const nlohmann::json json = with_json.json();
    EXPECT_THAT(json["error"]["message"].get<std::string>(), AllOf(StartsWith(file + ": "), HasSubstr(what)));
    EXPECT_TRUE(json["error"]["reasons"].is_array());
    EXPECT_TRUE(json["error"]["code"].is_string());
  }

  void expect_bytes_refused(const std::string& bytes, std::string_view what,
                            const std::vector<std::string>& flags = {}) {
    test::write_file(folder_ / "a.npy", bytes);
    expect_refused("a.npy", what, flags);
  }

  void expect_type_refused(const std::string& descr, std::size_t element_bytes, std::string_view name,
                           std::string_view mend) {
    const std::string bytes =
        test::npy_header(test::npy_dictionary(descr, "(2,)")) + std::string(2 * element_bytes, '\0');
    expect_bytes_refused(bytes, "elements of type " + std::string(name));
    expect_bytes_refused(bytes, mend);
  }
};

TEST_F(BadInput, NamesTypesThatAreNotSupported) {
  expect_type_refused("'<f2'", 2, "float16", "np.save(file, a.astype(np.float32))");
  expect_type_refused("'<c16'", 16, "complex128", "a.imag.copy()");
  expect_type_refused("'|b1'", 1, "bool", "np.save(file, a.astype(np.uint32))");
  expect_type_refused("'<U4'", 16, "string", "turn them into numbers first");
  expect_type_refused("'|O'", 8, "object", "turn them into numbers first");
  expect_type_refused("[('x', '<f4'), ('y', '<i4')]", 8, "structure", "save one field");
}

TEST_F(BadInput, BigEndian) {
  expect_bytes_refused(test::npy_header(test::npy_dictionary("'>i4'", "(1,)")) + "1234",
                       "np.save(file, a.astype(a.dtype.newbyteorder('=')))");
}

TEST_F(BadInput, TruncatedData) {
  const std::string bytes = test::npy_bytes(std::vector<std::int64_t>(10));
  expect_bytes_refused(bytes.substr(0, bytes.size() - 8),
                       "80 bytes of data expected for 10 elements of type i64, 72 found");
}

TEST_F(BadInput, TrailingBytes) {
  expect_bytes_refused(test::npy_bytes(std::vector<float>(10)) + "x", "1 bytes follow the array");
}

TEST_F(BadInput, AnEmptyFile) { expect_bytes_refused("", "empty (0 bytes)"); }

TEST_F(BadInput, NoNpyFile) { expect_bytes_refused("1, 2, 3\n4, 5, 6\n", "not an .npy file"); }

TEST_F(BadInput, ATruncatedHeader) {
  expect_bytes_refused(test::npy_bytes(std::vector<float>(10)).substr(0, 50), "ends inside its header");
}

TEST_F(BadInput, AShapeThatOverflows) {
  expect_bytes_refused(test::npy_header(test::npy_dictionary("'<f4'", "(4294967296, 4294967296)")),
                       "more elements than any memory holds");
}

TEST_F(BadInput, AShapeThatLies) {
  expect_bytes_refused(test::npy_header(test::npy_dictionary("'<f4'", "(1152921504606846976,)")) + "1234",
                       "4611686018427387904 bytes of data expected");
}

TEST_F(BadInput, NoSuchFile) { expect_refused("none.npy", "there is no such file"); }

TEST_F(BadInput, ADirectory) {
  std::filesystem::create_directory(folder_ / "d.npy");
  expect_refused("d.npy", "this is a directory");
}

TEST_F(BadInput, NoPermission) {
  test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<float>(1)));
  std::filesystem::permissions(folder_ / "a.npy", std::filesystem::perms::none);
  if (run({"--version"}, {.obeys_permissions = true}).exit_code == 122) {
    GTEST_SKIP() << "running as root without the right to give up rights (CAP_SETPCAP): root reads every file";
  }
  expect_refused("a.npy", "Permission denied", {}, {.obeys_permissions = true});
}

// As after `ulimit -f`: the signal of a file that grows too large ends nothing.
TEST_F(BadInput, AFileThatMayNotGrow) {
  test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<float>(100000)));
  const test::Outcome outcome = run({"scan", "a.npy", "-o", "sums.npy", "--device", "machine"}, {.largest_file = 1024});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "crosslane: error: sums.npy: cannot be written (File too large): check path, permissions and room\n");
  EXPECT_EQ(files(), (std::vector<std::string>{"a.npy", "stderr", "stdout"}));
}

TEST_F(BadInput, BitOperatorsOnFloats) {
  for (const char* const op : {"and", "or", "xor"}) {
    expect_bytes_refused(test::npy_bytes(std::vector<float>{1.0F}), "defined for integers only", {"--op", op});
    expect_bytes_refused(test::npy_bytes(std::vector<double>{1.0}), "the elements are f64", {"--op", op});
  }
}

TEST_F(BadInput, MinimumAndMaximumOfNothing) {
  expect_bytes_refused(test::npy_bytes(std::vector<float>()), "has no minimum", {"--op", "min"});
  expect_bytes_refused(test::npy_bytes(std::vector<std::uint32_t>()), "has no maximum", {"--op", "max"});
}

TEST_F(BadInput, AFileNameThatIsNoText) {
  const test::Outcome with_json = run({"reduce", "a\xFF.npy", "--json"});
  EXPECT_EQ(with_json.exit_code, 2);
  EXPECT_THAT(with_json.json()["error"]["message"].get<std::string>(), HasSubstr("a\xEF\xBF\xBD.npy"));
}

TEST_F(BadInput, NoNameOfAFile) {
  const test::Outcome text = run({"reduce", ""});
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.err, StartsWith("crosslane: error: the name of the array's file is empty: name an .npy file"));
  EXPECT_EQ(run({"reduce", "", "--json"}).json()["error"]["code"], "invalid_input");
}

// Names must not command the terminal: colours, titles, lines that look like other messages.
TEST_F(BadInput, AFileNameWithControlCharacters) {
  const std::string name =
      "a\x1B[31m\n\x7F\xC2\x9B"
      "2J\xFF.npy";
  const std::string shown = R"(a\x1b[31m\x0a\x7f\xc2\x9b2J\xff.npy)";
  const auto expect_shown = [&](std::string_view what) {
    const test::Outcome text = run({"reduce", name});
    EXPECT_EQ(text.exit_code, 2);
    EXPECT_THAT(text.err, AllOf(StartsWith("crosslane: error: " + shown + ": "), HasSubstr(what)));
    EXPECT_EQ(std::ranges::count(text.err, '\n'), 1);
    const test::Outcome json = run({"reduce", name, "--json"});
    EXPECT_THAT(json.json()["error"]["message"].get<std::string>(), StartsWith("a\x1B[31m\n\x7F\xC2\x9B"
                                                                               "2J\xEF\xBF\xBD.npy: "));
    EXPECT_THAT(json.out, Not(HasSubstr("\x1B")));
  };
  expect_shown("no such file");
  test::write_file(folder_ / name, "");
  expect_shown("empty (0 bytes)");
  test::write_file(folder_ / name, "PK\x03\x04 and more");
  expect_shown(".npz");
  test::write_file(folder_ / name, test::npy_header(test::npy_dictionary("'\x1B[31m'", "(2,)")));
  expect_shown(R"(given as '\x1b[31m')");
}

TEST_F(BadInput, AFlagWithControlCharacters) {
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"--op", "\x1B[31m"}, {"--\x1B[31m"}, {"b.npy", "\x1B[31m"}}) {
    test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<float>(1)));
    std::vector<std::string> arguments = {"reduce", "a.npy"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const test::Outcome text = run(arguments);
    EXPECT_NE(text.exit_code, 0);
    EXPECT_THAT(text.err, AllOf(StartsWith("crosslane: error: "), Not(HasSubstr("\x1B"))));
  }
}

class BadUse : public test::ProgramTest {
 protected:
  void expect_refused(const std::vector<std::string>& arguments, std::string_view what) {
    const test::Outcome text = run(arguments);
    EXPECT_EQ(text.exit_code, 2);
    EXPECT_EQ(text.out, "");
    EXPECT_THAT(text.err, AllOf(StartsWith("crosslane: error: "), HasSubstr(what)));
    std::vector<std::string> with_json = arguments;
    with_json.emplace_back("--json");
    const test::Outcome json = run(with_json);
    EXPECT_EQ(json.exit_code, 2);
    EXPECT_THAT(json.json()["error"]["message"].get<std::string>(), HasSubstr(what));
    EXPECT_EQ(json.json()["error"]["code"], "invalid_argument");
  }
};

TEST_F(BadUse, IsExplained) {
  expect_refused({"reduce"}, "FILE is required");
  expect_refused({"reduce", "a.npy", "--op", "product"}, "product not in {sum,min,max,and,or,xor}");
  expect_refused({"reduce", "a.npy", "--method", "magic"}, "magic not in {automatic,groupshared,shuffle");
  expect_refused({"reduce", "a.npy", "--wave-size", "0"}, "--wave-size");
  expect_refused({"reduce", "a.npy", "--wave-size", "-4"}, "--wave-size");
  expect_refused({"reduce", "a.npy", "--wave-size", "many"}, "--wave-size");
  expect_refused({"reduce", "a.npy", "b.npy"}, "b.npy");
  expect_refused({"reduce", "a.npy", "--unknown"}, "--unknown");
  expect_refused({"transmogrify"}, "transmogrify");
  expect_refused({"devices", "reduce", "a.npy"}, "reduce");
}

TEST_F(BadUse, PointsToTheHelpOfItsVerb) {
  expect_refused({"reduce", "a.npy", "--fly"}, "--fly (crosslane reduce --help shows what there is)");
  expect_refused({"scan", "a.npy"}, "--output is required (crosslane scan --help shows what there is)");
  expect_refused({"compact", "a.npy", "-o", "b.npy"}, "is required (crosslane compact --help shows what there is)");
  expect_refused({"run", "a.hlsl", "--groups", "x"}, "(crosslane run --help shows what there is)");
  expect_refused({"devices", "--fly"}, "(crosslane devices --help shows what there is)");
  expect_refused({"transmogrify"}, "(crosslane --help shows what there is)");
  expect_refused({"--fly"}, "(crosslane --help shows what there is)");
}

class BadWaves : public BadUse {
 protected:
  // Of every verb that runs an algorithm, on the wave machine, which has waves of any size.
  void expect_waves_refused(const std::vector<std::string>& flags, std::string_view what) {
    test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<std::uint32_t>{1, 2}));
    for (std::vector<std::string> arguments :
         {std::vector<std::string>{"reduce", "a.npy"}, std::vector<std::string>{"scan", "a.npy", "-o", "b.npy"},
          std::vector<std::string>{"compact", "a.npy", "-o", "b.npy", "--where", "nonzero"}}) {
      arguments.insert(arguments.end(), flags.begin(), flags.end());
      expect_refused(arguments, what);
    }
  }
};

TEST_F(BadWaves, AreNoPowersOfTwo) {
  const std::string what =
      "algorithms do not run in waves of 3 lanes on machine (Crosslane wave machine): ask for a "
      "power of two from 1 to 128";
  expect_waves_refused({"--device", "machine:3"}, "--device: " + what);
  expect_waves_refused({"--device", "Machine:3"}, "--device: " + what);
  expect_waves_refused({"--device", "machine", "--wave-size", "3"}, "--wave-size: " + what);
  expect_waves_refused({"--device", "machine:4", "--wave-size", "3"}, "--wave-size: " + what);
}

TEST_F(BadWaves, AreTooLargeOrNone) {
  for (const std::string lanes : {"0", "129", "999"}) {
    expect_waves_refused({"--device", "machine:" + lanes},
                         "has waves of 1 to 128 lanes, not of " + lanes + "; ask for a number of these");
  }
  for (const std::string lanes : {"", "x", "-1", "99999999999"}) {
    expect_waves_refused({"--device", "machine:" + lanes},
                         "after \"machine:\" comes the number of lanes in a wave, as in machine:32");
  }
}

class Waves : public test::ProgramTest {};

TEST_F(Waves, OfTheFlagGoBeforeThoseOfTheDevice) {
  test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<std::uint32_t>{1, 2}));
  const auto wave_size = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> arguments = {"reduce", "a.npy", "--json"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run(arguments).json()["wave_size"].get<int>();
  };
  EXPECT_EQ(wave_size({"--device", "machine"}), 32);
  EXPECT_EQ(wave_size({"--device", "machine:4"}), 4);
  EXPECT_EQ(wave_size({"--device", "MACHINE:4"}), 4);
  EXPECT_EQ(wave_size({"--device", "machine", "--wave-size", "8"}), 8);
  EXPECT_EQ(wave_size({"--device", "machine:4", "--wave-size", "8"}), 8);
  // A shader of the user's own may have waves of any size.
  test::write_file(folder_ / "a.comp", "#version 450\nvoid main() {}\n");
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"--device", "machine:3"},
                                             {"--device", "machine", "--wave-size", "3"},
                                             {"--device", "machine:5", "--wave-size", "3"}}) {
    std::vector<std::string> arguments = {"run", "a.comp", "--json"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    EXPECT_EQ(run(arguments).json()["runs"][0]["wave_size"], 3);
  }
}

TEST_F(BadUse, NoVerbShowsTheHelp) {
  const test::Outcome nothing = run({});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_EQ(nothing.out, "");
  EXPECT_EQ(nothing.err, run({"--help"}).out);
  EXPECT_EQ(run({"--json"}).exit_code, 2);
}

TEST_F(BadUse, OfStandardOutputIsNoticed) {
  if (!std::filesystem::exists("/dev/full")) {
    GTEST_SKIP() << "needs /dev/full";
  }
  const test::Outcome full = run({"--version"}, {.out_file = "/dev/full"});
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_THAT(full.err, HasSubstr("standard output cannot be written"));
}

class Help : public test::ProgramTest {};

TEST_F(Help, ShowsVerbsExamplesAndExitCodes) {
  const test::Outcome help = run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_THAT(help.out, AllOf(HasSubstr("devices"), HasSubstr("reduce"), HasSubstr("crosslane reduce samples.npy"),
                              HasSubstr("Exit codes:")));
}

TEST_F(Help, OfAVerbShowsItsFlagsAndAnExample) {
  const test::Outcome reduce = run({"reduce", "--help"});
  EXPECT_EQ(reduce.exit_code, 0);
  for (const char* const word :
       {"FILE", "--op", "--method", "--device", "--wave-size", "--reproducible", "--json", "sum,min,max,and,or,xor",
        "automatic,groupshared,shuffle,wave_intrinsics,all", "Example:"}) {
    EXPECT_THAT(reduce.out, HasSubstr(word));
  }
  const test::Outcome devices = run({"devices", "--help"});
  EXPECT_EQ(devices.exit_code, 0);
  EXPECT_THAT(devices.out, AllOf(HasSubstr("--verify"), HasSubstr("--json"), HasSubstr("Example:")));
}

TEST_F(Help, TellsTheVersion) {
  const test::Outcome version = run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, AllOf(StartsWith("crosslane " CROSSLANE_VERSION "\n"), HasSubstr("built with"),
                                 HasSubstr("kernels embedded"), Not(HasSubstr("\n0 kernels"))));
}

}  // namespace
}  // namespace crosslane::cli
