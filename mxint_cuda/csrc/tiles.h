// Tiles (AMX): registers of 16 rows of 64 bytes.  The compiler's own functions for them do not take a
// template's parameter, and do not tell the compiler which memory they read.
#pragma once

#include <cstdint>

#include "format.h"

namespace mxint {
namespace {

constexpr int kTiles = 8;

// How many rows and bytes of a row each tile has in use.
struct alignas(64) TileShapes {
  uint8_t palette = 1, start = 0, unused[14] = {};
  uint16_t bytes_of_row[16] = {};
  uint8_t rows[16] = {};
};
static_assert(sizeof(TileShapes) == 64);

#ifndef MXINT_EMULATED
MXINT_INLINE void shape_tiles(const TileShapes& shapes) {
  asm volatile("ldtilecfg %0" ::"m"(shapes));
}

MXINT_INLINE void release_tiles() { asm volatile("tilerelease"); }

// Rows lie `stride` bytes apart.
template <int Tile>
MXINT_INLINE void load_tile(const void* from, int64_t stride) {
  asm volatile("tileloadd (%1,%2,1), %%tmm%c0" ::"i"(Tile), "r"(from), "r"(stride) : "memory");
}

template <int Tile>
MXINT_INLINE void store_tile(void* to, int64_t stride) {
  asm volatile("tilestored %%tmm%c0, (%1,%2,1)" ::"i"(Tile), "r"(to), "r"(stride) : "memory");
}

template <int Tile>
MXINT_INLINE void clear_tile() {
  asm volatile("tilezero %%tmm%c0" ::"i"(Tile));
}

// Adds, to word n of row m of `To`, the products of the bytes of row m of A with those of words n of B:
// of bytes 4 * k to 4 * k + 3 with row k of B.
template <int To, int A, int B>
MXINT_INLINE void add_products_of_tiles() {
  asm volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(To), "i"(A), "i"(B));
}

// The same for bfloat16, summed in float32: elements 2 * k and 2 * k + 1 of a row of A meet the pairs in
// row k of B.
template <int To, int A, int B>
MXINT_INLINE void add_products_of_bfloat16_tiles() {
  asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(To), "i"(A), "i"(B));
}
#endif

}  // namespace
}  // namespace mxint
