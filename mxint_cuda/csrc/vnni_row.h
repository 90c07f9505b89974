// One row of x in integers.  The lanes are the inputs of a block, by fours, and are added up in the end: W is
// used as it lies in memory, as to rearrange it would take longer than to read it.
#pragma once

#include <vector>

#include "lanes.h"

namespace mxint {
namespace {

// A block of x, and for each lane its scale, and which of 16 exponents of W is its own.
struct LanesOfX {
  __m512i x, start, which;
  __m512 scale;
};

std::vector<LanesOfX> arrange(const Linear& layer, const int8_t* mantissa,
                              const uint8_t* exponent) {
  std::vector<LanesOfX> blocks((layer.inputs + kBlock - 1) / kBlock);
  const __m512i ones = _mm512_set1_epi8(1), zeros = _mm512_setzero_si512();
  const int64_t run = run_length(layer.size);
  for (int64_t first = 0; first < layer.inputs; first += kBlock) {
    LanesOfX& block = blocks[first / kBlock];
    block.x = load(mantissa + first, layer.inputs - first);
    const __m512i sums = _mm512_dpbusd_epi32(zeros, ones, block.x);
    block.start = _mm512_slli_epi32(_mm512_sub_epi32(zeros, sums), 7);  // times -128
    alignas(64) float scale[kLanes32];
    alignas(64) int32_t which[kLanes32];
    int64_t group = 0;
    for (int lane = 0; lane < kLanes32; ++lane) {
      if (lane * 4 % run == 0) group = smaller(first + lane * 4, layer.inputs - 1) / layer.size;
      scale[lane] = scale_of(exponent[group]) * kLarger;
      which[lane] = static_cast<int32_t>(group % kLanes32);
    }
    block.scale = _mm512_load_ps(scale);
    block.which = _mm512_load_si512(which);
  }
  return blocks;
}

MXINT_INLINE __m512 add_products(__m512 sums, const LanesOfX& block, __m512i w, __m512 scales) {
  const __m512i products = _mm512_dpbusd_epi32(block.start, lifted(w), block.x);
  const __m512 scaled =
      _mm512_mul_ps(_mm512_cvtepi32_ps(products), _mm512_permutexvar_ps(block.which, scales));
  return _mm512_fmadd_ps(scaled, block.scale, sums);
}

// Columns one after the other, as they lie in memory.
void linear_of_one_row(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                       int64_t begin, int64_t end) {
  constexpr int chains = 4;  // sums, as each instruction of one waits for the one before
  // How far ahead bytes are fetched: the processor itself looks ahead within a page only, and
  // exponents, which come a few at a time, it does not fetch soon enough.
  constexpr int64_t ahead = 4096, exponents_ahead = 1024;
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const std::vector<LanesOfX> x = arrange(layer, mantissa, exponent);
  const int64_t blocks = static_cast<int64_t>(x.size()), whole = layer.inputs / kBlock;
  const int64_t step = layer.size / (kBlock / kLanes32);  // blocks that 16 exponents of W are for
  for (int64_t n = begin; n < end; ++n) {
    const int8_t* w = layer.mantissa + n * layer.inputs;
    const uint8_t* e = layer.exponent + n * groups;
    __m512 sums[chains], scales = _mm512_setzero_ps();
    for (__m512& sum : sums) sum = _mm512_setzero_ps();
    for (int64_t first = 0; first < blocks; first += step) {
      const int64_t group = first / step * kLanes32, last = smaller(first + step, whole);
      _mm_prefetch(e + group + exponents_ahead, _MM_HINT_T0);
      const __m512i bytes = load(e + group, smaller(kLanes32, groups - group));
      scales = scales_of(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(bytes)), kLargerBits);
      int64_t b = first;
      for (; b + chains <= last; b += chains) {
#pragma GCC unroll 4
        for (int c = 0; c < chains; ++c) {
          const int8_t* here = w + (b + c) * kBlock;
          _mm_prefetch(here + ahead, _MM_HINT_T0);
          sums[c] = add_products(sums[c], x[b + c], _mm512_loadu_si512(here), scales);
        }
      }
      for (; b < last; ++b) {
        sums[0] = add_products(sums[0], x[b], _mm512_loadu_si512(w + b * kBlock), scales);
      }
    }
    if (whole < blocks) {
      const __m512i rest = load(w + whole * kBlock, layer.inputs - whole * kBlock);
      sums[0] = add_products(sums[0], x[whole], rest, scales);
    }
    for (int c = 1; c < chains; ++c) sums[0] = _mm512_add_ps(sums[0], sums[c]);
    const float bias = layer.bias ? layer.bias[n] : 0.0f;
    layer.y[n] = _mm512_reduce_add_ps(sums[0]) + bias;
  }
}

}  // namespace
}  // namespace mxint
