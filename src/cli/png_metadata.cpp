#include "cli/png_metadata.hpp"

#include <cstdint>

namespace crosslane::cli {
namespace {

// What there is one of: taken over where it is there.
template <typename Value>
int copy_one(spng_ctx& reader, spng_ctx& writer, int (*get)(spng_ctx*, Value*), int (*set)(spng_ctx*, Value*)) {
  Value value{};
  const int error = get(&reader, &value);
  return error == 0 ? set(&writer, &value) : error == SPNG_ECHUNKAVAIL ? 0 : error;
}

// The same for what is set by value.
template <typename Value>
int copy_value(spng_ctx& reader, spng_ctx& writer, int (*get)(spng_ctx*, Value*), int (*set)(spng_ctx*, Value)) {
  Value value{};
  const int error = get(&reader, &value);
  return error == 0 ? set(&writer, value) : error == SPNG_ECHUNKAVAIL ? 0 : error;
}

template <typename Value>
int read_all(spng_ctx& reader, std::vector<Value>& values, int (*get)(spng_ctx*, Value*, std::uint32_t*)) {
  std::uint32_t count = 0;
  int error = get(&reader, nullptr, &count);
  if (error == SPNG_ECHUNKAVAIL) {
    return 0;
  }
  values.resize(count);
  return error != 0 || count == 0 ? error : get(&reader, values.data(), &count);
}

template <typename Value>
int set_all(spng_ctx& writer, std::vector<Value>& values, int (*set)(spng_ctx*, Value*, std::uint32_t)) {
  return values.empty() ? 0 : set(&writer, values.data(), static_cast<std::uint32_t>(values.size()));
}

// libspng 0.7.3 gives only the first chunk that it does not know, and leaves those behind it as they are: empty here.
// The fourth letter's case says whether a chunk stays right where pixels change.
bool is_safe_to_copy(const spng_unknown_chunk& chunk) { return (chunk.type[3] & 0x20U) != 0; }

// A background is given as a pixel is, so it stays right where pixels are written as they were read.
bool keeps_colours(spng_ctx& reader) {
  spng_ihdr header{};
  return spng_get_ihdr(&reader, &header) == 0 && header.color_type != SPNG_COLOR_TYPE_INDEXED && header.bit_depth >= 8;
}

}  // namespace

int copy_png_metadata(spng_ctx& reader, spng_ctx& writer, PngLists& lists) {
  int error = 0;
  const auto then = [&](int next) { error = error != 0 ? error : next; };
  then(copy_value(reader, writer, &spng_get_gama_int, &spng_set_gama_int));
  then(copy_one(reader, writer, &spng_get_chrm_int, &spng_set_chrm_int));
  then(copy_one(reader, writer, &spng_get_iccp, &spng_set_iccp));
  then(copy_value(reader, writer, &spng_get_srgb, &spng_set_srgb));
  then(copy_one(reader, writer, &spng_get_phys, &spng_set_phys));
  then(copy_one(reader, writer, &spng_get_time, &spng_set_time));
  then(copy_one(reader, writer, &spng_get_offs, &spng_set_offs));
  then(copy_one(reader, writer, &spng_get_exif, &spng_set_exif));
  if (keeps_colours(reader)) {
    then(copy_one(reader, writer, &spng_get_bkgd, &spng_set_bkgd));
  }
  then(read_all(reader, lists.texts, &spng_get_text));
  then(set_all(writer, lists.texts, &spng_set_text));
  then(read_all(reader, lists.palettes, &spng_get_splt));
  then(set_all(writer, lists.palettes, &spng_set_splt));
  then(read_all(reader, lists.unknown, &spng_get_unknown_chunks));
  std::erase_if(lists.unknown, [](const spng_unknown_chunk& chunk) { return !is_safe_to_copy(chunk); });
  then(set_all(writer, lists.unknown, &spng_set_unknown_chunks));
  return error;
}

}  // namespace crosslane::cli
