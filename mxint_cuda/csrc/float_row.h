// A few rows of x in float32: W is decoded in registers, sixteen numbers at a time.
#pragma once

#ifdef __AVX512VNNI__
#include "avx512.h"
#else
#include "avx2_pieces.h"
#endif

namespace mxint {
namespace {

// Columns n to n + 3 of one row of y.
MXINT_INLINE void multiply_row(const Linear& layer, const float* x, int64_t n, int64_t end,
                               float* y) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const Columns<kTogether> columns(layer, groups, n, end);
  Floats sums[kTogether], scales[kTogether];
  for (Floats& sum : sums) sum = broadcast(0);
  for (int64_t group = 0, start = 0; group < groups; ++group, start += layer.size) {
    for (int c = 0; c < kTogether; ++c) {
      scales[c] = broadcast(scale_of(columns.e[c][group]));
    }
    for_each_piece(smaller(layer.size, layer.inputs - start), [&](int64_t i, int64_t count) {
      const Floats piece = load_piece(x + start + i, count);
#pragma GCC unroll 4
      for (int c = 0; c < kTogether; ++c) {
        const int8_t* here = columns.w[c] + start + i;
        // The columns after these: the processor itself looks ahead within a page only.
        _mm_prefetch(here + kTogether * layer.inputs, _MM_HINT_T1);
        sums[c] = add_product(sums[c], multiply(load_piece(here, count), scales[c]), piece);
      }
    });
  }
  for (int c = 0; c < kTogether && n + c < end; ++c) {
    y[n + c] = sum_of_lanes(sums[c]) + (layer.bias ? layer.bias[n + c] : 0.0f);
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
