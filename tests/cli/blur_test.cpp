// `crosslane blur` on files, against blurs in doubles. On the wave machine, which makes pipelines fast: the blur's own
// tests run on every device.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/run_blur.hpp"
#include "cli/array_command.hpp"
#include "cli/npy_bytes.hpp"
#include "cli/png_bytes.hpp"

namespace crosslane::cli {
namespace {

using crosslane::test::expect_blurred;
using crosslane::test::ImageSize;
using crosslane::test::random_pixels;
using test::PngPixels;
using testing::HasSubstr;
using testing::Not;

constexpr ImageSize size{13, 7};

BlurOptions options_of(BlurFormat format) {
  BlurOptions options;
  options.format = format;
  return options;
}

class BlurCommand : public test::ArrayCommand {
 protected:
  BlurCommand() : ArrayCommand("blur") {}

  test::Outcome blur(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "blur");
    arguments.insert(arguments.end(), {"--device", "machine:32"});
    return run(arguments);
  }

  void write_png(const std::string& file, const PngPixels& image, const std::function<void(spng_ctx*)>& add = {}) {
    test::write_file(folder_ / file, test::png_bytes(image, add));
  }

  PngPixels read_png(const std::string& file, const std::function<void(spng_ctx*)>& look = {}) {
    return test::png_pixels(text_of(file), look);
  }

  std::vector<std::byte> write_array(const std::string& file, BlurFormat format, const std::string& descr,
                                     const std::string& shape) {
    auto pixels = random_pixels(format, size.width * size.height, 7);
    test::write_file(folder_ / file, test::npy_header(test::npy_dictionary(descr, shape)) + test::bytes_of(pixels));
    return pixels;
  }

