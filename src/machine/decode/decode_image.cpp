// Images, samplers and typed buffers.
#include <array>
#include <utility>

#include "machine/decode/decoder.hpp"
#include "machine/decode/families.hpp"
#include "machine/image_ops.hpp"
#include "machine/observe.hpp"

namespace crosslane::machine {
namespace {

using spv::ImageOperandsMask;
using spv::Op;

// What an instruction works on: an image of a type that the machine has, and where it is.
struct ImageSource {
  ImageArguments shape;  // dimensions and layer
  bool cube = false;
  Element element = Element::float32;
  Pointer image;
  Pointer sampler;
};

constexpr std::uint32_t bit(ImageOperandsMask operand) { return static_cast<std::uint32_t>(operand); }

// The operands of an image instruction by their bits: ids of those that have one, 0 for the others.
struct ImageOperands {
  std::uint32_t mask = 0;
  std::uint32_t lod = 0;
  std::uint32_t offset = 0;
};

Expected<ImageOperands> image_operands(const Decoder& decoder, const spirv::Statement& statement, std::size_t first) {
  const auto words = decoder.module().operands(statement);
  ImageOperands found;
  if (words.size() <= first) {
    return found;
  }
  found.mask = words[first];
  // In the order of their bits; the memory model's have a scope, which needs nothing here.
  constexpr std::array with_id = {ImageOperandsMask::Lod, ImageOperandsMask::ConstOffset, ImageOperandsMask::Offset,
                                  ImageOperandsMask::MakeTexelAvailable, ImageOperandsMask::MakeTexelVisible};
  constexpr auto without = bit(ImageOperandsMask::NonPrivateTexel) | bit(ImageOperandsMask::VolatileTexel) |
                           bit(ImageOperandsMask::SignExtend) | bit(ImageOperandsMask::ZeroExtend) |
                           bit(ImageOperandsMask::Nontemporal);
  auto known = without;
  std::size_t word = first + 1;
  for (const auto operand : with_id) {
    known |= bit(operand);
    if ((found.mask & bit(operand)) == 0) {
      continue;
    }
    if (word >= words.size()) {
      return decoder.malformed(statement, "an image operand is missing");
    }
    const auto id = words[word++];
    if (operand == ImageOperandsMask::Lod) {
      found.lod = id;
    } else if (operand == ImageOperandsMask::ConstOffset || operand == ImageOperandsMask::Offset) {
      found.offset = id;
    }
  }
  if ((found.mask & ~known) != 0) {
    return decoder.refuse(statement, "the image operands Bias, Grad, ConstOffsets, Sample, MinLod and Offsets");
  }
  return found;
}

Expected<ImageSource> image_source(const Decoder& decoder, const spirv::Statement& statement,
                                   const Expected<Value>& value) {
  if (!value) {
    return tl::unexpected<Error>(value.error());
  }
  const auto* type = &decoder.type(value->type);
  if (type->opcode == Op::OpTypeSampledImage) {
    type = &decoder.type(type->operands[0]);
  }
  if (type->opcode != Op::OpTypeImage || !value->pointer || value->pointer->descriptors != 0) {
    return decoder.malformed(statement, "its image is none");
  }
  ImageSource source;
  switch (static_cast<spv::Dim>(type->operands[1])) {
    case spv::Dim::Dim1D:
    case spv::Dim::Buffer:
      source.shape.dimensions = 1;
      break;
    case spv::Dim::Dim2D:
      source.shape.dimensions = 2;
      break;
    case spv::Dim::Dim3D:
      source.shape.dimensions = 3;
      break;
    case spv::Dim::Cube:
      source.shape.dimensions = 2;
      source.cube = true;
      break;
    default:
      return decoder.refuse(statement, "images of this dimension");
  }
  if (type->operands[3] != 0) {
    source.shape.layer = true;
  }
  if (type->operands[4] != 0) {
    return decoder.refuse(statement, "multisampled images");
  }
  source.element = decoder.element(type->operands[0]);
  source.image = *value->pointer;
  source.sampler = value->sampler.value_or(*value->pointer);
  return source;
}

// An operation on the image, with the rows of its other arguments.
Expected<DraftOp> image_op(Decoder& decoder, const spirv::Statement& statement, const ImageSource& source,
                           std::uint32_t coordinate_id, const ImageOperands& operands, Element coordinates) {
  auto shape = source.shape;
  shape.layer = shape.layer || source.cube;  // the face is one
  std::vector<Ref> rows;
  const auto add = [&](std::uint32_t id, std::size_t count, Element element) -> Expected<void> {
    auto value = decoder.value(id);
    if (!value) {
      return tl::unexpected<Error>(std::move(value.error()));
    }
    if (value->leaves.size() < count) {
      return decoder.malformed(statement, "a coordinate has too few components");
    }
    if (decoder.element(value->type) != element) {
      return decoder.refuse(statement, "coordinates of other than 32 bits");
    }
    rows.insert(rows.end(), value->leaves.begin(), value->leaves.begin() + static_cast<std::ptrdiff_t>(count));
    return {};
  };
  auto added = add(coordinate_id, shape.dimensions + (shape.layer ? 1U : 0U), coordinates);
  if (added && operands.lod != 0) {
    shape.lod = true;
    added = add(operands.lod, 1, coordinates);
  }
  if (added && operands.offset != 0) {
    shape.offset = true;
    added = add(operands.offset, shape.dimensions, Element::int32);
  }
  if (!added) {
    return tl::unexpected<Error>(std::move(added.error()));
  }
  // An image outside of its array of descriptors is as one that is not bound: so is what the root of constants shows.
  const bool lost = source.image.constant != 0;
  return DraftOp{.a = lost ? Ref{} : source.image.offset,
                 .b = decoder.contiguous(rows, Element::int32),
                 .imm = shape.packed(),
                 .aux = lost ? constants_root : source.image.root};
}

void use_sampler(DraftOp& op, const Pointer& sampler) {
  const bool lost = sampler.constant != 0;
  op.c = lost ? Ref{} : sampler.offset;
  op.extra = lost ? constants_root : sampler.root;
}

void wait_for_others(Decoder& decoder, const ImageSource& source, const ImageOperands& operands) {
  constexpr auto shared = bit(ImageOperandsMask::MakeTexelAvailable) | bit(ImageOperandsMask::MakeTexelVisible) |
                          bit(ImageOperandsMask::VolatileTexel);
  if (source.image.coherent || (operands.mask & shared) != 0) {
    decoder.take_turn();
  }
}

// Rows of 32 bits that the operation takes from b on.
std::uint32_t argument_rows(const DraftOp& op) {
  const auto shape = ImageArguments::unpack(op.imm);
  return shape.dimensions + (shape.layer ? 1U : 0U) + (shape.lod ? 1U : 0U) + (shape.offset ? shape.dimensions : 0U);
}

// What is read or sampled at an undefined place is undefined.
void follow_arguments(Decoder& decoder, const DraftOp& op, std::uint32_t rows, std::uint32_t bytes) {
  decoder.follow({.handler = poison_join_handler(),
                  .dst = op.dst,
                  .a = op.b,
                  .count = argument_rows(op),
                  .imm = bytes,
                  .aux = rows,
                  .extra = 4});
}

// Tells observers of the texels that `op` reads or writes.
void observe_texels(Decoder& decoder, const spirv::Statement& statement, const ImageSource& source, DraftOp op) {
  if (!decoder.options().observed) {
    return;
  }
  const bool writes = statement.opcode == Op::OpImageWrite;
  auto& plans = decoder.program().accesses;
  plans.push_back({.kind = writes ? AccessKind::write : AccessKind::read,
                   .opcode = statement.opcode,
                   .component_bytes = bytes_of(source.element),
                   .components = op.count,
                   .coherent = source.image.coherent});
  op.handler = observe_texels_handler(source.element);
  op.count = static_cast<std::uint32_t>(plans.size() - 1);
  if (!decoder.options().undefined_values) {
    op.dst = {};
  }
  decoder.builder().emit(op);
}

// Emits the operation, its result a value of the statement's type. `read` is the image whose texels it reads, none for
// those that sample.
Expected<void> emit_result(Decoder& decoder, const spirv::Statement& statement, DraftOp op,
                           const ImageSource* read = nullptr) {
  auto result = decoder.new_value(statement.type_id);
  if (!result) {
    return tl::unexpected<Error>(std::move(result.error()));
  }
  if (op.handler == nullptr || result->leaves.empty() || result->leaves.size() > 4) {
    return decoder.refuse(statement, "it on images of this type");
  }
  op.dst = result->leaves[0];
  op.count = static_cast<std::uint32_t>(result->leaves.size());
  const auto bytes = bytes_of(decoder.element(statement.type_id));
  if (op.b.none()) {
    decoder.follow_fill(op.dst, op.count, bytes);
  } else {
    follow_arguments(decoder, op, op.count, bytes);
  }
  if (read != nullptr) {
    observe_texels(decoder, statement, *read, op);
  }
  decoder.builder().emit(op);
  return set_result(decoder, statement, std::move(result));
}

}  // namespace

// OpSampledImage: an image with the sampler that it is to be read with.
Expected<void> decode_sampled_image(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto image = decoder.value(words[2]);
  auto sampler = decoder.value(words[3]);
  if (!image || !sampler) {
    return tl::unexpected<Error>(image ? std::move(sampler.error()) : std::move(image.error()));
  }
  if (!image->pointer || !sampler->pointer) {
    return decoder.malformed(statement, "its image or its sampler is none");
  }
  image->type = statement.type_id;
  image->sampler = sampler->pointer;
  return set_result(decoder, statement, std::move(*image));
}

// OpImage: the image of a sampled image.
Expected<void> decode_image_of(Decoder& decoder, const spirv::Statement& statement) {
  auto value = decoder.value(decoder.module().operands(statement)[2]);
  if (value) {
    value->type = statement.type_id;
    value->sampler.reset();
  }
  return set_result(decoder, statement, std::move(value));
}

// OpImageRead and OpImageFetch.
Expected<void> decode_image_read(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  const auto source = image_source(decoder, statement, decoder.value(words[2]));
  const auto operands = image_operands(decoder, statement, 4);
  if (!source || !operands) {
    return tl::unexpected<Error>(source ? operands.error() : source.error());
  }
  auto op = image_op(decoder, statement, *source, words[3], *operands, Element::int32);
  if (!op) {
    return tl::unexpected<Error>(std::move(op.error()));
  }
  wait_for_others(decoder, *source, *operands);
  op->handler = image_read_handler(source->element);
  return emit_result(decoder, statement, *op, &*source);
}

Expected<void> decode_image_write(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  const auto source = image_source(decoder, statement, decoder.value(words[0]));
  const auto operands = image_operands(decoder, statement, 3);
  auto texel = decoder.value(words[2]);
  if (!source || !operands || !texel) {
    return tl::unexpected<Error>(!source ? source.error() : !operands ? operands.error() : texel.error());
  }
  auto op = image_op(decoder, statement, *source, words[1], *operands, Element::int32);
  if (!op) {
    return tl::unexpected<Error>(std::move(op.error()));
  }
  op->handler = image_write_handler(source->element);
  if (op->handler == nullptr || decoder.element(texel->type) != source->element || texel->leaves.size() > 4) {
    return decoder.refuse(statement, "it on images of this type");
  }
  wait_for_others(decoder, *source, *operands);
  op->c = decoder.contiguous(texel->leaves, source->element);
  op->count = static_cast<std::uint32_t>(texel->leaves.size());
  decoder.follow({.handler = poison_use_handler(Use::address), .a = op->b, .count = argument_rows(*op), .imm = 4});
  decoder.follow(
      {.handler = poison_use_handler(Use::store), .a = op->c, .count = op->count, .imm = bytes_of(source->element)});
  observe_texels(decoder, statement, *source, *op);
  decoder.builder().emit(*op);
  return {};
}

// OpImageSampleExplicitLod and OpImageGather.
Expected<void> decode_image_sample(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  const bool gathers = statement.opcode == Op::OpImageGather;
  const auto source = image_source(decoder, statement, decoder.value(words[2]));
  const auto operands = image_operands(decoder, statement, gathers ? 5 : 4);
  if (!source || !operands) {
    return tl::unexpected<Error>(source ? operands.error() : source.error());
  }
  if (source->cube) {
    return decoder.refuse(statement, "sampling of cubes");
  }
  auto op = image_op(decoder, statement, *source, words[3], *operands, Element::float32);
  if (!op) {
    return tl::unexpected<Error>(std::move(op.error()));
  }
  op->handler = image_sample_handler(source->element);
  if (gathers) {
    const auto channel = decoder.constant(words[4]);
    if (!channel || *channel > 3) {
      return decoder.refuse(statement, "a channel that is no constant from 0 to 3");
    }
    op->handler = image_gather_handler(source->element);
    op->imm |= ImageArguments{.dimensions = 0, .channel = static_cast<std::uint32_t>(*channel)}.packed();
  }
  use_sampler(*op, source->sampler);
  return emit_result(decoder, statement, *op);
}

// Sampling that takes its level from the differences between neighbouring threads, and what else fragment shaders do.
Expected<void> decode_implicit_sample(Decoder& decoder, const spirv::Statement& statement) {
  return decoder.refuse(statement,
                        "it: only fragment shaders have the derivatives that choose a level; name the level, as "
                        "SampleLevel does");
}

// OpImageQuerySize, OpImageQuerySizeLod and OpImageQueryLevels.
Expected<void> decode_image_query(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  const auto source = image_source(decoder, statement, decoder.value(words[2]));
  if (!source) {
    return tl::unexpected<Error>(source.error());
  }
  if (bytes_of(decoder.element(statement.type_id)) != 4) {
    return decoder.refuse(statement, "sizes of other than 32 bits");
  }
  const bool lost = source->image.constant != 0;
  DraftOp op{.handler = statement.opcode == Op::OpImageQueryLevels ? image_levels_handler() : image_size_handler(),
             .a = lost ? Ref{} : source->image.offset,
             .aux = lost ? constants_root : source->image.root,
             .extra = source->cube ? 6U : 1U};
  auto shape = source->shape;
  if (statement.opcode == Op::OpImageQuerySizeLod) {
    auto level = index_row(decoder, words[3]);
    if (!level) {
      return tl::unexpected<Error>(std::move(level.error()));
    }
    shape.lod = true;
    op.b = *level;
  }
  op.imm = shape.packed();
  return emit_result(decoder, statement, op);
}

// OpImageTexelPointer: a pointer into the memory of the image, for atomics.
Expected<void> decode_texel_pointer(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto image = decoder.pointer(words[2]);
  if (!image) {
    return tl::unexpected<Error>(std::move(image.error()));
  }
  // It is given the variable, where others get the image that was loaded.
  const auto source = image_source(decoder, statement, Value{image->pointee, {}, *image});
  if (!source) {
    return tl::unexpected<Error>(source.error());
  }
  auto op = image_op(decoder, statement, *source, words[3], {}, Element::int32);
  if (!op) {
    return tl::unexpected<Error>(std::move(op.error()));
  }
  const bool fat = !op->a.none();
  const auto pointee = decoder.type(statement.type_id).operands[1];
  op->handler = texel_pointer_handler(fat);
  op->dst = decoder.new_row(fat ? Element::int64 : Element::int32);
  op->extra = bytes_of(decoder.element(pointee));
  follow_arguments(decoder, *op, 1, fat ? 8 : 4);
  decoder.builder().emit(*op);
  Pointer texel;
  texel.kind = fat ? PointerKind::fat : PointerKind::rooted;
  texel.pointee = pointee;
  texel.root = op->aux;
  texel.offset = op->dst;
  texel.coherent = source->image.coherent;
  decoder.set_value(statement.result_id, {statement.type_id, {}, texel});
  return {};
}

}  // namespace crosslane::machine
