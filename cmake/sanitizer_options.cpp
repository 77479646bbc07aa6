// Part of every program of a build with AddressSanitizer: what other people's libraries do, and we cannot mend.
// The sanitizer's runtime looks for functions of these names.
// NOLINTBEGIN(bugprone-reserved-identifier)

extern "C" {

const char* __asan_default_options();
const char* __lsan_default_suppressions();
int dlclose(void* library) noexcept;

// The shader compiler's library frees some of its objects by a size that is not theirs.
const char* __asan_default_options() { return "new_delete_type_mismatch=0"; }

// The shader compiler, Vulkan's loader, its layers and drivers keep memory until the process ends.
const char* __lsan_default_suppressions() {
  return "leak:libdxcompiler\n"
         "leak:libvulkan\n"
         "leak:libVkLayer\n"
         "leak:libLLVM\n";
}

// Libraries stay loaded: what a driver kept is reported at the end, when its name must still be known.
int dlclose(void* /*library*/) noexcept { return 0; }
}
// NOLINTEND(bugprone-reserved-identifier)
