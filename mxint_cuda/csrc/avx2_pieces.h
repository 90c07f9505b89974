// Decoding with AVX2, sixteen numbers at a time.
#pragma once

#include "avx2.h"
#include "past_caches.h"
#include "pieces.h"

namespace mxint {
namespace {

MXINT_INLINE __m256 load_eight(const int8_t* mantissa) {
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(mantissa));
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes));
}

MXINT_INLINE __m256 load_eight(const float* x) { return _mm256_loadu_ps(x); }

MXINT_INLINE Floats load_piece(const int8_t* mantissa) {
  return {load_eight(mantissa), load_eight(mantissa + kLanes)};
}

MXINT_INLINE void store_eight(__m256 bits, float* to, bool past_caches) {
  past_caches ? _mm256_stream_ps(to, bits) : _mm256_storeu_ps(to, bits);
}

MXINT_INLINE void store_piece(Floats y, float* to, bool past_caches) {
  store_eight(y.first, to, past_caches);
  store_eight(y.second, to + kLanes, past_caches);
}

MXINT_INLINE void store_16_bits(__m256i bits, void* to, bool past_caches) {
  auto* there = static_cast<__m256i*>(to);
  past_caches ? _mm256_stream_si256(there, bits) : _mm256_storeu_si256(there, bits);
}

// Of numbers that bfloat16 holds.
MXINT_INLINE void store_piece(Floats y, BFloat16* to, bool past_caches) {
  const __m256i first = _mm256_srli_epi32(_mm256_castps_si256(y.first), 16);
  const __m256i second = _mm256_srli_epi32(_mm256_castps_si256(y.second), 16);
  // Within each half of a register those of `first` come before those of `second`.
  const __m256i mixed = _mm256_packus_epi32(first, second);
  store_16_bits(_mm256_permute4x64_epi64(mixed, 0b11011000), to, past_caches);
}

MXINT_INLINE void store_piece(Floats y, Float16* to, bool past_caches) {
  const __m128i first = _mm256_cvtps_ph(y.first, _MM_FROUND_TO_NEAREST_INT);
  const __m128i second = _mm256_cvtps_ph(y.second, _MM_FROUND_TO_NEAREST_INT);
  store_16_bits(_mm256_set_m128i(second, first), to, past_caches);
}

// Whether all groups are full, and of a multiple of 16 numbers, or of 8: two to a piece.
MXINT_INLINE bool has_whole_pieces(const Groups& groups) {
  return groups.columns % groups.size == 0 && (groups.size % kPiece == 0 || groups.size == kLanes);
}

// Groups begin to end of a tensor.
template <class T>
void decode_by_pieces(const int8_t* mantissa, const uint8_t* exponent, const Groups& groups,
                      int64_t begin, int64_t end, T* y) {
  const int64_t size = groups.size;
  const bool past_caches = goes_past_caches(groups, y);
  const float(&scale)[256] = scales().plain;
  const auto decode_one = [&](int64_t group) {
    for (int64_t i = group * size; i < (group + 1) * size; ++i) {
      decode(mantissa[i], scale[exponent[group]], y[i]);
    }
  };
  const auto decode_piece = [&](int64_t i, float first, float second)
                                __attribute__((always_inline)) {
    _mm_prefetch(mantissa + i + kAhead, _MM_HINT_T0);
    const Floats of_each{_mm256_set1_ps(first), _mm256_set1_ps(second)};
    store_piece(multiply(load_piece(mantissa + i), of_each), y + i, past_caches);
  };
  while (past_caches && begin < end && !starts_line(y + begin * size)) decode_one(begin++);
  if (size == kLanes) {
#pragma GCC unroll 2
    for (; begin + 2 <= end; begin += 2) {
      decode_piece(begin * kLanes, scale[exponent[begin]], scale[exponent[begin + 1]]);
    }
    if (begin < end) decode_one(begin);
  } else {
    for (; begin < end; ++begin) {
      const float of_group = scale[exponent[begin]];
      for (int64_t i = begin * size; i < (begin + 1) * size; i += kPiece) {
        decode_piece(i, of_group, of_group);
      }
    }
  }
  if (past_caches) _mm_sfence();  // nothing else orders these stores with what other threads do
}

}  // namespace
}  // namespace mxint
