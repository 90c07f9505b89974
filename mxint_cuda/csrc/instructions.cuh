// The instructions that CUDA C++ has no function for.  Without nvcc, on the CPU, their twins come from
// the emulator's cuda_runtime.h.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "format.h"

namespace mxint::cuda {

// Whether the device has what begins with compute capability 8.0.  nvcc compiles device code for each
// in turn, and CUDA runs the one that suits the device.
__device__ inline bool since_80() {
#ifndef __CUDACC__
  return emulator::capability() >= 80;
#elif defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800
  return false;
#else
  return true;
#endif
}

namespace instruction {
#ifdef __CUDACC__
__device__ inline void multiply_16x32(int (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                                      int c) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%10, %10, %10, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c));
}

// Adds to d the product of 8 x 16 bytes and 16 x 8 bytes.
__device__ inline void add_8x16(int& d0, int& d1, uint32_t a, uint32_t b) {
  asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+r"(d0), "+r"(d1)
      : "r"(a), "r"(b));
}

// Adds to d the product of 16 x 16 and 16 x 8 numbers of T.
template <class T>
__device__ void add_16x16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
#define MXINT_ADD_16X16(type)                                                                     \
  asm("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 {%0, %1, %2, %3}, "            \
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                                             \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                            \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
  if constexpr (std::is_same_v<T, BFloat16>) {
    MXINT_ADD_16X16("bf16");
  } else {
    MXINT_ADD_16X16("f16");
  }
#undef MXINT_ADD_16X16
}

__device__ inline void begin_copy(void* to_shared, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<uint32_t>(__cvta_generic_to_shared(to_shared))),
               "l"(from)
               : "memory");
}

__device__ inline void end_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int Latest>
__device__ void wait_for_groups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Latest) : "memory");
}
#else
using namespace emulator::twins;
#endif
}  // namespace instruction

// On tensor cores, d = a b + c of a warp: 16 x 32 bytes times 32 x 8 bytes, and one number.  With
// g = lane / 4 and t = lane % 4, a lane brings the words t and t + 4 of rows g (a[0], a[2]) and g + 8
// (a[1], a[3]), and of column g (b); it gets the columns 2 t and 2 t + 1 of rows g (d[0], d[1]) and
// g + 8 (d[2], d[3]).
__device__ inline void multiply_bytes(int (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                                      int c) {
  if (since_80()) return instruction::multiply_16x32(d, a, b, c);
  // A half of the rows and a half of the bytes at a time.
#pragma unroll
  for (int lower = 0; lower < 2; ++lower) {
    int &left = d[2 * lower], &right = d[2 * lower + 1];
    left = right = c;
    for (int half = 0; half < 2; ++half) {
      instruction::add_8x16(left, right, a[lower + 2 * half], b[half]);
    }
  }
}

// On tensor cores, d += a b of a warp: 16 x 16 numbers of T, bfloat16 or float16, times 16 x 8, summed
// in float32.  With g and t as above, a lane brings the pairs t and t + 4 of rows g and g + 8, and of
// column g, and gets what it gets of bytes.  It begins with compute capability 8.0.
template <class T>
__device__ void add_products(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  if (since_80()) instruction::add_16x16<T>(d, a, b);
}

// Begins to copy 16 bytes from global into shared memory, from and to a multiple of 16; the copy goes
// on while its thread computes.  Before compute capability 8.0 the thread copies them itself, at once.
__device__ inline void begin_copy(void* to_shared, const void* from) {
  if (since_80()) return instruction::begin_copy(to_shared, from);
  *static_cast<uint4*>(to_shared) = *static_cast<const uint4*>(from);
}

// The copies that this thread has begun since it last called this become a group, be it empty.
__device__ inline void end_group() {
  if (since_80()) instruction::end_group();
}

// Waits until all of this thread's groups but the latest so many have arrived.  Other threads find
// them there after the next barrier.
template <int Latest>
__device__ void wait_for_groups() {
  if (since_80()) instruction::wait_for_groups<Latest>();
}

}  // namespace mxint::cuda
