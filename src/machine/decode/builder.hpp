// Collects operations over virtual registers and gives them places when all are known.
//
// A register is free again after the last operation that names it. Lanes that wait elsewhere keep what they need
// because places are given out by position: blocks stand in the order of spirv::Structure, lanes that are earlier run
// first, and what is live both inside and outside of a loop is live in all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "crosslane/error.hpp"
#include "machine/op.hpp"
#include "machine/program.hpp"

namespace crosslane::machine {

/// A place in a virtual register.
struct Ref {
  std::uint32_t reg = no_register;
  std::uint32_t offset = 0;  ///< bytes

  [[nodiscard]] bool none() const { return reg == no_register; }
  friend bool operator==(const Ref&, const Ref&) = default;
};

using Label = std::uint32_t;

/// An operation whose registers are virtual.
struct DraftOp {
  Handler handler = nullptr;
  Ref dst = {};
  Ref a = {};
  Ref b = {};
  Ref c = {};
  Ref d = {};
  std::uint32_t count = 0;
  std::uint32_t imm = 0;
  std::uint32_t aux = 0;
  std::uint32_t extra = 0;
  bool imm_is_label = false;
  bool count_is_label = false;
};

class ProgramBuilder {
 public:
  explicit ProgramBuilder(Program& program) : program_(program) {}

  /// A register for values that operations define.
  Ref allocate(std::uint32_t bytes);
  /// A register that keeps its place for the whole program.
  Ref allocate_pinned(std::uint32_t bytes);
  /// A pinned register that holds `bytes` from the start.
  Ref allocate_initial(std::vector<std::byte> bytes);

  void emit(const DraftOp& op);
  [[nodiscard]] std::size_t size() const { return ops_.size(); }

  Label new_label();
  /// `label` stands for the next operation.
  void bind(Label label);

  /// A construct whose blocks are not known yet; returns its number.
  std::uint32_t new_construct(std::uint32_t parent);
  void set_merge(std::uint32_t construct, Label merge) { constructs_[construct].merge = merge; }
  void set_continue(std::uint32_t construct, Label target) { constructs_[construct].continue_target = target; }

  /// Operations from `first` to before `end` belong to one loop; inner loops are added before outer ones.
  void add_loop(std::size_t first, std::size_t end) { loops_.emplace_back(first, end); }

  std::uint32_t add_switch(SwitchTable table);  ///< its targets are labels
  void set_source(OpSource source);
  void set_built_in(BuiltIn what, Ref place) { built_ins_.emplace_back(what, place); }
  void set_active_row(Ref place) { active_row_ = place; }

  /// Registers keep their places for the whole program.
  void keep_places() { keeps_places_ = true; }
  /// Gives registers their places and labels their operations.
  /// Errors: `unsupported` for more registers than a wave may have.
  Expected<void> finish();
  /// Where a register is, once finished.
  [[nodiscard]] std::uint32_t place(Ref ref) const;

 private:
  struct Register {
    std::uint32_t bytes = 0;
    bool pinned = false;
    bool used = false;
    std::size_t first = 0;  ///< operation
    std::size_t last = 0;
    std::uint32_t place = 0;
  };

  void note_uses();
  void extend_over_loops();
  void give_places();

  Program& program_;
  std::vector<DraftOp> ops_;
  std::vector<std::uint32_t> source_of_op_;
  std::vector<Register> registers_;
  std::vector<std::size_t> labels_;
  std::vector<ConstructPlan> constructs_;
  std::vector<std::pair<std::size_t, std::size_t>> loops_;  ///< inner ones first
  std::vector<std::pair<Ref, std::vector<std::byte>>> initial_;
  std::vector<std::pair<BuiltIn, Ref>> built_ins_;
  Ref active_row_;
  std::uint64_t register_bytes_ = 0;
  bool keeps_places_ = false;
};

}  // namespace crosslane::machine