  /// One error and nothing else: exit code 2, a line that holds `part`, no output.
  void expect_refused(const std::vector<std::string>& arguments, const std::string& part) {
    const auto before = files();
    const auto outcome = blur(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    auto expected = before;
    expected.insert(expected.end(), {"stderr", "stdout"});  // of the program
    std::ranges::sort(expected);
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    EXPECT_EQ(files(), expected);
  }
};

PngPixels png_of(BlurFormat format, std::uint8_t color_type, std::uint8_t bit_depth, bool interlaced = false) {
  return {size.width, size.height, bit_depth, color_type, random_pixels(format, size.width * size.height, 3),
          interlaced};
}

TEST_F(BlurCommand, BlursPngImages) {
  struct Kind {
    BlurFormat format;
    std::uint8_t color_type;
    std::uint8_t bit_depth;
    bool interlaced = false;
  };
  for (const Kind& kind :
       {Kind{BlurFormat::r8, SPNG_COLOR_TYPE_GRAYSCALE, 8}, Kind{BlurFormat::r16, SPNG_COLOR_TYPE_GRAYSCALE, 16},
        Kind{BlurFormat::rgb8, SPNG_COLOR_TYPE_TRUECOLOR, 8}, Kind{BlurFormat::rgb16, SPNG_COLOR_TYPE_TRUECOLOR, 16},
        Kind{BlurFormat::rgba8, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8},
        Kind{BlurFormat::rgba16, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 16},
        Kind{BlurFormat::rgba8, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8, true}}) {
    const std::string what = std::string(name(kind.format)) + (kind.interlaced ? ", interlaced" : "");
    const PngPixels image = png_of(kind.format, kind.color_type, kind.bit_depth, kind.interlaced);
    write_png("in.png", image);
    const auto outcome = blur({"in.png", "-o", "out.png", "--force", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << what << outcome.out << outcome.err;
    EXPECT_EQ(outcome.json()["format"], name(kind.format));
    const PngPixels result = read_png("out.png");
    EXPECT_EQ(result.color_type, kind.color_type) << what;
    EXPECT_EQ(result.bit_depth, kind.bit_depth) << what;
    ASSERT_EQ(result.pixels.size(), image.pixels.size()) << what;
    expect_blurred(options_of(kind.format), size, image.pixels, result.pixels, what);
  }
}

// The pixels of one kind of file in terms of what is blurred.
std::vector<std::byte> mapped(const std::vector<std::byte>& codes,
                              const std::function<std::vector<int>(int code)>& channels_of) {
  std::vector<std::byte> pixels;
  for (const std::byte code : codes) {
    for (const int channel : channels_of(std::to_integer<int>(code))) {
      pixels.push_back(static_cast<std::byte>(channel));
    }
  }
  return pixels;
}

TEST_F(BlurCommand, WritesOutPalettesAndFewBits) {
  auto codes = random_pixels(BlurFormat::r8, size.width * size.height, 5);
  for (std::byte& code : codes) {
    code &= std::byte{3};
  }
  spng_plte palette{4, {{255, 0, 0, 0}, {0, 255, 0, 0}, {10, 20, 30, 0}, {200, 100, 50, 0}}};
  spng_trns transparent{};
  transparent.n_type3_entries = 2;
  transparent.type3_alpha[0] = 0;
  transparent.type3_alpha[1] = 128;
  const auto colour = [&](int code) {
    const spng_plte_entry& entry = palette.entries[code];
    return std::vector<int>{entry.red, entry.green, entry.blue};
  };
  PngPixels image{size.width, size.height, 8, SPNG_COLOR_TYPE_INDEXED, codes};
  write_png("palette.png", image, [&](spng_ctx* context) { test::must_spng(spng_set_plte(context, &palette)); });
  ASSERT_EQ(blur({"palette.png", "-o", "colours.png"}).exit_code, 0);
  PngPixels result = read_png("colours.png");
  EXPECT_EQ(result.color_type, SPNG_COLOR_TYPE_TRUECOLOR);
  expect_blurred(options_of(BlurFormat::rgb8), size, mapped(codes, colour), result.pixels, "palette");

  write_png("clear.png", image, [&](spng_ctx* context) {
    test::must_spng(spng_set_plte(context, &palette));
    test::must_spng(spng_set_trns(context, &transparent));
  });
  ASSERT_EQ(blur({"clear.png", "-o", "alpha.png"}).exit_code, 0);
  result = read_png("alpha.png");
  EXPECT_EQ(result.color_type, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA);
  const auto with_alpha = mapped(codes, [&](int code) {
    auto channels = colour(code);
    channels.push_back(code == 0 ? 0 : code == 1 ? 128 : 255);
    return channels;
  });
  expect_blurred(options_of(BlurFormat::rgba8), size, with_alpha, result.pixels, "palette with alpha");

  // Two bits a pixel, four pixels a byte, rows of 13 pixels.
  std::vector<std::byte> packed((size.width + 3) / 4 * size.height);
  for (std::size_t y = 0; y < size.height; ++y) {
    for (std::size_t x = 0; x < size.width; ++x) {
      packed[y * ((size.width + 3) / 4) + x / 4] |= codes[y * size.width + x] << (6 - 2 * (x % 4));
    }
  }
  write_png("bits.png", {size.width, size.height, 2, SPNG_COLOR_TYPE_GRAYSCALE, packed});
  ASSERT_EQ(blur({"bits.png", "-o", "grey.png"}).exit_code, 0);
  result = read_png("grey.png");
  EXPECT_EQ(result.color_type, SPNG_COLOR_TYPE_GRAYSCALE);
  EXPECT_EQ(result.bit_depth, 8);
  const auto greys = mapped(codes, [](int code) { return std::vector<int>{code * 85}; });
  expect_blurred(options_of(BlurFormat::r8), size, greys, result.pixels, "two bits");
}

TEST_F(BlurCommand, KeepsGreyWithAlphaGrey) {
  const auto codes = random_pixels(BlurFormat::r16, size.width * size.height, 6);  // a grey and an alpha each
  write_png("in.png", {size.width, size.height, 8, SPNG_COLOR_TYPE_GRAYSCALE_ALPHA, codes});
  ASSERT_EQ(blur({"in.png", "-o", "out.png"}).exit_code, 0);
  const PngPixels result = read_png("out.png");
  EXPECT_EQ(result.color_type, SPNG_COLOR_TYPE_GRAYSCALE_ALPHA);
  ASSERT_EQ(result.pixels.size(), codes.size());
  const auto as_rgba = [](const std::vector<std::byte>& pairs) {
    std::vector<std::byte> pixels;
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
      pixels.insert(pixels.end(), {pairs[i], pairs[i], pairs[i], pairs[i + 1]});
    }
    return pixels;
  };
  expect_blurred(options_of(BlurFormat::rgba8), size, as_rgba(codes), as_rgba(result.pixels), "grey with alpha");
}

TEST_F(BlurCommand, KeepsWhatAnImageSaysBesides) {
  std::string chunk = "some bytes";
  std::string profile = "no real profile";
  std::string title = "A title";
  std::vector<spng_unknown_chunk> chunks = {{{'m', 'y', 'A', 'a'}, chunk.size(), chunk.data(), SPNG_AFTER_IDAT}};
  std::vector<spng_splt_entry> entries = {{1, 2, 3, 4, 5}};
  spng_splt palette{"some", 8, 1, entries.data()};
  write_png("in.png", png_of(BlurFormat::rgb8, SPNG_COLOR_TYPE_TRUECOLOR, 8), [&](spng_ctx* context) {
    test::must_spng(spng_set_gama_int(context, 45455));
    spng_phys size_of_pixels{2835, 2834, 1};
    test::must_spng(spng_set_phys(context, &size_of_pixels));
    spng_iccp icc{"mine", profile.size(), profile.data()};
    test::must_spng(spng_set_iccp(context, &icc));
    spng_text text{};
    std::strcpy(text.keyword, "Title");
    text.type = SPNG_TEXT;
    text.length = title.size();
    text.text = title.data();
    test::must_spng(spng_set_text(context, &text, 1));
    test::must_spng(spng_set_splt(context, &palette, 1));
    test::must_spng(spng_set_unknown_chunks(context, chunks.data(), static_cast<std::uint32_t>(chunks.size())));
  });
  ASSERT_EQ(blur({"in.png", "-o", "out.png"}).exit_code, 0);
  read_png("out.png", [&](spng_ctx* context) {
    std::uint32_t gamma = 0;
    ASSERT_EQ(spng_get_gama_int(context, &gamma), 0);
    EXPECT_EQ(gamma, 45455U);
    spng_phys found{};
    ASSERT_EQ(spng_get_phys(context, &found), 0);
    EXPECT_EQ(found.ppu_y, 2834U);
    spng_iccp icc{};
    ASSERT_EQ(spng_get_iccp(context, &icc), 0);
    EXPECT_EQ(std::string(icc.profile, icc.profile_len), profile);
    std::uint32_t count = 1;
    spng_text text{};
    ASSERT_EQ(spng_get_text(context, &text, &count), 0);
    EXPECT_STREQ(text.keyword, "Title");
    EXPECT_STREQ(text.text, "A title");
    count = 0;
    ASSERT_EQ(spng_get_unknown_chunks(context, nullptr, &count), 0);
    ASSERT_EQ(count, 1U);
    spng_unknown_chunk found_chunk{};
    ASSERT_EQ(spng_get_unknown_chunks(context, &found_chunk, &count), 0);
    EXPECT_EQ(std::string(static_cast<const char*>(found_chunk.data), found_chunk.length), chunk);
    count = 0;
    ASSERT_EQ(spng_get_splt(context, nullptr, &count), 0);
    EXPECT_EQ(count, 1U);
  });
}

TEST_F(BlurCommand, LeavesOutChunksThatMayNotBeCopied) {
  std::string chunk = "some bytes";  // its name's last letter says it
  spng_unknown_chunk own{{'m', 'y', 'B', 'B'}, chunk.size(), chunk.data(), SPNG_AFTER_IHDR};
  write_png("in.png", png_of(BlurFormat::r8, SPNG_COLOR_TYPE_GRAYSCALE, 8),
            [&](spng_ctx* context) { test::must_spng(spng_set_unknown_chunks(context, &own, 1)); });
  ASSERT_EQ(blur({"in.png", "-o", "out.png"}).exit_code, 0);
  EXPECT_THAT(text_of("in.png"), HasSubstr("myBB"));
  EXPECT_THAT(text_of("out.png"), Not(HasSubstr("myBB")));
}

TEST_F(BlurCommand, BlursArrays) {
  struct Kind {
    BlurFormat format;
    std::string descr;
    std::string channels;
  };
  for (const Kind& kind : {Kind{BlurFormat::f32, "'<f4'", ""}, Kind{BlurFormat::f32x4, "'<f4'", ", 4"},
                           Kind{BlurFormat::f16, "'<f2'", ", 1"}, Kind{BlurFormat::r8, "'|u1'", ""},
                           Kind{BlurFormat::rgb8, "'|u1'", ", 3"}, Kind{BlurFormat::rgba16, "'<u2'", ", 4"}}) {
    const std::string shape = "(7, 13" + kind.channels + ")";
    const auto pixels = write_array("in.npy", kind.format, kind.descr, shape);
    BlurOptions options = options_of(kind.format);
    options.radius = 9;
    options.sigma = 2.5;
    options.border = BlurBorder::mirror;
    options.premultiply = false;
    const auto outcome = blur({"in.npy", "-o", "out.npy", "--force", "--radius", "9", "--sigma", "2.5", "--border",
                               "mirror", "--straight-alpha"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(fmt::format("13 × 7 {} pixels, radius 9, sigma 2.5", name(kind.format))));
    EXPECT_THAT(text_of("out.npy"),
                HasSubstr("'descr': " + kind.descr + ", 'fortran_order': False, 'shape': " + shape));
    expect_blurred(options, size, pixels, data_of<std::byte>("out.npy", pixels.size()), shape + kind.descr);
  }
}

TEST_F(BlurCommand, TakesLightAndBorderValues) {
  const PngPixels image = png_of(BlurFormat::rgba8, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8);
  write_png("in.png", image);
  BlurOptions options = options_of(BlurFormat::rgba8);
  options.linear_light = true;
  options.border = BlurBorder::constant;
  options.border_value = {200, 100, 50, 25};
  const auto outcome = blur(
      {"in.png", "-o", "out.png", "--linear", "--border", "constant", "--border-value", "200,100,50,25", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["linear"], true);
  EXPECT_EQ(outcome.json()["premultiply"], true);
  expect_blurred(options, size, image.pixels, read_png("out.png").pixels, "linear");
  // One value for all channels.
  options.linear_light = false;
  options.border_value = {255, 255, 255, 255};
  ASSERT_EQ(blur({"--border", "constant", "--border-value", "255", "in.png", "-o", "white.png"}).exit_code, 0);
  expect_blurred(options, size, image.pixels, read_png("white.png").pixels, "white");
}

TEST_F(BlurCommand, ComparesAllMethods) {
  for (const auto& [format, descr] : {std::pair{BlurFormat::f32, "'<f4'"}, {BlurFormat::f16, "'<f2'"}}) {
    write_array("in.npy", format, descr, "(7, 13)");
    const auto outcome = blur({"in.npy", "-o", "out.npy", "--method", "all", "--json", "--force"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["schema_version"], 1);
    EXPECT_EQ(json["output"], "out.npy");
    EXPECT_EQ(json["width"], 13);
    EXPECT_EQ(json["height"], 7);
    EXPECT_EQ(json["radius"], 4);
    EXPECT_DOUBLE_EQ(json["sigma"], 1.7);
    EXPECT_EQ(json["border"], "clamp");
    EXPECT_EQ(json["premultiply"], false) << "there is no alpha";
    EXPECT_EQ(json["agree"], true);
    ASSERT_EQ(json["methods"].size(), 3U);
    EXPECT_EQ(json["methods"][0]["passes"], "one");
    EXPECT_EQ(json["methods"][1]["passes"], "one");
    EXPECT_EQ(json["methods"][2]["passes"], nullptr) << "wave_intrinsics";
    EXPECT_THAT(std::string(json["methods"][2]["note"]), HasSubstr("use method shuffle or groupshared"));
  }
}

TEST_F(BlurCommand, ReplacesItsOwnInputWhereForced) {
  const PngPixels image = png_of(BlurFormat::r8, SPNG_COLOR_TYPE_GRAYSCALE, 8);
  write_png("in.png", image);
  expect_refused({"in.png", "-o", "in.png"}, "in.png: there is such a file already");
  ASSERT_EQ(blur({"in.png", "-o", "in.png", "--force"}).exit_code, 0);
  expect_blurred(options_of(BlurFormat::r8), size, image.pixels, read_png("in.png").pixels, "in place");
}

TEST_F(BlurCommand, RefusesFilesThatAreNoImages) {
  const std::string whole = test::png_bytes(png_of(BlurFormat::rgb8, SPNG_COLOR_TYPE_TRUECOLOR, 8));
  test::write_file(folder_ / "text.png", "no image at all");
  test::write_file(folder_ / "empty.png", "");
  test::write_file(folder_ / "begin.png", whole.substr(0, 8));
  test::write_file(folder_ / "header.png", whole.substr(0, 20));
  test::write_file(folder_ / "short.png", whole.substr(0, whole.size() / 2));
  std::string wrong = whole;
  wrong[whole.size() / 2] = static_cast<char>(wrong[whole.size() / 2] + 1);
  test::write_file(folder_ / "wrong.png", wrong);
  std::filesystem::create_directory(folder_ / "folder.png");
  expect_refused({"none.png", "-o", "out.png"}, "none.png: there is no such file: check the path");
  expect_refused({"", "-o", "out.png"}, "the name of the image's file is empty");
  expect_refused({"folder.png", "-o", "out.png"}, "folder.png: this is a directory: name a .png or an .npy file in it");
  expect_refused({"text.png", "-o", "out.png"}, "text.png: this is neither a PNG nor an .npy file");
  expect_refused({"empty.png", "-o", "out.png"}, "empty.png: the file is empty: save the image again");
  for (const std::string file : {"begin.png", "header.png", "short.png"}) {
    expect_refused({file, "-o", "out.png"}, file + ": the PNG file is truncated");
  }
  expect_refused({"wrong.png", "-o", "out.png"}, "wrong.png: this PNG file cannot be read (");
}

TEST_F(BlurCommand, RefusesArraysThatAreNoImages) {
  const auto array = [&](const std::string& file, const std::string& descr, const std::string& shape,
                         std::size_t bytes) {
    test::write_file(folder_ / file, test::npy_header(test::npy_dictionary(descr, shape)) + std::string(bytes, '\0'));
  };
  array("line.npy", "'<f4'", "(8,)", 32);
  array("none.npy", "'<f4'", "(0, 8)", 0);
  array("two.npy", "'|u1'", "(2, 2, 2)", 8);
  array("three.npy", "'<f4'", "(2, 2, 3)", 48);
  array("double.npy", "'<f8'", "(2, 2)", 32);
  array("big.npy", "'>u2'", "(2, 2)", 8);
  expect_refused({"line.npy", "-o", "out.npy"}, "line.npy: an array of shape (8) is no image");
  expect_refused({"none.npy", "-o", "out.npy"}, "none.npy: the image of shape (0, 8) has no pixels");
  expect_refused({"two.npy", "-o", "out.npy"}, "two.npy: images of 2 channels of uint8 are not supported");
  expect_refused({"three.npy", "-o", "out.npy"}, "three.npy: images of 3 channels of float32 are not supported");
  expect_refused({"double.npy", "-o", "out.npy"},
                 "double.npy: channels of type float64 ('<f8') are not supported, only uint8, uint16, float16 and "
                 "float32: np.save(file, a.astype(np.float32))");
  expect_refused({"big.npy", "-o", "out.npy"}, "big.npy: its elements are big-endian");
  test::write_file(folder_ / "columns.npy",
                   test::npy_header(test::npy_dictionary("'<f4'", "(2, 2)", true)) + std::string(16, '\0'));
  expect_refused({"columns.npy", "-o", "out.npy"}, "columns.npy: its elements lie by columns");
}

TEST_F(BlurCommand, RefusesFlagsThatMakeNoSense) {
  write_png("in.png", png_of(BlurFormat::rgb8, SPNG_COLOR_TYPE_TRUECOLOR, 8));
  write_array("in.npy", BlurFormat::f32, "'<f4'", "(7, 13)");
  const auto refused = [&](const std::vector<std::string>& flags, const std::string& part) {
    std::vector<std::string> arguments = {"in.png", "-o", "out.png"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    expect_refused(arguments, part);
  };
  for (const std::string radius : {"0", "33", "-1", "4294967297"}) {
    refused({"--radius", radius}, "--radius " + radius + ": a blur's radius is from 1 to 32 pixels");
  }
  refused({"--radius", "x"}, "--radius");
  for (const std::string sigma : {"nan", "0", "-1", "inf"}) {
    refused({"--sigma", sigma}, "--sigma " + sigma + ": a blur's sigma is a number of pixels greater than 0");
  }
  for (const std::string flag : {"--sigma", "--radius", "--border-value"}) {
    refused({flag, ""}, flag + ": there is no value");
  }
  refused({"--sigma", "x"}, "--sigma");
  refused({"--border", "nearest"}, "--border");
  refused({"--border-value", "3"}, "--border-value: a border of kind clamp has none: add --border constant");
  refused({"--border", "constant", "--border-value", "256"}, "--border-value 256: channels of rgb8 go from 0 to 255");
  refused({"--border", "constant", "--border-value", "nan"}, "--border-value nan: channels of rgb8 go from 0 to 255");
  refused({"--border", "constant", "--border-value", "1,2,3,4,5"}, "--border-value: 5 numbers");
  refused({"--border", "constant", "--border-value", "1,2"}, "--border-value: 2 numbers, and a pixel of rgb8 has 3");
  expect_refused({"in.npy", "-o", "out.npy", "--border", "constant", "--border-value", "1,2"},
                 "--border-value: 2 numbers, and a pixel of f32 has 1 channel:");
  expect_refused({"in.npy", "-o", "out.npy", "--border", "constant", "--border-value", "1e39"},
                 "--border-value 1e+39: channels of f32 go from -3.4");
  refused({"--border", "constant", "--border-value", "1,x"}, "--border-value");
  refused({"--method", "wave_intrinsics"}, "use method shuffle or groupshared");
  expect_refused({"in.npy", "-o", "out.npy", "--linear"}, "only integers can be sRGB");
  expect_refused({"in.npy", "-o", "out.png"}, "out.png: what is written is of the kind of in.npy: name a .npy file");
  expect_refused({"in.png", "-o", "out.jpg"}, "out.jpg: what is written is of the kind of in.png: name a .png file");
  expect_refused({"in.png", "-o", "none/out.png"}, "there is no folder none: make it first");
  expect_refused({"in.png", "-o", ""}, "the name of the output file is empty: name a .png file");
  expect_refused({"in.png", "-o", "-"}, "-: images are not written to standard output: name a .png file");
  expect_refused({"in.png"}, "--output");
}

}  // namespace
}  // namespace crosslane::cli
