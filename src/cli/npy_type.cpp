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

constexpr std::string_view six_types = "uint32, int32, float32, uint64, int64 and float64";

tl::unexpected<Error> unsupported(const std::string& file, std::string_view type, std::string_view descr,
                                  std::string_view mend) {
  return fail(ErrorCode::unsupported, fmt::format("{}: elements of type {} ({}) are not supported, only {}: {}", file,
                                                  type, abbreviated(descr), six_types, mend));
}

}  // namespace

std::string abbreviated(std::string_view text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? std::string(text) : fmt::format("{}…", text.substr(0, longest));
}

Expected<ScalarType> scalar_type_of_descr(const PythonLiteral& descr, const std::string& name) {
  using Kind = PythonLiteral::Kind;
  if (descr.kind == Kind::list || descr.kind == Kind::tuple || descr.kind == Kind::dictionary) {
    return unsupported(name, "structure", descr.source, one_field);
  }
  const std::string_view spelled = descr.kind == Kind::string ? descr.text : std::string_view();
  constexpr std::string_view byte_orders = "<>=|";
  const bool has_order = !spelled.empty() && byte_orders.find(spelled.front()) != std::string_view::npos;
  const std::string_view code = spelled.substr(has_order ? 1 : 0);
  const auto* const read =
      std::ranges::find_if(read_types, [&](const ReadType& type) { return type.code == code || type.name == spelled; });
  if (read != read_types.end()) {
    if (spelled.front() == '>') {
      return fail(ErrorCode::unsupported,
                  fmt::format("{}: its elements are big-endian ({}): save them in this machine's byte order, "
                              "np.save(file, a.astype(a.dtype.newbyteorder('=')))",
                              name, descr.source));
    }
    static_assert(std::endian::native == std::endian::little);  // '=' and '|' mean the machine's own order
    return read->type;
  }
  const auto* const other = std::ranges::find_if(
      other_types, [&](const OtherType& type) { return code.starts_with(type.code) || type.name == spelled; });
  if (other != other_types.end()) {
    return unsupported(name, other->name, descr.source, other->mend);
  }
  return fail(ErrorCode::unsupported,
              fmt::format("{}: the type of its elements is given as {}, which np.save does not write: save the array "
                          "again with np.save, as {}",
                          name, abbreviated(descr.source), six_types));
}

bool is_byte_descr(const PythonLiteral& descr) {
  constexpr std::array<std::string_view, 6> spellings = {"|b1", "|u1", "|i1", "bool", "uint8", "int8"};
  return descr.kind == PythonLiteral::Kind::string && std::ranges::find(spellings, descr.text) != spellings.end();
}

std::optional<ScalarType> part_type_of_descr(const PythonLiteral& descr) {
  struct Spelling {
    std::string_view text;
    ScalarType part;
  };
  constexpr std::array spellings = {Spelling{"<c8", ScalarType::f32},  Spelling{"=c8", ScalarType::f32},
                                    Spelling{"c8", ScalarType::f32},   Spelling{"complex64", ScalarType::f32},
                                    Spelling{"<c16", ScalarType::f64}, Spelling{"=c16", ScalarType::f64},
                                    Spelling{"c16", ScalarType::f64},  Spelling{"complex128", ScalarType::f64}};
  const auto* const found = std::ranges::find(spellings, descr.text, &Spelling::text);
  if (descr.kind != PythonLiteral::Kind::string || found == spellings.end()) {
    return std::nullopt;
  }
  return found->part;
}

std::string complex_descr_of(ScalarType type) { return fmt::format("<c{}", 2 * size_of(type)); }

std::string descr_of(ScalarType type) {
  // NumPy's letters are f, i and u too; it counts bytes where the library's names count bits.
  return fmt::format("<{}{}", crosslane::name(type).front(), size_of(type));
}

}  // namespace crosslane::cli
