// Many rows of x in integers, on tiles (AMX).  One instruction multiplies 16 columns of W, which need
// not be transposed, by 16 rows of x, over the inputs of a run.  The sums leave the tile through
// memory, and are scaled and added up in registers, one for each column, with rows as lanes.
//
// While tiles are in use, floats are multiplied half as fast, but added as ever (family 6, model 167).
// So sums are not multiplied by W's scale, a power of two.  It becomes the exponent of a float; a sum
// is added to that float's bits, and the float is then subtracted.
#pragma once

#include <vector>

#include "avx512.h"
#include "strips.h"
#include "tiles.h"

namespace mxint {
namespace {

constexpr int kSide = kLanes32;      // columns of W, and rows of x, that a tile has
constexpr int64_t kMostTiles = 8;    // of x: with 4096 inputs these fit into L2
constexpr int64_t kBlocksAhead = 4;  // so many blocks of W are loaded before they are used

// For 16 exponents, 1.5 * 2^23 times the scale / 2^kLargerBits: floats whose last bit is worth that
// scale, and remains so while integers from -2^22 to 2^22 - 1 are added to their bits.  NaN of NaN.
MXINT_INLINE __m512i origins_of(__m512i exponent) {
  static_assert(kExponentBias == 127 && kFractionBits == 6 && kLargerBits == 16);
  const __m512i power = _mm512_add_epi32(exponent, _mm512_set1_epi32(1));
  const __m512i origin = _mm512_add_epi32(_mm512_slli_epi32(power, 23), _mm512_set1_epi32(1 << 22));
  const __mmask16 is_nan = _mm512_cmpeq_epi32_mask(exponent, _mm512_set1_epi32(kNaNExponent));
  return _mm512_mask_mov_epi32(origin, is_nan, _mm512_set1_epi32(0x7fc00000));
}

// A block of 16 columns of W, and the origins of its runs.
template <int Run>
struct Columns16 {
  __m512i bytes[kSide];  // of a column each
  int32_t origins[kBlock / Run][kSide];

  MXINT_INLINE void load(const Strip& strip, StripExponents& exponents, int64_t b, int64_t size) {
    const int64_t first = b * kBlock, count = strip.length - first;
    const uint64_t there = count < kBlock ? (uint64_t{1} << count) - 1 : -1;
    const int64_t far = strip.ahead(first + 2048);
    for (int c = 0; c < kSide; ++c) {
      bytes[c] = _mm512_maskz_loadu_epi8(there, strip.rows[c] + first);
      _mm_prefetch(strip.rows[c] + far, _MM_HINT_T1);
    }
    for (int run = 0; run < kBlock / Run; ++run) {
      const int64_t group = (first + run * Run) / size;
      _mm512_storeu_si512(origins[run], origins_of(exponents.of(group)));
    }
  }
};

// A block of 16 rows of x, and the scales of its runs, a lane for each row.
template <int Run>
struct Rows16 {
  __m512i words[kSide];  // four inputs of all rows each
  __m512 scales[kBlock / Run];

