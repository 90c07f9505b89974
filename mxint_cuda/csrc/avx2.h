// Thirty-two bytes with AVX2, whose instructions multiply 32 of one operand (unsigned) by 32 of
// another (signed) and add the products up by twos, then by fours, into 8 lanes.  AVX-VNNI, which
// most laptops have since 2021 and without AVX-512, does all of it in one instruction.
#pragma once

#include <immintrin.h>

#include "cpu.h"

namespace mxint {
namespace {

constexpr int kLanes = 8;   // of 32 bits
constexpr int kBlock = 32;  // inputs in a register

// Groups must be of whole registers.
MXINT_INLINE bool has_whole_registers(int64_t size) { return size % kBlock == 0; }

// The first `count` of 32 bytes, and zeros.
MXINT_INLINE __m256i load(const int8_t* bytes, int64_t count) {
  if (count >= kBlock) return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
  alignas(__m256i) int8_t padded[kBlock] = {};
  memcpy(padded, bytes, count);
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(padded));
}

// Adds the products of 32 bytes, the first unsigned, by fours to the 8 lanes of `sums`.  Without
// VNNI two of them must fit into 16 bits.
MXINT_INLINE __m256i add_bytes(__m256i sums, __m256i a, __m256i b) {
#ifdef __AVXVNNI__
  return _mm256_dpbusd_avx_epi32(sums, a, b);
#else
  const __m256i twos = _mm256_maddubs_epi16(a, b);
  return _mm256_add_epi32(sums, _mm256_madd_epi16(twos, _mm256_set1_epi16(1)));
#endif
}

// For the benchmark: what no kernel can be faster than.  The instructions of add_bytes are written
// out, because GCC 12 would multiply once, before the loop.
int64_t multiply_in_registers(int64_t products) {
  constexpr int chains = 12;  // sums, as each instruction of one waits for the one before
  const __m256i ones = _mm256_set1_epi8(1);
  __m256i sums[chains];
#pragma GCC unroll 12
  for (__m256i& sum : sums) sum = _mm256_setzero_si256();
  for (int64_t done = 0; done < products; done += chains * kBlock) {
#pragma GCC unroll 12
    for (__m256i& sum : sums) {
#ifdef MXINT_EMULATED
      sum = add_bytes(sum, ones, ones);
#elif defined __AVXVNNI__
      asm volatile("%{vex%} vpdpbusd %1, %1, %0" : "+x"(sum) : "x"(ones));
#else
      __m256i twos;
      asm volatile("vpmaddubsw %2, %2, %1\n\tvpmaddwd %3, %1, %1\n\tvpaddd %1, %0, %0"
                   : "+x"(sum), "=&x"(twos)
                   : "x"(ones), "x"(_mm256_set1_epi16(1)));
#endif
    }
  }
#pragma GCC unroll 12
  for (int c = 1; c < chains; ++c) sums[0] = _mm256_add_epi32(sums[0], sums[c]);
  alignas(__m256i) int32_t lanes[kLanes];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), sums[0]);
  return lanes[0];
}

MXINT_INLINE __m256 add_scaled(__m256 sum, __m256i products, __m256 of_w, __m256 of_x) {
  return _mm256_fmadd_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(products), of_w), of_x, sum);
}

// The scales of all exponents, to be looked up.
struct Scales {
  float plain[256], of_x[256], of_w[256];

  Scales() {
    for (int e = 0; e < 256; ++e) {
      const float scale = scale_of(static_cast<uint8_t>(e));
      plain[e] = scale;
      of_x[e] = scale * kLarger;
      of_w[e] = scale / kLarger;
    }
  }
};

const Scales& scales() {
  static const Scales all;
  return all;
}

// Sixteen floats.
struct Floats {
  __m256 first, second;
};

MXINT_INLINE Floats broadcast(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }

MXINT_INLINE Floats load(const float* x) { return {_mm256_load_ps(x), _mm256_load_ps(x + kLanes)}; }

MXINT_INLINE void store(float* to, Floats x) {
  _mm256_store_ps(to, x.first);
  _mm256_store_ps(to + kLanes, x.second);
}

MXINT_INLINE Floats add(Floats a, Floats b) {
  return {_mm256_add_ps(a.first, b.first), _mm256_add_ps(a.second, b.second)};
}

MXINT_INLINE Floats multiply(Floats a, Floats b) {
  return {_mm256_mul_ps(a.first, b.first), _mm256_mul_ps(a.second, b.second)};
}

MXINT_INLINE Floats add_product(Floats sum, Floats a, Floats b) {
  return {_mm256_fmadd_ps(a.first, b.first, sum.first),
          _mm256_fmadd_ps(a.second, b.second, sum.second)};
}

MXINT_INLINE float sum_of_lanes(__m256 x) {
  __m128 sum = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
  return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}

}  // namespace
}  // namespace mxint
