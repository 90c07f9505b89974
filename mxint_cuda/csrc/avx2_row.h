// One row of x in integers, with AVX2.  The lanes are the inputs of a register, by fours, and are
// added up in the end: W is used as it lies in memory, as to rearrange it would take longer than to
// read it.
#pragma once

#include "avx2.h"

namespace mxint {
namespace {

// 32 inputs of x, which are multiplied with the same of several columns.
class Inputs {
 public:
  MXINT_INLINE explicit Inputs(__m256i x) : x_(x) {
#ifdef __AVXVNNI__
    minus_lifted_ = add_bytes(_mm256_setzero_si256(), _mm256_set1_epi8(-128),
                              _mm256_sub_epi8(_mm256_setzero_si256(), x));
#endif
  }

  // Their products with w, added by fours.
  MXINT_INLINE __m256i times(__m256i w) const {
#ifdef __AVXVNNI__
    // W takes the unsigned side as w + 128.  What that adds is known beforehand.
    return add_bytes(minus_lifted_, _mm256_xor_si256(w, _mm256_set1_epi8(-128)), x_);
#else
    // W takes the unsigned side as its magnitude, and x the sign of W: no product changes.  Two of
    // them fit into 16 bits, as x has no -128: its encoder emits none.
    return add_bytes(_mm256_setzero_si256(), _mm256_abs_epi8(w), _mm256_sign_epi8(x_, w));
#endif
  }

 private:
  __m256i x_;
#ifdef __AVXVNNI__
  __m256i minus_lifted_;  // -128 times the sum of x, by fours
#endif
};

// Adds up columns of y, in lanes.
MXINT_INLINE void multiply_columns(const Linear& layer, const Columns<kTogether>& columns,
                                   const int8_t* mantissa, const uint8_t* exponent,
                                   int64_t ahead, __m256 (&sums)[kTogether]) {
  const Scales& scale = scales();
  for (__m256& sum : sums) sum = _mm256_setzero_ps();
  for (int64_t group = 0, start = 0; start < layer.inputs; ++group) {
    const int64_t end = smaller(start + layer.size, layer.inputs);
    const __m256 of_x = _mm256_set1_ps(scale.of_x[exponent[group]]);
    __m256 of_w[kTogether];
    for (int c = 0; c < kTogether; ++c) {
      of_w[c] = _mm256_set1_ps(scale.of_w[columns.e[c][group]]);
    }
    const auto add_inputs = [&](int64_t count) __attribute__((always_inline)) {
      const Inputs x(load(mantissa + start, count));
#pragma GCC unroll 4
      for (int c = 0; c < kTogether; ++c) {
        const int8_t* w = columns.w[c] + start;
        _mm_prefetch(w + ahead, _MM_HINT_T1);
        sums[c] = add_scaled(sums[c], x.times(load(w, count)), of_w[c], of_x);
      }
      start += kBlock;
    };
    while (start + kBlock <= end) add_inputs(kBlock);
    if (start < end) add_inputs(end - start);
  }
}

void linear_of_one_row(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                       int64_t begin, int64_t end) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const int64_t ahead = columns_ahead(layer.inputs);
  for (int64_t n = begin; n < end; n += kTogether) {
    const Columns<kTogether> columns(layer, groups, n, end);
    __m256 sums[kTogether];
    multiply_columns(layer, columns, mantissa, exponent, ahead, sums);
    for (int c = 0; c < kTogether && n + c < end; ++c) {
      layer.y[n + c] = sum_of_lanes(sums[c]) + (layer.bias ? layer.bias[n + c] : 0.0f);
    }
  }
}

}  // namespace
}  // namespace mxint
