#include "device/d3d12/com.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace crosslane::d3d12 {
namespace {

std::string_view meaning(HRESULT result) {
  switch (static_cast<std::uint32_t>(result)) {
    case 0x8007000EU:
      return " (out of memory)";
    case 0x80070057U:
      return " (invalid argument)";
    case 0x80004001U:
      return " (not implemented)";
    case 0x887A0005U:
      return " (the device was removed)";
    case 0x887A0006U:
      return " (the device hangs)";
    default:
      return "";
  }
}

}  // namespace

Expected<void> check_result(HRESULT result, std::string_view what) {
  if (SUCCEEDED(result)) {
    return {};
  }
  return fail(ErrorCode::device,
              fmt::format("{} failed: {:#010x}{}.", what, static_cast<std::uint32_t>(result), meaning(result)));
}

void set_name(ID3D12Object& object, std::string_view name) {
  // Names of kernels are ASCII, and so are the others.
  const std::wstring wide(name.begin(), name.end());
  object.SetName(wide.c_str());
}

}  // namespace crosslane::d3d12
