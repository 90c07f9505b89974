// How the lab's kernel shares a tensor out: over blocks (tiles), and within a tile over threads.
// The kernel and the program that prints the partition include this one file, so that what is
// printed is what the kernel does.
//
// CuTe's layouts are functions from coordinates to offsets; they are computed on the host as well.
// Comments behind lines are the shapes of what they make.
#pragma once

#include <cute/tensor.hpp>

namespace mxint {

constexpr int kTileElements = 1024;  // as many as threads: each has one element of a tile
constexpr int kLargestTile = 256;     // rows; a larger group takes several tiles

// A tensor of `elements` is seen as a matrix whose columns are groups: (group size, groups).  All
// of a column share one exponent.
struct Matrix {
  int64_t elements, group_size;

  // A group may be given as longer than the tensor, up to the last number of 64 bits; what is
  // computed from such a size would overflow.
  CUTE_HOST_DEVICE Matrix(int64_t elements, int64_t size)
      : elements(elements), group_size(size < elements ? size : elements) {}

  CUTE_HOST_DEVICE auto shape() const {
    return cute::make_shape(group_size, cute::ceil_div(elements, group_size));
  }
  CUTE_HOST_DEVICE auto layout() const {
    return cute::make_layout(shape(), cute::make_stride(cute::Int<1>{}, group_size));
  }
};

// Tiles of BLK_M elements of each of BLK_K groups.
template <int BLK_M>
struct Tiling {
  static constexpr int BLK_K = kTileElements / BLK_M;
  using CtaTiler = cute::Shape<cute::Int<BLK_M>, cute::Int<BLK_K>>;
  // Threads, and the tile in shared memory, both with m running fastest: thread m + BLK_M k has
  // element (m, k), so that the threads of one column share an exponent.
  using ThreadLayout = cute::Layout<CtaTiler>;
  using SharedLayout = cute::Layout<CtaTiler>;

  // The tile of block (m, k) of a matrix.
  template <class Tensor>
  CUTE_HOST_DEVICE static auto tile(Tensor const& matrix, int64_t block_m, int64_t block_k) {
    return cute::local_tile(matrix, CtaTiler{}, cute::make_coord(block_m, block_k));
  }  // (BLK_M, BLK_K)

  // What one thread has of a tile.
  template <class Tensor>
  CUTE_HOST_DEVICE static auto of_thread(Tensor const& tile, int thread) {
    return cute::local_partition(tile, ThreadLayout{}, thread);
  }  // (BLK_M / threads along m, BLK_K / threads along k) = (1, 1)

  // The column of the tile that a thread works on, and whose exponent it needs.
  CUTE_HOST_DEVICE static int column_of(int thread) {
    return thread / cute::size<0>(ThreadLayout{});
  }

  // Whether a coordinate of the matrix is an element: tiles reach beyond the edges, below the last
  // row, right of the last group, and within the last group where that is shorter.
  template <class Coordinate>
  CUTE_HOST_DEVICE static bool inside(Coordinate const& at, Matrix const& matrix) {
    return cute::elem_less(at, matrix.shape()) &&
           cute::get<0>(at) + cute::get<1>(at) * matrix.group_size < matrix.elements;
  }

  // Blocks along m and along k.
  CUTE_HOST_DEVICE static auto grid(Matrix const& matrix) {
    return cute::ceil_div(matrix.shape(), CtaTiler{});
  }
};

// Calls body(Tiling) with the lab's tiling for a group size: the smallest power of two of rows that
// holds a group, from 8 to 256.
template <class Body>
auto with_tiling(int64_t group_size, Body body) {
  if (group_size <= 8) return body(Tiling<8>{});
  if (group_size <= 16) return body(Tiling<16>{});
  if (group_size <= 32) return body(Tiling<32>{});
  if (group_size <= 64) return body(Tiling<64>{});
  if (group_size <= 128) return body(Tiling<128>{});
  return body(Tiling<kLargestTile>{});
}

}  // namespace mxint
