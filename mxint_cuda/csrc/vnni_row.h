// One row of x in integers.  The lanes are the inputs of a block, by fours, and are added up in the end: W is
// used as it lies in memory, as to rearrange it would take longer than to read it.
#pragma once

#include <vector>

#include "lanes.h"

namespace mxint {
namespace {

// For each lane of a block, which of 16 groups is its own.
struct alignas(64) GroupOfLane {
  int32_t group[kLanes32];
};

// Of the first blocks that 16 groups of `size` take.
std::vector<GroupOfLane> groups_of_lanes(int64_t size, int64_t blocks) {
  std::vector<GroupOfLane> found(blocks);
  const int64_t run = run_length(size);
  for (int64_t i = 0; i < blocks * kBlock; i += run) {
    const auto group = static_cast<int32_t>(i / size);
    for (int64_t lane = i / 4; lane < (i + run) / 4; ++lane) {
      found[lane / kLanes32].group[lane % kLanes32] = group;
    }
  }
  return found;
}

// The scales / 2^power of 16 groups, of which `count` are there.
MXINT_INLINE __m512 scales_at(const uint8_t* exponent, int64_t count, int power) {
  const __m512i bytes = load(exponent, smaller(count, kLanes32));
  return scales_of(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(bytes)), power);
}

// Columns that are taken together.  On Zen 5 four are no faster from the caches, and slower from
// memory (4096 x 4096).
constexpr int kPair = 2;

void linear_of_one_row(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                       int64_t begin, int64_t end) {
  constexpr int chains = 4;  // sums of a column: each instruction of one waits for the one before
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const int64_t blocks = (layer.inputs + kBlock - 1) / kBlock, whole = layer.inputs / kBlock;
  const int64_t step = layer.size / (kBlock / kLanes32);  // blocks that 16 groups take
  const auto group_of_lane = groups_of_lanes(layer.size, smaller(step, blocks));
  // Exponents come a few at a time, so the processor does not fetch them soon enough.
  constexpr int64_t exponents_ahead = 1024;
  const int64_t ahead = bytes_ahead<kPair>(layer.inputs);
  constexpr int64_t farther = 8192;
  const __m512i zeros = _mm512_setzero_si512();
  for (int64_t n = begin; n < end; n += kPair) {
    const Columns<kPair> columns(layer, groups, n, end);
    __m512 sums[kPair][chains], of_w[kPair];
    for (auto& of_column : sums) {
      for (__m512& sum : of_column) sum = _mm512_setzero_ps();
    }
    for (int64_t first = 0; first < blocks; first += step) {
      const int64_t group = first / step * kLanes32, rest = groups - group;
      const __m512 of_x =
          _mm512_mul_ps(scales_at(exponent + group, rest, 0), _mm512_set1_ps(kLarger));
      for (int c = 0; c < kPair; ++c) {
        _mm_prefetch(columns.e[c] + group + exponents_ahead, _MM_HINT_T0);
        of_w[c] = scales_at(columns.e[c] + group, rest, kLargerBits);
      }
      const auto add_block = [&](int64_t b, int64_t length,
                                 int chain) __attribute__((always_inline)) {
        const __m512i x = load(mantissa + b * kBlock, length);
        const __m512i start = _mm512_dpbusd_epi32(zeros, lifted(zeros), _mm512_sub_epi8(zeros, x));
        const __m512i group_of = kept(_mm512_load_si512(group_of_lane[b - first].group));
        const __m512 scale_of_x = _mm512_permutexvar_ps(group_of, of_x);
#pragma GCC unroll 2
        for (int c = 0; c < kPair; ++c) {
          const int8_t* w = columns.w[c] + b * kBlock;
          // In the order in which they lie in memory, lines are fetched into L2, as L1 waits for too
          // few at a time to hide what memory takes, and later into L1.  And one by one: without
          // this statement GCC moves many of them to the same place.
          const int8_t* line = columns.w[0] + ahead + (b * kPair + c) * kBlock;
          asm volatile("" : "+r"(line));
          _mm_prefetch(line + farther, _MM_HINT_T1);
          _mm_prefetch(line, _MM_HINT_T0);
          const __m512i products = _mm512_dpbusd_epi32(start, lifted(load(w, length)), x);
          const __m512 scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(products),
                                              _mm512_permutexvar_ps(group_of, of_w[c]));
          sums[c][chain] = _mm512_fmadd_ps(scaled, scale_of_x, sums[c][chain]);
        }
      };
      int64_t b = first;
      for (; b + chains <= smaller(first + step, whole); b += chains) {
#pragma GCC unroll 4
        for (int chain = 0; chain < chains; ++chain) add_block(b + chain, kBlock, chain);
      }
      for (; b < smaller(first + step, blocks); ++b) add_block(b, layer.inputs - b * kBlock, 0);
    }
    for (int c = 0; c < kPair && n + c < end; ++c) {
      for (int i = 1; i < chains; ++i) sums[c][0] = _mm512_add_ps(sums[c][0], sums[c][i]);
      layer.y[n + c] = _mm512_reduce_add_ps(sums[c][0]) + (layer.bias ? layer.bias[n + c] : 0.0f);
    }
  }
}

}  // namespace
}  // namespace mxint
