// y = x W^T in integers with AVX-512 VNNI, whose one instruction multiplies 64 bytes of one operand
// (unsigned) by 64 of another (signed) and adds the products up by fours, into 16 lanes.
//
// W takes the unsigned side as W + 128.  What that adds, 128 times the sum of x, is known
// beforehand: it is what the sums of products begin with.
#pragma once

#include <immintrin.h>

#include "cpu.h"

namespace mxint {
namespace {

constexpr int kLanes32 = 16;  // of 32 bits
constexpr int kBlock = 64;    // inputs in a register

// Inputs of a block that share their exponents.
MXINT_INLINE int64_t run_length(const Linear& layer) { return smaller(layer.size, kBlock); }

// Whether blocks are made of whole runs, and those of four inputs a lane.
bool vnni_takes(const Linear& layer) {
  const int64_t run = run_length(layer);
  return run % 4 == 0 && kBlock % run == 0 && layer.size % run == 0 &&
         (layer.inputs % run == 0 || run == kBlock);
}

// The first `count` of 64 bytes, and zeros.
MXINT_INLINE __m512i load(const void* bytes, int64_t count) {
  if (count >= kBlock) return _mm512_loadu_si512(bytes);
  return _mm512_maskz_loadu_epi8((uint64_t{1} << count) - 1, bytes);
}

// w + 128, unsigned
MXINT_INLINE __m512i lifted(__m512i w) { return _mm512_xor_si512(w, _mm512_set1_epi8(-128)); }

// The sums of integer products are scaled by 2^(E - 133) of either side.  To keep their product
// with W's scale exact and finite for every E, that is taken 2^-16 times too small, which the sum
// gets back in the end.
constexpr float kLarger = 65536.0f;

// scale_of / kLarger, for 16 exponents
MXINT_INLINE __m512 small_scales_of(__m512i e) {
  const __m512i last_subnormal = _mm512_set1_epi32(22);
  const __m512i normal = _mm512_slli_epi32(_mm512_sub_epi32(e, last_subnormal), 23);
  const __m512i subnormal = _mm512_sllv_epi32(_mm512_set1_epi32(1), e);
  const __m512i scale =
      _mm512_mask_mov_epi32(subnormal, _mm512_cmpgt_epi32_mask(e, last_subnormal), normal);
  const __mmask16 is_nan = _mm512_cmpeq_epi32_mask(e, _mm512_set1_epi32(kNaNExponent));
  return _mm512_castsi512_ps(
      _mm512_mask_mov_epi32(scale, is_nan, _mm512_set1_epi32(0x7fc00000)));
}

}  // namespace
}  // namespace mxint
