#include "compile/dxil_reflection.hpp"

// The compiler's objects have the calling convention of the machine that it runs on, which is what these headers say.
#include <wsl/winadapter.h>

#include <directx/d3d12shader.h>

#include <bit>

namespace crosslane::compile {
namespace {

// Of ID3D12ShaderReflection, which the headers know as a string of Microsoft's compiler only.
constexpr GUID reflection_id = {0x5a58797d, 0xa72c, 0x478d, {0x8b, 0xa2, 0xef, 0xc6, 0xb0, 0xef, 0xe8, 0x8e}};

DxilView view_of(const D3D12_SHADER_INPUT_BIND_DESC& resource) {
  const bool is_buffer = resource.Dimension == D3D_SRV_DIMENSION_BUFFER;
  switch (resource.Type) {
    case D3D_SIT_CBUFFER:
      return DxilView::constant_buffer;
    case D3D_SIT_STRUCTURED:
      return DxilView::structured_buffer;
    case D3D_SIT_BYTEADDRESS:
      return DxilView::byte_address_buffer;
    case D3D_SIT_TEXTURE:
      return is_buffer ? DxilView::typed_buffer : DxilView::other;
    case D3D_SIT_UAV_RWSTRUCTURED:
      return DxilView::rw_structured_buffer;
    case D3D_SIT_UAV_RWBYTEADDRESS:
      return DxilView::rw_byte_address_buffer;
    case D3D_SIT_UAV_RWTYPED:
      return is_buffer ? DxilView::rw_typed_buffer : DxilView::other;
    default:
      return DxilView::other;
  }
}

struct Member {
  std::string name;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

std::vector<Member> members_of(ID3D12ShaderReflectionConstantBuffer& buffer) {
  std::vector<Member> members;
  D3D12_SHADER_BUFFER_DESC description{};
  if (FAILED(buffer.GetDesc(&description))) {
    return members;
  }
  for (UINT i = 0; i < description.Variables; ++i) {
    D3D12_SHADER_VARIABLE_DESC member{};
    if (SUCCEEDED(buffer.GetVariableByIndex(i)->GetDesc(&member))) {
      members.push_back({member.Name, member.StartOffset, member.Size});
    }
  }
  return members;
}

}  // namespace

std::optional<std::array<std::byte, 16>> dxil_reflection_id() {
  return std::bit_cast<std::array<std::byte, sizeof(GUID)>>(reflection_id);
}

DxilReflection read_dxil_reflection(void* object) {
  auto* const shader = static_cast<ID3D12ShaderReflection*>(object);
  DxilReflection reflection;
  auto& size = reflection.group_size;
  shader->GetThreadGroupSize(&size[0], &size[1], &size[2]);
  D3D12_SHADER_DESC description{};
  shader->GetDesc(&description);
  for (UINT i = 0; i < description.BoundResources; ++i) {
    D3D12_SHADER_INPUT_BIND_DESC bound{};
    if (FAILED(shader->GetResourceBindingDesc(i, &bound))) {
      continue;
    }
    NamedResource resource{bound.Name, view_of(bound), bound.BindPoint, bound.Space, bound.BindCount};
    if (resource.view == DxilView::structured_buffer || resource.view == DxilView::rw_structured_buffer) {
      resource.stride = bound.NumSamples;
    }
    if (resource.view == DxilView::constant_buffer) {
      for (const auto& member : members_of(*shader->GetConstantBufferByName(bound.Name))) {
        resource.bytes = std::max(resource.bytes, member.offset + member.bytes);
        if (resource.name == "$Globals") {
          reflection.globals.push_back({member.name, member.offset});
        }
      }
    }
    reflection.resources.push_back(std::move(resource));
  }
  shader->Release();
  return reflection;
}

}  // namespace crosslane::compile
