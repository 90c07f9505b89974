// y = x W^T in integers with AVX-512 VNNI, whose one instruction multiplies 64 bytes of one operand
// (unsigned) by 64 of another (signed) and adds the products up by fours, into 16 numbers.
//
// A strip is 16 columns of y, one a lane; a block is 64 inputs.  The block of a strip is transposed
// into registers once, and then serves every row of x: a lane's four bytes are four inputs of its
// column, and four inputs of x are broadcast to all lanes.  A run is the part of a block that
// shares its exponents; at its end the integers are scaled and added to sums in float32.
//
// W takes the unsigned side as W + 128.  What that adds, 128 times the sum of x over a run, is
// known beforehand and is what a run's sum begins with.
#pragma once

#include <immintrin.h>

#include <cstdlib>

#include "cpu.h"

namespace mxint {
namespace {

constexpr int kStrip = 16;
constexpr int kBlock = 64;
constexpr int64_t kMostRows = 64;  // of x at a time

// Inputs of a run, or 0 where this file cannot help.
int run_length(const Linear& layer) {
  const int64_t run = layer.size < kBlock ? layer.size : kBlock;
  const bool fits = run % 4 == 0 && kBlock % run == 0 && layer.size % run == 0 &&
                    (layer.inputs % run == 0 || run == kBlock);
  return fits ? static_cast<int>(run) : 0;
}

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
  Part* parts;

