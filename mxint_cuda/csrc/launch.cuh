// What all launches share.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>

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

// Why none of the compiled kernels runs on the current device: it is older than all that they were
// compiled for, of which nvcc gives the list in ascending order.
inline const char* too_old() {
  constexpr int compiled[] = {__CUDA_ARCH_LIST__}, oldest = compiled[0] / 10;
  int number = 0;
  cudaDeviceProp device{};
  cudaGetDevice(&number);
  cudaGetDeviceProperties(&device, number);
  thread_local char text[400];
  snprintf(text, sizeof text,
           "%s has compute capability %d.%d, and the CUDA kernels of this build begin with %d.%d",
           device.name, device.major, device.minor, oldest / 10, oldest % 10);
  return text;
}

// Starts a kernel, and returns what cuda.h promises.  That comes from the launch itself: CUDA's
// "last error" may be an earlier one of somebody else.
template <class... Parameters, class... Arguments>
const char* launch(void (*kernel)(Parameters...), dim3 blocks, int threads, void* stream,
                   Arguments... arguments) {
  const cudaLaunchConfig_t config{blocks,  dim3(threads), 0, static_cast<cudaStream_t>(stream),
                                  nullptr, 0};
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, arguments...);
  if (error == cudaErrorNoKernelImageForDevice) return too_old();
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

// Of the current device.  Asked each time, which costs next to nothing: devices may differ.
inline int attribute(cudaDeviceAttr which) {
  int device = 0, value = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&value, which, device);
  return value;
}

inline int multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount); }

inline bool aligned(const void* pointer, int bytes) {
  return reinterpret_cast<uintptr_t>(pointer) % bytes == 0;
}

}  // namespace mxint::cuda