  MXINT_INLINE void load(const Strip& strip, StripExponents& exponents, int64_t b, int64_t size) {
    strip.load_transposed(b * kBlock, words);
    for (int run = 0; run < kBlock / Run; ++run) {
      const __m512 scale = exponents.scales((b * kBlock + run * Run) / size, 0);
      scales[run] = _mm512_mul_ps(scale, _mm512_set1_ps(kLarger));
    }
  }
};

constexpr int kTileOfW = 4, kTileOfX = 6;  // and the next of each; those before have sums

template <int Run>
void shape_tiles_of_runs() {
  TileShapes shapes;
  for (int tile = 0; tile < kTiles; ++tile) {
    shapes.bytes_of_row[tile] = kBlock;
    shapes.rows[tile] = kSide;
  }
  for (int i = 0; i < 2; ++i) {
    shapes.bytes_of_row[kTileOfW + i] = Run;
    shapes.rows[kTileOfX + i] = Run / 4;
  }
  shape_tiles(shapes);
}

// Begins the products of a run, in tile T.
template <int T, int Run>
MXINT_INLINE void begin_products(const Columns16<Run>* w, const Rows16<Run>* x, int64_t run) {
  const int64_t b = run / (kBlock / Run), first = run % (kBlock / Run) * Run;
  load_tile<kTileOfW + T>(reinterpret_cast<const char*>(w[b].bytes) + first, kBlock);
  load_tile<kTileOfX + T>(reinterpret_cast<const char*>(x[b].words) + first * kSide, kBlock);
  clear_tile<T>();
  add_products_of_tiles<T, kTileOfW + T, kTileOfX + T>();
}

// The sums of 16 columns, for 16 rows each, over `blocks` blocks.  At each block it calls
// before_block.  A tile's products take longer than scaling those of another, so two are under way.
template <int Run, class BeforeBlock>
[[gnu::noinline]] void multiply(const Columns16<Run>* w, const Rows16<Run>* x, int64_t blocks,
                                __m512 (&sums)[kSide], BeforeBlock before_block) {
  constexpr int runs = kBlock / Run;
  static_assert(runs <= 2);
  const int64_t last = blocks * runs - 1;
  alignas(64) int32_t products[2][kSide][kSide];
  __m512 sum[kSide];  // stays in registers, as no pointer to it leaves this function
#pragma GCC unroll 16
  for (int c = 0; c < kSide; ++c) sum[c] = _mm512_setzero_ps();
  const auto add_run = [&](auto tile, int64_t run) __attribute__((always_inline)) {
    store_tile<tile>(products[tile], kBlock);
    begin_products<tile>(w, x, smaller(run + 2, last));
    const int32_t* origins = w[run / runs].origins[run % runs];
    const __m512 scale_of_x = x[run / runs].scales[run % runs];
#pragma GCC unroll 16
    for (int c = 0; c < kSide; ++c) {
      const __m512i origin = _mm512_set1_epi32(origins[c]);
      const __m512i moved = _mm512_add_epi32(_mm512_load_si512(products[tile][c]), origin);
      const __m512 scaled = _mm512_sub_ps(_mm512_castsi512_ps(moved), _mm512_castsi512_ps(origin));
      sum[c] = _mm512_fmadd_ps(scaled, scale_of_x, sum[c]);
    }
  };
  begin_products<0>(w, x, 0);
  begin_products<1>(w, x, smaller(1, last));
  for (int64_t run = 0; run <= last; run += 2) {
    before_block(run / runs);
    add_run(std::integral_constant<int, 0>(), run);
    if (run == last) break;
    if (runs == 1) before_block(run + 1);
    add_run(std::integral_constant<int, 1>(), run + 1);
  }
#pragma GCC unroll 16
  for (int c = 0; c < kSide; ++c) sums[c] = sum[c];
}

// Rows first to first + 16 * tiles - 1 of x, tile by tile.  Past the last row there is that one again.
template <int Run>
std::vector<Rows16<Run>> by_tiles(const Linear& layer, const int8_t* mantissa,
                                  const uint8_t* exponent, int64_t first, int64_t tiles) {
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  const int64_t blocks = (layer.inputs + kBlock - 1) / kBlock;
  std::vector<Rows16<Run>> x(tiles * blocks);
  for (int64_t tile = 0; tile < tiles; ++tile) {
    const Strip strip(mantissa, layer.inputs, first + tile * kSide, layer.rows);
    StripExponents exponents(exponent, groups, first + tile * kSide, layer.rows);
    for (int64_t b = 0; b < blocks; ++b) {
      x[tile * blocks + b].load(strip, exponents, b, layer.size);
    }
  }
  return x;
}

// Transposes 16 columns of float sums in place, and stores `scale` times them, plus the bias, as columns
// n to n + 15 of y, those before `end`, of 16 rows from `row` on.  Storing whole rows takes 4 % less time
// than store_columns for 128 rows.
MXINT_INLINE void store_transposed(const Linear& layer, __m512i (&columns)[kSide], float scale,
                                   int64_t row, int64_t n, int64_t end) {
  if (n >= end) return;
  const __mmask16 there = first_lanes(smaller(kSide, end - n));
  const __m512 bias =
      layer.bias ? _mm512_maskz_loadu_ps(there, layer.bias + n) : _mm512_setzero_ps();
  transpose(columns);
  float* y = layer.y + row * layer.outputs + n;
#pragma GCC unroll 16
  for (int r = 0; r < kSide; ++r, y += layer.outputs) {
    if (row + r == layer.rows) break;
    const __m512 sums = _mm512_castsi512_ps(columns[r]);
    _mm512_mask_storeu_ps(y, there, _mm512_fmadd_ps(sums, _mm512_set1_ps(scale), bias));
  }
}

// The 16 columns of y from n on, for the rows of x, from `first` on; w is filled for that.
template <int Run>
void multiply_strip(const Linear& layer, const std::vector<Rows16<Run>>& x, int64_t first, int64_t n,
                    int64_t end, std::vector<Columns16<Run>>& w) {
  const int64_t blocks = w.size(), tiles = x.size() / blocks;
  const Strip strip(layer.mantissa, layer.inputs, n, layer.outputs);
  StripExponents exponents(layer, n);
  const auto load_block = [&](int64_t b) __attribute__((always_inline)) {
    if (b < blocks) w[b].load(strip, exponents, b, layer.size);
  };
  for (int64_t b = 0; b < kBlocksAhead; ++b) load_block(b);
  for (int64_t tile = 0; tile < tiles; ++tile) {
    __m512 sums[kSide];
    if (tile == 0) {  // W comes from memory meanwhile
      multiply(w.data(), x.data(), blocks, sums, [&](int64_t b) { load_block(b + kBlocksAhead); });
    } else {
      multiply(w.data(), &x[tile * blocks], blocks, sums, [](int64_t) {});
    }
    __m512i columns[kSide];
    for (int c = 0; c < kSide; ++c) columns[c] = _mm512_castps_si512(sums[c]);
    store_transposed(layer, columns, 1, first + tile * kSide, n, end);
  }
}

// Whether columns begin to end are taken so.  With fewer rows or shorter runs tiles are slower, or gain
// little; and the origin of exponent 254, of which no layer makes sense, is infinite.  The other strips
// give the same numbers, bit by bit.
MXINT_INLINE bool tiles_take(const Linear& layer, int64_t begin, int64_t end) {
  if (layer.rows <= 8 || run_length(layer.size) < 32 || layer.inputs == 0) return false;
  const int64_t groups = Groups{1, layer.inputs, layer.size}.per_row();
  return !memchr(layer.exponent + begin * groups, 254, (end - begin) * groups);
}

template <int Run>
void linear_by_tiles_of(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                        int64_t begin, int64_t end) {
  std::vector<Columns16<Run>> w((layer.inputs + kBlock - 1) / kBlock);
  for (int64_t first = 0; first < layer.rows; first += kMostTiles * kSide) {
    const int64_t rows = smaller(layer.rows - first, kMostTiles * kSide);
    const auto x = by_tiles<Run>(layer, mantissa, exponent, first, (rows + kSide - 1) / kSide);
    shape_tiles_of_runs<Run>();
    for (int64_t n = begin; n < end; n += kSide) multiply_strip(layer, x, first, n, end, w);
    release_tiles();
  }
}

void linear_by_tiles(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                     int64_t begin, int64_t end) {
  if (run_length(layer.size) == 32) {
    return linear_by_tiles_of<32>(layer, mantissa, exponent, begin, end);
  }
  linear_by_tiles_of<64>(layer, mantissa, exponent, begin, end);
}

// For the benchmark: what no kernel can be faster than.
int64_t multiply_in_registers(int64_t products) {
  constexpr int chains = 4;  // sums, as each instruction of one waits for the one before
  alignas(64) int8_t ones[kSide * kBlock];
  memset(ones, 1, sizeof(ones));
  shape_tiles_of_runs<kBlock>();
  load_tile<kTileOfW>(ones, kBlock);
  load_tile<kTileOfX>(ones, kBlock);
  clear_tile<0>();
  clear_tile<1>();
  clear_tile<2>();
  clear_tile<3>();
  for (int64_t done = 0; done < products; done += chains * kSide * kSide * kBlock) {
    add_products_of_tiles<0, kTileOfW, kTileOfX>();
    add_products_of_tiles<1, kTileOfW, kTileOfX>();
    add_products_of_tiles<2, kTileOfW, kTileOfX>();
    add_products_of_tiles<3, kTileOfW, kTileOfX>();
  }
  alignas(64) int32_t sums[kSide * kSide];
  store_tile<0>(sums, kBlock);
  release_tiles();
  return sums[0];
}

}  // namespace
}  // namespace mxint
