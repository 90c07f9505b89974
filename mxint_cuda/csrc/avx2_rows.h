// y = x W^T in integers with AVX2, whose instructions multiply 32 bytes of one operand (unsigned) by
// 32 of another (signed) and add the products up by twos, then by fours, into 8 lanes.
//
// W takes the unsigned side as its magnitude, and x the sign of W: no product changes.  Two of them
// fit into 16 bits, as x has no -128: its encoder emits none.  AVX-VNNI, which most laptops have since
// 2021 and without AVX-512, does all of it in one instruction.
#pragma once

#include <immintrin.h>

#include "cpu.h"

namespace mxint {
namespace {

constexpr int64_t kBytes = 32;        // in a register
constexpr int64_t kMostExact = 4096;  // inputs whose sums in 8 lanes float32 surely holds

// Groups must be of whole registers.
MXINT_INLINE bool has_whole_registers(int64_t size) { return size % kBytes == 0; }

MXINT_INLINE __m256i load_bytes(const int8_t* bytes) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
}

// The first `count` of 32 bytes, and zeros.
MXINT_INLINE __m256i load_bytes(const int8_t* bytes, int64_t count) {
  int8_t padded[kBytes] = {};
  memcpy(padded, bytes, count);
  return load_bytes(padded);
}

// Adds the products of 32 bytes, the first unsigned, by fours to the 8 lanes of `sums`.
MXINT_INLINE __m256i add_bytes(__m256i sums, __m256i a, __m256i b) {
#ifdef __AVXVNNI__
  return _mm256_dpbusd_avx_epi32(sums, a, b);
#else
  const __m256i twos = _mm256_maddubs_epi16(a, b);
  return _mm256_add_epi32(sums, _mm256_madd_epi16(twos, _mm256_set1_epi16(1)));
#endif
}

// The same, both signed.
MXINT_INLINE __m256i add_products(__m256i sums, __m256i w, __m256i x) {
  return add_bytes(sums, _mm256_abs_epi8(w), _mm256_sign_epi8(x, w));
}

// For the benchmark: what no kernel can be faster than.
int64_t multiply_in_registers(int64_t products) {
  constexpr int chains = 12;  // sums, as each instruction of one waits for the one before
  __m256i sums[chains];
  for (__m256i& sum : sums) sum = _mm256_setzero_si256();
  const __m256i ones = _mm256_set1_epi8(1);
  for (int64_t done = 0; done < products; done += chains * kBytes) {
#pragma GCC unroll 12
    for (__m256i& sum : sums) sum = add_bytes(sum, ones, ones);
  }
  for (int c = 1; c < chains; ++c) sums[0] = _mm256_add_epi32(sums[0], sums[c]);
  alignas(kBytes) int32_t lanes[kBytes / 4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), sums[0]);
  return lanes[0];
}

MXINT_INLINE __m256 add_scaled(__m256 sum, __m256i products, float of_w, float of_x) {
  const __m256 scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(products), _mm256_set1_ps(of_w));
  return _mm256_fmadd_ps(scaled, _mm256_set1_ps(of_x), sum);
}

MXINT_INLINE float sum_of_lanes(__m256 v) {
  __m128 sum = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
  return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}

// The scales of all exponents, to be looked up.
struct Scales {
  float of_x[256], of_w[256];

  Scales() {
    for (int e = 0; e < 256; ++e) {
      const float scale = scale_of(static_cast<uint8_t>(e));
      of_x[e] = scale * kLarger;
      of_w[e] = scale / kLarger;
    }
  }
};

// Column n of R rows of y, from `row` on.
template <int R>
MXINT_INLINE void multiply_rows_by_column(const Linear& layer, const int8_t* mantissa,
                                          const uint8_t* exponent, const Scales& scales,
                                          int64_t row, int64_t n) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const int8_t* x = mantissa + row * layer.inputs;
  const int8_t* w = layer.mantissa + n * layer.inputs;
  const int64_t whole = layer.inputs / kBytes * kBytes;
  const auto of_w = [&](int64_t group) { return scales.of_w[layer.exponent[n * groups + group]]; };
  const auto of_x = [&](int r, int64_t group) {
    return scales.of_x[exponent[(row + r) * groups + group]];
  };
  __m256 sums[R];
  for (__m256& sum : sums) sum = _mm256_setzero_ps();
  for (int64_t group = 0, start = 0; start < whole; ++group) {
    const int64_t end = smaller(start + layer.size, whole);
    while (start < end) {
      const int64_t stop = smaller(start + kMostExact, end);
      __m256i products[R];
      for (__m256i& product : products) product = _mm256_setzero_si256();
      for (; start < stop; start += kBytes) {
        const __m256i here = load_bytes(w + start);
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
          const __m256i of_row = load_bytes(x + r * layer.inputs + start);
          products[r] = add_products(products[r], here, of_row);
        }
      }
#pragma GCC unroll 4
      for (int r = 0; r < R; ++r) {
        sums[r] = add_scaled(sums[r], products[r], of_w(group), of_x(r, group));
      }
    }
  }
  for (int r = 0; r < R; ++r) {
    if (const int64_t rest = layer.inputs - whole; rest > 0) {
      const __m256i of_row = load_bytes(x + r * layer.inputs + whole, rest);
      const __m256i products =
          add_products(_mm256_setzero_si256(), load_bytes(w + whole, rest), of_row);
      sums[r] = add_scaled(sums[r], products, of_w(groups - 1), of_x(r, groups - 1));
    }
    const float bias = layer.bias ? layer.bias[n] : 0.0f;
    layer.y[(row + r) * layer.outputs + n] = sum_of_lanes(sums[r]) + bias;
  }
}

void linear_by_columns(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                       int64_t begin, int64_t end) {
  static const Scales scales;
  for (int64_t n = begin; n < end; ++n) {
    int64_t row = 0;
    for (; row + 4 <= layer.rows; row += 4) {
      multiply_rows_by_column<4>(layer, mantissa, exponent, scales, row, n);
    }
    for (; row < layer.rows; ++row) {
      multiply_rows_by_column<1>(layer, mantissa, exponent, scales, row, n);
    }
  }
}

}  // namespace
}  // namespace mxint
