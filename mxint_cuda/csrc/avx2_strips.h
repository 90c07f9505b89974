// Several rows of x in integers, with AVX2.  A strip is 8 columns of y, one a lane: a block of its
// weights is transposed once, and then serves every row of x, of which some inputs are broadcast to
// all lanes.
//
// AVX-VNNI takes four inputs at a time, x as x + 128.  AVX2 alone takes two, in 16 bits: bytes would
// have to be given signs for every pair of a row and a column.
#pragma once

#include <vector>

#include "avx2.h"

namespace mxint {
namespace {

constexpr int64_t kMostRows = 64;  // of x at a time

#ifdef __AVXVNNI__
constexpr int kSteps = kBytes / 4;  // in a block

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
constexpr int kSteps = kBytes / 2;

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

constexpr int kStepsOfFour = kSteps * 4 / kBytes;  // that four inputs take

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
        blocks((layer.inputs + kBytes - 1) / kBytes),
        parts(count * blocks) {
    const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
    for (int64_t row = 0; row < count; ++row) {
      for (int64_t b = 0; b < blocks; ++b) {
        const int64_t first = b * kBytes;
        int8_t x[kBytes] = {};
        memcpy(x, mantissa + row * layer.inputs + first, smaller(kBytes, layer.inputs - first));
        Part& part = parts[b * count + row];
        for (int i = 0; i < kBytes / 4; ++i) pack(x + 4 * i, part.steps + kStepsOfFour * i);
        part.scale = scales().of_x[exponent[row * groups + first / layer.size]];
      }
    }
  }
};

// Turns 8 rows of 8 words into 8 columns.
MXINT_INLINE void transpose(__m256i (&r)[kLanes]) {
  __m256i t[kLanes];
  for (int i = 0; i < kLanes; i += 4) {
    const __m256i a = _mm256_unpacklo_epi32(r[i], r[i + 1]);
    const __m256i b = _mm256_unpackhi_epi32(r[i], r[i + 1]);
    const __m256i c = _mm256_unpacklo_epi32(r[i + 2], r[i + 3]);
    const __m256i d = _mm256_unpackhi_epi32(r[i + 2], r[i + 3]);
    t[i] = _mm256_unpacklo_epi64(a, c);
    t[i + 1] = _mm256_unpackhi_epi64(a, c);
    t[i + 2] = _mm256_unpacklo_epi64(b, d);
    t[i + 3] = _mm256_unpackhi_epi64(b, d);
  }
  for (int i = 0; i < 4; ++i) {
    r[i] = _mm256_permute2x128_si256(t[i], t[i + 4], 0x20);
    r[i + 4] = _mm256_permute2x128_si256(t[i], t[i + 4], 0x31);
  }
}

// A transposed block of a strip, and its scales.
struct Block {
  __m256i steps[kSteps], start;
  __m256 scale;
};

// The rows of W that are the columns of a strip, and their exponents.
class Strip {
 public:
  Strip(const Linear& layer, int64_t groups, int64_t n)
      : layer_(layer), scales_(scales()), columns_(layer, groups, n, layer.outputs) {}

  // Inputs first to first + 31.  Meanwhile those that come later are fetched, past the end of a row
  // those of the next strip.
  MXINT_INLINE void load_block(int64_t first, Block& block) const {
    constexpr int64_t ahead = 1024;
    const int64_t inputs = layer_.inputs;
    const int64_t later = first + ahead + (first + ahead < inputs ? 0 : (kLanes - 1) * inputs);
    const int64_t group = first / layer_.size;
    __m256i words[kLanes];
    alignas(kBytes) float scale[kLanes];
    for (int c = 0; c < kLanes; ++c) {
      words[c] = load(columns_.w[c] + first, inputs - first);
      _mm_prefetch(columns_.w[c] + later, _MM_HINT_T1);
      scale[c] = scales_.of_w[columns_.e[c][group]];
    }
    transpose(words);
    for (int i = 0; i < kLanes; ++i) unpack(words[i], block.steps + kStepsOfFour * i);
    block.start = start_of(block.steps);
    block.scale = _mm256_load_ps(scale);
  }

 private:
  const Linear& layer_;
  const Scales& scales_;
  Columns<kLanes> columns_;
};

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
      const Strip strip(layer, groups, n);
      alignas(kBytes) float sums[kMostRows * kLanes] = {};
      for (int64_t b = 0; b < rows.blocks; ++b) {
        Block block;
        strip.load_block(b * kBytes, block);
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
