#include "job/read_buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace crosslane::job {
namespace {

// More is a slip of the pen: the suite's buffers have a few words, and every byte lies in memory.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30U;

Format read_format(YamlFields& fields, std::string_view name) {
  const auto word = fields.text(name);
  const auto format = format_of(word);
  if (!format) {
    fields.complain(name, fmt::format("'{}' is no format: use Hex, UInt or Int with 8, 16, 32 or 64 behind it, "
                                      "Float16, Float32, Float64 or Bool",
                                      word));
  }
  return format.value_or(Format::hex32);
}

void append(std::vector<std::byte>& bytes, std::uint64_t bits, Format format) {
  const auto low_first = std::as_bytes(std::span(&bits, 1)).first(size_of(format));
  bytes.insert(bytes.end(), low_first.begin(), low_first.end());
}

std::vector<std::byte> read_numbers(YamlText& text, const YAML::Node& node, const std::string& path, Format format) {
  std::vector<std::byte> bytes;
  std::size_t place = 0;
  for (const auto& item : list_items(text, node, path)) {
    const auto item_path = fmt::format("{}[{}]", path, place++);
    const auto bits = parse_number(scalar_text(text, item, item_path), format);
    if (!bits) {
      text.complain(item, item_path, bits.error().message);
      break;
    }
    append(bytes, *bits, format);
  }
  return bytes;
}

void read_data(YamlText& text, YamlFields& fields, std::uint32_t array_size, JobBuffer& buffer) {
  const auto data = fields.require("Data");
  if (!data) {
    return;
  }
  const auto path = fields.path_of("Data");
  if (array_size == 1) {
    buffer.elements = {read_numbers(text, *data, path, buffer.format)};
  } else {
    const auto blocks = list_items(text, *data, path);
    if (blocks.size() != array_size) {
      text.complain(*data, path, fmt::format("{} blocks, but ArraySize is {}", blocks.size(), array_size));
    }
    for (const auto& block : blocks) {
      const auto block_path = fmt::format("{}[{}]", path, buffer.elements.size());
      buffer.elements.push_back(read_numbers(text, block, block_path, buffer.format));
      if (buffer.elements.back().size() != buffer.bytes()) {
        text.complain(block, block_path, "all blocks of an array have the same size");
      }
    }
  }
  if (buffer.bytes() == 0) {
    text.complain(*data, path, "a buffer holds at least one number");
  }
}

// FillSize, in bytes, and FillValue; ZeroInitSize is FillSize as older files spell it.
bool read_fill(YamlFields& fields, std::uint32_t array_size, JobBuffer& buffer) {
  const auto size = fields.optional_number("FillSize");
  const auto old_size = fields.optional_number("ZeroInitSize");
  const auto value = fields.find("FillValue");
  if (!size && !old_size) {
    if (value) {
      fields.complain("FillValue", "it needs a FillSize");
    }
    return false;
  }
  const std::string_view used = size ? "FillSize" : "ZeroInitSize";
  const std::uint64_t bytes = size.value_or(old_size.value_or(0));
  std::uint64_t bits = 0;
  if (value) {
    const auto parsed = parse_number(fields.text("FillValue"), buffer.format);
    if (!parsed) {
      fields.complain("FillValue", parsed.error().message);
    }
    bits = parsed.value_or(0);
  }
  if (size && old_size) {
    fields.complain("ZeroInitSize", "this is FillSize's old name, and FillSize is there too");
  } else if (bytes == 0 || bytes % size_of(buffer.format) != 0) {
    fields.complain(used, fmt::format("{} bytes are no whole number of {}", bytes, name(buffer.format)));
  } else if (bytes * array_size > most_bytes) {
    fields.complain(used, fmt::format("{} times {} bytes are more than the {} that a job's buffer may have", array_size,
                                      bytes, most_bytes));
  } else {
    std::vector<std::byte> block;
    block.reserve(bytes);
    while (block.size() < bytes) {
      append(block, bits, buffer.format);
    }
    buffer.elements.assign(array_size, block);
  }
  if (fields.find("Data")) {
    fields.complain("Data", fmt::format("there is {} too: leave one of them out", used));
  }
  return true;
}

// Only textures need it; whatever it says must fit the data.
void read_output_props(YamlText& text, YamlFields& fields, JobBuffer& buffer) {
  const auto node = fields.find("OutputProps");
  if (!node) {
    return;
  }
  YamlFields props(text, *node, fields.path_of("OutputProps"));
  TextureSize size;
  size.extent = {props.number("Width"), props.number("Height"), props.number("Depth")};
  size.levels = props.number("MipLevels", 1);
  size.layers = props.number("ArraySlices", 1);
  const auto samples = props.number("SampleCount", 1);
  props.finish();
  const std::uint64_t texel = buffer.stride != 0 ? buffer.stride : size_of(buffer.format) * buffer.channels;
  std::uint64_t bytes = 0;
  auto [width, height, depth] = size.extent;
  for (std::uint32_t level = 0; level < std::min(size.levels, 32U); ++level) {
    bytes += std::uint64_t{width} * height * depth * texel;
    width = std::max(1U, width / 2);
    height = std::max(1U, height / 2);
    depth = std::max(1U, depth / 2);
  }
  bytes *= std::uint64_t{size.layers} * samples;
  if (bytes != buffer.bytes()) {
    fields.complain("OutputProps",
                    fmt::format("an image of this size has {} bytes, but the buffer has {}", bytes, buffer.bytes()));
  } else if (samples == 1) {
    buffer.texture = size;
  }
}

}  // namespace

