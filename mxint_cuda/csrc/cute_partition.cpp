// Prints what the kernels' mappings do, computed by the headers that the kernels are made of:
//
//   cute_partition elements N GROUP_SIZE      CSV: one line per thread of each block of the CuTe
//                                             kernel: its element in the matrix, in global and in
//                                             shared memory, and whether the predicate lets it pass
//   cute_partition transactions N GROUP_SIZE  CSV: for the three kernels, decoding N elements to
//                                             bfloat16: the warps' memory instructions, and the
//                                             32-byte sectors of global memory that they touch
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "cute_tiling.h"
#include "groups.h"
#include "vector.h"

namespace mxint {
namespace {

// Calls body(tiling, block_m, block_k) for each block of the CuTe kernel.
template <class Body>
void for_each_block(const Matrix& matrix, Body body) {
  with_tiling(matrix.group_size, [&](auto tiling) {
    const auto grid = decltype(tiling)::grid(matrix);
    for (int64_t k = 0; k < cute::get<1>(grid); ++k) {
      for (int64_t m = 0; m < cute::get<0>(grid); ++m) body(tiling, m, k);
    }
  });
}

// One thread's element: where it stands in the matrix, in global and in shared memory.
struct Owned {
  int64_t m, k, element;
  int shared;
  bool inside;
};

template <class Tiling>
Owned owned(Tiling, const Matrix& matrix, int64_t block_m, int64_t block_k, int thread) {
  using namespace cute;
  Tensor mX = make_tensor(counting_iterator<int64_t>{}, matrix.layout());            // (size, groups), offsets
  Tensor cX = make_identity_tensor(matrix.shape());             // (size, groups), coordinates
  Tensor sX = make_tensor(counting_iterator<int>{}, typename Tiling::SharedLayout{});  // (BLK_M, BLK_K), offsets
  Tensor tXgX = Tiling::of_thread(Tiling::tile(mX, block_m, block_k), thread);  // (1, 1)
  Tensor tXcX = Tiling::of_thread(Tiling::tile(cX, block_m, block_k), thread);  // (1, 1)
  Tensor tXsX = Tiling::of_thread(sX, thread);                                  // (1, 1)
  static_assert(decltype(size(tXsX))::value == 1, "a line of the output is one element");
  return {get<0>(tXcX(0)), get<1>(tXcX(0)), tXgX(0), static_cast<int>(tXsX(0)),
          Tiling::inside(tXcX(0), matrix)};
}

void print_elements(const Matrix& matrix) {
  puts("block_m,block_k,thread,m,k,element,shared,inside");
  for_each_block(matrix, [&](auto tiling, int64_t block_m, int64_t block_k) {
    for (int thread = 0; thread < kTileElements; ++thread) {
      const Owned own = owned(tiling, matrix, block_m, block_k, thread);
      printf("%" PRId64 ",%" PRId64 ",%d,%" PRId64 ",%" PRId64 ",%" PRId64 ",%d,%d\n", block_m,
             block_k, thread, own.m, own.k, own.element, own.shared, own.inside);
    }
  });
}

// Counts what a kernel's warps ask of one array.
class Traffic {
 public:
  // One lane's part of the present instruction.
  void lane(int64_t first_byte, int bytes) {
    for (int64_t s = first_byte / 32; s <= (first_byte + bytes - 1) / 32; ++s) sectors_.insert(s);
    bytes_ += bytes;
  }
  // The warp's instruction is complete.
  void issue() {
    if (sectors_.empty()) return;
    instructions_ += 1;
    touched_ += sectors_.size();
    sectors_.clear();
  }
  void print(const char* kernel, const char* array) const {
    printf("%s,%s,%zu,%zu,%zu\n", kernel, array, instructions_, touched_, bytes_);
  }

 private:
  std::set<int64_t> sectors_;
  size_t instructions_ = 0, touched_ = 0, bytes_ = 0;
};

// The three arrays that a dequantization moves.
struct Dequantization {
  const char* kernel;
  Traffic mantissa{}, exponent{}, y{};

  void issue() {
    mantissa.issue();
    exponent.issue();
    y.issue();
  }
  void print() const {
    mantissa.print(kernel, "mantissa");
    exponent.print(kernel, "exponent");
    y.print(kernel, "y");
  }
};

constexpr int kSize = sizeof(BFloat16);

void scalar_from(Dequantization& traffic, const Groups& groups, int64_t begin) {
  for (int64_t warp = begin; warp < groups.elements(); warp += kLanes) {
    for (int64_t i = warp; i < warp + kLanes && i < groups.elements(); ++i) {
      traffic.mantissa.lane(i, 1);
      traffic.exponent.lane(groups.group_of(i), 1);
      traffic.y.lane(i * kSize, kSize);
    }
    traffic.issue();
  }
}

void vectorised(Dequantization& traffic, const Groups& groups) {
  using P = Pieces<BFloat16>;
  const int64_t tiles = groups.elements() / kTile;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    for (int lane = 0; lane < kLanes; ++lane) {
      traffic.mantissa.lane(tile * kTile + lane * kPerLane, kPerLane);
    }
    for (int piece = 0; piece < P::count; ++piece) {
      for (int lane = 0; lane < kLanes; ++lane) {
        const int64_t first = tile * kTile + P::first(piece, lane);
        traffic.exponent.lane(groups.group_of(first), 1);
        traffic.y.lane(first * kSize, 16);
      }
      traffic.issue();
    }
  }
  scalar_from(traffic, groups, tiles * kTile);
}

void cute_tiles(Dequantization& traffic, const Matrix& matrix) {
  for_each_block(matrix, [&](auto tiling, int64_t block_m, int64_t block_k) {
    for (int warp = 0; warp < kTileElements; warp += kLanes) {
      for (int thread = warp; thread < warp + kLanes; ++thread) {
        const Owned own = owned(tiling, matrix, block_m, block_k, thread);
        const int64_t group = block_k * decltype(tiling)::BLK_K + thread;
        if (thread < decltype(tiling)::BLK_K && group < cute::get<1>(matrix.shape())) {
          traffic.exponent.lane(group, 1);
        }
        if (!own.inside) continue;
        traffic.mantissa.lane(own.element, 1);
        traffic.y.lane(own.element * kSize, kSize);
      }
      traffic.issue();
    }
  });
}

void print_transactions(const Matrix& matrix) {
  const Groups groups{1, matrix.elements, matrix.group_size};
  Dequantization scalar{"scalar"}, vector{"vectorised"}, cute{"cute"};
  scalar_from(scalar, groups, 0);
  vectorised(vector, groups);
  cute_tiles(cute, matrix);
  puts("kernel,array,instructions,sectors,bytes");
  for (const Dequantization* traffic : {&scalar, &vector, &cute}) traffic->print();
}

}  // namespace
}  // namespace mxint

int main(int count, char** words) {
  const mxint::Matrix matrix{count == 4 ? atoll(words[2]) : 0, count == 4 ? atoll(words[3]) : 0};
  const bool sizes = matrix.elements > 0 && matrix.group_size > 0;
  if (sizes && strcmp(words[1], "elements") == 0) {
    mxint::print_elements(matrix);
  } else if (sizes && strcmp(words[1], "transactions") == 0) {
    mxint::print_transactions(matrix);
  } else {
    fprintf(stderr, "usage: %s elements|transactions ELEMENTS GROUP_SIZE\n", words[0]);
    return 2;
  }
  return 0;
}
