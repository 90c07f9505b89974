// Sixteen numbers at a time, as cpu.cpp's loops do them one by one.  GCC makes vectors of as many
// numbers as a register has bytes, which are more than a group has, and then works on what is left
// of them.  Each function returns how many numbers it has done, from the first on.
#pragma once

#include <immintrin.h>

#include "groups.h"

namespace mxint {
namespace {

constexpr int64_t kPiece = 16;

MXINT_INLINE __m512 load_piece(const float* x) { return _mm512_loadu_ps(x); }

MXINT_INLINE __m512 load_piece(const BFloat16* x) {
  const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}

// Whether a result is better written past the caches, by stores that need not read what they fill.
// It is where it is larger than they are, and whole lines of them, of 64 bytes, belong to a group.
template <class T>
bool goes_past_caches(const Groups& groups, const T* y) {
  constexpr int64_t large = 1 << 26;  // bytes
  return groups.elements() * static_cast<int64_t>(sizeof(T)) >= large && groups.columns % 32 == 0 &&
         groups.size % 32 == 0 && reinterpret_cast<uintptr_t>(y) % 64 == 0;
}

MXINT_INLINE void store_piece(__m512 y, float* to, bool past_caches) {
  past_caches ? _mm512_stream_ps(to, y) : _mm512_storeu_ps(to, y);
}

// Of numbers that bfloat16 holds.
MXINT_INLINE void store_piece(__m512 y, BFloat16* to, bool past_caches) {
  const __m512i upper = _mm512_srli_epi32(_mm512_castps_si512(y), 16);
  const __m256i bits = _mm512_cvtepi32_epi16(upper);
  auto* place = reinterpret_cast<__m256i*>(to);
  past_caches ? _mm256_stream_si256(place, bits) : _mm256_storeu_si256(place, bits);
}

template <class T>
MXINT_INLINE int64_t decode_pieces(const int8_t* mantissa, int64_t length, float scale, T* y,
                                   bool past_caches) {
  int64_t i = 0;
  for (; i + kPiece <= length; i += kPiece) {
    const __m128i m = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mantissa + i));
    const __m512 value = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(m));
    store_piece(_mm512_mul_ps(value, _mm512_set1_ps(scale)), y + i, past_caches);
  }
  return i;
}

// Also raises `largest` to the largest of their magnitudes, as bits.
template <class T>
MXINT_INLINE int64_t largest_of_pieces(const T* x, int64_t length, uint32_t& largest) {
  if (length < kPiece) return 0;
  __m512i most = _mm512_setzero_si512();
  int64_t i = 0;
  for (; i + kPiece <= length; i += kPiece) {
    const __m512i bits = _mm512_castps_si512(load_piece(x + i));
    most = _mm512_max_epu32(most, _mm512_and_si512(bits, _mm512_set1_epi32(0x7fffffff)));
  }
  largest = _mm512_reduce_max_epu32(most);
  return i;
}

// Of a group that is finite.
template <class T>
MXINT_INLINE int64_t encode_pieces(const T* x, int64_t length, const Encoder& encoder,
                                   int8_t* mantissa) {
  const __m512 anchor = _mm512_set1_ps(12582912.0f);  // see Encoder
  const __m512i most = _mm512_set1_epi32(kLargestMantissa);
  const __m512i least = _mm512_set1_epi32(-kLargestMantissa);
  int64_t i = 0;
  for (; i + kPiece <= length; i += kPiece) {
    const __m512 once = _mm512_mul_ps(load_piece(x + i), _mm512_set1_ps(encoder.up));
    const __m512 scaled = _mm512_mul_ps(once, _mm512_set1_ps(encoder.further));
    const __m512i sum = _mm512_castps_si512(_mm512_add_ps(scaled, anchor));
    const __m512i m = _mm512_sub_epi32(sum, _mm512_castps_si512(anchor));
    const __m512i clamped = _mm512_max_epi32(_mm512_min_epi32(m, most), least);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(mantissa + i), _mm512_cvtepi32_epi8(clamped));
  }
  return i;
}

// float16 is left to the loops.
MXINT_INLINE int64_t decode_pieces(const int8_t*, int64_t, float, Float16*, bool) { return 0; }
MXINT_INLINE int64_t largest_of_pieces(const Float16*, int64_t, uint32_t&) { return 0; }
MXINT_INLINE int64_t encode_pieces(const Float16*, int64_t, const Encoder&, int8_t*) { return 0; }

}  // namespace
}  // namespace mxint
