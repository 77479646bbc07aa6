#include "sanitize/source_text.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <spirv/unified1/spirv.hpp11>

#include "spirv/parse.hpp"

namespace crosslane::sanitize {
namespace {

using spv::Op;

// Numbers of NonSemantic.Shader.DebugInfo.100.
constexpr std::uint32_t debug_source = 35;
constexpr std::uint32_t debug_source_continued = 102;

Language language_of(std::uint32_t number) {
  switch (static_cast<spv::SourceLanguage>(number)) {
    case spv::SourceLanguage::HLSL:
      return Language::hlsl;
    case spv::SourceLanguage::GLSL:
    case spv::SourceLanguage::ESSL:
      return Language::glsl;
    default:
      return Language::unknown;
  }
}

// What compilers were given in front of the source: glslang, what it was asked to do; sources for cs_6_13, an #include
// (compile/newest_profile.hpp). A #line ends it.
std::string_view without_preamble(std::string_view text) {
  if (!text.starts_with("// OpModuleProcessed") &&
      !text.starts_with("#include \"crosslane/cs_6_13.hlsli\"\n#line 1 ")) {
    return text;
  }
  const auto line = text.find("#line 1");
  const auto end = text.find('\n', std::min(line, text.size()));
  return end == std::string_view::npos ? text : text.substr(end + 1);
}

std::vector<std::string> lines_of(std::string_view text) {
  text = without_preamble(text);
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    constexpr std::string_view blank = " \t\r";
    const auto first = line.find_first_not_of(blank);
    line = first == std::string_view::npos ? std::string_view() : line.substr(first);
    lines.emplace_back(line.substr(0, line.find_last_not_of(blank) + 1));
  }
  return lines;
}

// Puts together what the module says in pieces.
class Collector {
 public:
  Expected<void> visit(const spirv::Instruction& instruction) {
    const auto words = instruction.words;
    switch (static_cast<Op>(instruction.opcode)) {
      case Op::OpString:
        strings_[instruction.result_id] = spirv::text_of(words.subspan(2));
        break;
      case Op::OpExtInstImport:
        is_debug_[instruction.result_id] = spirv::text_of(words.subspan(2)) == "NonSemantic.Shader.DebugInfo.100";
        break;
      case Op::OpSource:
        language = language_of(words.size() > 1 ? words[1] : 0);
        file_ = words.size() > 3 ? strings_[words[3]] : std::string();
        if (words.size() > 4) {
          texts[file_] += spirv::text_of(words.subspan(4));
        }
        break;
      case Op::OpSourceContinued:
        texts[file_] += spirv::text_of(words.subspan(1));
        break;
      case Op::OpExtInst:
        visit_debug(words);
        break;
      default:
        break;
    }
    return {};
  }

  std::unordered_map<std::string, std::string> texts;
  Language language = Language::unknown;

 private:
  void visit_debug(std::span<const std::uint32_t> words) {
    if (words.size() < 6 || !is_debug_[words[3]]) {
      return;
    }
    if (words[4] == debug_source) {
      file_ = strings_[words[5]];
      if (words.size() > 6) {
        texts[file_] += strings_[words[6]];
      }
    } else if (words[4] == debug_source_continued) {
      texts[file_] += strings_[words[5]];
    }
  }

  std::unordered_map<std::uint32_t, std::string> strings_;
  std::unordered_map<std::uint32_t, bool> is_debug_;
  std::string file_;
};

}  // namespace

Expected<SourceText> SourceText::of(std::span<const std::uint32_t> words) {
  Collector collector;
  const auto header =
      spirv::parse(words, [&collector](const spirv::Instruction& instruction) { return collector.visit(instruction); });
  if (!header) {
    return tl::unexpected<Error>(header.error());
  }
  SourceText source;
  source.language_ = collector.language;
  for (const auto& [file, text] : collector.texts) {
    source.files_[file] = lines_of(text);
  }
  return source;
}

std::string in_language(std::string_view text, Language language) {
  std::string result;
  for (auto open = text.find('{'); open != std::string_view::npos; open = text.find('{')) {
    const auto bar = text.find('|', open);
    const auto close = text.find('}', open);
    const auto hlsl = text.substr(open + 1, bar - open - 1);
    const auto glsl = text.substr(bar + 1, close - bar - 1);
    result += text.substr(0, open);
    result += language == Language::glsl ? glsl : hlsl;
    if (language == Language::unknown) {
      result += " or ";
      result += glsl;
    }
    text.remove_prefix(close + 1);
  }
  result += text;
  return result;
}

std::string SourceText::line(const std::string& file, std::uint32_t number) const {
  const auto found = files_.find(file);
  return found == files_.end() || number == 0 || number > found->second.size() ? std::string()
                                                                               : found->second[number - 1];
}

}  // namespace crosslane::sanitize
