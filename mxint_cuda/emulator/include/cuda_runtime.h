// CUDA C++ for g++, as far as the kernels use it: in place of the toolkit's header of this name.
#pragma once

#include <cmath>
#include <cstring>

#include "machine.h"
#include "twins.h"

#ifdef CUDA_ON_HOST_TOOLKIT  // CuTe needs the toolkit's types, so here only what runs is replaced
#include_next <cuda_runtime.h>
#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __forceinline__
#undef __launch_bounds__
#undef cudaGetDeviceProperties
#else
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct alignas(16) uint4 { uint32_t x, y, z, w; };
inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w) { return {x, y, z, w}; }
using cudaStream_t = struct CUstream_st*;
enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorLaunchFailure = 719
};
enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
};
struct cudaDeviceProp {
  char name[256];
  int major, minor;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  const void* attrs;
  unsigned numAttrs;
};
#endif

#define __CUDA_ARCH_LIST__ 750, 900
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __shared__ static  // one block runs at a time

namespace emulator {

// As CUDA's runtime keeps it: the last failure of anyone, until it is asked for.
inline cudaError_t last_error = cudaSuccess;

inline cudaError_t take_last_error() {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

inline const char* message(cudaError_t) {
  return *failure() ? failure() : "a launch before this one has failed";
}

inline cudaError_t get_device(int* device) {
  *device = 0;
  return cudaSuccess;
}

inline cudaError_t get_attribute(int* value, cudaDeviceAttr which, int) {
  *value = attribute(which);
  return cudaSuccess;
}

inline cudaError_t get_properties(cudaDeviceProp* device, int) {
  strcpy(device->name, kName);
  device->major = capability() / 10;
  device->minor = capability() % 10;
  return cudaSuccess;
}

template <class... Parameters, class... Arguments>
cudaError_t launch(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                   Arguments&&... arguments) {
  constexpr int compiled[] = {__CUDA_ARCH_LIST__};
  if (10 * capability() < compiled[0]) return last_error = cudaErrorNoKernelImageForDevice;
  // Copies of the arguments for each thread; reading them here is no access by a kernel.
  const auto call = [&]() __attribute__((no_sanitize_thread)) { kernel(arguments...); };
  const Body body{reinterpret_cast<const void*>(kernel),
                  [](const void* object) { (*static_cast<decltype(&call)>(object))(); }, &call};
  const dim3 &grid = config->gridDim, &block = config->blockDim;
  if (run({grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, body)) return cudaSuccess;
  return last_error = cudaErrorLaunchFailure;
}

template <class T>
T shuffle(const char* what, unsigned mask, T value, int from) {
  static_assert(sizeof(T) == 4);
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits = static_cast<uint32_t>(exchange(what, mask, bits, from));
  memcpy(&value, &bits, sizeof bits);
  return value;
}

}  // namespace emulator

#define cudaLaunchKernelEx ::emulator::launch
#define cudaGetErrorString ::emulator::message
#define cudaGetDevice ::emulator::get_device
#define cudaDeviceGetAttribute ::emulator::get_attribute
#define cudaGetDeviceProperties ::emulator::get_properties
#define cudaGetLastError ::emulator::take_last_error
#define threadIdx (::emulator::thread_index())
#define blockIdx (::emulator::block_index())
#define blockDim (::emulator::block_size())
#define gridDim (::emulator::grid_size())

inline void __syncthreads() { emulator::barrier(); }
inline void __syncwarp(unsigned mask = ~0u) { emulator::warp_barrier(mask); }
template <class T>
T __shfl_sync(unsigned mask, T value, int from) {
  return emulator::shuffle("__shfl_sync", mask, value, from & 31);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int with) {
  return emulator::shuffle("__shfl_xor_sync", mask, value, (emulator::lane() ^ with) & 31);
}
inline int __all_sync(unsigned mask, int predicate) {
  return emulator::all("__all_sync", mask, predicate != 0);
}

// A store with a word about caches.
template <class T>
void __stcs(T* to, T value) {
  *to = value;
}

template <class T>
constexpr T max(T a, T b) {
  return a < b ? b : a;
}

template <class T>
constexpr T min(T a, T b) {
  return b < a ? b : a;
}

inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t shift) {
  return emulator::shifted(low, high, shift);
}
inline uint32_t __byte_perm(uint32_t low, uint32_t high, uint32_t selector) {
  return emulator::permuted_bytes(low, high, selector);
}
inline int __dp4a(int a, int b, int c) { return emulator::dot_of_bytes(a, b, c); }
