// Decodes one function, or one call of it: blocks in structured order, branches as operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "machine/decode/decoder.hpp"
#include "machine/decode/function_facts.hpp"

namespace crosslane::machine {

class FunctionDecoder {
 public:
  FunctionDecoder(Decoder& decoder, const spirv::Function& function, const FunctionFacts& facts,
                  FunctionDecoder* caller)
      : decoder_(decoder),
        function_(function),
        structure_(facts.structure),
        escaping_(facts.escaping),
        caller_(caller),
        outer_scope_(decoder.scope_) {
    decoder_.scope_ = &values_;
    decoder_.function_ = this;
  }
  FunctionDecoder(const FunctionDecoder&) = delete;
  FunctionDecoder& operator=(const FunctionDecoder&) = delete;
  ~FunctionDecoder() {
    decoder_.scope_ = outer_scope_;
    decoder_.function_ = caller_;
  }

  /// Emits the function; its lanes meet again after the last operation.
  Expected<void> run(std::vector<Value> arguments, std::uint32_t parent_construct);

  Expected<void> decode_call(const spirv::Statement& statement);
  Expected<void> decode_terminator(const spirv::Statement& statement);
  [[nodiscard]] const Value& returned() const { return returned_; }

 private:
  /// Rows of phis and of the function's result: several places write them.
  Expected<void> prepare_results();

  Expected<void> decode_block(std::size_t place);

  /// Before a statement of a program with independent lanes.
  void name_block_start();
  void part_or_meet(const spirv::Statement& statement);

  /// Moves the result into rows that only active lanes write.
  Expected<void> keep_for_lanes_that_left(const spirv::Statement& statement);

  Ref kept(Ref row, Element element);

  /// Operations of each loop, inner loops first.
  void note_loops();

  Expected<std::uint32_t> block_of(const spirv::Statement& statement, std::uint32_t label) const;

  struct Copy {
    Ref to;
    Ref from;
    Element element = Element::int32;
  };

  /// What the phis of `target` take when this block goes there.
  Expected<std::vector<Copy>> phi_copies(std::uint32_t target);

  /// All phis change at once: where one reads what another writes, the values go through rows of their own.
  void emit_copies(std::vector<Copy> copies);

  [[nodiscard]] std::uint32_t branching_construct() const { return constructs_[structure_.branches_in[block_]]; }

  /// The active lanes go to `target`; `at_once`, or when all other lanes of the branch have done what their edges need.
  Expected<void> emit_edge(std::uint32_t target, bool at_once);

  /// The active lanes go to the merge block of `construct`.
  void emit_leave(std::uint32_t construct);

  /// The active lanes wait in `construct` until it is the turn of `target`.
  void emit_wait(std::uint32_t construct, std::uint32_t target);

  // Where lanes go that take the edge: the block itself, or a stub that does what the edge needs.
  struct Exit {
    std::uint32_t target = 0;
    Label label = 0;
    bool stub = false;
  };
  Expected<Exit> exit_to(const spirv::Statement& statement, std::uint32_t label);
  /// Lanes take their stubs in this order, before any of them goes on: those that go round a loop would change what the
  /// others still need, so they come last.
  Expected<void> emit_stubs(std::vector<Exit> exits);

  Expected<void> decode_conditional(const spirv::Statement& statement);
  Expected<void> decode_switch(const spirv::Statement& statement);
  Expected<void> decode_return(const spirv::Statement& statement);

  Decoder& decoder_;
  const spirv::Function& function_;
  const spirv::Structure& structure_;
  const std::unordered_set<std::uint32_t>& escaping_;
  FunctionDecoder* caller_;
  std::unordered_map<std::uint32_t, Value>* outer_scope_;
  std::unordered_map<std::uint32_t, Value> values_;
  Value returned_;
  std::vector<Label> block_labels_;
  std::vector<std::uint32_t> constructs_;  // the structure's constructs in the program
  std::unordered_map<std::uint32_t, std::size_t> first_op_;
  std::unordered_map<std::uint32_t, std::size_t> end_op_;
  std::uint32_t block_ = 0;
  std::uint32_t next_block_ = 0;
  bool apart_ = false;  // lanes run one by one here
};

}  // namespace crosslane::machine
