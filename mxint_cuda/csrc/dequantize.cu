// Dequantization: one element a thread, and sixteen elements a thread.
#include "launch.cuh"
#include "vector.h"

namespace mxint::cuda {
namespace {

template <class T, class G>
__global__ void scalar_kernel(const int8_t* mantissa, const uint8_t* exponent, G groups,
                              int64_t begin, T* y) {
  for (int64_t i = begin + first_thread(); i < groups.elements(); i += all_threads()) {
    decode(mantissa[i], scale_of(exponent[groups.group_of(i)]), y[i]);
  }
}

template <class T, class G>
__global__ void vector_kernel(const Bytes16* mantissa, const uint8_t* exponent, G groups,
                              int64_t tiles, Bytes16* y) {
  using S = Stores<T>;
  const int lane = threadIdx.x % kLanes;
  for (int64_t tile = first_thread() / kLanes; tile < tiles; tile += all_threads() / kLanes) {
    const Bytes16 loaded = mantissa[tile * kLanes + lane];
#pragma unroll
    for (int store = 0; store < S::count; ++store) {
      uint32_t received[kWords], words[S::words];
#pragma unroll
      for (int i = 0; i < kWords; ++i) {
        received[i] = __shfl_sync(~0u, loaded.word[i], S::lane(store, lane));
      }
#pragma unroll
      for (int i = 0; i < S::words; ++i) words[i] = pick(received, S::word(store, lane) + i);
      const int64_t first = tile * kTile + S::first(store, lane);
      y[first / S::elements] = decode_store<T>(words, first, exponent, groups);
    }
  }
}

template <class T, class G>
const char* run_scalar(const int8_t* mantissa, const uint8_t* exponent, G groups, int64_t begin,
                       T* y, void* stream) {
  const int64_t elements = groups.elements() - begin;
  if (elements == 0) return nullptr;
  return launch(scalar_kernel<T, G>, blocks_for(elements), kThreads, stream, mantissa, exponent,
                groups, begin, y);
}

// Whole tiles with the vectorised kernel, and what is left with the scalar one.
template <class T, class G>
const char* run_vector(const int8_t* mantissa, const uint8_t* exponent, G groups, T* y,
                       void* stream) {
  const int64_t tiles = groups.elements() / kTile;
  if (tiles > 0) {
    const char* error = launch(vector_kernel<T, G>, blocks_for(tiles * kLanes), kThreads, stream,
                               reinterpret_cast<const Bytes16*>(mantissa), exponent, groups, tiles,
                               reinterpret_cast<Bytes16*>(y));
    if (error) return error;
  }
  return run_scalar(mantissa, exponent, groups, tiles * kTile, y, stream);
}

}  // namespace

const char* dequantize(const int8_t* mantissa, const uint8_t* exponent, Groups groups, void* y,
                       Format format, Algorithm algorithm, void* stream) {
  if (algorithm == Algorithm::cute) {
    if (format != Format::bfloat16) return "the CuTe kernel decodes to bfloat16 alone";
    return dequantize_cute(mantissa, exponent, groups, static_cast<BFloat16*>(y), stream);
  }
  const bool vectorised = algorithm != Algorithm::scalar && aligned(mantissa, 16) && aligned(y, 16);
  if (algorithm == Algorithm::vectorised && !vectorised) {
    return "the vectorised kernel needs tensors that begin at multiples of 16 bytes";
  }
  return with_type(format, [&](auto type) {
    using T = decltype(type);
    const auto run = [&](auto of) {
      return vectorised ? run_vector(mantissa, exponent, of, static_cast<T*>(y), stream)
                        : run_scalar(mantissa, exponent, of, 0, static_cast<T*>(y), stream);
    };
    const bool quick = PowerOfTwoGroups::fits(groups) && groups.size >= Stores<T>::elements;
    return quick ? run(PowerOfTwoGroups(groups)) : run(groups);
  });
}

#ifndef MXINT_CUTE
const char* dequantize_cute(const int8_t*, const uint8_t*, Groups, BFloat16*, void*) {
  return "this build has no CuTe kernel: CuTe's headers were absent";
}
#endif

}  // namespace mxint::cuda
