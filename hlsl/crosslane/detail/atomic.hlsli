// Atomic loads and stores of words in buffers, which HLSL itself lacks. (InterlockedExchange stores.)
//
// ATOMIC_LOAD32 and ATOMIC_LOAD64 are relaxed: they say nothing of other memory. RELEASE_STORE32 and ACQUIRE_LOAD32 order accesses to buffers:
// what was written before the store is seen after the load that sees its word. They are macros, since HLSL has no
// references to hand a word over by.
#ifndef CROSSLANE_DETAIL_ATOMIC_HLSLI
#define CROSSLANE_DETAIL_ATOMIC_HLSLI

#if defined(__spirv__)
namespace crosslane {
namespace native {
static const uint kDeviceScope = 1;
static const uint kRelaxed = 0;
static const uint kAcquireBuffers = 0x42;  // Acquire | UniformMemory
static const uint kReleaseBuffers = 0x44;  // Release | UniformMemory

[[vk::ext_instruction(/* OpAtomicLoad */ 227)]]
uint AtomicLoad([[vk::ext_reference]] uint word, uint scope, uint semantics);
[[vk::ext_instruction(/* OpAtomicStore */ 228)]]
void AtomicStore([[vk::ext_reference]] uint word, uint scope, uint semantics, uint value);
[[vk::ext_capability(/* Int64Atomics */ 12)]] [[vk::ext_instruction(/* OpAtomicLoad */ 227)]]
uint64_t AtomicLoad([[vk::ext_reference]] uint64_t word, uint scope, uint semantics);
}  // namespace native
}  // namespace crosslane

#define CROSSLANE_ATOMIC_LOAD32(word, value) \
  value = crosslane::native::AtomicLoad(word, crosslane::native::kDeviceScope, crosslane::native::kRelaxed)
#define CROSSLANE_ATOMIC_LOAD64(word, value) \
  value = crosslane::native::AtomicLoad(word, crosslane::native::kDeviceScope, crosslane::native::kRelaxed)
#define CROSSLANE_ACQUIRE_LOAD32(word, value) \
  value = crosslane::native::AtomicLoad(word, crosslane::native::kDeviceScope, crosslane::native::kAcquireBuffers)
#define CROSSLANE_RELEASE_STORE32(word, value) \
  crosslane::native::AtomicStore(word, crosslane::native::kDeviceScope, crosslane::native::kReleaseBuffers, value)
#else
#define CROSSLANE_ATOMIC_LOAD32(word, value) InterlockedOr(word, 0u, value)
#define CROSSLANE_ATOMIC_LOAD64(word, value) InterlockedOr(word, uint64_t(0), value)
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
