// Compute pipelines and their root signatures.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/d3d12/state.hpp"

namespace crosslane::d3d12 {

/// What a root signature's parameters are, by their places.
struct RootLayout {
  std::optional<std::uint32_t> pushed;
  std::optional<std::uint32_t> specialized;
  std::optional<std::uint32_t> table;
  std::uint32_t descriptors = 0;  ///< of the table; resources lie in it in their order, elements side by side
};

class D3d12Pipeline final : public Pipeline {
 public:
  /// Errors: `unsupported` where there is no DXIL, for resources that are not buffers, wave sizes that the device does
  /// not have or cannot be asked for, and shaders that the device refuses.
  static Expected<std::unique_ptr<Pipeline>> create(std::shared_ptr<DeviceState> state,
                                                    const PipelineDescription& description);

  [[nodiscard]] std::array<std::uint32_t, 3> group_size() const override { return group_size_; }
  [[nodiscard]] std::uint32_t wave_size() const override { return wave_size_; }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<DxilResource>& resources() const { return resources_; }
  [[nodiscard]] std::uint32_t constants_bytes() const { return constants_bytes_; }
  [[nodiscard]] const std::vector<std::uint32_t>& specialized() const { return specialized_; }
  [[nodiscard]] const RootLayout& layout() const { return layout_; }
  [[nodiscard]] ID3D12RootSignature* root_signature() const { return root_signature_.get(); }
  [[nodiscard]] ID3D12PipelineState* handle() const { return pipeline_.get(); }
  [[nodiscard]] const DeviceState* state() const { return state_.get(); }

 private:
  D3d12Pipeline() = default;
  Expected<void> make_root_signature(const DxilShader& shader);
  Expected<void> make_pipeline(const DxilShader& shader);

  std::shared_ptr<DeviceState> state_;
  std::string name_;
  std::vector<DxilResource> resources_;
  std::vector<std::uint32_t> specialized_;
  std::uint32_t constants_bytes_ = 0;
  RootLayout layout_;
  std::array<std::uint32_t, 3> group_size_{};
  std::uint32_t wave_size_ = 0;
  Reference<ID3D12RootSignature> root_signature_;
  Reference<ID3D12PipelineState> pipeline_;
};

/// "Shader "reduce.u32.sum.shuffle", set 0, binding 3".
std::string where(const D3d12Pipeline& pipeline, std::uint32_t set, std::uint32_t slot);

}  // namespace crosslane::d3d12