  Rows(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent, int64_t rows)
      : count(rows),
        blocks((layer.inputs + kBlock - 1) / kBlock),
        parts(static_cast<Part*>(calloc(count * blocks, sizeof(Part)))) {
    const Groups groups{count, layer.inputs, layer.size};
    for (int64_t row = 0; row < count; ++row) {
      const int8_t* x = mantissa + row * layer.inputs;
      const uint8_t* e = exponent + row * groups.per_row();
      for (int64_t k = 0; k < layer.inputs; k += Run) {
        Part& part = parts[k / kBlock * count + row];
        const int run = k % kBlock / Run;
        const int length = static_cast<int>(smaller(Run, layer.inputs - k));
        for (int i = 0; i < length; ++i) {
          part.x[run * Run + i] = x[k + i];
          part.start[run] -= 128 * x[k + i];
        }
        part.scale[run] = scale_of(e[k / layer.size]);
      }
    }
  }
  ~Rows() { free(parts); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
};

// Turns 16 rows of 16 words into 16 columns.
MXINT_INLINE void transpose(__m512i (&r)[kStrip]) {
  __m512i t[kStrip];
  for (int i = 0; i < kStrip; i += 4) {
    const __m512i a = _mm512_unpacklo_epi32(r[i], r[i + 1]), b = _mm512_unpackhi_epi32(r[i], r[i + 1]);
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

// The sums of integer products are scaled by 2^(E - 133) of either side.  To keep their product
// with W's scale exact and finite for every E, that is taken 2^-16 times too small, which the sum
// gets back in the end.
constexpr float kLarger = 65536.0f;

// scale_of / kLarger for the exponents in the low bytes
MXINT_INLINE __m512 small_scales_of(__m512i e) {
  const __m512i normal = _mm512_slli_epi32(_mm512_sub_epi32(e, _mm512_set1_epi32(22)), 23);
  const __m512i subnormal = _mm512_sllv_epi32(_mm512_set1_epi32(1), e);
  const __m512i nan = _mm512_set1_epi32(0x7fc00000);
  const __mmask16 is_normal = _mm512_cmpgt_epi32_mask(e, _mm512_set1_epi32(22));
  const __mmask16 is_nan = _mm512_cmpeq_epi32_mask(e, _mm512_set1_epi32(kNaNExponent));
  return _mm512_castsi512_ps(_mm512_mask_mov_epi32(
      _mm512_mask_mov_epi32(subnormal, is_normal, normal), is_nan, nan));
}

// The first `count` of 64 bytes, and zeros.
MXINT_INLINE __m512i load(const void* bytes, int64_t count) {
  if (count >= kBlock) return _mm512_loadu_si512(bytes);
  return _mm512_maskz_loadu_epi8((uint64_t{1} << count) - 1, bytes);
}

// What the unsigned operand needs: w + 128
MXINT_INLINE __m512i lifted(__m512i w) { return _mm512_xor_si512(w, _mm512_set1_epi8(-128)); }

// Bytes first to first + 63 of 16 rows, of which there are `length`: word i of all rows in words[i].
MXINT_INLINE void load_transposed(const void* bytes, const int64_t (&row)[kStrip], int64_t length,
                                  int64_t first, __m512i (&words)[kStrip]) {
  for (int i = 0; i < kStrip; ++i) {
    words[i] = load(static_cast<const char*>(bytes) + row[i] * length + first, length - first);
  }
  transpose(words);
}

// A transposed block of a strip, and the scales of its runs.
template <int Run>
struct Block {
  __m512i w[kStrip];
  __m512 scale[Rows<Run>::runs];
};

// Adds the products of a block with R rows of x to their sums, 16 a row.  Several runs and rows take
// turns, as each instruction of one sum waits for the one before.
template <int Run, int R>
MXINT_INLINE void multiply(const Block<Run>& block, const typename Rows<Run>::Part* x,
                           float* sums) {
  constexpr int together = Rows<Run>::runs < 8 / R ? Rows<Run>::runs : 8 / R;
#pragma GCC unroll 16
  for (int first = 0; first < Rows<Run>::runs; first += together) {
    __m512i sum[together][R];
#pragma GCC unroll 16
    for (int run = 0; run < together; ++run) {
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) sum[run][r] = _mm512_set1_epi32(x[r].start[first + run]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < Run / 4; ++i) {
#pragma GCC unroll 16
      for (int run = 0; run < together; ++run) {
        const int word = (first + run) * Run / 4 + i;
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
          int32_t four;
          memcpy(&four, x[r].x + word * 4, sizeof four);
          sum[run][r] = _mm512_dpbusd_epi32(sum[run][r], block.w[word], _mm512_set1_epi32(four));
        }
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      __m512 y = _mm512_load_ps(sums + r * kStrip);
#pragma GCC unroll 16
      for (int run = 0; run < together; ++run) {
        const __m512 product =
            _mm512_mul_ps(_mm512_cvtepi32_ps(sum[run][r]), block.scale[first + run]);
        y = _mm512_fmadd_ps(product, _mm512_set1_ps(x[r].scale[first + run]), y);
      }
      _mm512_store_ps(sums + r * kStrip, y);
    }
  }
}

// The 16 columns of y from n on, for all rows; `sums` holds 16 numbers a row.
template <int Run>
void strip(const Linear& layer, const Rows<Run>& rows, int64_t n, float* sums) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  int64_t column[kStrip];  // past the end: computed, not stored
  for (int i = 0; i < kStrip; ++i) column[i] = smaller(n + i, layer.outputs - 1);
  for (int64_t i = 0; i < rows.count * kStrip; ++i) sums[i] = 0;

  __m512i exponents[kStrip];  // of 64 groups
  int64_t first_group = -kBlock;
  for (int64_t b = 0; b < rows.blocks; ++b) {
    Block<Run> block;
    load_transposed(layer.mantissa, column, layer.inputs, b * kBlock, block.w);
    for (__m512i& word : block.w) word = lifted(word);
    for (int run = 0; run < Rows<Run>::runs; ++run) {
      const int64_t group = (b * kBlock + run * Run) / layer.size;
      if (group >= groups) break;  // past the end, where x is zero
      if (group >= first_group + kBlock) {
        first_group = group / kBlock * kBlock;
        load_transposed(layer.exponent, column, groups, first_group, exponents);
      }
      const int byte = static_cast<int>(group - first_group);
      const __m512i e = _mm512_srlv_epi32(exponents[byte / 4], _mm512_set1_epi32(byte % 4 * 8));
      block.scale[run] = small_scales_of(_mm512_and_si512(e, _mm512_set1_epi32(255)));
    }
    const auto* x = rows.parts + b * rows.count;
    constexpr int many = Rows<Run>::runs < 8 ? 8 / Rows<Run>::runs : 1;
    int64_t row = 0;
    for (; row + many <= rows.count; row += many) {
      multiply<Run, many>(block, x + row, sums + row * kStrip);
    }
    for (; row < rows.count; ++row) multiply<Run, 1>(block, x + row, sums + row * kStrip);
  }
}

template <int Run>
void linear_by_strips(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                      int64_t begin, int64_t end) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  for (int64_t first = 0; first < layer.rows; first += kMostRows) {
    const int64_t count = smaller(layer.rows - first, kMostRows);
    const Rows<Run> rows(layer, mantissa + first * layer.inputs, exponent + first * groups, count);
    alignas(64) float sums[kMostRows * kStrip];
    for (int64_t n = begin; n < end; n += kStrip) {
      strip(layer, rows, n, sums);
      for (int64_t row = 0; row < count; ++row) {
        for (int64_t i = 0; i < kStrip && n + i < end; ++i) {
          const float bias = layer.bias ? layer.bias[n + i] : 0.0f;
          layer.y[(first + row) * layer.outputs + n + i] = sums[row * kStrip + i] * kLarger + bias;
        }
      }
    }
  }
}

// ---- one row of x ------------------------------------------------------------------------------
//
// To transpose W would take longer than to read it.  Here the lanes are the 64 inputs, by fours, of
// one column of y, and are added up in the end.

constexpr int kTogether = 4;  // columns of y

// A block of x, and for each lane its scale and which of 16 exponents of W is its own.
struct LanesOfX {
  __m512i x, start, which;
  __m512 scale;
};

void arrange(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
             LanesOfX* blocks) {
  for (int64_t first = 0; first < layer.inputs; first += kBlock) {
    LanesOfX& block = blocks[first / kBlock];
    block.x = load(mantissa + first, layer.inputs - first);
    const __m512i ones = _mm512_set1_epi8(1), zeros = _mm512_setzero_si512();
    const __m512i sums = _mm512_dpbusd_epi32(zeros, ones, block.x);
    block.start = _mm512_slli_epi32(_mm512_sub_epi32(zeros, sums), 7);  // times -128
    alignas(64) float scale[kStrip];
    alignas(64) int32_t which[kStrip];
    for (int lane = 0; lane < kStrip; ++lane) {
      const int64_t group = smaller(first + lane * 4, layer.inputs - 1) / layer.size;
      scale[lane] = scale_of(exponent[group]);
      which[lane] = group % kStrip;
    }
    block.scale = _mm512_load_ps(scale);
    block.which = _mm512_load_si512(which);
  }
}

MXINT_INLINE __m512 add_products(__m512 sums, const LanesOfX& block, __m512i w, __m512 scales) {
  const __m512i products = _mm512_dpbusd_epi32(block.start, lifted(w), block.x);
  const __m512 scaled =
      _mm512_mul_ps(_mm512_cvtepi32_ps(products), _mm512_permutexvar_ps(block.which, scales));
  return _mm512_fmadd_ps(scaled, block.scale, sums);
}

void linear_of_one_row(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                       int64_t begin, int64_t end) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const int64_t blocks = (layer.inputs + kBlock - 1) / kBlock, whole = layer.inputs / kBlock;
  const int64_t step = kStrip * layer.size / kBlock;  // blocks that 16 exponents of W are for
  auto* x = static_cast<LanesOfX*>(aligned_alloc(alignof(LanesOfX), blocks * sizeof(LanesOfX)));
  arrange(layer, mantissa, exponent, x);
  for (int64_t n = begin; n < end; n += kTogether) {
    const int8_t* w[kTogether];
    const uint8_t* e[kTogether];
    __m512 sums[kTogether], scales[kTogether];
    for (int c = 0; c < kTogether; ++c) {
      const int64_t column = smaller(n + c, end - 1);  // past the end: computed, not stored
      w[c] = layer.mantissa + column * layer.inputs;
      e[c] = layer.exponent + column * groups;
      sums[c] = _mm512_setzero_ps();
    }
    for (int64_t first = 0; first < blocks; first += step) {
      const int64_t group = first / step * kStrip;
      for (int c = 0; c < kTogether; ++c) {
        const __m512i bytes = load(e[c] + group, smaller(kStrip, groups - group));
        scales[c] = small_scales_of(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(bytes)));
      }
      for (int64_t b = first; b < smaller(first + step, whole); ++b) {
#pragma GCC unroll 4
        for (int c = 0; c < kTogether; ++c) {
          sums[c] = add_products(sums[c], x[b], _mm512_loadu_si512(w[c] + b * kBlock), scales[c]);
        }
      }
    }
    for (int c = 0; c < kTogether && n + c < end; ++c) {
      if (whole < blocks) {
        const __m512i rest = load(w[c] + whole * kBlock, layer.inputs - whole * kBlock);
        sums[c] = add_products(sums[c], x[whole], rest, scales[c]);
      }
      const float bias = layer.bias ? layer.bias[n + c] : 0.0f;
      layer.y[n + c] = _mm512_reduce_add_ps(sums[c]) * kLarger + bias;
    }
  }
  free(x);
}

template <int Run>
void linear_in_runs(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                    int64_t begin, int64_t end) {
  layer.rows == 1 ? linear_of_one_row(layer, mantissa, exponent, begin, end)
                  : linear_by_strips<Run>(layer, mantissa, exponent, begin, end);
}

// Returns whether it could.
bool linear_with_vnni(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                      int64_t begin, int64_t end) {
  switch (run_length(layer)) {
    case 4: linear_in_runs<4>(layer, mantissa, exponent, begin, end); return true;
    case 8: linear_in_runs<8>(layer, mantissa, exponent, begin, end); return true;
    case 16: linear_in_runs<16>(layer, mantissa, exponent, begin, end); return true;
    case 32: linear_in_runs<32>(layer, mantissa, exponent, begin, end); return true;
    case 64: linear_in_runs<64>(layer, mantissa, exponent, begin, end); return true;
    default: return false;
  }
}

}  // namespace
}  // namespace mxint
