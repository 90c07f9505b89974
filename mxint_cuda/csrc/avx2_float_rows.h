// What float_rows.h takes at a time, with AVX2.
#pragma once

#include "avx2_pieces.h"

namespace mxint {
namespace {

using Register = __m256;
constexpr int kRowsTogether = 3;     // 16 registers hold 12 sums
constexpr int64_t kMostFewRows = 8;  // with more rows strips, where there are any, are as fast or faster

MXINT_INLINE Register broadcast_register(float x) { return _mm256_set1_ps(x); }

// Lanes from `count` on are zeros.
template <class T>
MXINT_INLINE Register load_register(const T* x, int64_t count) {
  if (count >= kLanes) return load_eight(x);
  T padded[kLanes] = {};
  memcpy(padded, x, count * sizeof(T));
  return load_eight(padded);
}

MXINT_INLINE Register multiply(Register a, Register b) { return _mm256_mul_ps(a, b); }

MXINT_INLINE Register add_product(Register sum, Register a, Register b) {
  return _mm256_fmadd_ps(a, b, sum);
}

}  // namespace
}  // namespace mxint
