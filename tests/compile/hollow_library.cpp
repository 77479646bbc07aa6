// A library that has the compiler's one function, and makes nothing.
extern "C" int DxcCreateInstance(const void* /*kind*/, const void* /*interface*/, void** object) {
  *object = nullptr;
  constexpr int not_implemented = -2147467263;  // E_NOTIMPL
  return not_implemented;
}
