#include <dxgi1_6.h>

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "device/d3d12/api.hpp"

namespace crosslane::d3d12 {
namespace {

template <typename Function>
Function find(HMODULE library, const char* name) {
  return reinterpret_cast<Function>(reinterpret_cast<void*>(GetProcAddress(library, name)));
}

Expected<Api> load() {
  // An Agility SDK that the program exports is found by d3d12.dll itself.
  HMODULE const library = LoadLibraryW(L"d3d12.dll");
  if (library == nullptr) {
    return fail(ErrorCode::device, "There is no Direct3D 12 here: d3d12.dll cannot be loaded; it needs Windows 10.");
  }
  Api api;
  api.create_device = find<decltype(api.create_device)>(library, "D3D12CreateDevice");
  api.get_debug_interface = find<decltype(api.get_debug_interface)>(library, "D3D12GetDebugInterface");
  api.serialize_root_signature = find<decltype(api.serialize_root_signature)>(library, "D3D12SerializeRootSignature");
  if (api.create_device == nullptr || api.serialize_root_signature == nullptr) {
    return fail(ErrorCode::device, "d3d12.dll lacks D3D12CreateDevice: update Windows.");
  }
  return api;
}

std::string narrow(const WCHAR* text) {
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
  std::string result(bytes > 0 ? static_cast<std::size_t>(bytes) - 1 : 0, ' ');
  WideCharToMultiByte(CP_UTF8, 0, text, -1, result.data(), bytes, nullptr, nullptr);
  return result;
}

std::string version_text(const LARGE_INTEGER& version) {
  const auto bits = static_cast<std::uint64_t>(version.QuadPart);
  return fmt::format("{}.{}.{}.{}", bits >> 48U, (bits >> 32U) & 0xFFFFU, (bits >> 16U) & 0xFFFFU, bits & 0xFFFFU);
}

}  // namespace

Expected<const Api*> api() {
  static const auto loaded = load();
  return loaded ? Expected<const Api*>(&*loaded) : tl::unexpected<Error>(loaded.error());
}

Expected<std::vector<Adapter>> adapters(const Api& api) {
  std::vector<Adapter> list;
  HMODULE const dxgi = LoadLibraryW(L"dxgi.dll");
  const auto create = find<HRESULT(WINAPI*)(const GUID&, void**)>(dxgi, "CreateDXGIFactory1");
  void* place = nullptr;
  if (create == nullptr || FAILED(create(__uuidof(IDXGIFactory1), &place))) {
    return fail(ErrorCode::device, "dxgi.dll made no factory, which lists the adapters.");
  }
  const Reference<IDXGIFactory1> factory(static_cast<IDXGIFactory1*>(place));
  IDXGIAdapter1* raw = nullptr;
  for (UINT index = 0; SUCCEEDED(factory->EnumAdapters1(index, &raw)); ++index) {
    Reference<IDXGIAdapter1> found(raw);
    DXGI_ADAPTER_DESC1 description{};
    // Asked for no object, it says whether there could be one.
    if (FAILED(found->GetDesc1(&description)) ||
        FAILED(api.create_device(found.get(), D3D_FEATURE_LEVEL_11_0, uuidof<ID3D12Device>(), nullptr))) {
      continue;
    }
    Adapter adapter;
    adapter.name = narrow(description.Description);
    adapter.vendor = fmt::format("{:#06x}", description.VendorId);
    adapter.driver = "Direct3D 12";
    LARGE_INTEGER version{};
    if (SUCCEEDED(found->CheckInterfaceSupport(__uuidof(IDXGIDevice), &version))) {
      adapter.driver_version = version_text(version);
    }
    adapter.uuid = fmt::format("{:08x}{:08x}{:08x}{:08x}", description.VendorId, description.DeviceId,
                               description.SubSysId, description.Revision);
    adapter.software = (description.Flags & DXGI_ADAPTER_FLAG_SOFTWARE) != 0;
    adapter.object = std::move(found);
    list.push_back(std::move(adapter));
  }
  return list;
}

}  // namespace crosslane::d3d12
