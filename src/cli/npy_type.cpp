#include "cli/npy_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace crosslane::cli {
namespace {

struct ReadType {
  std::string_view code;  ///< kind and bytes, as after the byte order in `descr`
  std::string_view name;
  ScalarType type;
};

constexpr std::array read_types = {
    ReadType{"u4", "uint32", ScalarType::u32},  ReadType{"i4", "int32", ScalarType::i32},
    ReadType{"f4", "float32", ScalarType::f32}, ReadType{"u8", "uint64", ScalarType::u64},
    ReadType{"i8", "int64", ScalarType::i64},   ReadType{"f8", "float64", ScalarType::f64},
};

struct ChannelType {
  std::string_view code;
  std::string_view name;
};

/// By NpyChannel's number.
constexpr std::array channel_types = {ChannelType{"u1", "uint8"}, ChannelType{"u2", "uint16"},
                                      ChannelType{"f2", "float16"}, ChannelType{"f4", "float32"}};

struct OtherType {
  std::string_view code;  ///< kind and bytes, or the kind alone where the bytes vary
  std::string_view name;
  std::string_view mend;
};

constexpr std::string_view as_u32 = "np.save(file, a.astype(np.uint32))";
constexpr std::string_view as_i32 = "np.save(file, a.astype(np.int32))";
constexpr std::string_view as_f32 = "np.save(file, a.astype(np.float32))";
constexpr std::string_view as_f64 = "np.save(file, a.astype(np.float64))";
constexpr std::string_view real_part = "save the parts one by one, np.save(file, a.real.copy()) and a.imag.copy()";
constexpr std::string_view as_i64 = "np.save(file, a.astype(np.int64))";
constexpr std::string_view to_numbers = "turn them into numbers first, np.save(file, a.astype(np.float64))";
constexpr std::string_view one_field = "save one field, np.save(file, a['name of the field'])";

// The longer code first where two begin alike.
constexpr std::array other_types = {
    OtherType{"b1", "bool", as_u32},           OtherType{"u1", "uint8", as_u32},
    OtherType{"u2", "uint16", as_u32},         OtherType{"i1", "int8", as_i32},
    OtherType{"i2", "int16", as_i32},          OtherType{"f2", "float16", as_f32},
    OtherType{"f12", "float96", as_f64},       OtherType{"f16", "float128", as_f64},
    OtherType{"c8", "complex64", real_part},   OtherType{"c16", "complex128", real_part},
    OtherType{"c32", "complex256", real_part}, OtherType{"O", "object", to_numbers},
    OtherType{"S", "byte string", to_numbers}, OtherType{"U", "string", to_numbers},
    OtherType{"M8", "datetime64", as_i64},     OtherType{"m8", "timedelta64", as_i64},
    OtherType{"V", "void", one_field},
};

constexpr std::string_view structure = "structure";

// What one kind of array may hold, for messages.
struct Wanted {
  std::string_view elements;  ///< what they are called
  std::string_view types;
};

constexpr Wanted numbers = {"elements", "uint32, int32, float32, uint64, int64 and float64"};
constexpr Wanted channels = {"channels", "uint8, uint16, float16 and float32"};
constexpr Wanted flags = {"flags", "bool and integers of 8 and 32 bits"};

tl::unexpected<Error> unsupported(const std::string& file, const Wanted& wanted, std::string_view type,
                                  std::string_view descr, std::string_view mend) {
  return fail(ErrorCode::unsupported, fmt::format("{}: {} of type {} ({}) are not supported, only {}: {}", file,
                                                  wanted.elements, type, abbreviated(descr), wanted.types, mend));
}

// A `descr` taken apart.
struct Spelling {
  std::string_view whole;   ///< empty for structures
  char order = '\0';        ///< of its bytes, where that is given
  std::string_view code;    ///< kind and bytes
  bool structured = false;  ///< several elements in one

  [[nodiscard]] bool is(std::string_view other_code, std::string_view name) const {
    return code == other_code || whole == name;
  }
};

Spelling spelling_of(const PythonLiteral& descr) {
  using Kind = PythonLiteral::Kind;
  Spelling spelling;
  spelling.structured = descr.kind == Kind::list || descr.kind == Kind::tuple || descr.kind == Kind::dictionary;
  spelling.whole = descr.kind == Kind::string ? descr.text : std::string_view();
  constexpr std::string_view byte_orders = "<>=|";
  const bool has_order = !spelling.whole.empty() && byte_orders.find(spelling.whole.front()) != std::string_view::npos;
  spelling.order = has_order ? spelling.whole.front() : '\0';
  spelling.code = spelling.whole.substr(has_order ? 1 : 0);
  return spelling;
}

const ReadType* find_read(const Spelling& spelling) {
  const auto* const found =
      std::ranges::find_if(read_types, [&](const ReadType& type) { return spelling.is(type.code, type.name); });
  return found == read_types.end() ? nullptr : found;
}

const OtherType* find_other(const Spelling& spelling) {
  const auto* const found = std::ranges::find_if(other_types, [&](const OtherType& type) {
    return spelling.code.starts_with(type.code) || spelling.whole == type.name;
  });
  return found == other_types.end() ? nullptr : found;
}

tl::unexpected<Error> big_endian(const std::string& file, std::string_view descr) {
  return fail(ErrorCode::unsupported,
              fmt::format("{}: its elements are big-endian ({}): save them in this machine's byte order, "
                          "np.save(file, a.astype(a.dtype.newbyteorder('=')))",
                          file, descr));
}

bool is_of_bytes(const Spelling& spelling) {
  return spelling.is("b1", "bool") || spelling.is("u1", "uint8") || spelling.is("i1", "int8");
}

}  // namespace

