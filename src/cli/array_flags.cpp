#include "cli/array_flags.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/array_transfer.hpp"
#include "cli/output_file.hpp"
#include "report/printable.hpp"

namespace crosslane::cli {

void add_array_files(CLI::App& parser, ArrayFlags& flags, const std::string& output_help,
                     const std::string& input_help) {
  parser.add_option("FILE", flags.file, input_help)->required();
  parser.add_option("-o,--output", flags.output, output_help)->required();
}

void add_array_options(CLI::App& parser, ArrayFlags& flags) {
  parser.add_flag("--force", flags.force, "Overwrite the output file if it is there")->disable_flag_override();
  add_algorithm_flags(parser, flags.algorithm);
}

Expected<NpyFile> open_array(const ArrayFlags& flags, std::string_view verb, NpyElements elements) {
  return NpyFile::open(flags.file, elements).and_then([&](NpyFile file) {
    return check_rows(file, verb).and_then([&] { return check_output(flags.output, flags.force); }).map([&] {
      return std::move(file);
    });
  });
}

std::string type_text(const NpyHeader& header) {
  return header.is_complex ? fmt::format("complex{}", 8 * header.element_bytes()) : std::string(name(header.type));
}

report::Json array_document(const ArrayFlags& flags, const NpyFile& file, bool written) {
  report::Json json = report::document();
  json["file"] = file.name();
  json["output"] = written ? report::Json(flags.output) : report::Json();
  json["type"] = type_text(file.header());
  json["count"] = report::exact(file.header().count);
  return json;
}

std::string output_text(const ArrayFlags& flags, bool written) {
  return written ? std::string() : fmt::format("{} was not written\n", report::printable(flags.output));
}

}  // namespace crosslane::cli
