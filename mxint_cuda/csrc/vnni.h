// y = x W^T in integers with AVX-512 VNNI, whose one instruction multiplies 64 bytes of one operand
// (unsigned) by 64 of another (signed) and adds the products up by fours, into 16 lanes.
//
// W takes the unsigned side as W + 128.  What that adds, 128 times the sum of x, is known
// beforehand: it is what the sums of products begin with.
#pragma once

#include "lanes.h"

namespace mxint {
namespace {

// w + 128, unsigned
MXINT_INLINE __m512i lifted(__m512i w) { return _mm512_xor_si512(w, _mm512_set1_epi8(-128)); }

// For the benchmark: what no kernel can be faster than.
int64_t multiply_in_registers(int64_t products) {
  constexpr int chains = 12;  // sums, as each instruction of one waits for the one before
  __m512i sums[chains];
  for (__m512i& sum : sums) sum = _mm512_setzero_si512();
  const __m512i a = _mm512_set1_epi8(1), b = _mm512_set1_epi8(1);
  for (int64_t done = 0; done < products; done += chains * kBlock) {
#pragma GCC unroll 12
    for (__m512i& sum : sums) sum = _mm512_dpbusd_epi32(sum, a, b);
  }
  for (int c = 1; c < chains; ++c) sums[0] = _mm512_add_epi32(sums[0], sums[c]);
  return _mm512_reduce_add_epi32(sums[0]);
}

}  // namespace
}  // namespace mxint
