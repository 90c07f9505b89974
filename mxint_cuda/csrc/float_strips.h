// Several rows of x in float32: a block of a strip is decoded once, into L1, where an input's 16
// weights are a register, and an input of x is broadcast to all lanes.
#pragma once

#include <vector>

#include "strips.h"

namespace mxint {
namespace {

constexpr int64_t kFewestOfStrips = 3;  // fewer are faster as the weight lies
constexpr int64_t kMostFloatRows = 48;  // of x at a time: with 4096 inputs these fit into L2

// One input of a block for all lanes of a strip: what lies in L1.
struct alignas(64) Input {
  float w[kLanes32];
};

// Inputs 4 * word to 4 * word + 3 of a block: a lane's four bytes.
MXINT_INLINE void decode_word(__m512i bytes, __m512 scale, Input* inputs) {
  const __m512i shifted[] = {_mm512_slli_epi32(bytes, 24), _mm512_slli_epi32(bytes, 16),
                             _mm512_slli_epi32(bytes, 8), bytes};
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m512 value = _mm512_cvtepi32_ps(_mm512_srai_epi32(shifted[i], 24));
    _mm512_store_ps(inputs[i].w, _mm512_mul_ps(value, scale));
  }
}

template <int Run>
MXINT_INLINE void decode_block(const Linear& layer, const Strip& strip, StripExponents& exponents,
                               int64_t block, Input (&inputs)[kBlock]) {
  __m512i words[kLanes32];
  strip.load_transposed(block * kBlock, words);
#pragma GCC unroll 16
  for (int run = 0; run < kBlock / Run; ++run) {
    const __m512 scale = exponents.scales((block * kBlock + run * Run) / layer.size, 0);
#pragma GCC unroll 16
    for (int word = run * Run / 4; word < (run + 1) * Run / 4; ++word) {
      decode_word(words[word], scale, inputs + word * 4);
    }
  }
}

// Adds the products of a block with R rows of x to their sums, 16 a row.  Few rows have several
// sums each, as each instruction of one sum waits for the one before.
template <int R>
[[gnu::noinline]] void multiply_block(const Input* inputs, const float* x, float* sums) {
  constexpr int chains = R >= 8 ? 1 : R >= 4 ? 2 : 4;
  __m512 sum[chains][R];
#pragma GCC unroll 64
  for (int i = 0; i < chains * R; ++i) sum[i / R][i % R] = _mm512_setzero_ps();
  for (int first = 0; first < kBlock; first += 4) {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const __m512 w = _mm512_load_ps(inputs[first + i].w);
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        __m512& to = sum[i % chains][r];
        to = _mm512_fmadd_ps(w, _mm512_set1_ps(x[r * kBlock + first + i]), to);
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
    float* y = sums + r * kLanes32;
#pragma GCC unroll 4
    for (int c = 1; c < chains; ++c) sum[0][r] = _mm512_add_ps(sum[0][r], sum[c][r]);
    _mm512_store_ps(y, _mm512_add_ps(_mm512_load_ps(y), sum[0][r]));
  }
}

template <int R>
MXINT_INLINE int64_t multiply_rows(const Input* inputs, const float* x, int64_t row, int64_t rows,
                                   float* sums) {
  for (; row + R <= rows; row += R) {
    multiply_block<R>(inputs, x + row * kBlock, sums + row * kLanes32);
  }
  return row;
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

template <int Run>
void linear_of_float_strips(const Linear& layer, const float* x, int64_t begin, int64_t end) {
  const int64_t blocks = (layer.inputs + kBlock - 1) / kBlock;
  for (int64_t first = 0; first < layer.rows; first += kMostFloatRows) {
    const int64_t rows = smaller(layer.rows - first, kMostFloatRows);
    const auto parts = by_blocks(x + first * layer.inputs, rows, layer.inputs, blocks);
    for (int64_t n = begin; n < end; n += kLanes32) {
      const Strip strip(layer.mantissa, layer.inputs, n, layer.outputs);
      StripExponents exponents(layer, n);
      alignas(64) float sums[kMostFloatRows * kLanes32] = {};
      for (int64_t b = 0; b < blocks; ++b) {
        Input inputs[kBlock];
        decode_block<Run>(layer, strip, exponents, b, inputs);
        const float* part = parts.data() + b * rows * kBlock;
        int64_t row = multiply_rows<16>(inputs, part, 0, rows, sums);
        row = multiply_rows<8>(inputs, part, row, rows, sums);
        row = multiply_rows<4>(inputs, part, row, rows, sums);
        multiply_rows<1>(inputs, part, row, rows, sums);
      }
      store_columns<kLanes32>(layer, sums, first, rows, n, end);
    }
  }
}

}  // namespace
}  // namespace mxint
