// The blocks of a function in SPIR-V: how they start, meet and end.
#include "machine/random/emit_blocks.hpp"

#include <algorithm>

namespace crosslane::machine_tests {

void BlockEmitter::jump(Target& target) {
  edge_to(target);
  text_.line("OpBranch " + target.label);
  end();
}

void BlockEmitter::begin(const std::string& label) {
  text_.line(label + " = OpLabel");
  block_ = label;
  ended_ = false;
}

void BlockEmitter::meet(const Target& target) {
  begin(target.label);
  if (target.edges.empty()) {
    text_.line("OpUnreachable");
    end();
    return;
  }
  values_ = target.edges[0].values;
  for (std::size_t at = 0; at < values_.size(); ++at) {
    const bool agree =
        std::ranges::all_of(target.edges, [&](const Edge& edge) { return edge.values[at] == values_[at]; });
    if (agree) {
      continue;
    }
    std::string sources;
    for (const auto& edge : target.edges) {
      sources += fmt::format(" {} {}", edge.values[at], edge.from);
    }
    values_[at] = text_.define("OpPhi %uint{}", sources);
  }
}

std::vector<HeaderPhi> BlockEmitter::begin_header(Target& header, const std::set<std::uint32_t>& assigned) {
  jump(header);
  begin(header.label);
  std::vector<HeaderPhi> phis;
  for (const auto variable : assigned) {
    if (!values_[variable].empty()) {
      phis.push_back({variable, text_.size()});
      values_[variable] = text_.define("OpPhi %uint {} {}", values_[variable], header.edges[0].from);
    }
  }
  return phis;
}

void BlockEmitter::end_header(const std::vector<HeaderPhi>& phis, const Edge& back) {
  for (const auto& phi : phis) {
    text_.append(phi.line, fmt::format(" {} {}", back.values[phi.variable], back.from));
  }
}

}  // namespace crosslane::machine_tests