JobBuffer read_buffer(YamlText& text, const YAML::Node& node, const std::string& path) {
  constexpr std::uint32_t most_channels = 4;
  YamlFields fields(text, node, path);
  JobBuffer buffer;
  buffer.name = fields.text("Name");
  buffer.format = read_format(fields, "Format");
  buffer.channels = fields.number("Channels", 1);
  buffer.stride = fields.number("Stride", 0);
  const auto array_size = fields.number("ArraySize", 1);
  if (buffer.channels == 0 || buffer.channels > most_channels) {
    fields.complain("Channels", fmt::format("{} is no number of channels: use 1 to 4", buffer.channels));
    buffer.channels = 1;
  }
  if (buffer.stride != 0 && buffer.channels != 1) {
    fields.complain("Stride", "structures have a Stride and texels have Channels: leave one of them out");
  }
  if (buffer.stride % size_of(buffer.format) != 0) {
    fields.complain("Stride", fmt::format("{} bytes are no whole number of {}", buffer.stride, name(buffer.format)));
  }
  constexpr std::uint32_t most_elements = 1U << 16U;
  if (array_size == 0 || array_size > most_elements) {
    fields.complain("ArraySize", fmt::format("{} is no size of an array: use 1 to {}", array_size, most_elements));
  } else if (!read_fill(fields, array_size, buffer)) {
    read_data(text, fields, array_size, buffer);
  }
  read_output_props(text, fields, buffer);
  fields.finish();
  return buffer;
}

void read_push_constant(YamlText& text, const YAML::Node& node, const std::string& path,
                        std::vector<std::byte>& bytes) {
  constexpr std::uint64_t most_push_constants = 4096;
  YamlFields fields(text, node, path);
  const auto format = read_format(fields, "Format");
  const std::uint64_t offset = fields.number("Offset");
  if (const auto data = fields.require("Data")) {
    const auto numbers = read_numbers(text, *data, fields.path_of("Data"), format);
    if (offset + numbers.size() > most_push_constants) {
      fields.complain("Offset", fmt::format("push constants end at byte {} at the latest", most_push_constants));
    } else {
      bytes.resize(std::max<std::size_t>(bytes.size(), offset + numbers.size()));
      std::ranges::copy(numbers, bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    }
  }
  fields.finish();
}

JobConstant read_constant(YamlText& text, const YAML::Node& node, const std::string& path) {
  YamlFields fields(text, node, path);
  JobConstant constant;
  constant.id = fields.number("ConstantID");
  constant.format = read_format(fields, "Type");
  if (const auto value = parse_number(fields.text("Value"), constant.format)) {
    constant.bits = *value;
  } else {
    fields.complain("Value", value.error().message);
  }
  fields.finish();
  return constant;
}

}  // namespace crosslane::job
