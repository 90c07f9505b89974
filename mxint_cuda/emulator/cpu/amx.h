// Tiles (AMX) for a processor with AVX2 alone.  This file is included before cpu.cpp.
#pragma once

#include "../../csrc/tiles.h"
#include "avx512.h"

#define __AMX_INT8__

namespace mxint {
namespace {

// Of a thread.  What the shapes leave out is zeros.
struct Tiles {
  TileShapes shapes{.palette = 0};
  int8_t bytes[kTiles][16][64];
};
thread_local Tiles tiles;

// A fault, as the processor has, unless that holds.
inline void require(bool holds) {
  if (!holds) __builtin_trap();
}

// Those before must have been released, which the processor does not ask for.
inline void shape_tiles(const TileShapes& shapes) {
  require(shapes.palette == 1 && tiles.shapes.palette == 0);
  tiles = {shapes, {}};
}

inline void release_tiles() { tiles.shapes.palette = 0; }

template <int Tile>
void clear_tile() {
  require(tiles.shapes.palette == 1);
  memset(tiles.bytes[Tile], 0, sizeof(tiles.bytes[Tile]));
}

template <int Tile>
void load_tile(const void* from, int64_t stride) {
  clear_tile<Tile>();
  for (int row = 0; row < tiles.shapes.rows[Tile]; ++row) {
    memcpy(tiles.bytes[Tile][row], static_cast<const char*>(from) + row * stride,
           tiles.shapes.bytes_of_row[Tile]);
  }
}

template <int Tile>
void store_tile(void* to, int64_t stride) {
  require(tiles.shapes.palette == 1);
  for (int row = 0; row < tiles.shapes.rows[Tile]; ++row) {
    memcpy(static_cast<char*>(to) + row * stride, tiles.bytes[Tile][row],
           tiles.shapes.bytes_of_row[Tile]);
  }
}

template <int To, int A, int B>
void require_shapes() {
  static_assert(To != A && To != B && A != B);
  const uint8_t* rows = tiles.shapes.rows;
  const uint16_t* bytes = tiles.shapes.bytes_of_row;
  require(tiles.shapes.palette == 1 && rows[To] == rows[A] && bytes[To] == bytes[B] &&
          bytes[A] == 4 * rows[B]);
}

template <int To, int A, int B>
void add_products_of_tiles() {
  require_shapes<To, A, B>();
  const uint8_t* rows = tiles.shapes.rows;
  const uint16_t* bytes = tiles.shapes.bytes_of_row;
  for (int m = 0; m < rows[To]; ++m) {
    for (int n = 0; n < bytes[To] / 4; ++n) {
      int32_t sum;
      memcpy(&sum, &tiles.bytes[To][m][4 * n], sizeof(sum));
      for (int k = 0; k < bytes[A]; ++k) {
        sum += tiles.bytes[A][m][k] * tiles.bytes[B][k / 4][4 * n + k % 4];
      }
      memcpy(&tiles.bytes[To][m][4 * n], &sum, sizeof(sum));
    }
  }
}

// Tiles flush subnormal numbers, whatever the thread's mode.
inline float flushed(float x) { return std::abs(x) < power_of_two(-126) ? 0.0f : x; }

// As Intel documents it: first and second elements of the pairs are summed apart, then added.
template <int To, int A, int B>
void add_products_of_bfloat16_tiles() {
  require_shapes<To, A, B>();
  const auto number = [](const int8_t* row, int i) {
    BFloat16 x;
    memcpy(&x, row + 2 * i, sizeof(x));
    return flushed(to_float(x));
  };
  const int pairs = tiles.shapes.rows[B];
  for (int m = 0; m < tiles.shapes.rows[To]; ++m) {
    for (int n = 0; n < tiles.shapes.bytes_of_row[To] / 4; ++n) {
      float sums[2] = {};
      for (int i = 0; i < 2 * pairs; ++i) {
        const float a = number(tiles.bytes[A][m], i), b = number(tiles.bytes[B][i / 2], 2 * n + i % 2);
        sums[i % 2] = flushed(std::fma(a, b, sums[i % 2]));
      }
      float sum;
      memcpy(&sum, &tiles.bytes[To][m][4 * n], sizeof(sum));
      sum = flushed(flushed(sum) + flushed(sums[0] + sums[1]));
      memcpy(&tiles.bytes[To][m][4 * n], &sum, sizeof(sum));
    }
  }
}

}  // namespace
}  // namespace mxint
