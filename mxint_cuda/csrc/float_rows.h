// A few rows of x in float32.  The lanes are inputs that follow each other, and are added up in the
// end: W is used as it lies in memory, and what is decoded of it serves several rows.
#pragma once

#ifdef __AVX512VNNI__
#include "avx512_float_rows.h"
#else
#include "avx2_float_rows.h"
#endif

namespace mxint {
namespace {

// The most rows that are taken so; at 16 strips are faster.  Groups of other sizes would leave lanes
// empty at their ends.
MXINT_INLINE int64_t most_few_rows(int64_t size) { return size % kLanes == 0 ? 12 : 0; }

// R rows of y, in C columns from n on.
template <int C, int R>
void multiply_few_rows(const Linear& layer, const float* x, float* y, int64_t n, int64_t end) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const Columns<C> columns(layer, groups, n, end);
  static_assert(C * kLanes <= kLine);
  const int8_t* line = columns.w[0] + bytes_ahead<C>(layer.inputs);
  Register sums[C][R];  // kept in registers only if each loop over all is unrolled
#pragma GCC unroll 16
  for (int i = 0; i < C * R; ++i) sums[i / R][i % R] = broadcast_register(0);
  for (int64_t group = 0; group < groups; ++group) {
    const int64_t start = group * layer.size, stop = smaller(start + layer.size, layer.inputs);
    Register scales[C];
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) {
      scales[c] = broadcast_register(scale_of(columns.e[c][group]));
    }
    const auto add_inputs = [&](int64_t i, int64_t count) __attribute__((always_inline)) {
      // The next line of W whenever as many bytes of all columns have been used, in the order in
      // which lines lie in memory.  Where several were fetched at once, or each more than once, a
      // layer took up to a quarter longer.
      if ((i & (kLine / C - kLanes)) == 0) {
        _mm_prefetch(line, _MM_HINT_T1);
        line += kLine;
      }
      Register inputs[R];
#pragma GCC unroll 6
      for (int r = 0; r < R; ++r) inputs[r] = load_register(x + r * layer.inputs + i, count);
#pragma GCC unroll 4
      for (int c = 0; c < C; ++c) {
        const Register w = multiply(load_register(columns.w[c] + i, count), scales[c]);
#pragma GCC unroll 6
        for (int r = 0; r < R; ++r) sums[c][r] = add_product(sums[c][r], w, inputs[r]);
      }
    };
    int64_t i = start;
    for (; i + kLanes <= stop; i += kLanes) add_inputs(i, kLanes);
    if (i < stop) add_inputs(i, stop - i);
  }
  float total[C][R];
#pragma GCC unroll 16
  for (int i = 0; i < C * R; ++i) {
    total[i / R][i % R] = sum_of_lanes(sums[i / R][i % R]);
  }
  for (int c = 0; c < C && n + c < end; ++c) {
    for (int r = 0; r < R; ++r) {
      y[r * layer.outputs + n + c] = total[c][r] + (layer.bias ? layer.bias[n + c] : 0.0f);
    }
  }
}

// Calls multiply_few_rows<C, rows>, for 1 to R rows.
template <int C, int R>
void multiply_up_to(int64_t rows, const Linear& layer, const float* x, float* y, int64_t n,
                    int64_t end) {
  if constexpr (R > 1) {
    if (rows < R) return multiply_up_to<C, R - 1>(rows, layer, x, y, n, end);
  }
  multiply_few_rows<C, R>(layer, x, y, n, end);
}

// All rows, C columns at a time, in as few parts as possible, none of which is more than a row
// larger than another.
template <int C>
void multiply_by_columns(const Linear& layer, const float* x, int64_t begin, int64_t end) {
  constexpr int most = kMostSums / C;
  const int64_t parts = (layer.rows + most - 1) / most;
  for (int64_t n = begin; n < end; n += C) {
    for (int64_t part = 0; part < parts; ++part) {
      const int64_t first = part * layer.rows / parts, next = (part + 1) * layer.rows / parts;
      multiply_up_to<C, most>(next - first, layer, x + first * layer.inputs,
                              layer.y + first * layer.outputs, n, end);
    }
  }
}

void linear_of_float_rows(const Linear& layer, const float* x, int64_t begin, int64_t end) {
  if (layer.rows <= kMostSums / kColumnsTogether) {
    return multiply_by_columns<kColumnsTogether>(layer, x, begin, end);
  }
  multiply_by_columns<kColumnsOfMoreRows>(layer, x, begin, end);
}

}  // namespace
}  // namespace mxint
