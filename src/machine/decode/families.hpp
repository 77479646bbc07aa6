// The decoders of the instruction families, for the opcode table and for each other.
#pragma once

#include "crosslane/error.hpp"
#include "machine/decode/decoder.hpp"
#include "spirv/module.hpp"

namespace crosslane::machine {

// decode_memory.cpp
Expected<void> decode_load(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_store(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_copy_memory(Decoder& decoder, const spirv::Statement& statement);

// decode_access_chain.cpp
Expected<void> decode_access_chain(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_array_length(Decoder& decoder, const spirv::Statement& statement);
/// An integer of any width as a row of 32 bits; what does not fit is the largest number.
Expected<Ref> index_row(Decoder& decoder, std::uint32_t id);

// decode_pointer.cpp
Expected<void> decode_pointer_comparison(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_pointer_conversion(Decoder& decoder, const spirv::Statement& statement);

// decode_variables.cpp
Expected<void> decode_variable(Decoder& decoder, const spirv::Statement& statement);

// decode_arithmetic.cpp
Expected<void> decode_integer(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_extended_arithmetic(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_comparison(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_select(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_any_all(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_float(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_conversion(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_bitcast(Decoder& decoder, const spirv::Statement& statement);

// decode_matrix.cpp
Expected<void> decode_scaled(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_dot(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_matrix_product(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_outer_product(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_transpose(Decoder& decoder, const spirv::Statement& statement);

// decode_composite.cpp
Expected<void> decode_construct(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_extract(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_insert(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_vector_shuffle(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_extract_dynamic(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_insert_dynamic(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_copy(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_undefined(Decoder& decoder, const spirv::Statement& statement);

// decode_branch.cpp
Expected<void> decode_terminator(Decoder& decoder, const spirv::Statement& statement);

// decode_function.cpp
Expected<void> decode_call(Decoder& decoder, const spirv::Statement& statement);

// decode_barrier.cpp
Expected<void> decode_barrier(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_clock(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_atomic(Decoder& decoder, const spirv::Statement& statement);

// decode_image.cpp
Expected<void> decode_sampled_image(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_image_of(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_image_read(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_image_write(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_image_sample(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_implicit_sample(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_image_query(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_texel_pointer(Decoder& decoder, const spirv::Statement& statement);

// decode_wave.cpp
Expected<void> decode_vote(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_ballot(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_shuffle(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_wave_arithmetic(Decoder& decoder, const spirv::Statement& statement);
Expected<void> decode_partition(Decoder& decoder, const spirv::Statement& statement);

// decode_extended.cpp
Expected<void> decode_extended(Decoder& decoder, const spirv::Statement& statement);

/// Does nothing: for what needs no operation.
Expected<void> decode_nothing(Decoder& decoder, const spirv::Statement& statement);

/// The values of a statement's operands from word `first` on, without its type and result.
Expected<std::vector<Value>> operand_values(Decoder& decoder, const spirv::Statement& statement, std::size_t first,
                                            std::size_t count);
/// Sets the statement's result, or passes the error on.
Expected<void> set_result(Decoder& decoder, const spirv::Statement& statement, Expected<Value> value);

}  // namespace crosslane::machine
