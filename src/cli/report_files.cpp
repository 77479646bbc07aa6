#include "cli/report_files.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "cli/input_file.hpp"
#include "report/measurements.hpp"
#include "report/printable.hpp"

namespace crosslane::cli {
namespace {

using report::Json;

constexpr FileKind measurement_files = {"measurements", "a file that 'crosslane bench --json' wrote"};

// Values lie less deep; the parser's own stack ends somewhere.
constexpr int deepest_value = 12;

Expected<Json> read_document(const std::string& name) {
  if (auto readable = check_input(name, measurement_files); !readable) {
    return tl::unexpected(std::move(readable.error()));
  }
  errno = 0;
  std::ifstream stream(name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream || stream.bad()) {
    const std::error_code why(errno == 0 ? EIO : errno, std::generic_category());
    return fail(ErrorCode::invalid_input, fmt::format("{}: cannot be read ({}): check path and permissions",
                                                      report::printable(name), why.message()));
  }
  bool deep = false;
  const auto shallow = [&](int depth, Json::parse_event_t, const Json&) {
    deep = deep || depth >= deepest_value;
    return depth < deepest_value;
  };
  try {
    Json document = Json::parse(text, shallow);
    if (!deep) {
      return report::read_measurements(document, name).map([&](const auto&) { return std::move(document); });
    }
  } catch (const Json::parse_error& error) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: is no JSON: byte {} of {} is wrong: give what 'crosslane bench --json' or 'crosslane "
                            "decide --json' wrote",
                            report::printable(name), error.byte, text.size()));
  }
  return fail(ErrorCode::invalid_input, fmt::format("{}: values lie {} deep: give what 'crosslane bench --json' or "
                                                    "'crosslane decide --json' wrote",
                                                    report::printable(name), deepest_value));
}

}  // namespace

Expected<Json> read_report_files(const std::vector<std::string>& files) {
  std::vector<Json> documents;
  for (const std::string& file : files) {
    auto document = read_document(file);
    if (!document) {
      return tl::unexpected(std::move(document.error()));
    }
    documents.push_back(*std::move(document));
  }
  return report::merge_documents(documents);
}

}  // namespace crosslane::cli
