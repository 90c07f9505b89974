// Conversion, sixteen numbers at a time.  GCC makes vectors of cpu.cpp's loops that hold as many
// numbers as a register has bytes, which are more than a group has, and then works on what is left
// of them.
#pragma once

#include <immintrin.h>

#include "cpu.h"

namespace mxint {
namespace {

constexpr int64_t kPiece = 16;
constexpr int64_t kAhead = 8192;  // bytes; the processor itself looks ahead within a page only

// Calls body(offset, mask) for each piece of `length` numbers; the mask says which of 16 there are.
template <class Body>
MXINT_INLINE void for_each_piece(int64_t length, Body body) {
  int64_t i = 0;
  for (; i + kPiece <= length; i += kPiece) body(i, __mmask16{0xffff});
  if (i < length) body(i, static_cast<__mmask16>((1u << (length - i)) - 1));
}

// Numbers that are not there are zeros.
MXINT_INLINE __m512 load_piece(const float* x, __mmask16 mask) {
  return _mm512_maskz_loadu_ps(mask, x);
}

MXINT_INLINE __m512 load_piece(const BFloat16* x, __mmask16 mask) {
  const __m256i bits = _mm256_maskz_loadu_epi16(mask, x);
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}

MXINT_INLINE __m512 load_piece(const Float16* x, __mmask16 mask) {
  return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(mask, x));
}

// ---- decoding ------------------------------------------------------------------------------

// Whether a result is better written past the caches, by stores that need not read what they fill.
// It is where it is larger than they are, and whole lines of them, of 64 bytes, belong to a group.
template <class T>
bool goes_past_caches(const Groups& groups, const T* y) {
  constexpr int64_t large = 1 << 26;  // bytes
  return groups.elements() * static_cast<int64_t>(sizeof(T)) >= large && groups.columns % 32 == 0 &&
         groups.size % 32 == 0 && reinterpret_cast<uintptr_t>(y) % 64 == 0;
}

MXINT_INLINE void store_piece(__m512 y, float* to, __mmask16 mask, bool past_caches) {
  past_caches ? _mm512_stream_ps(to, y) : _mm512_mask_storeu_ps(to, mask, y);
}

MXINT_INLINE void store_16_bits(__m256i bits, void* to, __mmask16 mask, bool past_caches) {
  past_caches ? _mm256_stream_si256(static_cast<__m256i*>(to), bits)
              : _mm256_mask_storeu_epi16(to, mask, bits);
}

// Of numbers that bfloat16 holds.
MXINT_INLINE void store_piece(__m512 y, BFloat16* to, __mmask16 mask, bool past_caches) {
  const __m512i upper = _mm512_srli_epi32(_mm512_castps_si512(y), 16);
  store_16_bits(_mm512_cvtepi32_epi16(upper), to, mask, past_caches);
}

MXINT_INLINE void store_piece(__m512 y, Float16* to, __mmask16 mask, bool past_caches) {
  store_16_bits(_mm512_cvtps_ph(y, _MM_FROUND_TO_NEAREST_INT), to, mask, past_caches);
}

template <class T>
MXINT_INLINE void decode_pieces(const int8_t* mantissa, int64_t length, float scale, T* y,
                                bool past_caches) {
  for_each_piece(length, [=](int64_t i, __mmask16 mask) {
    if (i % 64 == 0) _mm_prefetch(mantissa + i + kAhead, _MM_HINT_T0);  // a line has 64
    const __m128i m = _mm_maskz_loadu_epi8(mask, mantissa + i);
    const __m512 value = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(m));
    store_piece(_mm512_mul_ps(value, _mm512_set1_ps(scale)), y + i, mask, past_caches);
  });
}

// ---- encoding ------------------------------------------------------------------------------

// The largest magnitude, as bits.
template <class T>
MXINT_INLINE uint32_t largest_of_pieces(const T* x, int64_t length) {
  __m512i most = _mm512_setzero_si512();
  for_each_piece(length, [&](int64_t i, __mmask16 mask) {
    const __m512i bits = _mm512_castps_si512(load_piece(x + i, mask));
    most = _mm512_max_epu32(most, _mm512_and_si512(bits, _mm512_set1_epi32(0x7fffffff)));
  });
  return _mm512_reduce_max_epu32(most);
}

// round(x * 2^power), ties to even, within +-127; 0 in a group that is not finite
template <class T>
MXINT_INLINE void encode_pieces(const T* x, int64_t length, float power, bool finite,
                                int8_t* mantissa) {
  for_each_piece(length, [=](int64_t i, __mmask16 mask) {
    _mm_prefetch(reinterpret_cast<const char*>(x + i) + kAhead, _MM_HINT_T0);
    const __m512 scaled = _mm512_scalef_ps(load_piece(x + i, mask), _mm512_set1_ps(power));
    const __m512i m = _mm512_maskz_cvt_roundps_epi32(
        finite ? mask : __mmask16{0}, scaled, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m512i symmetric = _mm512_max_epi32(m, _mm512_set1_epi32(-kLargestMantissa));
    _mm_mask_storeu_epi8(mantissa + i, mask, _mm512_cvtsepi32_epi8(symmetric));
  });
}

// Encodes up to 16 groups, in which x has `length` numbers: what is done once a group is done for
// all of them at once, one a lane.
template <class T>
MXINT_INLINE void encode_groups(const T* x, int64_t length, int64_t count, int64_t size,
                                int8_t* mantissa, uint8_t* exponent) {
  alignas(64) uint32_t largest[kPiece] = {};
  alignas(64) float power[kPiece];
  for (int64_t group = 0, i = 0; group < count; ++group, i += size) {
    largest[group] = largest_of_pieces(x + i, smaller(size, length - i));
  }
  const __m512i e = _mm512_srli_epi32(_mm512_load_si512(largest), 23);  // as Encoder takes it
  const __m512i highest = _mm512_set1_epi32(kExponentBias + kFractionBits);
  _mm512_store_ps(power, _mm512_cvtepi32_ps(_mm512_sub_epi32(highest, e)));
  _mm512_mask_cvtepi32_storeu_epi8(exponent, static_cast<__mmask16>((1u << count) - 1), e);
  const uint32_t finite = _mm512_cmpneq_epi32_mask(e, _mm512_set1_epi32(kNaNExponent));
  for (int64_t group = 0, i = 0; group < count; ++group, i += size) {
    encode_pieces(x + i, smaller(size, length - i), power[group], finite >> group & 1,
                  mantissa + i);
  }
}

template <class T>
void encode_by_sixteens(const T* x, Groups groups, int64_t begin, int64_t end, int8_t* mantissa,
                        uint8_t* exponent) {
  constexpr int64_t kept = 16384;  // numbers that are still in a cache when they are read again
  if (groups.columns % groups.size == 0) groups = {1, groups.elements(), groups.size};
  const int64_t most = smaller(kPiece, 1 + kept / groups.size), per_row = groups.per_row();
  while (begin < end) {
    const int64_t first = begin % per_row * groups.size;
    const int64_t offset = begin / per_row * groups.columns + first;
    const int64_t count = smaller(most, smaller(end - begin, per_row - begin % per_row));
    encode_groups(x + offset, smaller(count * groups.size, groups.columns - first), count,
                  groups.size, mantissa + offset, exponent + begin);
    begin += count;
  }
}

}  // namespace
}  // namespace mxint
