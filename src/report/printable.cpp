#include "report/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace crosslane::report {
namespace {

// Characters that a terminal shows, by the bytes of their UTF-8: the range of the first two and how many there are.
// The ranges leave out control characters, and what is malformed: longer forms than needed, surrogates, numbers
// beyond U+10FFFF.
struct Form {
  unsigned char first_low;
  unsigned char first_high;
  unsigned char second_low;
  unsigned char second_high;
  std::size_t bytes;
};

constexpr std::array forms = {
    Form{0x20, 0x7E, 0x00, 0xFF, 1}, Form{0xC2, 0xC2, 0xA0, 0xBF, 2}, Form{0xC3, 0xDF, 0x80, 0xBF, 2},
    Form{0xE0, 0xE0, 0xA0, 0xBF, 3}, Form{0xE1, 0xEC, 0x80, 0xBF, 3}, Form{0xED, 0xED, 0x80, 0x9F, 3},
    Form{0xEE, 0xEF, 0x80, 0xBF, 3}, Form{0xF0, 0xF0, 0x90, 0xBF, 4}, Form{0xF1, 0xF3, 0x80, 0xBF, 4},
    Form{0xF4, 0xF4, 0x80, 0x8F, 4},
};

// Bytes of the character that `text` begins with; 0 where that is none to be shown.
std::size_t shown_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto* const form = std::ranges::find_if(
      forms, [&](const Form& candidate) { return byte(0) >= candidate.first_low && byte(0) <= candidate.first_high; });
  if (form == forms.end() || form->bytes > text.size()) {
    return 0;
  }
  for (std::size_t i = 1; i < form->bytes; ++i) {
    const unsigned low = i == 1 ? form->second_low : 0x80U;
    const unsigned high = i == 1 ? form->second_high : 0xBFU;
    if (byte(i) < low || byte(i) > high) {
      return 0;
    }
  }
  return form->bytes;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t shown = shown_bytes(text);
    if (shown == 0) {
      fmt::format_to(std::back_inserter(result), "\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else {
      result += text.substr(0, shown);
    }
    text.remove_prefix(std::max<std::size_t>(shown, 1));
  }
  return result;
}

}  // namespace crosslane::report
