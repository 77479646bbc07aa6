#include "compile/text_encoding.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace crosslane::compile {
namespace {

static_assert(sizeof(wchar_t) == 4, "wide strings hold whole code points");

constexpr std::uint32_t replacement = 0xFFFD;

struct Lead {
  std::size_t continuation_bytes;
  std::uint32_t bits;
  std::uint32_t smallest;  ///< smaller code points have a shorter form, so that this one is malformed
};

Lead classify(unsigned char byte) {
  if (byte < 0x80) {
    return {0, byte, 0};
  }
  if (byte >= 0xC0 && byte < 0xE0) {
    return {1, byte & 0x1FU, 0x80};
  }
  if (byte >= 0xE0 && byte < 0xF0) {
    return {2, byte & 0x0FU, 0x800};
  }
  if (byte >= 0xF0 && byte < 0xF8) {
    return {3, byte & 0x07U, 0x10000};
  }
  return {0, replacement, 0};
}

bool is_scalar(std::uint32_t code) { return code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF); }

std::string utf16_to_utf8(std::string_view bytes, bool little_endian) {
  const auto unit_at = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<std::uint32_t>(little_endian ? first | (second << 8) : (first << 8) | second);
  };
  std::wstring wide;
  wide.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    std::uint32_t code = unit_at(i);
    if (code >= 0xD800 && code < 0xDC00 && i + 3 < bytes.size()) {
      if (const std::uint32_t low = unit_at(i + 2); low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
        i += 2;
      }
    }
    wide.push_back(static_cast<wchar_t>(code));
  }
  return to_utf8(wide);
}

}  // namespace

std::wstring to_wide(std::string_view text) {
  std::wstring result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Lead lead = classify(static_cast<unsigned char>(text[i]));
    std::uint32_t code = lead.bits;
    std::size_t used = 1;
    while (used <= lead.continuation_bytes && i + used < text.size() &&
           (static_cast<unsigned char>(text[i + used]) & 0xC0U) == 0x80U) {
      code = (code << 6U) | (static_cast<unsigned char>(text[i + used]) & 0x3FU);
      ++used;
    }
    const bool whole = used == lead.continuation_bytes + 1 && code >= lead.smallest && is_scalar(code);
    result.push_back(static_cast<wchar_t>(whole ? code : replacement));
    i += used;
  }
  return result;
}

std::string to_utf8(std::wstring_view text) {
  std::string result;
  result.reserve(text.size());
  const auto put = [&result](std::uint32_t byte) { result.push_back(static_cast<char>(byte)); };
  for (const wchar_t character : text) {
    const auto raw = std::bit_cast<std::uint32_t>(character);
    const std::uint32_t code = is_scalar(raw) ? raw : replacement;
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xC0U | (code >> 6U));
      put(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
      put(0xE0U | (code >> 12U));
      put(0x80U | ((code >> 6U) & 0x3FU));
      put(0x80U | (code & 0x3FU));
    } else {
      put(0xF0U | (code >> 18U));
      put(0x80U | ((code >> 12U) & 0x3FU));
      put(0x80U | ((code >> 6U) & 0x3FU));
      put(0x80U | (code & 0x3FU));
    }
  }
  return result;
}

std::string source_text(std::string bytes) {
  const std::string_view text = bytes;
  if (text.starts_with("\xEF\xBB\xBF")) {
    return std::string(text.substr(3));
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return utf16_to_utf8(text.substr(2), text.front() == '\xFF');
  }
  return bytes;
}

}  // namespace crosslane::compile
