// A few rows of x in integers, with AVX2.  The lanes are the inputs of a register, by fours, and are
// added up in the end: W is used as it lies in memory, because rearranging it would take longer.
#pragma once

#include "avx2.h"

namespace mxint {
namespace {

// 32 inputs of a row of x, which are multiplied with the same of several columns.
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

// Adds up `Count` columns of R rows of y, in lanes.
template <int R, int Count>
MXINT_INLINE void multiply_columns(const Linear& layer, const Columns<Count>& columns,
                                   const int8_t* mantissa, const uint8_t* exponent,
                                   int64_t groups, __m256 (&sums)[R][Count]) {
  const Scales& scale = scales();
  const int64_t ahead = bytes_ahead<Count>(layer.inputs);
  for (auto& of_row : sums) {
    for (__m256& sum : of_row) sum = _mm256_setzero_ps();
  }
  for (int64_t group = 0, start = 0; start < layer.inputs; ++group) {
    const int64_t end = smaller(start + layer.size, layer.inputs);
    __m256 of_x[R], of_w[Count];
    for (int r = 0; r < R; ++r) of_x[r] = _mm256_set1_ps(scale.of_x[exponent[r * groups + group]]);
    for (int c = 0; c < Count; ++c) of_w[c] = _mm256_set1_ps(scale.of_w[columns.e[c][group]]);
    const auto add_inputs = [&](int64_t count) __attribute__((always_inline)) {
#pragma GCC unroll 4
      for (int c = 0; c < Count; ++c) {
        _mm_prefetch(columns.w[c] + start + ahead, _MM_HINT_T1);
        const __m256i w = load(columns.w[c] + start, count);
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
          const Inputs x(load(mantissa + r * layer.inputs + start, count));
          sums[r][c] = add_scaled(sums[r][c], x.times(w), of_w[c], of_x[r]);
        }
      }
      start += kBlock;
    };
    while (start + kBlock <= end) add_inputs(kBlock);
    if (start < end) add_inputs(end - start);
  }
}

template <int R>
void linear_of_rows(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                    int64_t begin, int64_t end) {
  constexpr int count = R < 4 ? kColumnsTogether : kColumnsTogether / 2;  // 16 registers hold 12 sums
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  for (int64_t n = begin; n < end; n += count) {
    const Columns<count> columns(layer, groups, n, end);
    __m256 sums[R][count];
    multiply_columns(layer, columns, mantissa, exponent, groups, sums);
    for (int r = 0; r < R; ++r) {
      float* y = layer.y + r * layer.outputs + n;
      for (int c = 0; c < count && n + c < end; ++c) {
        y[c] = sum_of_lanes(sums[r][c]) + (layer.bias ? layer.bias[n + c] : 0.0f);
      }
    }
  }
}

constexpr int64_t kMostOfFewRows = 4;  // with more rows strips are faster

void linear_of_few_rows(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                        int64_t begin, int64_t end) {
  switch (layer.rows) {
    case 1: return linear_of_rows<1>(layer, mantissa, exponent, begin, end);
    case 2: return linear_of_rows<2>(layer, mantissa, exponent, begin, end);
    case 3: return linear_of_rows<3>(layer, mantissa, exponent, begin, end);
    default: return linear_of_rows<4>(layer, mantissa, exponent, begin, end);
  }
}

}  // namespace
}  // namespace mxint
