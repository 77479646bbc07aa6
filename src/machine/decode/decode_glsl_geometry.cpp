// Lengths and directions. Vulkan lets their error follow from the formulas; halves are computed in 32 bits, since the
// squares of most of them are beyond the largest half.
#include <utility>

#include <spirv/unified1/GLSL.std.450.h>

#include "machine/decode/families.hpp"
#include "machine/decode/glsl.hpp"
#include "machine/decode/row_math.hpp"

namespace crosslane::machine {
namespace {

using Rows = std::vector<Ref>;

// `make(component)` for each of `count` components.
template <typename Make>
Rows components(std::size_t count, Make make) {
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    rows.push_back(make(i));
  }
  return rows;
}

Ref length(const RowMath& math, const Rows& a) {
  return a.size() == 1 ? math.glsl(GLSLstd450FAbs, a[0]) : math.glsl(GLSLstd450Sqrt, math.dot(a, a));
}

Rows difference(const RowMath& math, const Rows& a, const Rows& b) {
  return components(a.size(), [&](std::size_t i) { return math.subtract(a[i], b[i]); });
}

Rows cross(const RowMath& math, const Rows& a, const Rows& b) {
  return components(3, [&](std::size_t i) {
    const auto next = (i + 1) % 3;
    const auto after = (i + 2) % 3;
    return math.subtract(math.multiply(a[next], b[after]), math.multiply(b[next], a[after]));
  });
}

Rows normalize(const RowMath& math, const Rows& a) {
  const Ref size = length(math, a);
  return components(a.size(), [&](std::size_t i) { return math.divide(a[i], size); });
}

Rows face_forward(const RowMath& math, const Rows& normal, const Rows& incident, const Rows& reference) {
  const Ref angle = math.dot(reference, incident);
  return components(normal.size(),
                    [&](std::size_t i) { return math.where_negative(angle, normal[i], math.negate(normal[i])); });
}

Rows reflect(const RowMath& math, const Rows& incident, const Rows& normal) {
  const Ref twice = math.multiply(math.constant(2), math.dot(normal, incident));
  return components(incident.size(),
                    [&](std::size_t i) { return math.subtract(incident[i], math.multiply(twice, normal[i])); });
}

Rows refract(const RowMath& math, const Rows& incident, const Rows& normal, Ref ratio) {
  const Ref one = math.constant(1);
  const Ref angle = math.dot(normal, incident);
  const Ref k =
      math.subtract(one, math.multiply(math.multiply(ratio, ratio), math.subtract(one, math.multiply(angle, angle))));
  const Ref along = math.add(math.multiply(ratio, angle), math.glsl(GLSLstd450Sqrt, k));
  return components(incident.size(), [&](std::size_t i) {
    const Ref direction = math.subtract(math.multiply(ratio, incident[i]), math.multiply(along, normal[i]));
    return math.where_negative(k, math.constant(0), direction);
  });
}

}  // namespace

Expected<void> decode_glsl_geometry(Decoder& decoder, const spirv::Statement& statement, std::uint32_t instruction) {
  const auto count = decoder.module().operands(statement).size() - 4;
  auto values = operand_values(decoder, statement, 4, count);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const auto element = decoder.element(statement.type_id);
  const RowMath math(decoder, working_element(element));
  std::vector<Rows> vectors;
  for (const auto& value : *values) {
    vectors.push_back(components(value.leaves.size(), [&](std::size_t i) {
      return convert_row(decoder, value.leaves[i], decoder.element(value.type), math.element());
    }));
    const bool is_ratio = instruction == GLSLstd450Refract && vectors.size() == 3;
    if (!is_ratio && vectors.back().size() != vectors[0].size()) {
      return decoder.malformed(statement, "its operands have not equally many components");
    }
  }
  Rows result;
  switch (instruction) {
    case GLSLstd450Length:
      result = {length(math, vectors[0])};
      break;
    case GLSLstd450Distance:
      result = {length(math, difference(math, vectors[0], vectors[1]))};
      break;
    case GLSLstd450Cross:
      result = cross(math, vectors[0], vectors[1]);
      break;
    case GLSLstd450Normalize:
      result = normalize(math, vectors[0]);
      break;
    case GLSLstd450FaceForward:
      result = face_forward(math, vectors[0], vectors[1], vectors[2]);
      break;
    case GLSLstd450Reflect:
      result = reflect(math, vectors[0], vectors[1]);
      break;
    default:
      result = refract(math, vectors[0], vectors[1], vectors[2][0]);
      break;
  }
  for (auto& row : result) {
    row = convert_row(decoder, row, math.element(), element);
  }
  return set_result(decoder, statement, Value{statement.type_id, std::move(result), {}});
}

}  // namespace crosslane::machine
