#include "machine/decode/builder.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/rounding.hpp"
#include "machine/wave.hpp"

namespace crosslane::machine {
namespace {

constexpr std::uint64_t largest_register_bytes = std::uint64_t{256} << 20U;

std::array<Ref, 5> operands(const DraftOp& op) { return {op.dst, op.a, op.b, op.c, op.d}; }

// Ranges of bytes that are free below `end`.
class FreeBytes {
 public:
  std::uint64_t take(std::uint64_t bytes) {
    const auto fits = std::ranges::find_if(free_, [bytes](const auto& range) { return range.second >= bytes; });
    if (fits == free_.end()) {
      const auto start = end_;
      end_ += bytes;
      return start;
    }
    const auto [start, size] = *fits;
    free_.erase(fits);
    if (size > bytes) {
      free_[start + bytes] = size - bytes;
    }
    return start;
  }

  void give_back(std::uint64_t start, std::uint64_t bytes) {
    const auto after = free_.lower_bound(start);
    if (after != free_.end() && after->first == start + bytes) {
      bytes += after->second;
      free_.erase(after);
    }
    const auto next = free_.lower_bound(start);
    if (next != free_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == start) {
        before->second += bytes;
        return;
      }
    }
    free_[start] = bytes;
  }

  [[nodiscard]] std::uint64_t end() const { return end_; }

 private:
  std::map<std::uint64_t, std::uint64_t> free_;  // start → size
  std::uint64_t end_ = 0;
};

}  // namespace

Ref ProgramBuilder::allocate(std::uint32_t bytes) {
  registers_.push_back({static_cast<std::uint32_t>(round_up(bytes, row_alignment)), false, false, 0, 0, 0});
  return {static_cast<std::uint32_t>(registers_.size() - 1), 0};
}

Ref ProgramBuilder::allocate_pinned(std::uint32_t bytes) {
  const auto ref = allocate(bytes);
  registers_[ref.reg].pinned = true;
  return ref;
}

Ref ProgramBuilder::allocate_initial(std::vector<std::byte> bytes) {
  const auto ref = allocate_pinned(static_cast<std::uint32_t>(bytes.size()));
  initial_.emplace_back(ref, std::move(bytes));
  return ref;
}

void ProgramBuilder::emit(const DraftOp& op) {
  ops_.push_back(op);
  source_of_op_.push_back(program_.sources.empty() ? 0 : static_cast<std::uint32_t>(program_.sources.size() - 1));
}

Label ProgramBuilder::new_label() {
  labels_.push_back(0);
  return static_cast<Label>(labels_.size() - 1);
}

void ProgramBuilder::bind(Label label) { labels_[label] = ops_.size(); }

std::uint32_t ProgramBuilder::new_construct(std::uint32_t parent) {
  constructs_.push_back({parent, no_register, no_register});
  return static_cast<std::uint32_t>(constructs_.size() - 1);
}

std::uint32_t ProgramBuilder::add_switch(SwitchTable table) {
  program_.switches.push_back(std::move(table));
  return static_cast<std::uint32_t>(program_.switches.size() - 1);
}

void ProgramBuilder::set_source(OpSource source) { program_.sources.push_back(std::move(source)); }

Expected<void> ProgramBuilder::finish() {
  note_uses();
  extend_over_loops();
  give_places();
  if (register_bytes_ > largest_register_bytes) {
    return fail(ErrorCode::unsupported,
                fmt::format("The shader needs {} bytes of registers per wave, more than {}; use smaller arrays.",
                            register_bytes_, largest_register_bytes));
  }
  program_.register_bytes = static_cast<std::uint32_t>(register_bytes_);
  const auto target = [this](std::uint32_t label) {
    return label == no_register ? no_register : static_cast<std::uint32_t>(labels_[label]);
  };
  program_.ops.reserve(ops_.size());
  for (std::size_t index = 0; index < ops_.size(); ++index) {
    const auto& op = ops_[index];
    program_.ops.push_back({op.handler, place(op.dst), place(op.a), place(op.b), place(op.c), place(op.d),
                            op.count_is_label ? target(op.count) : op.count, op.imm_is_label ? target(op.imm) : op.imm,
                            op.aux, op.extra, source_of_op_[index]});
  }
  for (auto plan : constructs_) {
    program_.constructs.push_back({plan.parent, target(plan.merge), target(plan.continue_target)});
  }
  for (auto& table : program_.switches) {
    for (auto& one : table.cases) {
      one.target = target(one.target);
    }
    table.otherwise = target(table.otherwise);
  }
  for (auto& [ref, bytes] : initial_) {
    program_.initial.push_back({place(ref), std::move(bytes)});
  }
  for (const auto& [what, ref] : built_ins_) {
    program_.built_ins.push_back({what, place(ref)});
  }
  program_.active_row = place(active_row_);
  return {};
}

void ProgramBuilder::note_uses() {
  for (std::size_t index = 0; index < ops_.size(); ++index) {
    for (const auto ref : operands(ops_[index])) {
      if (ref.none()) {
        continue;
      }
      auto& reg = registers_[ref.reg];
      if (!reg.used) {
        reg.used = true;
        reg.first = index;
      }
      reg.last = index;
    }
  }
}

// Inner loops come first: what they extend may then reach out of an outer one.
void ProgramBuilder::extend_over_loops() {
  for (const auto& [first, end] : loops_) {
    for (auto& reg : registers_) {
      const bool inside = reg.used && reg.last >= first && reg.first < end;
      if (inside && (reg.first < first || reg.last >= end)) {
        reg.first = std::min(reg.first, first);
        reg.last = std::max(reg.last, end - 1);
      }
    }
  }
}

void ProgramBuilder::give_places() {
  FreeBytes bytes;
  std::vector<std::uint32_t> order;
  for (std::uint32_t index = 0; index < registers_.size(); ++index) {
    auto& reg = registers_[index];
    if (reg.pinned || (keeps_places_ && reg.used)) {
      reg.place = static_cast<std::uint32_t>(bytes.take(reg.bytes));
    } else if (reg.used) {
      order.push_back(index);
    }
  }
  std::ranges::stable_sort(order, {}, [this](std::uint32_t index) { return registers_[index].first; });
  std::multimap<std::size_t, std::uint32_t> ends;
  for (const auto index : order) {
    auto& reg = registers_[index];
    while (!ends.empty() && ends.begin()->first < reg.first) {
      const auto& done = registers_[ends.begin()->second];
      bytes.give_back(done.place, done.bytes);
      ends.erase(ends.begin());
    }
    reg.place = static_cast<std::uint32_t>(bytes.take(reg.bytes));
    ends.emplace(reg.last, index);
  }
  register_bytes_ = bytes.end();
}

std::uint32_t ProgramBuilder::place(Ref ref) const {
  return ref.none() ? no_register : registers_[ref.reg].place + ref.offset;
}

}  // namespace crosslane::machine
