#include "compile/dxc_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale and uselocale are POSIX, <clocale> lacks them

// WinAdapter.h names Windows' types, which dxcapi.h is written in.
#include <WinAdapter.h>
#include <dxcapi.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "compile/include_names.hpp"
#include "compile/text_encoding.hpp"

namespace crosslane::compile {
namespace {

struct Releaser {
  void operator()(IUnknown* object) const { object->Release(); }
};

/// Owns one reference to a COM object.
template <typename Interface>
using Reference = std::unique_ptr<Interface, Releaser>;

std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return std::nullopt;
  }
  return source_text(std::string(std::istreambuf_iterator<char>(stream), {}));
}

/// While the library works: it converts between wide and narrow text by the locale, and switches the one of the whole
/// process to and fro for it, if that one is installed. So only one thread is in the library at a time, and that thread
/// has a locale of its own, in which every file name can be converted.
class LocaleGuard {
 public:
  LocaleGuard() : lock_(mutex()), utf8_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (utf8_ != nullptr) {
      previous_ = uselocale(utf8_);
    }
  }
  ~LocaleGuard() {
    if (utf8_ != nullptr) {
      uselocale(previous_);
      freelocale(utf8_);
    }
  }
  LocaleGuard(const LocaleGuard&) = delete;
  LocaleGuard& operator=(const LocaleGuard&) = delete;
  LocaleGuard(LocaleGuard&&) = delete;
  LocaleGuard& operator=(LocaleGuard&&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }

  std::lock_guard<std::mutex> lock_;
  locale_t utf8_ = nullptr;
  locale_t previous_ = nullptr;
};

/// Whether a source asks to be included once. The compiler obeys, but takes "a/../b.hlsli" and "b.hlsli" for two files.
bool says_once(std::string_view text) {
  static constexpr std::string_view blank = " \t";
  for (std::size_t at = 0; (at = text.find("#pragma", at)) != std::string_view::npos; ++at) {
    const std::size_t word = text.find_first_not_of(blank, at + std::string_view("#pragma").size());
    const std::size_t line = text.find_last_not_of(blank, at == 0 ? 0 : at - 1);
    const bool begins_line = at == 0 || line == std::string_view::npos || text[line] == '\n';
    if (begins_line && word != std::string_view::npos && text.substr(word).starts_with("once")) {
      return true;
    }
  }
  return false;
}

/// Reads included files for the compiler and remembers which. Lives on the stack of the run that uses it.
class RecordingIncludeHandler final : public IDxcIncludeHandler {
 public:
  RecordingIncludeHandler(IDxcUtils& utils, const IncludeNames& names) : utils_(utils), names_(names) {}

  HRESULT LoadSource(LPCWSTR name, IDxcBlob** source) override {
    *source = nullptr;
    try {
      const std::filesystem::path path = names_.real_path(to_utf8(name));
      const auto text = read_file(path);
      if (!text) {
        return E_FAIL;  // the compiler tries its next include folder, or says that the file is not found
      }
      auto absolute = std::filesystem::absolute(path).lexically_normal();
      const bool is_new = std::ranges::find(files_, absolute) == files_.end();
      const std::string_view content = !is_new && says_once(*text) ? std::string_view() : *text;
      if (is_new) {
        files_.push_back(std::move(absolute));
      }
      IDxcBlobEncoding* blob = nullptr;
      const HRESULT made = utils_.CreateBlob(content.data(), static_cast<UINT32>(content.size()), CP_UTF8, &blob);
      *source = blob;
      return made;
    } catch (const std::exception&) {
      return E_FAIL;
    }
  }

  HRESULT QueryInterface(REFIID id, void** object) override {
    if (id == __uuidof(IUnknown) || id == __uuidof(IDxcIncludeHandler)) {
      *object = static_cast<IDxcIncludeHandler*>(this);
      return S_OK;
    }
    *object = nullptr;
    return E_NOINTERFACE;
  }
  // The run that made it outlives every reference, so that counting them decides nothing.
  ULONG AddRef() override { return 1; }
  ULONG Release() override { return 1; }

  [[nodiscard]] std::vector<std::filesystem::path> take_files() { return std::move(files_); }

 private:
  IDxcUtils& utils_;
  const IncludeNames& names_;
  std::vector<std::filesystem::path> files_;
};

std::string text_of(IDxcResult& result) {
  IDxcBlobUtf8* raw = nullptr;
  if (FAILED(result.GetOutput(DXC_OUT_ERRORS, __uuidof(IDxcBlobUtf8), reinterpret_cast<void**>(&raw), nullptr)) ||
      raw == nullptr) {
    return {};
  }
  const Reference<IDxcBlobUtf8> text(raw);
  return {text->GetStringPointer(), text->GetStringLength()};
}

std::vector<std::byte> bytes_of(IDxcBlob& blob) {
  const auto* const begin = static_cast<const std::byte*>(blob.GetBufferPointer());
  return {begin, begin + blob.GetBufferSize()};
}