std::string abbreviated(std::string_view text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? std::string(text) : fmt::format("{}…", text.substr(0, longest));
}

Expected<ScalarType> scalar_type_of_descr(const PythonLiteral& descr, const std::string& name) {
  const Spelling spelling = spelling_of(descr);
  if (spelling.structured) {
    return unsupported(name, numbers, structure, descr.source, one_field);
  }
  if (const ReadType* const read = find_read(spelling)) {
    if (spelling.order == '>') {
      return big_endian(name, descr.source);
    }
    static_assert(std::endian::native == std::endian::little);  // '=' and '|' mean the machine's own order
    return read->type;
  }
  if (const OtherType* const other = find_other(spelling)) {
    return unsupported(name, numbers, other->name, descr.source, other->mend);
  }
  return fail(ErrorCode::unsupported,
              fmt::format("{}: the type of its elements is given as {}, which np.save does not write: save the array "
                          "again with np.save, as {}",
                          name, abbreviated(descr.source), numbers.types));
}

Expected<NpyElementType> flag_type_of_descr(const PythonLiteral& descr, const std::string& name) {
  constexpr std::string_view as_bool = "np.save(file, a.astype(bool))";
  const Spelling spelling = spelling_of(descr);
  if (spelling.structured) {
    return unsupported(name, flags, structure, descr.source, one_field);
  }
  if (is_of_bytes(spelling)) {
    return NpyElementType{.of_bytes = true};
  }
  if (const ReadType* const read = find_read(spelling);
      read != nullptr && read->type != ScalarType::u32 && read->type != ScalarType::i32) {
    return unsupported(name, flags, read->name, descr.source, as_bool);
  }
  if (const OtherType* const other = find_other(spelling)) {
    return unsupported(name, flags, other->name, descr.source, other->mend == one_field ? one_field : as_bool);
  }
  return scalar_type_of_descr(descr, name).map([](ScalarType type) { return NpyElementType{.type = type}; });
}

Expected<NpyElementType> channel_type_of_descr(const PythonLiteral& descr, const std::string& name) {
  const Spelling spelling = spelling_of(descr);
  if (spelling.structured) {
    return unsupported(name, channels, structure, descr.source, one_field);
  }
  for (std::size_t i = 0; i < channel_types.size(); ++i) {
    if (spelling.is(channel_types.at(i).code, channel_types.at(i).name)) {
      const bool swapped = spelling.order == '>' && i != static_cast<std::size_t>(NpyChannel::u8);
      return swapped ? Expected<NpyElementType>(big_endian(name, descr.source))
                     : NpyElementType{.channel = static_cast<NpyChannel>(i)};
    }
  }
  if (const ReadType* const read = find_read(spelling)) {
    return unsupported(name, channels, read->name, descr.source, as_f32);
  }
  if (const OtherType* const other = find_other(spelling)) {
    return unsupported(name, channels, other->name, descr.source, other->mend == one_field ? one_field : as_f32);
  }
  return scalar_type_of_descr(descr, name).map([](ScalarType type) { return NpyElementType{.type = type}; });
}

Expected<NpyElementType> half_type_of_descr(const PythonLiteral& descr, const std::string& name) {
  const Spelling spelling = spelling_of(descr);
  const ChannelType& half = channel_types.at(static_cast<std::size_t>(NpyChannel::f16));
  if (!spelling.is(half.code, half.name)) {
    return fail(
        ErrorCode::unsupported,
        fmt::format("{}: its elements are of type {}, and --halves takes float16 with a last axis of 2, real and "
                    "imaginary part: leave it out, or save np.stack([a.real, a.imag], -1).astype(np.float16)",
                    name, abbreviated(descr.source)));
  }
  return spelling.order == '>' ? Expected<NpyElementType>(big_endian(name, descr.source))
                               : NpyElementType{.channel = NpyChannel::f16};
}

std::string_view name(NpyChannel channel) { return channel_types.at(static_cast<std::size_t>(channel)).name; }

std::string descr_of(NpyChannel channel) {
  return fmt::format("{}{}", channel == NpyChannel::u8 ? '|' : '<',
                     channel_types.at(static_cast<std::size_t>(channel)).code);
}

std::optional<ScalarType> part_type_of_descr(const PythonLiteral& descr) {
  const Spelling spelling = spelling_of(descr);
  if (spelling.order == '>') {
    return std::nullopt;
  }
  if (spelling.is("c8", "complex64")) {
    return ScalarType::f32;
  }
  return spelling.is("c16", "complex128") ? std::optional(ScalarType::f64) : std::nullopt;
}

std::string complex_descr_of(ScalarType type) { return fmt::format("<c{}", 2 * size_of(type)); }

std::string descr_of(ScalarType type) {
  // NumPy's letters are f, i and u too; it counts bytes where the library's names count bits.
  return fmt::format("<{}{}", crosslane::name(type).front(), size_of(type));
}

}  // namespace crosslane::cli
