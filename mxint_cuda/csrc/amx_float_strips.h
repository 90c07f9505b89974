// Rows of x in floats, on tiles (AMX) of bfloat16, which holds each weight exactly.  A number of x is
// the sum of up to three in bfloat16, with eight of its bits each.  So products are exact, and are
// added up as floats.
//
// Tiles take subnormal numbers for zero.  So x is multiplied by a power of two, by which sums are
// divided in the end.  Layers whose numbers are too far apart for that are left to other kernels.
#pragma once

#include "amx_strips.h"

namespace mxint {
namespace {

constexpr int kStep = 32;                // inputs of a tile
constexpr int kSteps = kBlock / kStep;   // of a block
constexpr int kTogether = 2;             // strips of W, and tiles of x: four tiles have their sums
constexpr int64_t kMostTilesInL2 = 768;  // of x
constexpr int kFewestRows = 5;           // fewer take no less time on tiles
constexpr int64_t kMostBfloat16Rows = 256;  // torch, too, multiplies bfloat16 on tiles, and more rows faster

// The limits within which all sums of 2^24 products are finite, and whatever is not zero is normal.
constexpr int kLeastOfW = kExponentBias - 60, kMostOfW = kExponentBias + 20;  // exponents of groups
constexpr int kLeastOfX = -37, kMostOfX = 80;  // powers of two of a number's first bit, when multiplied
constexpr int64_t kMostInputs = 1 << 24;

// ---- what tiles can take -------------------------------------------------------------------

// How x becomes numbers in bfloat16.
struct Parts {
  int count;      // of each number of x; none if tiles cannot take x
  float larger;   // what x is multiplied by
  float smaller;  // and what sums are
};

Parts parts_of(const float* x, int64_t count) {
  uint32_t largest = 0, smallest_less_1 = UINT32_MAX, bits = 0;  // of magnitudes; zeros are none
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t magnitude = as_bits(x[i]) & 0x7fffffff, less_1 = magnitude - 1;
    largest = magnitude > largest ? magnitude : largest;
    smallest_less_1 = less_1 < smallest_less_1 ? less_1 : smallest_less_1;
    bits |= magnitude;
  }
  const int most = static_cast<int>(largest >> 23) - kExponentBias;
  const int least = static_cast<int>((smallest_less_1 + 1) >> 23) - kExponentBias;
  const int power = most < kMostOfX - 120 ? 120 : kMostOfX - most;  // more has no float
  if (largest >= kInfinityBits || (bits != 0 && least + power < kLeastOfX)) return {};
  const int parts = (bits & 0xffff) == 0 ? 1 : (bits & 0xff) == 0 ? 2 : 3;
  return {parts, power_of_two(power), power_of_two(-power)};
}

// Whether groups begin to end of W are within the limits.  Zeros are, whatever their exponent.
bool are_within_limits(const Linear& layer, int64_t begin, int64_t end) {
  const auto is_within = [](uint8_t exponent) {
    return static_cast<uint8_t>(exponent - kLeastOfW) <= kMostOfW - kLeastOfW;
  };
  bool all = true;
  for (int64_t i = begin; i < end; ++i) all &= is_within(layer.exponent[i]);
  if (all) return true;
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  for (int64_t i = begin; i < end; ++i) {
    if (is_within(layer.exponent[i])) continue;
    if (layer.exponent[i] > kMostOfW) return false;
    const int64_t start = i % groups * layer.size;
    const int8_t* w = layer.mantissa + i / groups * layer.inputs + start;
    int8_t any = 0;
    for (int64_t k = 0; k < smaller(layer.size, layer.inputs - start); ++k) any |= w[k];
    if (any) return false;
  }
  return true;
}

// ---- tiles ---------------------------------------------------------------------------------

// What a tile is loaded from, or stored to.
struct Tile {
  __m512i rows[kSide];
};

// The parts of 16 rows of x over the inputs of a step, each as a tile, `stride` tiles apart: word k of
// every row in rows[k].
void load_parts(const Linear& layer, const float* x, Parts parts, int64_t row, int64_t step,
                Tile* tiles, int64_t stride) {
  alignas(64) static constexpr int16_t upper_halves[] = {
      1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
      33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
  const __m512i halves = _mm512_load_si512(upper_halves);
  const int64_t first = step * kStep;
  for (int r = 0; r < kSide; ++r) {
    __m512 left[2];
    for (int i = 0; i < 2; ++i) {
      const int64_t k = first + i * kLanes32, there = row + r < layer.rows ? layer.inputs - k : 0;
      left[i] = there <= 0 ? _mm512_setzero_ps()
                           : _mm512_maskz_loadu_ps(first_lanes(smaller(there, kLanes32)),
                                                   x + (row + r) * layer.inputs + k);
      left[i] = _mm512_mul_ps(left[i], _mm512_set1_ps(parts.larger));
    }
    for (int part = 0; part < parts.count; ++part) {
      __m512i taken[2];
      for (int i = 0; i < 2; ++i) {
        taken[i] = _mm512_and_si512(_mm512_castps_si512(left[i]), _mm512_set1_epi32(0xffff0000));
        left[i] = _mm512_sub_ps(left[i], _mm512_castsi512_ps(taken[i]));
      }
      tiles[part * stride].rows[r] = _mm512_permutex2var_epi16(taken[0], halves, taken[1]);
    }
  }
  for (int part = 0; part < parts.count; ++part) transpose(tiles[part * stride].rows);
}

// 32 weights of a column, in bfloat16.  `origin` is a float whose last bit is worth their scale, plus
// 128 times that: W + 128, unsigned, becomes the last bits of such a float, and origin is subtracted.
MXINT_INLINE __m512i decode_step(const int8_t* w, int32_t origin_bits) {
  const __m512i bytes = _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(w)));
  const __m512i origin = _mm512_set1_epi32(origin_bits);
  // (bytes & 0xffff) ^ origin
  const __m512i even = _mm512_ternarylogic_epi32(bytes, _mm512_set1_epi32(0xffff), origin, 0x6a);
  const __m512i odd = _mm512_xor_si512(_mm512_srli_epi32(bytes, 16), origin);
  const auto less_origin = [&](__m512i x) __attribute__((always_inline)) {
    return _mm512_castps_si512(_mm512_sub_ps(_mm512_castsi512_ps(x), _mm512_castsi512_ps(origin)));
  };
  // (odd & 0xffff0000) | even >> 16
  return _mm512_ternarylogic_epi32(less_origin(odd), _mm512_set1_epi32(0xffff0000),
                                   _mm512_srli_epi32(less_origin(even), 16), 0xea);
}