std::optional<DxilReflection> reflect(IDxcUtils& utils, IDxcResult& result) {
  const auto id = dxil_reflection_id();
  void* raw = nullptr;
  if (!id || result.HasOutput(DXC_OUT_REFLECTION) == FALSE ||
      FAILED(result.GetOutput(DXC_OUT_REFLECTION, __uuidof(IDxcBlob), &raw, nullptr)) || raw == nullptr) {
    return std::nullopt;
  }
  const Reference<IDxcBlob> blob(static_cast<IDxcBlob*>(raw));
  const DxcBuffer buffer{blob->GetBufferPointer(), blob->GetBufferSize(), 0};
  IID wanted{};
  static_assert(sizeof(wanted) == std::tuple_size_v<std::remove_cvref_t<decltype(*id)>>);
  std::memcpy(&wanted, id->data(), sizeof(wanted));
  void* object = nullptr;
  if (FAILED(utils.CreateReflection(&buffer, wanted, &object)) || object == nullptr) {
    return std::nullopt;
  }
  return read_dxil_reflection(object);
}

class LoadedLibrary final : public DxcLibrary {
 public:
  LoadedLibrary(DxcCreateInstanceProc create, std::filesystem::path file) : create_(create), file_(std::move(file)) {}

  [[nodiscard]] const std::filesystem::path& file() const override { return file_; }
  [[nodiscard]] const std::string& version() const override { return version_; }
  [[nodiscard]] const std::string& commit() const override { return commit_; }
  [[nodiscard]] std::uint32_t commit_count() const override { return commit_count_; }

  /// Makes an object of the library, or null.
  template <typename Interface>
  [[nodiscard]] Reference<Interface> make(const CLSID& kind) const {
    void* object = nullptr;
    if (FAILED(create_(kind, __uuidof(Interface), &object))) {
      return nullptr;
    }
    return Reference<Interface>(static_cast<Interface*>(object));
  }

  void read_version() {
    const auto compiler = make<IDxcCompiler3>(CLSID_DxcCompiler);
    if (!compiler) {
      return;
    }
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    if (const auto info = query<IDxcVersionInfo>(*compiler); info && SUCCEEDED(info->GetVersion(&major, &minor))) {
      version_ = fmt::format("{}.{}", major, minor);
    }
    if (const auto info = query<IDxcVersionInfo2>(*compiler)) {
      char* hash = nullptr;
      if (SUCCEEDED(info->GetCommitInfo(&commit_count_, &hash)) && hash != nullptr) {
        commit_ = hash;
        CoTaskMemFree(hash);
      }
    }
    if (const auto info = query<IDxcVersionInfo3>(*compiler)) {
      char* text = nullptr;
      if (SUCCEEDED(info->GetCustomVersionString(&text)) && text != nullptr) {
        version_ = text;
        CoTaskMemFree(text);
      }
    }
  }

  [[nodiscard]] Expected<DxcOutput> run(std::string_view source,
                                        const std::vector<std::string>& arguments) const override {
    const LocaleGuard guard;
    const auto utils = make<IDxcUtils>(CLSID_DxcUtils);
    const auto compiler = make<IDxcCompiler3>(CLSID_DxcCompiler);
    if (!utils || !compiler) {
      return fail(ErrorCode::compiler, fmt::format("'{}' did not make a compiler object", file_.string()));
    }
    std::vector<std::string> renamed = arguments;
    const IncludeNames names(renamed);
    std::vector<std::wstring> wide;
    wide.reserve(renamed.size());
    std::ranges::transform(renamed, std::back_inserter(wide), [](const std::string& text) { return to_wide(text); });
    std::vector<LPCWSTR> pointers;
    pointers.reserve(wide.size());
    std::ranges::transform(wide, std::back_inserter(pointers), [](const std::wstring& text) { return text.c_str(); });

    RecordingIncludeHandler includes(*utils, names);
    const DxcBuffer buffer{source.data(), source.size(), CP_UTF8};
    void* raw = nullptr;
    const HRESULT ran = compiler->Compile(&buffer, pointers.data(), static_cast<UINT32>(pointers.size()), &includes,
                                          __uuidof(IDxcResult), &raw);
    if (FAILED(ran) || raw == nullptr) {
      return fail(ErrorCode::compiler, fmt::format("the compiler '{}' failed by itself (HRESULT {:#010x})",
                                                   file_.string(), static_cast<std::uint32_t>(ran)));
    }
    const Reference<IDxcResult> result(static_cast<IDxcResult*>(raw));
    DxcOutput output;
    output.diagnostics = names.real_text(text_of(*result));
    output.included_files = includes.take_files();
    auto status = E_FAIL;
    output.succeeded = SUCCEEDED(result->GetStatus(&status)) && SUCCEEDED(status);
    if (output.succeeded) {
      void* object = nullptr;
      if (FAILED(result->GetOutput(DXC_OUT_OBJECT, __uuidof(IDxcBlob), &object, nullptr)) || object == nullptr) {
        return fail(ErrorCode::compiler, fmt::format("the compiler '{}' succeeded without an output", file_.string()));
      }
      const Reference<IDxcBlob> blob(static_cast<IDxcBlob*>(object));
      output.binary = bytes_of(*blob);
      output.reflection = reflect(*utils, *result);
    }
    return output;
  }

