// Rows of x in float32 that float_rows.h does not take: a block of a strip, 16 columns of y, is
// decoded once, into L1, where an input's 16 weights lie side by side, and an input of x is broadcast
// to all lanes.
#pragma once

#include <algorithm>
#include <vector>

#ifdef __AVX512VNNI__
#include "avx512_float_strip.h"
#else
#include "avx2_float_strip.h"
#endif

namespace mxint {
namespace {

// Adds the products of a block with R rows of x to their sums, 16 a row.  Each instruction of one sum
// waits for the one before, so few rows have several sums each.  R is a power of two.
template <int R>
[[gnu::noinline]] void multiply_block(const float (*weights)[kColumns], const float* x,
                                      float* sums) {
  constexpr int chains = std::clamp(kFewestSums / R, 1, 4);
  Floats sum[chains][R];
#pragma GCC unroll 64
  for (int i = 0; i < chains * R; ++i) sum[i / R][i % R] = broadcast(0);
  for (int first = 0; first < kBlock; first += 4) {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const Floats w = load(weights[first + i]);
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        Floats& to = sum[i % chains][r];
        to = add_product(to, w, broadcast(x[r * kBlock + first + i]));
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
    float* y = sums + r * kColumns;
#pragma GCC unroll 4
    for (int c = 1; c < chains; ++c) sum[0][r] = add(sum[0][r], sum[c][r]);
    store(y, add(load(y), sum[0][r]));
  }
}

// Adds those of all `rows` rows, R of them at a time while there are so many, and then fewer.
template <int R = kStripRowsTogether>
MXINT_INLINE void multiply_rows(const float (*weights)[kColumns], const float* x, int64_t rows,
                                float* sums) {
  int64_t row = 0;
  for (; row + R <= rows; row += R) {
    multiply_block<R>(weights, x + row * kBlock, sums + row * kColumns);
  }
  if constexpr (R > 1) {
    multiply_rows<R / 2>(weights, x + row * kBlock, rows - row, sums + row * kColumns);
  }
}

// x, rearranged block by block, so that one block of all rows is one piece of memory; zeros past
// the end.
std::vector<float> by_blocks(const float* x, int64_t rows, int64_t inputs, int64_t blocks) {
  std::vector<float> parts(rows * blocks * kBlock);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t b = 0; b < blocks; ++b) {
      const int64_t first = b * kBlock;
      memcpy(parts.data() + (b * rows + row) * kBlock, x + row * inputs + first,
             smaller(kBlock, inputs - first) * sizeof(float));
    }
  }
  return parts;
}

template <class DecodedStrip>
void linear_of_float_strips(const Linear& layer, const float* x, int64_t begin, int64_t end) {
  const int64_t blocks = (layer.inputs + kBlock - 1) / kBlock;
  for (int64_t first = 0; first < layer.rows; first += kStripRowsPerPass) {
    const int64_t rows = smaller(layer.rows - first, kStripRowsPerPass);
    const auto parts = by_blocks(x + first * layer.inputs, rows, layer.inputs, blocks);
    for (int64_t n = begin; n < end; n += kColumns) {
      DecodedStrip strip(layer, n);
      alignas(64) float sums[kStripRowsPerPass * kColumns] = {};
      for (int64_t b = 0; b < blocks; ++b) {
        alignas(64) float weights[kBlock][kColumns];
        strip.decode(b, weights);
        multiply_rows(weights, parts.data() + b * rows * kBlock, rows, sums);
      }
      store_columns<kColumns>(layer, sums, first, rows, n, end);
    }
  }
}

}  // namespace
}  // namespace mxint