// A strip of W, decoded a block at a time.
struct DecodedStrip {
  Strip strip;
  StripExponents exponents;
  int64_t size;

  DecodedStrip(const Linear& layer, int64_t n)
      : strip(layer.mantissa, layer.inputs, n, layer.outputs), exponents(layer, n), size(layer.size) {}

  // Block b, as a tile for each of its steps, kTogether tiles apart.  A line of W is used at once: where
  // rows are 4096 bytes apart, L1 keeps but twelve.  That of the strip that comes next is fetched.
  MXINT_INLINE void decode(int64_t b, Tile* to) {
    const int64_t first = b * kBlock, count = strip.length - first;
    alignas(64) int32_t origins[kSteps][kSide];
    for (int i = 0; i < kSteps; ++i) {
      const __m512i exponent = exponents.of((first + i * kStep) / size);
      const __m512i power = _mm512_add_epi32(exponent, _mm512_set1_epi32(23 - kFractionBits));
      const __m512i origin = _mm512_add_epi32(_mm512_slli_epi32(power, 23), _mm512_set1_epi32(128));
      _mm512_storeu_si512(origins[i], origin);
    }
    asm("" : "+m"(origins));  // else GCC takes them from registers, which shuffles cost
#pragma GCC unroll 16
    for (int c = 0; c < kSide; ++c) {
      const auto* w = reinterpret_cast<const int8_t*>(strip.rows[c]) + first;
      alignas(64) int8_t padded[kBlock];
      if (count < kBlock) {
        _mm512_storeu_si512(padded, load(w, count));
        w = padded;
      }
      to[0].rows[c] = decode_step(w, origins[0][c]);
      to[kTogether].rows[c] = decode_step(w + kStep, origins[1][c]);
      _mm_prefetch(strip.rows[c] + first + kTogether * kSide * strip.length, _MM_HINT_T1);
    }
  }
};

// kTogether strips of W from block `first` on.  The last `kept` blocks that were decoded are there.
struct DecodedStrips {
  DecodedStrip strips[kTogether];
  int64_t first, kept;
  Tile* tiles;

  MXINT_INLINE Tile* block(int64_t b) { return tiles + b % kept * kSteps * kTogether; }

  MXINT_INLINE void decode(int64_t b) {
    for (int s = 0; s < kTogether; ++s) strips[s].decode(first + b, block(b) + s);
  }
};

