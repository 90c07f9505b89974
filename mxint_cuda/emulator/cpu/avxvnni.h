// AVX-VNNI for a processor with AVX2 alone.  This file is included before cpu.cpp, whose kernels find
// this function before the compiler's.
#pragma once

#include "lanes_of.h"

#define __AVXVNNI__

namespace mxint {
namespace {

inline __m256i _mm256_dpbusd_avx_epi32(__m256i sums, __m256i a, __m256i b) {
  return add_products_by_fours(sums, a, b);
}

}  // namespace
}  // namespace mxint
