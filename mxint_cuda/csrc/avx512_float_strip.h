// A strip of W for float_strips.h, decoded a block at a time, with AVX-512.
#pragma once

#include "strips.h"

namespace mxint {
namespace {

constexpr int64_t kStripRowsPerPass = 48;  // of x: with 4096 inputs these fit into L2
constexpr int kStripRowsTogether = 16;     // rows of x: a sum of each takes one of 32 registers
constexpr int kFewestSums = 8;             // that keep the processor busy

// Inputs 4 * word to 4 * word + 3 of a block: a lane's four bytes.
MXINT_INLINE void decode_word(__m512i bytes, __m512 scale, float (*weights)[kColumns]) {
  const __m512i shifted[] = {_mm512_slli_epi32(bytes, 24), _mm512_slli_epi32(bytes, 16),
                             _mm512_slli_epi32(bytes, 8), bytes};
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m512 value = _mm512_cvtepi32_ps(_mm512_srai_epi32(shifted[i], 24));
    _mm512_store_ps(weights[i], _mm512_mul_ps(value, scale));
  }
}

template <int Run>
class FloatStrip {
 public:
  FloatStrip(const Linear& layer, int64_t n)
      : size_(layer.size),
        strip_(layer.mantissa, layer.inputs, n, layer.outputs),
        exponents_(layer, n) {}

  MXINT_INLINE void decode(int64_t block, float (&weights)[kBlock][kColumns]) {
    __m512i words[kLanes32];
    strip_.load_transposed(block * kBlock, words);
#pragma GCC unroll 16
    for (int run = 0; run < kBlock / Run; ++run) {
      const __m512 scale = exponents_.scales((block * kBlock + run * Run) / size_, 0);
#pragma GCC unroll 16
      for (int word = run * Run / 4; word < (run + 1) * Run / 4; ++word) {
        decode_word(words[word], scale, weights + word * 4);
      }
    }
  }

 private:
  int64_t size_;
  Strip strip_;
  StripExponents exponents_;
};

}  // namespace
}  // namespace mxint
