// The largest of a group that lanes of a warp hold together, which decides how it is encoded.
#pragma once

#include "values.cuh"

namespace mxint::cuda {

// A magnitude as bits, which compare as Encoder wants them.
template <class T>
__device__ uint32_t magnitude(T x) {
  return as_bits(to_float(x)) & 0x7fffffffu;
}

template <int Count, class T>
__device__ uint32_t largest_of(const Values<T, Count>& x) {
  uint32_t largest = 0;
#pragma unroll
  for (int i = 0; i < Count; ++i) largest = max(largest, magnitude(x.at[i]));
  return largest;
}

// The largest of `lanes` neighbouring lanes, a power of two of them.
__device__ inline uint32_t largest_of_lanes(uint32_t largest, int lanes) {
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    largest = max(largest, __shfl_xor_sync(~0u, largest, distance));
  }
  return largest;
}

}  // namespace mxint::cuda
