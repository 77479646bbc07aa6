#include "job/test_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

namespace crosslane::job {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// The name in a marker: any one character, or "//", then "--- " and the name.
std::optional<std::string_view> marker_name(std::string_view line) {
  for (const std::size_t comment : {std::size_t{1}, std::size_t{2}}) {
    const bool slashes = comment == 1 || line.starts_with("//");
    if (slashes && line.size() > comment && line.substr(comment).starts_with("--- ")) {
      return trimmed(line.substr(comment + 4));
    }
  }
  return std::nullopt;
}

// What follows "KEYWORD:" on a line that has it as a word of its own.
std::optional<std::string_view> after_keyword(std::string_view line, std::string_view keyword) {
  const auto mark = fmt::format("{}:", keyword);
  const auto at = line.find(mark);
  const auto is_word = [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; };
  if (at == std::string_view::npos || (at > 0 && (is_word(line[at - 1]) || line[at - 1] == '-'))) {
    return std::nullopt;
  }
  return trimmed(line.substr(at + mark.size()));
}

// Conditions between commas each stand alone.
void add_requirements(std::vector<Requirement>& list, std::string_view conditions, std::uint32_t line) {
  while (!conditions.empty()) {
    const auto comma = conditions.find(',');
    list.push_back({std::string(trimmed(conditions.substr(0, comma))), line});
    conditions = comma == std::string_view::npos ? std::string_view() : conditions.substr(comma + 1);
  }
}

// "%t/source.hlsl" is the section source.hlsl.
std::optional<std::string_view> section_name(std::string_view word) {
  constexpr std::string_view folder = "%t/";
  return word.starts_with(folder) ? std::optional(word.substr(folder.size())) : std::nullopt;
}

struct Braced {
  std::string_view inside;
  std::string_view after;
};

// The text between the "%{" at the beginning and its "%}".
std::optional<Braced> take_braced(std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with("%{")) {
    return std::nullopt;
  }
  int depth = 0;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    depth += text.substr(at, 2) == "%{" ? 1 : text.substr(at, 2) == "%}" ? -1 : 0;
    if (depth == 0) {
      return Braced{text.substr(2, at - 2), text.substr(at + 2)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> shell_words(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = '\0';
  for (std::size_t at = 0; at < command.size(); ++at) {
    const char letter = command[at];
    if (quote != '\0') {
      quote = letter == quote ? '\0' : quote;
      word += quote != '\0' ? std::string(1, letter) : "";
    } else if (letter == '"' || letter == '\'') {
      quote = letter;
      inside = true;
    } else if (blanks.find(letter) != std::string_view::npos) {
      if (inside) {
        words.push_back(std::exchange(word, ""));
      }
      inside = false;
    } else {
      const bool escaped = letter == '\\' && at + 1 < command.size();
      word += escaped ? command[++at] : letter;
      inside = true;
    }
  }
  if (inside) {
    words.push_back(word);
  }
  return words;
}

Expected<std::string> decide_conditions(std::string_view command, const HasFeature& has) {
  std::string result;
  while (true) {
    const auto at = command.find("%if ");
    result += command.substr(0, at);
    if (at == std::string_view::npos) {
      return result;
    }
    const auto rest = command.substr(at + 4);
    const auto brace = rest.find("%{");
    if (brace == std::string_view::npos) {
      return fail(ErrorCode::invalid_input, "after %if and its condition comes %{ … %}");
    }
    const auto condition = holds(trimmed(rest.substr(0, brace)), has);
    if (!condition) {
      return tl::unexpected(condition.error());
    }
    const auto then = take_braced(rest.substr(brace));
    if (!then) {
      return fail(ErrorCode::invalid_input, "the %{ after %if has no %}");
    }
    command = then->after;
    std::string_view otherwise;
    if (const auto next = trimmed(command); next.starts_with("%else")) {
      const auto branch = take_braced(next.substr(5));
      if (!branch) {
        return fail(ErrorCode::invalid_input, "after %else comes %{ … %}");
      }
      otherwise = branch->inside;
      command = branch->after;
    }
    auto chosen = decide_conditions(*condition ? then->inside : otherwise, has);
    if (!chosen) {
      return chosen;
    }
    result += *chosen;
  }
}

Expected<TestFile> TestFile::parse(std::string_view text, const std::string& name) {
  TestFile file;
  file.name_ = name;
  bool continued = false;
  for (std::uint32_t line_number = 1; !text.empty(); ++line_number) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (const auto section = marker_name(line)) {
      if (file.find(*section) != nullptr) {
        return fail(ErrorCode::invalid_input,
                    fmt::format("{}:{}: there is a section '{}' already", name, line_number, *section));
      }
      file.sections_.push_back({std::string(*section), "", line_number + 1});
      continue;
    }
    if (const auto run = after_keyword(line, "RUN")) {
      const bool goes_on = run->ends_with('\\');
      const auto command = goes_on ? run->substr(0, run->size() - 1) : *run;
      if (continued) {
        file.commands_.back().text += fmt::format(" {}", command);
      } else {
        file.commands_.push_back({std::string(command), line_number});
      }
      continued = goes_on;
    } else if (const auto required = after_keyword(line, "REQUIRES")) {
      add_requirements(file.required_, *required, line_number);
    } else if (const auto unsupported = after_keyword(line, "UNSUPPORTED")) {
      add_requirements(file.unsupported_, *unsupported, line_number);
    } else if (const auto failing = after_keyword(line, "XFAIL")) {
      add_requirements(file.expected_failures_, *failing, line_number);
    }
    if (!file.sections_.empty()) {
      file.sections_.back().text.append(line).push_back('\n');
    }
  }
  return file;
}

const Section* TestFile::find(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  return found == sections_.end() ? nullptr : &*found;
}

Expected<TestFile::Runs> TestFile::runs(const HasFeature& has) const {
  Runs result;
  struct Compilation {
    const Section* source;
    std::vector<std::string> flags;
  };
  std::map<std::string, Compilation> objects;
  const auto complain = [&](const Command& command, std::string_view what) {
    return fail(ErrorCode::invalid_input, fmt::format("{}:{}: {}", name_, command.line, what));
  };
  for (const auto& command : commands_) {
    const auto decided = decide_conditions(command.text, has);
    if (!decided) {
      return complain(command, decided.error().message);
    }
    auto words = shell_words(*decided);
    const auto pipe = std::ranges::find(words, "|");
    if (pipe != words.end() && pipe + 1 != words.end()) {
      result.skipped.push_back(fmt::format("line {}: the checks of {}", command.line, *(pipe + 1)));
    }
    words.erase(pipe, words.end());
    if (words.empty() || words.front() == "split-file") {
      continue;
    }
    if (words.front() == "%dxc_target") {
      Compilation compilation{nullptr, {}};
      std::string object;
      for (std::size_t at = 1; at < words.size(); ++at) {
        if (words[at] == "-Fo" && at + 1 < words.size()) {
          object = words[++at];
        } else if (const auto section = section_name(words[at])) {
          compilation.source = find(*section);
          if (compilation.source == nullptr) {
            return complain(command, fmt::format("there is no section '{}'", *section));
          }
        } else {
          compilation.flags.push_back(words[at]);
        }
      }
      if (compilation.source == nullptr || object.empty()) {
        return complain(command, "the compiler's command names a section, %t/name, and an output, -Fo %t.o");
      }
      objects.insert_or_assign(object, std::move(compilation));
    } else if (words.front() == "%offloader") {
      const Section* pipeline = nullptr;
      const Compilation* compilation = nullptr;
      std::size_t shaders = 0;
      for (const auto& word : words) {
        if (const auto section = section_name(word); section && find(*section) != nullptr) {
          pipeline = find(*section);
        } else if (const auto object = objects.find(word); object != objects.end()) {
          compilation = &object->second;
          ++shaders;
        }
      }
      if (pipeline == nullptr || compilation == nullptr) {
        return complain(command, "the run's command names a section with a job, %t/name, and what was compiled, %t.o");
      }
      // Several shaders make a graphics pipeline, which the job itself will say.
      result.runs.push_back({compilation->source, pipeline, compilation->flags});
    } else {
      result.skipped.push_back(fmt::format("line {}: the command {}", command.line, words.front()));
    }
  }
  if (result.runs.empty() && result.skipped.empty()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: no RUN line runs a job: write '# RUN: %dxc_target … -Fo %t.o %t/source.hlsl' and "
                            "'# RUN: %offloader %t/pipeline.yaml %t.o'",
                            name_));
  }
  return result;
}

}  // namespace crosslane::job
