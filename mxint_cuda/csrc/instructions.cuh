// The instructions that CUDA C++ has no function for.  Without nvcc, on the CPU, their twins come from
// the emulator's cuda_runtime.h.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace mxint::cuda {

#ifdef __CUDACC__
// On tensor cores, d = a b + c of a warp: 16 x 32 bytes times 32 x 8 bytes, and one number.  With
// g = lane / 4 and t = lane % 4, a lane brings the words t and t + 4 of rows g (a[0], a[2]) and g + 8
// (a[1], a[3]), and of column g (b); it gets the columns 2 t and 2 t + 1 of rows g (d[0], d[1]) and
// g + 8 (d[2], d[3]).
__device__ inline void multiply_bytes(int (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                                      int c) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%10, %10, %10, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c));
}

// Begins to copy 16 bytes from global into shared memory, from and to a multiple of 16; the copy goes
// on while its thread computes.
__device__ inline void begin_copy(void* to_shared, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<uint32_t>(__cvta_generic_to_shared(to_shared))),
               "l"(from)
               : "memory");
}

// The copies that this thread has begun since it last called this become a group, be it empty.
__device__ inline void end_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until all of this thread's groups but the latest so many have arrived.  Other threads find
// them there after the next barrier.
template <int Latest>
__device__ void wait_for_groups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Latest) : "memory");
}
#else
using emulator::begin_copy;
using emulator::end_group;
using emulator::multiply_bytes;
using emulator::wait_for_groups;
#endif

}  // namespace mxint::cuda
