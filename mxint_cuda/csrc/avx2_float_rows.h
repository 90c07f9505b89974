// What float_rows.h takes at a time, with AVX2.
#pragma once

#include "avx2_pieces.h"

namespace mxint {
namespace {

using Register = __m256;
constexpr int kMostSums = 12;          // of 16 registers
constexpr int kColumnsOfMoreRows = 2;  // what is decoded of them serves up to 6 rows

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
