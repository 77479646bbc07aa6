// A compiler that cannot make SPIR-V: the build's one, with that option taken from it.
#include <dlfcn.h>

#include <WinAdapter.h>
#include <dxcapi.h>

#include <cwchar>
#include <string>
#include <vector>

namespace {

DxcCreateInstanceProc real_create() {
  static void* const library = dlopen(CROSSLANE_TEST_DXC, RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<DxcCreateInstanceProc>(dlsym(library, "DxcCreateInstance"));
}

class WithoutSpirv final : public IDxcCompiler3 {
 public:
  explicit WithoutSpirv(IDxcCompiler3* real) : real_(real) {}

  HRESULT Compile(const DxcBuffer* source, LPCWSTR* arguments, UINT32 count, IDxcIncludeHandler* includes, REFIID id,
                  LPVOID* result) override {
    std::vector<LPCWSTR> changed(arguments, arguments + count);
    for (LPCWSTR& argument : changed) {
      argument = std::wcscmp(argument, L"-spirv") == 0 ? L"-spirv-is-not-built-in" : argument;
    }
    return real_->Compile(source, changed.data(), count, includes, id, result);
  }
  HRESULT Disassemble(const DxcBuffer* object, REFIID id, LPVOID* result) override {
    return real_->Disassemble(object, id, result);
  }
  HRESULT QueryInterface(REFIID id, void** object) override { return real_->QueryInterface(id, object); }
  ULONG AddRef() override { return ++references_; }
  ULONG Release() override {
    const ULONG left = --references_;
    if (left == 0) {
      real_->Release();
      delete this;
    }
    return left;
  }

 private:
  IDxcCompiler3* real_;
  ULONG references_ = 1;
};

}  // namespace

extern "C" HRESULT DxcCreateInstance(REFCLSID kind, REFIID interface, LPVOID* object) {
  const HRESULT made = real_create()(kind, interface, object);
  if (SUCCEEDED(made) && kind == CLSID_DxcCompiler && interface == __uuidof(IDxcCompiler3)) {
    *object = new WithoutSpirv(static_cast<IDxcCompiler3*>(*object));
  }
  return made;
}
