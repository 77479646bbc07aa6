// Turns a module into a program. The state that the decoders of the instruction families share.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "machine/decode/builder.hpp"
#include "machine/decode/decode.hpp"
#include "machine/decode/function_facts.hpp"
#include "machine/decode/value.hpp"
#include "machine/element.hpp"
#include "machine/poison.hpp"
#include "machine/program.hpp"
#include "spirv/module.hpp"
#include "spirv/structure.hpp"

namespace crosslane::machine {

class FunctionDecoder;

class Decoder {
 public:
  Decoder(const spirv::Module& module, const DecodeOptions& options, Program& program);

  [[nodiscard]] const spirv::Module& module() const { return module_; }
  [[nodiscard]] Program& program() { return program_; }
  [[nodiscard]] ProgramBuilder& builder() { return builder_; }
  [[nodiscard]] const DecodeOptions& options() const { return options_; }
  [[nodiscard]] std::uint32_t padded() const { return program_.padded; }

  // Types.
  [[nodiscard]] const spirv::Type& type(std::uint32_t id) const;
  [[nodiscard]] std::uint32_t type_of(std::uint32_t id) const;
  /// Of a scalar, or of the components of a vector or matrix; pointers count as 64-bit integers.
  [[nodiscard]] Element element(std::uint32_t type) const;
  /// One element per scalar in it, in order. Errors: `unsupported` for more than the machine keeps in registers.
  [[nodiscard]] Expected<std::vector<Element>> leaves(std::uint32_t type) const;
  /// Of arrays, vectors and matrices; 0 for runtime arrays.
  [[nodiscard]] std::uint64_t element_count(std::uint32_t type) const;
  [[nodiscard]] bool is_signed(std::uint32_t type) const;
  [[nodiscard]] std::uint32_t row_bytes(Element element) const { return program_.padded * bytes_of(element); }

  // Values.
  /// Errors: `invalid_input` for an id that has no value.
  Expected<Value> value(std::uint32_t id);
  Expected<Pointer> pointer(std::uint32_t id);
  void set_value(std::uint32_t id, Value value);
  /// New rows for a value of that type, vectors' components side by side.
  Expected<Value> new_value(std::uint32_t type);
  [[nodiscard]] Ref new_row(Element element) { return builder_.allocate(row_bytes(element)); }
  /// Rows side by side that hold the leaves; copies where they do not lie so.
  Ref contiguous(std::span<const Ref> leaves, Element element);
  /// The value of a constant, or nothing for what is none.
  [[nodiscard]] std::optional<std::uint64_t> constant(std::uint32_t id) const;
  [[nodiscard]] const std::vector<std::uint64_t>* constant_leaves(std::uint32_t id) const {
    const auto found = constant_leaves_.find(id);
    return found == constant_leaves_.end() ? nullptr : &found->second;
  }
  void set_constant(std::uint32_t id, std::vector<std::uint64_t> leaves) { constant_leaves_[id] = std::move(leaves); }
  /// A row of zeros that counts as undefined where that is followed.
  Ref undefined_row(Element element);
  /// A row that holds `bits` in every lane.
  Ref constant_row(Element element, std::uint64_t bits);
  /// A 64-bit row for a pointer of any kind. Errors: `unsupported` for pointers that have none.
  Expected<Ref> fat_pointer(const Pointer& pointer, const spirv::Statement& statement);

  // Operations.
  /// Applies a handler of whole rows to every leaf: `operands` hold as many leaves as the result.
  Expected<Value> elementwise(Handler handler, std::uint32_t result_type, std::span<const Value> operands,
                              const PoisonRule& rule = {});
  /// One row to one row.
  Ref apply(Handler handler, Element result, Ref a, Ref b = {}, Ref c = {}, Ref d = {}, const PoisonRule& rule = {});
  /// The same for its definedness alone; does nothing where the program does not follow undefined values.
  void follow(const PoisonRule& rule, Ref result, Ref a, Ref b = {}, Ref c = {}, Ref d = {});
  /// An operation of poison.hpp, emitted where the program follows undefined values.
  void follow(const DraftOp& op);
  /// Makes `count` rows side by side from `first` on undefined for a cause, or defined.
  void follow_fill(Ref first, std::uint32_t count, std::uint32_t bytes, Cause cause = Cause::none);
  /// Copies in active lanes only.
  void masked_copy(Ref to, Ref from, Element element);

  // Errors.
  [[nodiscard]] std::string describe(const spirv::Statement& statement) const;
  /// "… is not supported", with the instruction, its line and the capability that it belongs to.
  tl::unexpected<Error> refuse(const spirv::Statement& statement, std::string_view what) const;
  tl::unexpected<Error> malformed(const spirv::Statement& statement, std::string_view what) const;

  /// The turn of the group, before an access that others may see or change.
  void take_turn();

  [[nodiscard]] FunctionDecoder* function() const { return function_; }
  /// Made at the first call of the function. Errors: as make_facts.
  Expected<const FunctionFacts*> facts(const spirv::Function& function);

  /// Decodes one instruction by the table.
  Expected<void> decode(const spirv::Statement& statement);

 private:
  friend class FunctionDecoder;
  friend Expected<void> decode_constants(Decoder& decoder);

  Expected<void> add_leaves(std::uint32_t type, std::vector<Element>& leaves) const;
  std::vector<Ref> rows_for(std::span<const Element> elements);
  Ref constant_rows(Element element, std::span<const std::uint64_t> bits);
  Expected<Value> constant_value(std::uint32_t type, std::span<const std::uint64_t> bits);
  [[nodiscard]] Pointer pointer_from_bits(std::uint32_t pointer_type, Ref bits) const;

  const spirv::Module& module_;
  const DecodeOptions& options_;
  Program& program_;
  ProgramBuilder builder_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> constant_leaves_;  ///< every scalar's bits
  std::unordered_set<std::uint32_t> undefined_constants_;                          ///< OpUndef of the module
  std::unordered_map<std::uint32_t, Value> globals_;
  std::unordered_map<std::uint32_t, Value>* scope_ = nullptr;  ///< of the function that is decoded
  FunctionDecoder* function_ = nullptr;
  std::unordered_map<const spirv::Function*, FunctionFacts> facts_;
  std::map<std::pair<std::uint32_t, std::vector<std::uint64_t>>, Ref> constant_rows_;
};

/// How many of the leaves, from the first on, lie side by side in rows of that many bytes.
std::size_t run_length(std::span<const Ref> leaves, std::uint32_t bytes);

/// The error that a step ended with, handed on.
inline Expected<void> failed(Error& error) { return tl::unexpected<Error>(std::move(error)); }

/// The value, or the largest that 32 bits hold.
std::uint32_t saturate(std::uint64_t value);

/// Evaluates the module's constants, with the options' specialization (decode_constants.cpp).
Expected<void> decode_constants(Decoder& decoder);

/// Gives the module's variables their places (decode_variables.cpp).
Expected<void> decode_globals(Decoder& decoder, std::uint32_t entry_point);

/// Emits the entry point and what it calls (decode_function.cpp).
Expected<void> decode_entry_point(Decoder& decoder, std::uint32_t function);

/// Rows for a variable of a function, for values of the type `pointee` (decode_variables.cpp).
Expected<Pointer> allocate_variable(Decoder& decoder, const spirv::Statement& statement, std::uint32_t pointee);

}  // namespace crosslane::machine
