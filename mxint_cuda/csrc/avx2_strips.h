// Several rows of x in integers, with AVX2: some inputs of x are broadcast to all lanes of a strip.
//
// AVX-VNNI takes four inputs at a time, x as x + 128.  AVX2 alone takes two, in 16 bits: bytes would
// have to be given signs for every pair of a row and a column.
#pragma once

#include <vector>

#include "avx2_strip.h"

namespace mxint {
namespace {

constexpr int64_t kMostRows = 64;  // of x at a time

#ifdef __AVXVNNI__
constexpr int kSteps = kBlock / 4;  // in a block

// Four bytes of x for a step.
MXINT_INLINE void pack(const int8_t* x, int32_t* step) {
  memcpy(step, x, 4);
  *step ^= static_cast<int32_t>(0x80808080u);
}

// A lane's four weights, for a step.
MXINT_INLINE void unpack(__m256i four, __m256i* steps) { *steps = four; }

// Adds the products of a step to the sum of each lane.
MXINT_INLINE void add_step(__m256i& sum, __m256i w, const int32_t* x) {
  sum = add_bytes(sum, _mm256_set1_epi32(*x), w);
}

// -128 times the sum of the weights of a lane.
MXINT_INLINE __m256i start_of(const __m256i (&steps)[kSteps]) {
  __m256i sum = _mm256_setzero_si256();
  for (const __m256i& w : steps) sum = add_bytes(sum, _mm256_set1_epi8(-128), w);
  return _mm256_sub_epi32(_mm256_setzero_si256(), sum);
}
#else
constexpr int kSteps = kBlock / 2;

// Four bytes of x for two steps: first to third, then second to fourth.
MXINT_INLINE void pack(const int8_t* x, int32_t* steps) {
  for (int i = 0; i < 2; ++i) {
    const int16_t two[] = {x[i], x[i + 2]};
    memcpy(steps + i, two, sizeof(two));
  }
}

MXINT_INLINE void unpack(__m256i four, __m256i* steps) {
  steps[0] = _mm256_srai_epi16(_mm256_slli_epi16(four, 8), 8);
  steps[1] = _mm256_srai_epi16(four, 8);
}

// GCC 12 would compute the products of many steps before it adds them, and write them to memory.
MXINT_INLINE void add_step(__m256i& sum, __m256i w, const int32_t* x) {
  __m256i products;
  asm("vpbroadcastd %3, %1\n\tvpmaddwd %1, %2, %1\n\tvpaddd %1, %0, %0"
      : "+x"(sum), "=&x"(products)
      : "x"(w), "m"(*x));
}

MXINT_INLINE __m256i start_of(const __m256i (&)[kSteps]) { return _mm256_setzero_si256(); }
#endif

constexpr int kStepsOfFour = kSteps * 4 / kBlock;  // that four inputs take

// x, rearranged block by block, so that one block of all rows is one piece of memory.
struct Rows {
  struct Part {
    int32_t steps[kSteps];
    float scale;
  };

  int64_t count, blocks;
  std::vector<Part> parts;

  Rows(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent, int64_t rows)
      : count(rows),
        blocks((layer.inputs + kBlock - 1) / kBlock),
        parts(count * blocks) {
    const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
    for (int64_t row = 0; row < count; ++row) {
      for (int64_t b = 0; b < blocks; ++b) {
        const int64_t first = b * kBlock;
        int8_t x[kBlock] = {};
        memcpy(x, mantissa + row * layer.inputs + first, smaller(kBlock, layer.inputs - first));
        Part& part = parts[b * count + row];
        for (int i = 0; i < kBlock / 4; ++i) pack(x + 4 * i, part.steps + kStepsOfFour * i);
        part.scale = scales().of_x[exponent[row * groups + first / layer.size]];
      }
    }
  }
};

// A transposed block of a strip, and its scales.
struct Block {
  __m256i steps[kSteps], start;
  __m256 scale;
};

MXINT_INLINE void load_block(const Strip& strip, int64_t first, Block& block) {
  __m256i words[kLanes];
  strip.load_transposed(first, words);
  for (int i = 0; i < kLanes; ++i) unpack(words[i], block.steps + kStepsOfFour * i);
  block.start = start_of(block.steps);
  block.scale = strip.scales_of(first, scales().of_w);
}

// Adds the products of a block with R rows of x to their sums, 8 a row.  The rows take turns, as
// each instruction of one sum waits for the one before.  It is a function of its own to have all
// registers for itself.
template <int R>
[[gnu::noinline]] void multiply(const Block& block, const Rows::Part* x, float* sums) {
  __m256i sum[R];
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) sum[r] = block.start;
#pragma GCC unroll 16
  for (int step = 0; step < kSteps; ++step) {
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      add_step(sum[r], block.steps[step], x[r].steps + step);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
    float* y = sums + r * kLanes;
    const __m256 of_x = _mm256_set1_ps(x[r].scale);
    _mm256_store_ps(y, add_scaled(_mm256_load_ps(y), sum[r], block.scale, of_x));
  }
}

void linear_by_strips(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                      int64_t begin, int64_t end) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  for (int64_t first = 0; first < layer.rows; first += kMostRows) {
    const int64_t count = smaller(layer.rows - first, kMostRows);
    const Rows rows(layer, mantissa + first * layer.inputs, exponent + first * groups, count);
    for (int64_t n = begin; n < end; n += kLanes) {
      const Strip strip(layer, n);
      alignas(__m256i) float sums[kMostRows * kLanes] = {};
      for (int64_t b = 0; b < rows.blocks; ++b) {
        Block block;
        load_block(strip, b * kBlock, block);
        const Rows::Part* x = rows.parts.data() + b * count;
        int64_t row = 0;
        for (; row + 8 <= count; row += 8) multiply<8>(block, x + row, sums + row * kLanes);
        for (; row + 4 <= count; row += 4) multiply<4>(block, x + row, sums + row * kLanes);
        for (; row + 2 <= count; row += 2) multiply<2>(block, x + row, sums + row * kLanes);
        for (; row < count; ++row) multiply<1>(block, x + row, sums + row * kLanes);
      }
      store_columns<kLanes>(layer, sums, first, count, n, end);
    }
  }
}

}  // namespace
}  // namespace mxint
