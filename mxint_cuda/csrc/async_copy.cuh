// Copies from global into shared memory that go on while their thread computes.  Without nvcc, on
// the CPU, their twins come from the emulator's cuda_runtime.h.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace mxint::cuda {

#ifdef __CUDACC__
// Begins to copy 16 bytes, from and to a multiple of 16.
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
using emulator::wait_for_groups;
#endif

}  // namespace mxint::cuda
