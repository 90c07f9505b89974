// Those instructions of AVX-512 with VNNI that the kernels use, for a processor with AVX2 alone.
// This file is included before cpu.cpp, whose kernels find these functions before the compiler's.
#pragma once

#include <algorithm>
#include <cmath>

#include "lanes_of.h"

#define __AVX512VNNI__

namespace mxint {
namespace {

// ---- lane by lane --------------------------------------------------------------------------

template <class T, class Lane>
inline __m512i of_one(__m512i a, Lane lane) {
  const auto x = lanes_of<T>(a);
  return make<T, __m512i>([&](int i) { return static_cast<T>(lane(x.of[i])); });
}

template <class T, class Lane>
inline __m512i of_two(__m512i a, __m512i b, Lane lane) {
  const auto x = lanes_of<T>(a), y = lanes_of<T>(b);
  return make<T, __m512i>([&](int i) { return static_cast<T>(lane(x.of[i], y.of[i])); });
}

template <class Lane>
inline __m512 of_floats(__m512 a, __m512 b, Lane lane) {
  const auto x = lanes_of<float>(a), y = lanes_of<float>(b);
  return make<float, __m512>([&](int i) { return lane(x.of[i], y.of[i]); });
}

template <class T>
inline __m512i all_lanes(T x) {
  return make<T, __m512i>([=](int) { return x; });
}

inline __m512i _mm512_set1_epi32(int x) { return all_lanes(x); }
inline __m512i _mm512_set1_epi8(int8_t x) { return all_lanes(x); }
inline __m512i _mm512_setzero_si512() { return all_lanes(0); }
inline __m512 _mm512_set1_ps(float x) {
  return make<float, __m512>([=](int) { return x; });
}
inline __m512 _mm512_setzero_ps() { return _mm512_set1_ps(0); }

#undef _mm512_setr_epi32  // of GCC 12
template <class... Lane>
inline __m512i _mm512_setr_epi32(Lane... lane) {
  const int lanes[] = {lane...};
  static_assert(sizeof(lanes) == sizeof(__m512i));
  return make<int, __m512i>([&](int i) { return lanes[i]; });
}

inline __m512i _mm512_add_epi32(__m512i a, __m512i b) {
  return of_two<uint32_t>(a, b, [](auto x, auto y) { return x + y; });
}
inline __m512i _mm512_sub_epi32(__m512i a, __m512i b) {
  return of_two<uint32_t>(a, b, [](auto x, auto y) { return x - y; });
}
inline __m512i _mm512_sub_epi8(__m512i a, __m512i b) {
  return of_two<uint8_t>(a, b, [](auto x, auto y) { return x - y; });
}
inline __m512i _mm512_mullo_epi32(__m512i a, __m512i b) {
  return of_two<uint32_t>(a, b, [](auto x, auto y) { return x * y; });
}
inline __m512i _mm512_and_si512(__m512i a, __m512i b) {
  return of_two<uint32_t>(a, b, [](auto x, auto y) { return x & y; });
}
inline __m512i _mm512_xor_si512(__m512i a, __m512i b) {
  return of_two<uint32_t>(a, b, [](auto x, auto y) { return x ^ y; });
}
// Bit 4 * a + 2 * b + c of `table` is the result for bits a, b and c.
inline __m512i _mm512_ternarylogic_epi32(__m512i a, __m512i b, __m512i c, int table) {
  const auto x = lanes_of<uint32_t>(a), y = lanes_of<uint32_t>(b), z = lanes_of<uint32_t>(c);
  return make<uint32_t, __m512i>([&](int i) {
    uint32_t result = 0;
    for (int row = 0; row < 8; ++row) {
      if (~table >> row & 1) continue;
      result |= (row & 4 ? x.of[i] : ~x.of[i]) & (row & 2 ? y.of[i] : ~y.of[i]) &
                (row & 1 ? z.of[i] : ~z.of[i]);
    }
    return result;
  });
}
inline __m512i _mm512_max_epi32(__m512i a, __m512i b) {
  return of_two<int32_t>(a, b, [](auto x, auto y) { return std::max(x, y); });
}
inline __m512i _mm512_max_epu32(__m512i a, __m512i b) {
  return of_two<uint32_t>(a, b, [](auto x, auto y) { return std::max(x, y); });
}
inline __m512i _mm512_slli_epi32(__m512i a, unsigned bits) {
  return of_one<uint32_t>(a, [=](auto x) { return bits < 32 ? x << bits : 0; });
}
inline __m512i _mm512_srli_epi32(__m512i a, unsigned bits) {
  return of_one<uint32_t>(a, [=](auto x) { return bits < 32 ? x >> bits : 0; });
}
inline __m512i _mm512_srai_epi32(__m512i a, unsigned bits) {
  return of_one<int32_t>(a, [=](auto x) { return x >> std::min(bits, 31u); });
}
inline __m512i _mm512_sllv_epi32(__m512i a, __m512i bits) {
  return of_two<uint32_t>(a, bits, [](auto x, auto n) { return n < 32 ? x << n : 0; });
}
inline __m512i _mm512_srlv_epi32(__m512i a, __m512i bits) {
  return of_two<uint32_t>(a, bits, [](auto x, auto n) { return n < 32 ? x >> n : 0; });
}
inline __m512i _mm512_dpbusd_epi32(__m512i sums, __m512i a, __m512i b) {
  return add_products_by_fours(sums, a, b);
}

inline __m512 _mm512_add_ps(__m512 a, __m512 b) {
  return of_floats(a, b, [](float x, float y) { return x + y; });
}
inline __m512 _mm512_sub_ps(__m512 a, __m512 b) {
  return of_floats(a, b, [](float x, float y) { return x - y; });
}
inline __m512 _mm512_mul_ps(__m512 a, __m512 b) {
  return of_floats(a, b, [](float x, float y) { return x * y; });
}
inline __m512 _mm512_fmadd_ps(__m512 a, __m512 b, __m512 c) {
  const auto x = lanes_of<float>(a), y = lanes_of<float>(b), z = lanes_of<float>(c);
  return make<float, __m512>([&](int i) { return std::fma(x.of[i], y.of[i], z.of[i]); });
}
// a * 2^floor(b), rounded once: a double holds the product.
inline __m512 _mm512_scalef_ps(__m512 a, __m512 b) {
  return of_floats(a, b, [](float x, float y) {
    return static_cast<float>(std::ldexp(static_cast<double>(x), static_cast<int>(std::floor(y))));
  });
}

// ---- masks ---------------------------------------------------------------------------------

template <class Lane>
inline __mmask16 where(__m512i a, __m512i b, Lane lane) {
  const auto x = lanes_of<int32_t>(a), y = lanes_of<int32_t>(b);
  unsigned mask = 0;
  for (int i = 0; i < x.count; ++i) mask |= static_cast<unsigned>(lane(x.of[i], y.of[i])) << i;
  return static_cast<__mmask16>(mask);
}

inline __mmask16 _mm512_cmpgt_epi32_mask(__m512i a, __m512i b) {
  return where(a, b, [](int x, int y) { return x > y; });
}
inline __mmask16 _mm512_cmpeq_epi32_mask(__m512i a, __m512i b) {
  return where(a, b, [](int x, int y) { return x == y; });
}
inline __mmask16 _mm512_cmpneq_epi32_mask(__m512i a, __m512i b) {
  return where(a, b, [](int x, int y) { return x != y; });
}
inline __m512i _mm512_mask_mov_epi32(__m512i otherwise, __mmask16 mask, __m512i a) {
  const auto x = lanes_of<int32_t>(a), y = lanes_of<int32_t>(otherwise);
  return make<int32_t, __m512i>([&](int i) { return mask >> i & 1 ? x.of[i] : y.of[i]; });
}

// ---- conversion ----------------------------------------------------------------------------

inline __m512i _mm512_castps_si512(__m512 a) { return (__m512i)a; }
inline __m512 _mm512_castsi512_ps(__m512i a) { return (__m512)a; }
inline __m128i _mm512_castsi512_si128(__m512i a) {
  __m128i first;
  memcpy(&first, &a, sizeof(first));
  return first;
}
inline __m512i _mm512_castsi256_si512(__m256i a) {
  __m512i all = all_lanes(0x5a5a5a5a);  // the upper half is undefined
  memcpy(&all, &a, sizeof(a));
  return all;
}
inline __m512i _mm512_inserti64x4(__m512i a, __m256i b, int half) {
  memcpy(reinterpret_cast<char*>(&a) + half * sizeof(b), &b, sizeof(b));
  return a;
}

inline __m512i _mm512_cvtepi8_epi32(__m128i a) {
  const auto x = lanes_of<int8_t>(a);
  return make<int32_t, __m512i>([&](int i) { return x.of[i]; });
}
inline __m512i _mm512_cvtepu8_epi32(__m128i a) {
  const auto x = lanes_of<uint8_t>(a);
  return make<int32_t, __m512i>([&](int i) { return x.of[i]; });
}
inline __m512i _mm512_cvtepu8_epi16(__m256i a) {
  const auto x = lanes_of<uint8_t>(a);
  return make<int16_t, __m512i>([&](int i) { return x.of[i]; });
}
inline __m512i _mm512_cvtepu16_epi32(__m256i a) {
  const auto x = lanes_of<uint16_t>(a);
  return make<int32_t, __m512i>([&](int i) { return x.of[i]; });
}
inline __m256i _mm512_cvtepi32_epi16(__m512i a) {
  const auto x = lanes_of<uint32_t>(a);
  return make<uint16_t, __m256i>([&](int i) { return static_cast<uint16_t>(x.of[i]); });
}
inline __m128i _mm512_cvtsepi32_epi8(__m512i a) {
  const auto x = lanes_of<int32_t>(a);
  return make<int8_t, __m128i>([&](int i) {
    return static_cast<int8_t>(std::clamp(x.of[i], -128, 127));
  });
}
inline __m512 _mm512_cvtepi32_ps(__m512i a) {
  const auto x = lanes_of<int32_t>(a);
  return make<float, __m512>([&](int i) { return static_cast<float>(x.of[i]); });
}
// To the nearest, as it is asked for.
inline __m512i _mm512_maskz_cvt_roundps_epi32(__mmask16 mask, __m512 a, int) {
  const auto x = lanes_of<float>(a);
  return make<int32_t, __m512i>([&](int i) {
    if (!(mask >> i & 1)) return 0;
    return std::fabs(x.of[i]) < 0x1p31f ? static_cast<int32_t>(std::nearbyint(x.of[i])) : INT32_MIN;
  });
}
inline __m512 _mm512_cvtph_ps(__m256i a) {
  const auto halves = lanes_of<__m128i>(a);
  return make<__m256, __m512>([&](int i) { return _mm256_cvtph_ps(halves.of[i]); });
}
inline __m256i _mm512_cvtps_ph(__m512 a, int) {
  const auto halves = lanes_of<__m256>(a);
  return make<__m128i, __m256i>([&](int i) {
    return _mm256_cvtps_ph(halves.of[i], _MM_FROUND_TO_NEAREST_INT);
  });
}

// ---- other orders --------------------------------------------------------------------------

inline __m512 _mm512_permutexvar_ps(__m512i from, __m512 a) {
  const auto lane = lanes_of<uint32_t>(from);
  const auto x = lanes_of<float>(a);
  return make<float, __m512>([&](int i) { return x.of[lane.of[i] % 16]; });
}
inline __m512i _mm512_permutex2var_epi16(__m512i a, __m512i from, __m512i b) {
  const auto x = lanes_of<uint16_t>(a), lane = lanes_of<uint16_t>(from), y = lanes_of<uint16_t>(b);
  return make<uint16_t, __m512i>([&](int i) {
    const int k = lane.of[i] % 64;
    return k < 32 ? x.of[k] : y.of[k - 32];
  });
}
inline __m512i _mm512_shuffle_i32x4(__m512i a, __m512i b, int from) {
  const auto x = lanes_of<__m128i>(a), y = lanes_of<__m128i>(b);
  return make<__m128i, __m512i>([&](int i) { return (i < 2 ? x : y).of[from >> 2 * i & 3]; });
}

// Lanes of each 128 bits of a and b in turn: of their lower or upper halves.
template <class T>
inline __m512i interleave(__m512i a, __m512i b, bool upper) {
  constexpr int count = sizeof(__m128i) / sizeof(T);
  const auto x = lanes_of<T>(a), y = lanes_of<T>(b);
  return make<T, __m512i>([&](int i) {
    const int k = i / count * count + upper * count / 2 + i % count / 2;
    return i % 2 ? y.of[k] : x.of[k];
  });
}

inline __m512i _mm512_unpacklo_epi32(__m512i a, __m512i b) { return interleave<uint32_t>(a, b, 0); }
inline __m512i _mm512_unpackhi_epi32(__m512i a, __m512i b) { return interleave<uint32_t>(a, b, 1); }
inline __m512i _mm512_unpacklo_epi64(__m512i a, __m512i b) { return interleave<uint64_t>(a, b, 0); }
inline __m512i _mm512_unpackhi_epi64(__m512i a, __m512i b) { return interleave<uint64_t>(a, b, 1); }

// ---- all lanes into one --------------------------------------------------------------------

inline int _mm512_reduce_add_epi32(__m512i a) {
  uint32_t sum = 0;
  for (const uint32_t x : lanes_of<uint32_t>(a).of) sum += x;
  return static_cast<int>(sum);
}
inline uint32_t _mm512_reduce_max_epu32(__m512i a) {
  const auto x = lanes_of<uint32_t>(a);
  return *std::max_element(x.of, x.of + x.count);
}
inline float _mm512_reduce_add_ps(__m512 a) {
  auto x = lanes_of<float>(a);
  for (int half = x.count / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) x.of[i] += x.of[i + half];
  }
  return x.of[0];
}

// ---- memory --------------------------------------------------------------------------------

// A fault, as the processor has, unless memory is aligned as the vector must be.
template <class Vector = __m512i, class T>
inline T* aligned(T* memory) {
  if (reinterpret_cast<uintptr_t>(memory) % sizeof(Vector)) __builtin_trap();
  return memory;
}

// Only the lanes of the mask are read, and the others are zeros; or only they are written.
template <class T, class Vector>
inline Vector load_lanes(const void* memory, uint64_t mask) {
  return make<T, Vector>([=](int i) {
    T lane{};
    if (mask >> i & 1) memcpy(&lane, static_cast<const T*>(memory) + i, sizeof(T));
    return lane;
  });
}
template <class T, class Vector>
inline void store_lanes(void* memory, uint64_t mask, Vector vector) {
  const auto x = lanes_of<T>(vector);
  for (int i = 0; i < x.count; ++i) {
    if (mask >> i & 1) memcpy(static_cast<T*>(memory) + i, &x.of[i], sizeof(T));
  }
}

constexpr uint64_t kAllLanes = ~uint64_t{0};

inline __m512i _mm512_loadu_si512(const void* from) {
  return load_lanes<int8_t, __m512i>(from, kAllLanes);
}
inline __m512i _mm512_load_si512(const void* from) { return _mm512_loadu_si512(aligned(from)); }
inline __m512 _mm512_loadu_ps(const void* from) {
  return load_lanes<float, __m512>(from, kAllLanes);
}
inline __m512 _mm512_load_ps(const void* from) { return _mm512_loadu_ps(aligned(from)); }
inline __m512i _mm512_maskz_loadu_epi8(uint64_t mask, const void* from) {
  return load_lanes<int8_t, __m512i>(from, mask);
}
inline __m512 _mm512_maskz_loadu_ps(__mmask16 mask, const void* from) {
  return load_lanes<float, __m512>(from, mask);
}
inline __m256i _mm256_maskz_loadu_epi16(__mmask16 mask, const void* from) {
  return load_lanes<int16_t, __m256i>(from, mask);
}
inline __m128i _mm_maskz_loadu_epi8(__mmask16 mask, const void* from) {
  return load_lanes<int8_t, __m128i>(from, mask);
}

inline void _mm512_storeu_si512(void* to, __m512i a) { store_lanes<int8_t>(to, kAllLanes, a); }
inline void _mm512_store_ps(void* to, __m512 a) { store_lanes<float>(aligned(to), kAllLanes, a); }
inline void _mm512_stream_si512(__m512i* to, __m512i a) { _mm512_storeu_si512(aligned(to), a); }
inline void _mm512_stream_ps(float* to, __m512 a) { _mm512_store_ps(to, a); }
inline void _mm256_stream_si256(__m256i* to, __m256i a) {
  store_lanes<int8_t>(aligned<__m256i>(to), kAllLanes, a);
}
inline void _mm512_mask_storeu_ps(void* to, __mmask16 mask, __m512 a) {
  store_lanes<float>(to, mask, a);
}
inline void _mm256_mask_storeu_epi16(void* to, __mmask16 mask, __m256i a) {
  store_lanes<int16_t>(to, mask, a);
}
inline void _mm_mask_storeu_epi8(void* to, __mmask16 mask, __m128i a) {
  store_lanes<int8_t>(to, mask, a);
}
inline void _mm512_mask_cvtepi32_storeu_epi8(void* to, __mmask16 mask, __m512i a) {
  const auto x = lanes_of<int32_t>(a);
  const auto bytes = make<int8_t, __m128i>([&](int i) { return static_cast<int8_t>(x.of[i]); });
  store_lanes<int8_t>(to, mask, bytes);
}

}  // namespace
}  // namespace mxint