// Adds the products of those strips and T tiles of x, in `parts` parts, over `blocks` blocks, to sums.
template <int T>
[[gnu::noinline]] void multiply_tiles(DecodedStrips& w, bool decodes, const Tile* x, int parts,
                                      int64_t blocks, Tile* sums) {
  load_tile<0>(sums, kBlock);
  load_tile<1>(sums + 1, kBlock);
  if (T > 1) load_tile<2>(sums + 2, kBlock);
  if (T > 1) load_tile<3>(sums + 3, kBlock);
  if (decodes) w.decode(0);
  for (int64_t b = 0; b < blocks; ++b) {
    if (decodes && b + 1 < blocks) w.decode(b + 1);
    for (int i = 0; i < kSteps; ++i) {
      load_tile<4>(w.block(b) + i * kTogether, kBlock);
      load_tile<5>(w.block(b) + i * kTogether + 1, kBlock);
      for (int part = 0; part < parts; ++part, x += T) {
        load_tile<6>(x, kBlock);
        if (T > 1) load_tile<7>(x + 1, kBlock);
        add_products_of_bfloat16_tiles<0, 4, 6>();
        if (T > 1) add_products_of_bfloat16_tiles<2, 4, 7>();
        add_products_of_bfloat16_tiles<1, 5, 6>();
        if (T > 1) add_products_of_bfloat16_tiles<3, 5, 7>();
      }
    }
  }
  store_tile<0>(sums, kBlock);
  store_tile<1>(sums + 1, kBlock);
  if (T > 1) store_tile<2>(sums + 2, kBlock);
  if (T > 1) store_tile<3>(sums + 3, kBlock);
}

// ---- layers --------------------------------------------------------------------------------

// Columns begin to end of y, for the rows of `tiles` tiles of x from row `first` on.  So many inputs at
// a time that x stays in L2: the sums of all columns wait meanwhile.
void linear_of_tiles(const Linear& layer, const float* x, Parts parts, int64_t first, int64_t tiles,
                     int64_t begin, int64_t end) {
  constexpr int64_t columns = kTogether * kSide;
  const int64_t blocks = (layer.inputs + kBlock - 1) / kBlock;
  const int64_t tiles_of_block = kSteps * tiles * parts.count;
  const int64_t most = smaller(kMostTilesInL2 / tiles_of_block, blocks);
  const int64_t kept = tiles > kTogether ? most : 2;  // two may stay in L1
  std::vector<Tile> of_w(kept * kSteps * kTogether), of_x(most * tiles_of_block);
  std::vector<Tile> sums((end - begin + columns - 1) / columns * kTogether * tiles);
  shape_tiles_of_runs<kBlock>();
  for (int64_t b = 0; b < blocks; b += most) {
    const int64_t count = smaller(most, blocks - b);
    for (int64_t tile = 0; tile < tiles; ++tile) {
      const int64_t together = tile - tile % kTogether;
      const int64_t stride = smaller(kTogether, tiles - together);
      Tile* to = &of_x[together * count * kSteps * parts.count + tile % kTogether];
      for (int64_t step = 0; step < count * kSteps; ++step, to += stride * parts.count) {
        load_parts(layer, x, parts, first + tile * kSide, b * kSteps + step, to, stride);
      }
    }
    Tile* sum = sums.data();
    for (int64_t n = begin; n < end; n += columns) {
      DecodedStrips w{{{layer, n}, {layer, n + kSide}}, b, kept, of_w.data()};
      for (int64_t tile = 0; tile < tiles; tile += kTogether) {
        const auto multiply = tile + 1 < tiles ? multiply_tiles<2> : multiply_tiles<1>;
        multiply(w, tile == 0, &of_x[tile * count * kSteps * parts.count], parts.count, count, sum);
        sum += smaller(kTogether, tiles - tile) * kTogether;
      }
    }
  }
  release_tiles();
  Tile* sum = sums.data();
  for (int64_t n = begin; n < end; n += columns) {
    for (int64_t tile = 0; tile < tiles; ++tile) {
      for (int s = 0; s < kTogether; ++s, ++sum) {
        store_transposed(layer, sum->rows, parts.smaller, first + tile * kSide, n + s * kSide, end);
      }
    }
  }
}

// Whether columns begin to end were taken so.
bool linear_by_float_tiles(const Linear& layer, const float* x, int64_t begin, int64_t end) {
  if (layer.rows < kFewestRows || layer.size % kStep != 0) return false;
  if (layer.inputs == 0 || layer.inputs > kMostInputs) return false;
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const Parts parts = parts_of(x, layer.rows * layer.inputs);
  if (parts.count == 0 || !are_within_limits(layer, begin * groups, end * groups)) return false;
  for (int64_t row = 0; row < layer.rows; row += kMostTiles * kSide) {
    const int64_t tiles = smaller((layer.rows - row + kSide - 1) / kSide, kMostTiles);
    linear_of_tiles(layer, x, parts, row, tiles, begin, end);
  }
  return true;
}

}  // namespace
}  // namespace mxint
