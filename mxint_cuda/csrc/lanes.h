// Sixteen lanes of 32 bits, with AVX-512.
#pragma once

#include <immintrin.h>

#include <type_traits>

#include "cpu.h"

namespace mxint {
namespace {

constexpr int kLanes32 = 16;  // of 32 bits
constexpr int kBlock = 64;    // inputs in a register

// Inputs that follow each other and share their exponents: the largest power of two that divides the
// group's size, a block at most.  Blocks and groups are made of whole runs.
MXINT_INLINE int64_t run_length(int64_t size) { return smaller(size & -size, kBlock); }

// Whether the kernels by blocks take groups of this size: runs must be of fours.
MXINT_INLINE bool has_whole_runs(int64_t size) { return size % 4 == 0; }

// Calls body with the length of such runs, as a constant.
template <class Body>
MXINT_INLINE void with_run_length(int64_t size, Body body) {
  switch (run_length(size)) {
    case 4: return body(std::integral_constant<int, 4>());
    case 8: return body(std::integral_constant<int, 8>());
    case 16: return body(std::integral_constant<int, 16>());
    case 32: return body(std::integral_constant<int, 32>());
    default: return body(std::integral_constant<int, 64>());
  }
}

// The first `count` of 64 bytes, and zeros.
MXINT_INLINE __m512i load(const void* bytes, int64_t count) {
  if (count >= kBlock) return _mm512_loadu_si512(bytes);
  return _mm512_maskz_loadu_epi8((uint64_t{1} << count) - 1, bytes);
}

// Keeps x in a register, where GCC would load it again at each use.
MXINT_INLINE __m512i kept(__m512i x) {
#ifndef MXINT_EMULATED
  asm("" : "+v"(x));
#endif
  return x;
}

// w + 128, unsigned.  VNNI's one instruction multiplies 64 bytes of one operand (unsigned) by 64 of
// another (signed) and adds the products up by fours, into 16 lanes.  W takes the unsigned side; what
// that adds, 128 times the sum of x, is known beforehand: the sums of products begin with it.
MXINT_INLINE __m512i lifted(__m512i w) { return _mm512_xor_si512(w, _mm512_set1_epi8(-128)); }

#ifndef __AMX_INT8__  // which multiplies faster, on tiles
// For the benchmark: what no kernel can be faster than.  The instruction is written out, because GCC
// 12 would copy each sum twice in the loop.
int64_t multiply_in_registers(int64_t products) {
  constexpr int chains = 12;  // sums, as each instruction of one waits for the one before
  const __m512i ones = _mm512_set1_epi8(1);
  __m512i sums[chains];
#pragma GCC unroll 12
  for (__m512i& sum : sums) sum = _mm512_setzero_si512();
  for (int64_t done = 0; done < products; done += chains * kBlock) {
#pragma GCC unroll 12
    for (__m512i& sum : sums) {
#ifdef MXINT_EMULATED
      sum = _mm512_dpbusd_epi32(sum, ones, ones);
#else
      asm volatile("vpdpbusd %1, %1, %0" : "+v"(sum) : "v"(ones));
#endif
    }
  }
#pragma GCC unroll 12
  for (int c = 1; c < chains; ++c) sums[0] = _mm512_add_epi32(sums[0], sums[c]);
  return _mm512_reduce_add_epi32(sums[0]);
}
#endif

// scale_of / 2^power, for 16 exponents
MXINT_INLINE __m512 scales_of(__m512i e, int power) {
  const __m512i last_subnormal = _mm512_set1_epi32(kFractionBits + power);
  const __m512i normal = _mm512_slli_epi32(_mm512_sub_epi32(e, last_subnormal), 23);
  const __m512i subnormal = _mm512_sllv_epi32(_mm512_set1_epi32(1 << (16 - power)), e);
  const __m512i scale =
      _mm512_mask_mov_epi32(subnormal, _mm512_cmpgt_epi32_mask(e, last_subnormal), normal);
  const __mmask16 is_nan = _mm512_cmpeq_epi32_mask(e, _mm512_set1_epi32(kNaNExponent));
  return _mm512_castsi512_ps(
      _mm512_mask_mov_epi32(scale, is_nan, _mm512_set1_epi32(0x7fc00000)));
}

// Sixteen floats.
using Floats = __m512;

MXINT_INLINE Floats broadcast(float x) { return _mm512_set1_ps(x); }

MXINT_INLINE Floats load(const float* x) { return _mm512_load_ps(x); }

MXINT_INLINE void store(float* to, Floats x) { _mm512_store_ps(to, x); }

MXINT_INLINE Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }

MXINT_INLINE Floats multiply(Floats a, Floats b) { return _mm512_mul_ps(a, b); }

MXINT_INLINE Floats add_product(Floats sum, Floats a, Floats b) {
  return _mm512_fmadd_ps(a, b, sum);
}

MXINT_INLINE float sum_of_lanes(Floats x) { return _mm512_reduce_add_ps(x); }

}  // namespace
}  // namespace mxint
