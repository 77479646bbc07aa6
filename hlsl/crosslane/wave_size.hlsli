// The wave size that a kernel asks for.
#ifndef CROSSLANE_WAVE_SIZE_HLSLI
#define CROSSLANE_WAVE_SIZE_HLSLI

// Before a shader's [numthreads]: asks for waves of CROSSLANE_WAVE_SIZE lanes where that is defined, on DXIL from shader
// model 6.6 on. Vulkan's pipelines ask for themselves.
#if defined(CROSSLANE_WAVE_SIZE) && !defined(__spirv__)
#define CROSSLANE_WAVE_SIZE_ATTRIBUTE [WaveSize(CROSSLANE_WAVE_SIZE)]
#else
#define CROSSLANE_WAVE_SIZE_ATTRIBUTE
#endif

#endif  // CROSSLANE_WAVE_SIZE_HLSLI
