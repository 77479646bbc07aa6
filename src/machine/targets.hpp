// Which of Highway's instruction sets the handlers are compiled for: the baseline, AVX2 and AVX-512. Include it before
// any of Highway's headers.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
