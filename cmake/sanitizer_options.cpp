// Part of every program of a build with AddressSanitizer: what other people's libraries do, and we cannot mend.
// The functions are called by the sanitizer's runtime and have the names that it looks for.

extern "C" {

const char* __asan_default_options();       // NOLINT(bugprone-reserved-identifier)
const char* __lsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier)

// The shader compiler's library frees some of its objects by a size that is not theirs.
const char* __asan_default_options() { return "new_delete_type_mismatch=0"; }

// The shader compiler, Vulkan's loader and its drivers keep memory until the process ends.
const char* __lsan_default_suppressions() {
  return "leak:libdxcompiler\n"
         "leak:libvulkan\n"
         "leak:libLLVM\n"
         "leak:VkLayer\n";
}
}
