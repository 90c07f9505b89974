// Two to sixteen rows of x in float32, with AVX-512: registers hold the sums of all rows, so that a
// strip's weights are multiplied as soon as they are decoded, and need not be kept in L1.
#pragma once

#include "float_strips.h"

namespace mxint {
namespace {

constexpr int64_t kMostInRegisters = 16;

// Of up to R rows.
template <int Run, int R>
void linear_of_up_to(const Linear& layer, const float* x, int64_t begin, int64_t end) {
  constexpr int chains = kChains<R>;
  const int64_t blocks = (layer.inputs + kBlock - 1) / kBlock;
  const auto parts = by_blocks(x, layer.rows, R, layer.inputs, blocks);
  for (int64_t n = begin; n < end; n += kColumns) {
    FloatStrip<Run> strip(layer, n);
    Floats sum[chains][R];
#pragma GCC unroll 64
    for (int i = 0; i < chains * R; ++i) sum[i / R][i % R] = broadcast(0);
    for (int64_t b = 0; b < blocks; ++b) {
      const float* block = parts.data() + b * R * kBlock;
      strip.for_each_input(b, [&](int first, int i, Floats w) __attribute__((always_inline)) {
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
          Floats& to = sum[i % chains][r];
          to = add_product(to, w, broadcast(block[r * kBlock + first + i]));
        }
      });
    }
    alignas(64) float sums[R * kColumns];
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
      for (int c = 1; c < chains; ++c) sum[0][r] = add(sum[0][r], sum[c][r]);
      store(sums + r * kColumns, sum[0][r]);
    }
    store_columns<kColumns>(layer, sums, 0, layer.rows, n, end);
  }
}

template <int Run>
void linear_in_registers(const Linear& layer, const float* x, int64_t begin, int64_t end) {
  if (layer.rows <= 2) return linear_of_up_to<Run, 2>(layer, x, begin, end);
  if (layer.rows <= 4) return linear_of_up_to<Run, 4>(layer, x, begin, end);
  if (layer.rows <= 6) return linear_of_up_to<Run, 6>(layer, x, begin, end);
  if (layer.rows <= 8) return linear_of_up_to<Run, 8>(layer, x, begin, end);
  if (layer.rows <= 12) return linear_of_up_to<Run, 12>(layer, x, begin, end);
  return linear_of_up_to<Run, 16>(layer, x, begin, end);
}

}  // namespace
}  // namespace mxint
