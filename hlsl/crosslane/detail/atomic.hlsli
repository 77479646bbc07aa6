// Atomic loads and stores of words in buffers, which HLSL itself lacks, that order other accesses to buffers: what was
// written before the store is seen after the load that sees its word. They are macros, since HLSL has no references to hand
// a word over by.
#ifndef CROSSLANE_DETAIL_ATOMIC_HLSLI
#define CROSSLANE_DETAIL_ATOMIC_HLSLI

#if defined(__spirv__)
namespace crosslane {
namespace native {
static const uint kDeviceScope = 1;
static const uint kAcquireBuffers = 0x42;  // Acquire | UniformMemory
static const uint kReleaseBuffers = 0x44;  // Release | UniformMemory

[[vk::ext_instruction(/* OpAtomicLoad */ 227)]]
uint AtomicLoad([[vk::ext_reference]] uint word, uint scope, uint semantics);
[[vk::ext_instruction(/* OpAtomicStore */ 228)]]
void AtomicStore([[vk::ext_reference]] uint word, uint scope, uint semantics, uint value);
}  // namespace native
}  // namespace crosslane

#define CROSSLANE_ACQUIRE_LOAD32(word, value) \
  value = crosslane::native::AtomicLoad(word, crosslane::native::kDeviceScope, crosslane::native::kAcquireBuffers)
#define CROSSLANE_RELEASE_STORE32(word, value) \
  crosslane::native::AtomicStore(word, crosslane::native::kDeviceScope, crosslane::native::kReleaseBuffers, value)
#else
#define CROSSLANE_ACQUIRE_LOAD32(word, value) \
  do {                                        \
    InterlockedOr(word, 0u, value);           \
    DeviceMemoryBarrier();                    \
  } while (false)
#define CROSSLANE_RELEASE_STORE32(word, value)   \
  do {                                           \
    uint before_;                                \
    DeviceMemoryBarrier();                       \
    InterlockedExchange(word, value, before_);   \
  } while (false)
#endif

#endif  // CROSSLANE_DETAIL_ATOMIC_HLSLI
