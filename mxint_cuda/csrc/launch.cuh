// What all launches share.
#pragma once

#include <cuda_runtime.h>

#include "cuda.h"

namespace mxint::cuda {

constexpr int kThreads = 256;

// Blocks for so many threads.  Beyond the most, the kernels' loops go on with the rest: there is no
// limit on a tensor's size.  (Those loops are not unrolled: nvcc would divide to count their rounds.)
inline unsigned blocks_for(int64_t threads) {
  constexpr int64_t most = 1 << 16;
  const int64_t wanted = (threads + kThreads - 1) / kThreads;
  return static_cast<unsigned>(wanted < most ? wanted : most);
}

__device__ inline int64_t first_thread() {
  return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ inline int64_t all_threads() { return static_cast<int64_t>(gridDim.x) * blockDim.x; }

// Starts a kernel, and returns what cuda.h promises.  That comes from the launch itself: CUDA's
// "last error" may be an earlier one of somebody else.
template <class... Parameters, class... Arguments>
const char* launch(void (*kernel)(Parameters...), dim3 blocks, int threads, void* stream,
                   Arguments... arguments) {
  const cudaLaunchConfig_t config{blocks,  dim3(threads), 0, static_cast<cudaStream_t>(stream),
                                  nullptr, 0};
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, arguments...);
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

// Of the current device.  Asked each time, which costs next to nothing: devices may differ.
inline int multiprocessors() {
  int device = 0, count = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

inline bool aligned(const void* pointer, int bytes) {
  return reinterpret_cast<uintptr_t>(pointer) % bytes == 0;
}

}  // namespace mxint::cuda
