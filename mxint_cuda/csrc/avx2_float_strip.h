// A strip of W for float_strips.h, decoded a block at a time, with AVX2.
#pragma once

#include "avx2_strip.h"

namespace mxint {
namespace {

constexpr int64_t kStripRowsPerPass = 64;  // of x, whose part of a block fits into L1
constexpr int kStripRowsTogether = 4;      // rows of x: a sum of each takes two of 16 registers
constexpr int kFewestSums = 4;             // that keep the processor busy

// Inputs 4 * word to 4 * word + 3 of a block, for 8 of the columns: a lane's four bytes.
MXINT_INLINE void decode_word(__m256i bytes, __m256 scale, float (*weights)[kColumns], int first) {
  const __m256i shifted[] = {_mm256_slli_epi32(bytes, 24), _mm256_slli_epi32(bytes, 16),
                             _mm256_slli_epi32(bytes, 8), bytes};
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m256 value = _mm256_cvtepi32_ps(_mm256_srai_epi32(shifted[i], 24));
    _mm256_store_ps(weights[i] + first, _mm256_mul_ps(value, scale));
  }
}

class FloatStrip {
 public:
  FloatStrip(const Linear& layer, int64_t n) : halves_{{layer, n, kColumns}, {layer, n + kLanes, kColumns}} {}

  MXINT_INLINE void decode(int64_t block, float (&weights)[kBlock][kColumns]) const {
    for (int half = 0; half < 2; ++half) {
      const Strip& strip = halves_[half];
      __m256i words[kLanes];
      strip.load_transposed(block * kBlock, words);
      const __m256 scale = strip.scales_of(block * kBlock, scales().plain);
#pragma GCC unroll 8
      for (int word = 0; word < kLanes; ++word) {
        decode_word(words[word], scale, weights + word * 4, half * kLanes);
      }
    }
  }

 private:
  Strip halves_[2];
};

}  // namespace
}  // namespace mxint
