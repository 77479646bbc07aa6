#include "job/job.hpp"

#include <algorithm>

namespace crosslane::job {

std::string_view name(ResourceKind kind) {
  constexpr std::array<std::string_view, 10> names = {"Buffer",
                                                      "StructuredBuffer",
                                                      "ByteAddressBuffer",
                                                      "RWBuffer",
                                                      "RWStructuredBuffer",
                                                      "RWByteAddressBuffer",
                                                      "ConstantBuffer",
                                                      "Texture",
                                                      "RWTexture",
                                                      "Sampler"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view name(Rule rule) {
  constexpr std::array<std::string_view, 3> names = {"BufferExact", "BufferFloatULP", "BufferFloatEpsilon"};
  return names.at(static_cast<std::size_t>(rule));
}

const JobBuffer* Job::find(std::string_view buffer) const {
  const auto found = std::ranges::find(buffers, buffer, &JobBuffer::name);
  return found == buffers.end() ? nullptr : &*found;
}

JobBuffer* Job::find(std::string_view buffer) {
  const auto found = std::ranges::find(buffers, buffer, &JobBuffer::name);
  return found == buffers.end() ? nullptr : &*found;
}

const JobSampler* Job::find_sampler(std::string_view sampler) const {
  const auto found = std::ranges::find(samplers, sampler, &JobSampler::name);
  return found == samplers.end() ? nullptr : &*found;
}

}  // namespace crosslane::job
