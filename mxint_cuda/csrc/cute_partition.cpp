// Prints what the kernels' mappings do:
//
//   cute_partition elements N GROUP_SIZE      CSV: one line per thread of each block of the CuTe
//                                             kernel: its element in the matrix, in global and in
//                                             shared memory, and whether the predicate lets it pass,
//                                             computed by the header that the kernel is made of
//   cute_partition transactions N GROUP_SIZE  CSV: for the three kernels, decoding N elements to
//                                             bfloat16: the warps' memory instructions, and the
//                                             32-byte sectors of global memory that they touch,
//                                             counted while nvcc's PTX runs on the CPU
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "cuda.h"
#include "cute_tiling.h"
#include "machine.h"

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

// Memory as CUDA hands it out, of zeros, for the rest of the program.
template <class T>
T* allocated(int64_t count) {
  constexpr size_t alignment = 256;
  const size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  memset(memory, 0, bytes);
  host_tensor(memory, bytes, true);
  return static_cast<T*>(memory);
}

void print_transactions(const Matrix& matrix) {
  const Groups groups{1, matrix.elements, matrix.group_size};
  host_begin(true);
  const auto* mantissa = allocated<int8_t>(groups.elements());
  const auto* exponent = allocated<uint8_t>(groups.per_row());
  auto* y = allocated<BFloat16>(groups.elements());
  const std::pair<const char*, cuda::Algorithm> kernels[] = {
      {"scalar", cuda::Algorithm::scalar},
      {"vectorised", cuda::Algorithm::vectorised},
      {"cute", cuda::Algorithm::cute}};
  const std::pair<const char*, const void*> arrays[] = {
      {"mantissa", mantissa}, {"exponent", exponent}, {"y", y}};
  puts("kernel,array,instructions,sectors,bytes");
  for (const auto& [name, algorithm] : kernels) {
    host_count();
    const char* error =
        cuda::dequantize(mantissa, exponent, groups, y, Format::bfloat16, algorithm, nullptr);
    if (error) throw std::runtime_error(error);
    for (const auto& [array, start] : arrays) {
      const auto [requests, sectors, bytes] = host_traffic(start);
      printf("%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", name, array, requests, sectors, bytes);
    }
  }
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
