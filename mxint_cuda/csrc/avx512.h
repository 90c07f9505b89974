// Conversion, sixteen numbers at a time.  GCC makes vectors of cpu.cpp's loops that hold as many
// numbers as a register has bytes, which are more than a group has, and then works on what is left
// of them.
#pragma once

#include <immintrin.h>

#include "lanes.h"
#include "past_caches.h"
#include "pieces.h"

namespace mxint {
namespace {

// Calls body(offset, count) for each piece of `length` numbers, the last of which may have fewer.
template <class Body>
MXINT_INLINE void for_each_piece(int64_t length, Body body) {
  int64_t i = 0;
  for (; i + kPiece <= length; i += kPiece) body(i, kPiece);
  if (i < length) body(i, length - i);
}

// The first `count` of 16.
MXINT_INLINE __mmask16 first_lanes(int64_t count) {
  return static_cast<__mmask16>(_bzhi_u32(0xffff, static_cast<uint32_t>(count)));
}

// Numbers that are not there are zeros.
MXINT_INLINE __m512 load_piece(const int8_t* mantissa, int64_t count) {
  const __m128i bytes = _mm_maskz_loadu_epi8(first_lanes(count), mantissa);
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes));
}

// Without a mask, which would take another instruction.
MXINT_INLINE __m512 load_whole_piece(const int8_t* mantissa) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mantissa));
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes));
}

MXINT_INLINE __m512 load_piece(const float* x, int64_t count) {
  return _mm512_maskz_loadu_ps(first_lanes(count), x);
}

MXINT_INLINE __m512 load_piece(const BFloat16* x, int64_t count) {
  const __m256i bits = _mm256_maskz_loadu_epi16(first_lanes(count), x);
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}

MXINT_INLINE __m512 load_piece(const Float16* x, int64_t count) {
  return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(first_lanes(count), x));
}

// ---- decoding ------------------------------------------------------------------------------

MXINT_INLINE void store_piece(__m512 y, float* to, int64_t count, bool past_caches) {
  past_caches ? _mm512_stream_ps(to, y) : _mm512_mask_storeu_ps(to, first_lanes(count), y);
}

MXINT_INLINE void store_16_bits(__m256i bits, void* to, int64_t count, bool past_caches) {
  past_caches ? _mm256_stream_si256(static_cast<__m256i*>(to), bits)
              : _mm256_mask_storeu_epi16(to, first_lanes(count), bits);
}

// Of numbers that bfloat16 holds.
MXINT_INLINE void store_piece(__m512 y, BFloat16* to, int64_t count, bool past_caches) {
  const __m512i upper = _mm512_srli_epi32(_mm512_castps_si512(y), 16);
  store_16_bits(_mm512_cvtepi32_epi16(upper), to, count, past_caches);
}

MXINT_INLINE void store_piece(__m512 y, Float16* to, int64_t count, bool past_caches) {
  store_16_bits(_mm512_cvtps_ph(y, _MM_FROUND_TO_NEAREST_INT), to, count, past_caches);
}

template <class T>
MXINT_INLINE void decode_pieces(const int8_t* mantissa, int64_t length, float scale, T* y,
                                bool past_caches) {
  for_each_piece(length, [=](int64_t i, int64_t count) {
    if (i % 64 == 0) _mm_prefetch(mantissa + i + kAhead, _MM_HINT_T0);  // a line has 64
    const __m512 value = load_piece(mantissa + i, count);
    store_piece(_mm512_mul_ps(value, _mm512_set1_ps(scale)), y + i, count, past_caches);
  });
}

