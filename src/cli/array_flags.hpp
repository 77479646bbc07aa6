// What verbs have in common that read one array and write another.
#pragma once

#include <string>
#include <string_view>

#include "cli/algorithm_flags.hpp"
#include "cli/npy.hpp"
#include "crosslane/error.hpp"
#include "report/json.hpp"

namespace crosslane::cli {

struct ArrayFlags {
  std::string file;
  std::string output;
  bool force = false;
  AlgorithmFlags algorithm;
};

/// Adds FILE and --output; `output_help` says what is written there, `input_help` what is read.
void add_array_files(CLI::App& parser, ArrayFlags& flags, const std::string& output_help,
                     const std::string& input_help =
                         "NumPy array (.npy) of uint32, int32, float32, uint64, int64 or float64; read flat, by rows");

/// Adds --force and the flags of algorithms.
void add_array_options(CLI::App& parser, ArrayFlags& flags);

/// Opens FILE, and checks it and the output's name before a device is asked. Errors: those of NpyFile::open, check_rows
/// and check_output.
Expected<NpyFile> open_array(const ArrayFlags& flags, std::string_view verb,
                             NpyElements elements = NpyElements::numbers);

/// A document that says which array became which; "output" is null where none was `written`.
report::Json array_document(const ArrayFlags& flags, const NpyFile& file, bool written);

/// What people are told where methods disagree: that there is no output.
std::string output_text(const ArrayFlags& flags, bool written);

/// "f32", or NumPy's "complex64".
std::string type_text(const NpyHeader& header);

}  // namespace crosslane::cli
