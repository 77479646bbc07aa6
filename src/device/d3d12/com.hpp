// References to the API's objects, and its results as errors.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "crosslane/error.hpp"
#include "device/d3d12/headers.hpp"

namespace crosslane::d3d12 {

struct Releaser {
  void operator()(IUnknown* object) const { object->Release(); }
};

/// Owns one reference to an object of the API.
template <typename Interface>
using Reference = std::unique_ptr<Interface, Releaser>;

/// A further reference to an object that somebody else owns.
template <typename Interface>
Reference<Interface> share(Interface* object) {
  object->AddRef();
  return Reference<Interface>(object);
}

/// Errors: `device` where a call failed: "<what> failed: <result>."
Expected<void> check_result(HRESULT result, std::string_view what);

/// What `make(id, place)` creates: made<ID3D12Fence>("Making a fence", [&](REFIID id, void** place) { … }).
template <typename Interface, typename Make>
Expected<Reference<Interface>> made(std::string_view what, const Make& make) {
  void* place = nullptr;
  const GUID id = uuidof<Interface>();
  const HRESULT result = make(id, &place);
  if (auto checked = check_result(result, what); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  return Reference<Interface>(static_cast<Interface*>(place));
}

/// The object under another of its interfaces; null where it has not that one.
template <typename Interface>
Reference<Interface> query(IUnknown& object) {
  void* place = nullptr;
  const GUID id = uuidof<Interface>();
  return Reference<Interface>(FAILED(object.QueryInterface(id, &place)) ? nullptr : static_cast<Interface*>(place));
}

/// Gives an object the name that PIX and the debug layer show.
void set_name(ID3D12Object& object, std::string_view name);

}  // namespace crosslane::d3d12