// 0, 1, ... 15
MXINT_INLINE __m512i lane_numbers() {
  return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

// The 16 bits of 32 numbers: of bfloat16 the upper halves, words 1, 3, ... 63 of both registers.
MXINT_INLINE __m512i bits_of(__m512 first, __m512 second, BFloat16) {
  const __m512i step = _mm512_mullo_epi32(lane_numbers(), _mm512_set1_epi32(0x00040004));
  const __m512i odd = _mm512_add_epi32(step, _mm512_set1_epi32(0x00030001));
  return _mm512_permutex2var_epi16(_mm512_castps_si512(first), odd, _mm512_castps_si512(second));
}

MXINT_INLINE __m512i bits_of(__m512 first, __m512 second, Float16) {
  const __m256i low = _mm512_cvtps_ph(first, _MM_FROUND_TO_NEAREST_INT);
  const __m256i high = _mm512_cvtps_ph(second, _MM_FROUND_TO_NEAREST_INT);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

template <class T>
MXINT_INLINE void store_two_pieces(const __m512 (&y)[2], T* to, bool past_caches) {
  const __m512i bits = bits_of(y[0], y[1], T{});
  past_caches ? _mm512_stream_si512(reinterpret_cast<__m512i*>(to), bits)
              : _mm512_storeu_si512(to, bits);
}

MXINT_INLINE void store_two_pieces(const __m512 (&y)[2], float* to, bool past_caches) {
  store_piece(y[0], to, kPiece, past_caches);
  store_piece(y[1], to + kPiece, kPiece, past_caches);
}

// Decodes sixteen groups of Size numbers, whose scales are made at once and then permuted into the
// lanes: to make each scale by itself takes longer than to decode so few numbers.
template <int Size, class T>
MXINT_INLINE void decode_sixteen(const int8_t* mantissa, const uint8_t* exponent, T* y,
                                 bool past_caches) {
  const auto* bytes = reinterpret_cast<const __m128i*>(exponent);
  const __m512 scales = scales_of(_mm512_cvtepu8_epi32(_mm_loadu_si128(bytes)), 0);
  const __m512i group_of_lane = _mm512_srli_epi32(lane_numbers(), __builtin_ctz(Size));
#pragma GCC unroll 4
  for (int i = 0; i < 16 * Size; i += 2 * kPiece) {
    if (i % kLine == 0) _mm_prefetch(mantissa + i + kAhead, _MM_HINT_T0);
    __m512 value[2];
#pragma GCC unroll 2
    for (int piece = 0; piece < 2; ++piece) {
      const int first = i + piece * kPiece;
      const __m512i group = _mm512_add_epi32(group_of_lane, _mm512_set1_epi32(first / Size));
      value[piece] = _mm512_mul_ps(load_whole_piece(mantissa + first),
                                   _mm512_permutexvar_ps(group, scales));
    }
    store_two_pieces(value, y + i, past_caches);
  }
}

// Groups begin to end of a tensor that is made of whole groups of Size.
template <int Size, class T>
void decode_by_sixteens(const int8_t* mantissa, const uint8_t* exponent, int64_t begin,
                        int64_t end, T* y, bool past_caches) {
  const auto decode_one = [=](int64_t group) {
    const int64_t i = group * Size;
    decode_pieces(mantissa + i, Size, scale_of(exponent[group]), y + i, false);
  };
  while (past_caches && begin < end && !starts_line(y + begin * Size)) decode_one(begin++);
  for (; begin + 16 <= end; begin += 16) {
    const int64_t i = begin * Size;
    decode_sixteen<Size>(mantissa + i, exponent + begin, y + i, past_caches);
  }
  while (begin < end) decode_one(begin++);
}

// Whether the groups of a tensor are decoded so.
MXINT_INLINE bool has_sixteens(const Groups& groups) {
  return has_whole_runs(groups.size) && run_length(groups.size) == groups.size &&
         groups.columns % groups.size == 0;
}

// ---- encoding ------------------------------------------------------------------------------

// The largest magnitude, as bits.
template <class T>
MXINT_INLINE uint32_t largest_of_pieces(const T* x, int64_t length) {
  __m512i most = _mm512_setzero_si512();
  for_each_piece(length, [&](int64_t i, int64_t count) {
    const __m512i bits = _mm512_castps_si512(load_piece(x + i, count));
    most = _mm512_max_epu32(most, _mm512_and_si512(bits, _mm512_set1_epi32(0x7fffffff)));
  });
  return _mm512_reduce_max_epu32(most);
}

// round(x * 2^power), ties to even, within +-127; 0 in a group that is not finite
template <class T>
MXINT_INLINE void encode_pieces(const T* x, int64_t length, float power, bool finite,
                                int8_t* mantissa) {
  for_each_piece(length, [=](int64_t i, int64_t count) {
    _mm_prefetch(reinterpret_cast<const char*>(x + i) + kAhead, _MM_HINT_T0);
    const __m512 scaled = _mm512_scalef_ps(load_piece(x + i, count), _mm512_set1_ps(power));
    const __mmask16 mask = first_lanes(count);
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
  _mm512_mask_cvtepi32_storeu_epi8(exponent, first_lanes(count), e);
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
