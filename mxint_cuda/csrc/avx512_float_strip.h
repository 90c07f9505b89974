// A strip of W in floats, a block at a time, with AVX-512.
#pragma once

#include "strips.h"

namespace mxint {
namespace {

constexpr int64_t kMostFloatRows = 48;  // of x: with 4096 inputs these fit into L2
constexpr int kMostTogether = 16;       // rows of x: a sum of each takes one of 32 registers
constexpr int kFewestSums = 8;          // that keep the processor busy

// Byte i of each lane's four: input 4 * word + i of a block.
MXINT_INLINE __m512 decode_byte(__m512i word, int i, __m512 scale) {
  const __m512i upper = i < 3 ? _mm512_slli_epi32(word, 24 - 8 * i) : word;
  return _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_srai_epi32(upper, 24)), scale);
}

template <int Run>
class FloatStrip {
 public:
  FloatStrip(const Linear& layer, int64_t n)
      : size_(layer.size),
        strip_(layer.mantissa, layer.inputs, n, layer.outputs),
        exponents_(layer, n) {}

  MXINT_INLINE void decode(int64_t block, float (&inputs)[kBlock][kColumns]) {
    __m512i words[kLanes32];
    strip_.load_transposed(block * kBlock, words);
#pragma GCC unroll 16
    for (int run = 0; run < kBlock / Run; ++run) {
      const __m512 scale = scales(block, run);
#pragma GCC unroll 16
      for (int word = run * Run / 4; word < (run + 1) * Run / 4; ++word) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) store(inputs[word * 4 + i], decode_byte(words[word], i, scale));
      }
    }
  }

  // Calls body(first, i, w) for each input of a block, the i-th of the four from `first` on, with its
  // 16 weights.  Only the loop over i is unrolled: with a large body all of it would be much code.
  // To decode so, too, would take up to 2 % longer at 128 rows (Zen 4).
  template <class Body>
  MXINT_INLINE void for_each_input(int64_t block, Body body) {
    __m512i words[kLanes32];
    strip_.load_transposed(block * kBlock, words);
#pragma GCC unroll 1
    for (int run = 0; run < kBlock / Run; ++run) {
      const __m512 scale = scales(block, run);
#pragma GCC unroll 1
      for (int word = run * Run / 4; word < (run + 1) * Run / 4; ++word) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) body(word * 4, i, decode_byte(words[word], i, scale));
      }
    }
  }

 private:
  MXINT_INLINE __m512 scales(int64_t block, int run) {
    return exponents_.scales((block * kBlock + run * Run) / size_, 0);
  }

  int64_t size_;
  Strip strip_;
  StripExponents exponents_;
};

}  // namespace
}  // namespace mxint
