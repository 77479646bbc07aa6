// What is done with words that come from anywhere.
#pragma once

#include <cstdint>
#include <span>

namespace crosslane::fuzz {

/// Loads the words as a module for the machine; where that succeeds and the program is small, runs it on small buffers.
/// The wave size comes from the header's generator word.
void run_module(std::span<const std::uint32_t> words);

}  // namespace crosslane::fuzz
