// Several rows of x.  A strip is 16 columns of y, one a lane.  A block of its weights is transposed
// into registers once, and then serves every row: a lane's four bytes are four inputs of its own
// column, and four inputs of x are broadcast to all lanes.
#pragma once

#include <vector>

#include "vnni.h"

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
        part.scale[k % kBlock / Run] = scale_of(exponent[row * groups + k / layer.size]);
      }
    }
  }
};

// Turns 16 rows of 16 words into 16 columns.
MXINT_INLINE void transpose(__m512i (&r)[kLanes32]) {
  __m512i t[kLanes32];
  for (int i = 0; i < kLanes32; i += 4) {
    const __m512i a = _mm512_unpacklo_epi32(r[i], r[i + 1]);
    const __m512i b = _mm512_unpackhi_epi32(r[i], r[i + 1]);
    const __m512i c = _mm512_unpacklo_epi32(r[i + 2], r[i + 3]);
    const __m512i d = _mm512_unpackhi_epi32(r[i + 2], r[i + 3]);
    t[i] = _mm512_unpacklo_epi64(a, c);
    t[i + 1] = _mm512_unpackhi_epi64(a, c);
    t[i + 2] = _mm512_unpacklo_epi64(b, d);
    t[i + 3] = _mm512_unpackhi_epi64(b, d);
  }
  for (int i = 0; i < 4; ++i) {
    const __m512i a = _mm512_shuffle_i32x4(t[i], t[i + 4], 0x88);
    const __m512i b = _mm512_shuffle_i32x4(t[i], t[i + 4], 0xdd);
    const __m512i c = _mm512_shuffle_i32x4(t[i + 8], t[i + 12], 0x88);
    const __m512i d = _mm512_shuffle_i32x4(t[i + 8], t[i + 12], 0xdd);
    r[i] = _mm512_shuffle_i32x4(a, c, 0x88);
    r[i + 4] = _mm512_shuffle_i32x4(b, d, 0x88);
    r[i + 8] = _mm512_shuffle_i32x4(a, c, 0xdd);
    r[i + 12] = _mm512_shuffle_i32x4(b, d, 0xdd);
  }
}

// The rows of W that are the columns of a strip, and their exponents.
struct Strip {
  const char* rows[kLanes32];
  int64_t length;  // bytes of a row

  // Past the last row there is the last row: computed, not stored.
  Strip(const void* bytes, int64_t row_length, int64_t first, int64_t row_count)
      : length(row_length) {
    for (int i = 0; i < kLanes32; ++i) {
      rows[i] = static_cast<const char*>(bytes) + smaller(first + i, row_count - 1) * length;
    }
  }

  // Bytes first to first + 63 of all rows: words[i] holds word i of each.
  MXINT_INLINE void load_transposed(int64_t first, __m512i (&words)[kLanes32]) const {
    for (int i = 0; i < kLanes32; ++i) words[i] = load(rows[i] + first, length - first);
    transpose(words);
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
  using Four = int8_t[4];
  asm("vpdpbusd %2%{1to16%}, %1, %0"
      : "+v"(sums)
      : "v"(w), "m"(*reinterpret_cast<const Four*>(x)));
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
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const Strip mantissas(layer.mantissa, layer.inputs, n, layer.outputs);
  const Strip exponents(layer.exponent, groups, n, layer.outputs);
  for (int64_t i = 0; i < rows.count * kLanes32; ++i) sums[i] = 0;

  __m512i words[kLanes32];  // exponents of 64 groups
  int64_t loaded = -1;      // which 64
  for (int64_t b = 0; b < rows.blocks; ++b) {
    Block<Run> block;
    mantissas.load_transposed(b * kBlock, block.w);
    for (__m512i& word : block.w) word = lifted(word);
    for (int run = 0; run < runs; ++run) {
      const int64_t group = (b * kBlock + run * Run) / layer.size;
      if (group >= groups) {  // past the end, where x is zero
        block.scale[run] = _mm512_setzero_ps();
        continue;
      }
      if (group / kBlock != loaded) {
        loaded = group / kBlock;
        exponents.load_transposed(loaded * kBlock, words);
      }
      const __m512i bytes = _mm512_srlv_epi32(
          words[group % kBlock / 4], _mm512_set1_epi32(static_cast<int>(group % 4 * 8)));
      block.scale[run] = small_scales_of(_mm512_and_si512(bytes, _mm512_set1_epi32(255)));
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
void linear_in_runs(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                    int64_t begin, int64_t end) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  for (int64_t first = 0; first < layer.rows; first += kMostRows) {
    const int64_t count = smaller(layer.rows - first, kMostRows);
    const Rows<Run> rows(layer, mantissa + first * layer.inputs, exponent + first * groups, count);
    alignas(64) float sums[kMostRows * kLanes32];
    for (int64_t n = begin; n < end; n += kLanes32) {
      multiply_strip(layer, rows, n, sums);
      for (int64_t row = 0; row < count; ++row) {
        for (int64_t i = 0; i < kLanes32 && n + i < end; ++i) {
          const float bias = layer.bias ? layer.bias[n + i] : 0.0f;
          layer.y[(first + row) * layer.outputs + n + i] =
              sums[row * kLanes32 + i] * kLarger + bias;
        }
      }
    }
  }
}

void linear_by_strips(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                      int64_t begin, int64_t end) {
  switch (run_length(layer)) {
    case 4: return linear_in_runs<4>(layer, mantissa, exponent, begin, end);
    case 8: return linear_in_runs<8>(layer, mantissa, exponent, begin, end);
    case 16: return linear_in_runs<16>(layer, mantissa, exponent, begin, end);
    case 32: return linear_in_runs<32>(layer, mantissa, exponent, begin, end);
    default: return linear_in_runs<64>(layer, mantissa, exponent, begin, end);
  }
}

}  // namespace
}  // namespace mxint
