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

// The most rows that are taken so.  Groups of other sizes would leave lanes empty at their ends.
MXINT_INLINE int64_t most_few_rows(int64_t size) { return size % kLanes == 0 ? kMostFewRows : 0; }

// R rows of y, in the columns that are taken together from n on.
template <int R>
void multiply_few_rows(const Linear& layer, const float* x, float* y, int64_t n, int64_t end) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const Columns<kColumnsTogether> columns(layer, groups, n, end);
  static_assert(kColumnsTogether * kPiece == kLine);
  const int8_t* line = columns.w[0] + bytes_ahead<kColumnsTogether>(layer.inputs);
  Register sums[kColumnsTogether][R];  // kept in registers only if each loop over all is unrolled
#pragma GCC unroll 16
  for (int i = 0; i < kColumnsTogether * R; ++i) sums[i / R][i % R] = broadcast_register(0);
  for (int64_t group = 0; group < groups; ++group) {
    const int64_t start = group * layer.size, stop = smaller(start + layer.size, layer.inputs);
    Register scales[kColumnsTogether];
#pragma GCC unroll 4
    for (int c = 0; c < kColumnsTogether; ++c) {
      scales[c] = broadcast_register(scale_of(columns.e[c][group]));
    }
    const auto add_inputs = [&](int64_t i, int64_t count) __attribute__((always_inline)) {
      // A piece of all columns has as many bytes as a line, so with each the next line of W is
      // fetched, in the order in which lines lie in memory.  Where several were fetched at once, or
      // each more than once, a layer took up to a quarter longer.
      if ((i & (kPiece - kLanes)) == 0) {
        _mm_prefetch(line, _MM_HINT_T1);
        line += kLine;
      }
      Register inputs[R];
#pragma GCC unroll 4
      for (int r = 0; r < R; ++r) inputs[r] = load_register(x + r * layer.inputs + i, count);
#pragma GCC unroll 4
      for (int c = 0; c < kColumnsTogether; ++c) {
        const Register w = multiply(load_register(columns.w[c] + i, count), scales[c]);
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) sums[c][r] = add_product(sums[c][r], w, inputs[r]);
      }
    };
    int64_t i = start;
    for (; i + kLanes <= stop; i += kLanes) add_inputs(i, kLanes);
    if (i < stop) add_inputs(i, stop - i);
  }
  float total[kColumnsTogether][R];
#pragma GCC unroll 16
  for (int i = 0; i < kColumnsTogether * R; ++i) {
    total[i / R][i % R] = sum_of_lanes(sums[i / R][i % R]);
  }
  for (int c = 0; c < kColumnsTogether && n + c < end; ++c) {
    for (int r = 0; r < R; ++r) {
      y[r * layer.outputs + n + c] = total[c][r] + (layer.bias ? layer.bias[n + c] : 0.0f);
    }
  }
}

// Calls multiply_few_rows<rows>, for 1 to R rows.
template <int R = kRowsTogether>
void multiply_up_to(int64_t rows, const Linear& layer, const float* x, float* y, int64_t n,
                    int64_t end) {
  if constexpr (R > 1) {
    if (rows < R) return multiply_up_to<R - 1>(rows, layer, x, y, n, end);
  }
  multiply_few_rows<R>(layer, x, y, n, end);
}

// All rows, in as few parts as possible, none of which is more than a row larger than another.
void linear_of_float_rows(const Linear& layer, const float* x, int64_t begin, int64_t end) {
  const int64_t parts = (layer.rows + kRowsTogether - 1) / kRowsTogether;
  for (int64_t n = begin; n < end; n += kColumnsTogether) {
    for (int64_t part = 0; part < parts; ++part) {
      const int64_t first = part * layer.rows / parts, next = (part + 1) * layer.rows / parts;
      multiply_up_to(next - first, layer, x + first * layer.inputs,
                     layer.y + first * layer.outputs, n, end);
    }
  }
}

}  // namespace
}  // namespace mxint