  [[nodiscard]] Expected<void> validate_dxil(std::span<const std::byte> container) const override {
    const LocaleGuard guard;
    const auto utils = make<IDxcUtils>(CLSID_DxcUtils);
    const auto validator = make<IDxcValidator>(CLSID_DxcValidator);
    if (!utils || !validator) {
      return fail(ErrorCode::compiler, fmt::format("'{}' has no DXIL validator", file_.string()));
    }
    IDxcBlobEncoding* raw_blob = nullptr;
    if (FAILED(utils->CreateBlob(container.data(), static_cast<UINT32>(container.size()), 0, &raw_blob))) {
      return fail(ErrorCode::compiler, "the compiler did not accept the DXIL container for validation");
    }
    const Reference<IDxcBlobEncoding> blob(raw_blob);
    IDxcOperationResult* raw_result = nullptr;
    if (FAILED(validator->Validate(blob.get(), DxcValidatorFlags_Default, &raw_result)) || raw_result == nullptr) {
      return fail(ErrorCode::compiler, "the compiler's DXIL validator failed by itself");
    }
    const Reference<IDxcOperationResult> result(raw_result);
    auto status = E_FAIL;
    if (SUCCEEDED(result->GetStatus(&status)) && SUCCEEDED(status)) {
      return {};
    }
    std::vector<std::string> reasons;
    IDxcBlobEncoding* raw_text = nullptr;
    if (SUCCEEDED(result->GetErrorBuffer(&raw_text)) && raw_text != nullptr) {
      const Reference<IDxcBlobEncoding> text(raw_text);
      reasons.emplace_back(static_cast<const char*>(text->GetBufferPointer()), text->GetBufferSize());
    }
    return fail(ErrorCode::compiler, "the DXIL container is invalid", std::move(reasons));
  }

 private:
  template <typename Interface>
  static Reference<Interface> query(IUnknown& object) {
    void* found = nullptr;
    if (FAILED(object.QueryInterface(__uuidof(Interface), &found))) {
      return nullptr;
    }
    return Reference<Interface>(static_cast<Interface*>(found));
  }

  DxcCreateInstanceProc create_;
  std::filesystem::path file_;
  std::string version_;
  std::string commit_;
  std::uint32_t commit_count_ = 0;
};

struct Closer {
  void operator()(void* handle) const { dlclose(handle); }
};

/// The loader's last message: "…: invalid ELF header".
std::string loader_message() {
  const char* const message = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps one message per thread
  return message != nullptr ? message : "unknown reason";
}

/// The file that was loaded: the one asked for, or where the loader found a bare name.
std::filesystem::path file_of(void* symbol, const std::filesystem::path& asked) {
  Dl_info info{};
  if (asked.has_parent_path()) {
    return asked;
  }
  return dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? std::filesystem::path(info.dli_fname) : asked;
}

}  // namespace

Expected<std::unique_ptr<DxcLibrary>> load_dxc_library(const std::filesystem::path& file) {
  std::unique_ptr<void, Closer> handle(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!handle) {
    return fail(ErrorCode::compiler, fmt::format("'{}' cannot be loaded: {}", file.string(), loader_message()));
  }
  void* const symbol = dlsym(handle.get(), "DxcCreateInstance");
  if (symbol == nullptr) {
    return fail(ErrorCode::compiler,
                fmt::format("'{}' is no DirectX Shader Compiler: it does not export DxcCreateInstance", file.string()));
  }
  auto library =
      std::make_unique<LoadedLibrary>(reinterpret_cast<DxcCreateInstanceProc>(symbol), file_of(symbol, file));
  if (!library->make<IDxcCompiler3>(CLSID_DxcCompiler) || !library->make<IDxcUtils>(CLSID_DxcUtils)) {
    return fail(ErrorCode::compiler, fmt::format("'{}' is too old: it does not offer IDxcCompiler3", file.string()));
  }
  static_cast<void>(handle.release());
  library->read_version();
  return library;
}

}  // namespace crosslane::compile

#ifdef __SANITIZE_ADDRESS__
// The compiler's library frees some objects by the size of their base class, and keeps others for good. It is not ours
// to mend, so AddressSanitizer is told to look past it. Weak, so that a program may say something else.
extern "C" {
__attribute__((weak)) const char* __asan_default_options() { return "new_delete_type_mismatch=0"; }
__attribute__((weak)) const char* __lsan_default_suppressions() { return "leak:libdxcompiler\n"; }
}
#endif
