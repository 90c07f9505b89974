// y = x W^T in float32, with AVX-512: W is decoded in registers, sixteen numbers at a time.
#pragma once

#include "avx512.h"

namespace mxint {
namespace {

// Columns n to n + 3 of one row of y.
MXINT_INLINE void multiply_row(const Linear& layer, const float* x, int64_t n, int64_t end,
                               float* y) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const Columns<kTogether> columns(layer, groups, n, end);
  __m512 sums[kTogether], scales[kTogether];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (int64_t group = 0, start = 0; group < groups; ++group, start += layer.size) {
    for (int c = 0; c < kTogether; ++c) scales[c] = _mm512_set1_ps(scale_of(columns.e[c][group]));
    for_each_piece(smaller(layer.size, layer.inputs - start), [&](int64_t i, __mmask16 mask) {
      const __m512 piece = load_piece(x + start + i, mask);
#pragma GCC unroll 4
      for (int c = 0; c < kTogether; ++c) {
        const int8_t* here = columns.w[c] + start + i;
        // The columns after these: the processor itself looks ahead within a page only.
        _mm_prefetch(here + kTogether * layer.inputs, _MM_HINT_T1);
        const __m128i m = _mm_maskz_loadu_epi8(mask, here);
        const __m512 value = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(m));
        sums[c] = _mm512_fmadd_ps(_mm512_mul_ps(value, scales[c]), piece, sums[c]);
      }
    });
  }
  for (int c = 0; c < kTogether && n + c < end; ++c) {
    y[n + c] = _mm512_reduce_add_ps(sums[c]) + (layer.bias ? layer.bias[n + c] : 0.0f);
  }
}

void linear_of_float_rows(const Linear& layer, const float* x, int64_t begin, int64_t end) {
  for (int64_t n = begin; n < end; n += kTogether) {
    for (int64_t row = 0; row < layer.rows; ++row) {
      multiply_row(layer, x + row * layer.inputs, n, end, layer.y + row * layer.outputs);
    }
  }
}

}  // namespace
}  // namespace mxint
