// Several rows of x in integers: a lane's four bytes are four inputs of its own column, and four
// inputs of x are broadcast to all lanes.
#pragma once

#include <vector>

#include "strips.h"

namespace mxint {
namespace {

constexpr int64_t kMostRows = 64;  // of x at a time

// x, rearranged block by block, so that one block of all rows is one piece of memory.
template <int Run>
struct Rows {
  static constexpr int runs = kBlock / Run;  // in a block
  struct Part {
    int8_t x[kBlock];     // zeros past the end
    int32_t start[runs];  // -128 times the sum of x
    float scale[runs];
  };

  int64_t count, blocks;
  std::vector<Part> parts;

  Rows(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent, int64_t rows)
      : count(rows),
        blocks((layer.inputs + kBlock - 1) / kBlock),
        parts(count * blocks) {
    const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
    for (int64_t row = 0; row < count; ++row) {
      for (int64_t k = 0; k < layer.inputs; k += Run) {
        const int8_t* x = mantissa + row * layer.inputs + k;
        const int64_t length = smaller(Run, layer.inputs - k);
        int32_t sum = 0;
        for (int64_t i = 0; i < length; ++i) sum += x[i];
        Part& part = parts[k / kBlock * count + row];
        memcpy(part.x + k % kBlock, x, length);
        part.start[k % kBlock / Run] = -128 * sum;
        part.scale[k % kBlock / Run] =
            scale_of(exponent[row * groups + k / layer.size]) * kLarger;
      }
    }
  }
};

// A transposed block of a strip, and the scales of its runs.
template <int Run>
struct Block {
  __m512i w[kLanes32];
  __m512 scale[Rows<Run>::runs];
};

// Adds to each lane of `sums` the products of its own four weights with four inputs of x.  An
// instruction can read four bytes of memory for all lanes, which GCC 12 does not make it do.
MXINT_INLINE void add_products_of_four(__m512i& sums, __m512i w, const int8_t* x) {
#ifdef MXINT_EMULATED
  int32_t four;
  memcpy(&four, x, sizeof(four));
  sums = _mm512_dpbusd_epi32(sums, w, _mm512_set1_epi32(four));
#else
  using Four = int8_t[4];
  asm("vpdpbusd %2%{1to16%}, %1, %0"
      : "+v"(sums)
      : "v"(w), "m"(*reinterpret_cast<const Four*>(x)));
#endif
}

// Adds the products of a block with R rows of x to their sums, 16 a row.  The rows take turns, as
// each instruction of one sum waits for the one before.  It is a function of its own to have all
// registers for itself.
template <int Run, int R>
[[gnu::noinline]] void multiply(const Block<Run>& block, const typename Rows<Run>::Part* x,
                                float* sums) {
#pragma GCC unroll 16
  for (int run = 0; run < Rows<Run>::runs; ++run) {
    __m512i sum[R];
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) sum[r] = _mm512_set1_epi32(x[r].start[run]);
#pragma GCC unroll 16
    for (int word = run * Run / 4; word < (run + 1) * Run / 4; ++word) {
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) add_products_of_four(sum[r], block.w[word], x[r].x + word * 4);
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const __m512 product = _mm512_mul_ps(_mm512_cvtepi32_ps(sum[r]), block.scale[run]);
      float* y = sums + r * kLanes32;
      _mm512_store_ps(
          y, _mm512_fmadd_ps(product, _mm512_set1_ps(x[r].scale[run]), _mm512_load_ps(y)));
    }
  }
}

// The 16 columns of y from n on, for all rows; `sums` holds 16 numbers a row.
template <int Run>
void multiply_strip(const Linear& layer, const Rows<Run>& rows, int64_t n, float* sums) {
  constexpr int runs = Rows<Run>::runs;
  const Strip mantissas(layer.mantissa, layer.inputs, n, layer.outputs);
  StripExponents exponents(layer, n);
  for (int64_t i = 0; i < rows.count * kLanes32; ++i) sums[i] = 0;

  for (int64_t b = 0; b < rows.blocks; ++b) {
    Block<Run> block;
    mantissas.load_transposed(b * kBlock, block.w);
    for (__m512i& word : block.w) word = lifted(word);
    for (int run = 0; run < runs; ++run) {
      block.scale[run] = exponents.scales((b * kBlock + run * Run) / layer.size, kLargerBits);
    }
    const auto* x = rows.parts.data() + b * rows.count;
    int64_t row = 0;
    for (; row + 16 <= rows.count; row += 16) {
      multiply<Run, 16>(block, x + row, sums + row * kLanes32);
    }
    for (; row + 4 <= rows.count; row += 4) {
      multiply<Run, 4>(block, x + row, sums + row * kLanes32);
    }
    for (; row < rows.count; ++row) multiply<Run, 1>(block, x + row, sums + row * kLanes32);
  }
}

template <int Run>
void linear_by_strips(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                    int64_t begin, int64_t end) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  for (int64_t first = 0; first < layer.rows; first += kMostRows) {
    const int64_t count = smaller(layer.rows - first, kMostRows);
    const Rows<Run> rows(layer, mantissa + first * layer.inputs, exponent + first * groups, count);
    alignas(64) float sums[kMostRows * kLanes32];
    for (int64_t n = begin; n < end; n += kLanes32) {
      multiply_strip(layer, rows, n, sums);
      store_columns<kLanes32>(layer, sums, first, count, n, end);
    }
  }
}

}  // namespace
}  // namespace mxint
