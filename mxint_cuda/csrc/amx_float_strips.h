// Many rows of x in float32, on AMX's tiles of bfloat16.  bfloat16 holds every weight exactly, and x is
// split into up to three parts in bfloat16, of eight significant bits each.  So products are exact;
// they are added up in float32.
//
// AMX flushes subnormal numbers to zero.  So x is scaled by a power of two, and the sums are scaled
// back.  Layers whose numbers span too wide a range are left to other kernels.
#pragma once

#include "amx_strips.h"

namespace mxint {
namespace {

constexpr int kStep = 32;                // inputs in a tile
constexpr int kSteps = kBlock / kStep;   // in a block
constexpr int kTogether = 2;             // strips of W, and tiles of x, at a time: four tiles of sums
constexpr int64_t kMostTilesInL2 = 768;  // of x
constexpr int kFewestRows = 5;           // with fewer, other kernels are at least as fast
// Torch multiplies bfloat16 on tiles, too, and is faster for more rows.
constexpr int64_t kMostBfloat16Rows = 256;

// Within these limits no sum overflows, and nothing but zero is subnormal.  Scaled x is below 2^81 and
// a multiple of 2^-60, even where x is subnormal; a weight is at most 2^21 and a multiple of 2^-66.
constexpr int kLeastPowerOfX = -37, kMostPowerOfX = 80;  // of its first bit
constexpr int kLeastExponent = kExponentBias - 60, kMostExponent = kExponentBias + 20;  // of W
constexpr int64_t kMostInputs = 1 << 24;

// ---- what tiles can take -------------------------------------------------------------------

// How x is split and scaled.
struct Parts {
  int count;    // in bfloat16, of each number; 0 if tiles cannot take x
  float scale;  // of x
  float back;   // 1 / scale, of the sums
};

Parts parts_of(const float* x, int64_t count) {
  uint32_t largest = 0, smallest_minus_1 = UINT32_MAX, bits = 0;
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t magnitude = as_bits(x[i]) & 0x7fffffff;
    largest = magnitude > largest ? magnitude : largest;
    const uint32_t minus_1 = magnitude - 1;  // zero becomes the largest, and is passed over
    smallest_minus_1 = minus_1 < smallest_minus_1 ? minus_1 : smallest_minus_1;
    bits |= magnitude;
  }
  const auto power_of = [](uint32_t bits) { return static_cast<int>(bits >> 23) - kExponentBias; };
  const int unclamped = kMostPowerOfX - power_of(largest);
  const int power = unclamped < 120 ? unclamped : 120;  // so that both scales are normal
  const bool too_small = bits != 0 && power_of(smallest_minus_1 + 1) + power < kLeastPowerOfX;
  if (largest >= kInfinityBits || too_small) return {};
  const int parts = (bits & 0xffff) == 0 ? 1 : (bits & 0xff) == 0 ? 2 : 3;
  return {parts, power_of_two(power), power_of_two(-power)};
}

// Whether tiles can take W.  All of it is checked, so that results do not depend on how columns are
// divided among threads.  A group of zeros may have any lower exponent.
bool tiles_can_take_weights(const Linear& layer) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const auto is_within = [](uint8_t exponent) {
    return static_cast<uint8_t>(exponent - kLeastExponent) <= kMostExponent - kLeastExponent;
  };
  bool all = true;
  for (int64_t i = 0; i < layer.outputs * groups; ++i) all &= is_within(layer.exponent[i]);
  if (all) return true;
  for (int64_t i = 0; i < layer.outputs * groups; ++i) {
    if (is_within(layer.exponent[i])) continue;
    if (layer.exponent[i] > kMostExponent) return false;
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

// Splits 16 rows of x, over the inputs of a step, into parts: a tile each, `stride` tiles apart, whose
// rows[k] holds inputs 2k and 2k + 1 of all 16.
void load_parts(const Linear& layer, const float* x, Parts parts, int64_t row, int64_t step,
                Tile* tiles, int64_t stride) {
  const int64_t first = step * kStep;
  for (int r = 0; r < kSide; ++r) {
    __m512 rest[2];
    for (int i = 0; i < 2; ++i) {
      const int64_t k = first + i * kLanes32, count = row + r < layer.rows ? layer.inputs - k : 0;
      rest[i] = count <= 0 ? broadcast(0)
                           : load_piece(x + (row + r) * layer.inputs + k, smaller(count, kLanes32));
      rest[i] = multiply(rest[i], broadcast(parts.scale));
    }
    for (int part = 0; part < parts.count; ++part) {
      tiles[part * stride].rows[r] = bits_of(rest[0], rest[1], BFloat16{});
      for (__m512& left : rest) {
        const __m512i bits = _mm512_castps_si512(left);
        const __m512i upper = _mm512_and_si512(bits, _mm512_set1_epi32(0xffff0000));
        left = _mm512_sub_ps(left, _mm512_castsi512_ps(upper));
      }
    }
  }
  for (int part = 0; part < parts.count; ++part) transpose(tiles[part * stride].rows);
}

// 32 weights of a column, in bfloat16.  The origin is the float (2^23 + 128) * scale, so its last bit is
// worth their scale, and its low byte is 128.  XOR with w adds w * scale, as w ^ 128 is w + 128;
// subtracting the origin leaves that.
MXINT_INLINE __m512i decode_step(const int8_t* w, int32_t origin_bits) {
  const auto* packed = reinterpret_cast<const __m256i*>(w);
  const __m512i bytes = _mm512_cvtepu8_epi16(_mm256_loadu_si256(packed));
  const __m512i origin = _mm512_set1_epi32(origin_bits);
  constexpr int and_xor = 0x6a;  // (bytes & 0xffff) ^ origin
  const __m512i even = _mm512_ternarylogic_epi32(bytes, _mm512_set1_epi32(0xffff), origin, and_xor);
  const __m512i odd = _mm512_xor_si512(_mm512_srli_epi32(bytes, 16), origin);
  const auto minus_origin = [&](__m512i x) __attribute__((always_inline)) {
    return _mm512_castps_si512(_mm512_sub_ps(_mm512_castsi512_ps(x), _mm512_castsi512_ps(origin)));
  };
  // In a float that bfloat16 holds the lower half is zero.
  return _mm512_xor_si512(minus_origin(odd), _mm512_srli_epi32(minus_origin(even), 16));
}

// A strip of W, decoded a block at a time.
struct DecodedStrip {
  Strip strip;
  StripExponents exponents;
  int64_t size;

  DecodedStrip(const Linear& layer, int64_t n)
      : strip(layer.mantissa, layer.inputs, n, layer.outputs),
        exponents(layer, n),
        size(layer.size) {}

  // Decodes block b to a tile for each of its steps, kTogether tiles apart.  A line of W is used up at
  // once: of lines 4096 bytes apart, which share a set, L1 keeps only twelve.  The same line of the next
  // strips is prefetched into L2.
  MXINT_INLINE void decode(int64_t b, Tile* to) {
    const int64_t first = b * kBlock, count = strip.length - first;
    alignas(64) int32_t origins[kSteps][kSide];
    for (int i = 0; i < kSteps; ++i) {
      const __m512i exponent = exponents.of((first + i * kStep) / size);
      const __m512i power = _mm512_add_epi32(exponent, _mm512_set1_epi32(23 - kFractionBits));
      const __m512i origin = _mm512_add_epi32(_mm512_slli_epi32(power, 23), _mm512_set1_epi32(128));
      _mm512_storeu_si512(origins[i], origin);
    }
    asm("" : "+m"(origins));  // or GCC keeps them in registers, and extracts each by shuffles
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

// kTogether strips of W, from block `first` on, with a ring buffer of the last `kept` decoded blocks.
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
// If it `decodes`, blocks of W are decoded on the way, one ahead; else an earlier call has done so.
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

// Columns begin to end of y, for the rows of `tiles` tiles of x from row `first` on.  x is packed a
// panel of inputs at a time, so that it stays in L2; meanwhile the sums of all columns wait in memory.
void linear_of_tiles(const Linear& layer, const float* x, Parts parts, int64_t first, int64_t tiles,
                     int64_t begin, int64_t end) {
  constexpr int64_t columns = kTogether * kSide;
  const int64_t blocks = (layer.inputs + kBlock - 1) / kBlock;
  const int64_t tiles_of_block = kSteps * tiles * parts.count;
  const int64_t panel = smaller(kMostTilesInL2 / tiles_of_block, blocks);
  const int64_t kept = tiles > kTogether ? panel : 2;  // with one call, each block is used once
  std::vector<Tile> w_tiles(kept * kSteps * kTogether), x_tiles(panel * tiles_of_block);
  std::vector<Tile> sums((end - begin + columns - 1) / columns * kTogether * tiles);
  shape_tiles_of_runs<kBlock>();
  for (int64_t b = 0; b < blocks; b += panel) {
    const int64_t count = smaller(panel, blocks - b);
    for (int64_t tile = 0; tile < tiles; ++tile) {
      const int64_t together = tile - tile % kTogether;
      const int64_t stride = smaller(kTogether, tiles - together);
      Tile* to = &x_tiles[together * count * kSteps * parts.count + tile % kTogether];
      for (int64_t step = 0; step < count * kSteps; ++step, to += stride * parts.count) {
        load_parts(layer, x, parts, first + tile * kSide, b * kSteps + step, to, stride);
      }
    }
    Tile* sum = sums.data();
    for (int64_t n = begin; n < end; n += columns) {
      DecodedStrips w{{{layer, n}, {layer, n + kSide}}, b, kept, w_tiles.data()};
      for (int64_t tile = 0; tile < tiles; tile += kTogether) {
        const auto multiply = tile + 1 < tiles ? multiply_tiles<2> : multiply_tiles<1>;
        multiply(w, tile == 0, &x_tiles[tile * count * kSteps * parts.count], parts.count, count, sum);
        sum += smaller(kTogether, tiles - tile) * kTogether;
      }
    }
  }
  release_tiles();
  Tile* sum = sums.data();
  for (int64_t n = begin; n < end; n += columns) {
    for (int64_t tile = 0; tile < tiles; ++tile) {
      for (int s = 0; s < kTogether; ++s, ++sum) {
        const int64_t row = first + tile * kSide, column = n + s * kSide;
        store_transposed(layer, sum->rows, parts.back, row, column, end);
      }
    }
  }
}

// Computes columns begin to end of y, unless tiles cannot take the layer; returns whether it did.
bool linear_by_float_tiles(const Linear& layer, const float* x, int64_t begin, int64_t end) {
  if (layer.rows < kFewestRows || layer.size % kStep != 0) return false;
  if (layer.inputs == 0 || layer.inputs > kMostInputs) return false;
  const Parts parts = parts_of(x, layer.rows * layer.inputs);
  if (parts.count == 0 || !tiles_can_take_weights(layer)) return false;
  for (int64_t row = 0; row < layer.rows; row += kMostTiles * kSide) {
    const int64_t tiles = smaller((layer.rows - row + kSide - 1) / kSide, kMostTiles);
    linear_of_tiles(layer, x, parts, row, tiles, begin, end);
  }
  return true;
}

}  // namespace
}  // namespace mxint
