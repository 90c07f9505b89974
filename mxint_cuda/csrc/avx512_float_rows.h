// What float_rows.h takes at a time, with AVX-512.
#pragma once

#include "avx512.h"

namespace mxint {
namespace {

using Register = __m512;
constexpr int64_t kLanes = kPiece;
constexpr int kMostSums = 16;  // of 32 registers
// With two, for up to 8 rows, x would be asked for nearly as fast as L2 can give it.
constexpr int kColumnsOfMoreRows = 4;

MXINT_INLINE Register broadcast_register(float x) { return _mm512_set1_ps(x); }

// Lanes from `count` on are zeros.
MXINT_INLINE Register load_register(const int8_t* mantissa, int64_t count) {
  return count < kLanes ? load_piece(mantissa, count) : load_whole_piece(mantissa);
}

MXINT_INLINE Register load_register(const float* x, int64_t count) {
  return count < kLanes ? load_piece(x, count) : _mm512_loadu_ps(x);
}

}  // namespace
}  // namespace mxint
