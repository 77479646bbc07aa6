// Faults seen in released compilers. Each is found by a probe, never by a version number, and switches one workaround.
#pragma once

namespace crosslane::compile {

struct Faults {
  bool declares_partitioned = false;      ///< wave reduces declare GroupNonUniformPartitionedNV
  bool moves_wave_operations = false;     ///< the optimiser moves wave operations across break and continue
  bool registers_share_bindings = false;  ///< t0, u0 and b0 share one Binding
  bool drops_wave_size = false;           ///< [WaveSize] vanishes from SPIR-V
  bool lacks_multi_prefix = false;        ///< no WaveMultiPrefix* on SPIR-V
  bool lacks_memory_model = false;        ///< no Vulkan memory model on SPIR-V
  bool leaves_checksum_zero = false;      ///< DXIL containers have no checksum
  bool contracts_floats = false;          ///< a*b+c becomes one operation unless precise
};

}  // namespace crosslane::compile
