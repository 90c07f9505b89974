// Quantization: a power of two of neighbouring threads, at most a warp, encodes a group together.
#include "launch.cuh"

namespace mxint::cuda {
namespace {

constexpr int kWarp = 32;

template <class T>
__global__ void quantize_kernel(const T* x, Groups groups, int team, int8_t* mantissa,
                                uint8_t* exponent) {
  const int64_t per_row = groups.per_row(), count = groups.count();
  const int member = threadIdx.x % team;
  // All lanes of a warp make the same number of rounds, so that all take part in the exchange.
  const int64_t first_of_warp = first_thread() / kWarp * kWarp / team;
  for (int64_t base = first_of_warp; base < count; base += all_threads() / team) {
    const int64_t group = base + threadIdx.x % kWarp / team;
    const int64_t start = group % per_row * groups.size;
    const int64_t left = groups.columns - start;
    const int64_t length = group >= count ? 0 : left < groups.size ? left : groups.size;
    const int64_t offset = group / per_row * groups.columns + start;

    uint32_t largest = 0;
    for (int64_t i = member; i < length; i += team) {
      largest = max(largest, as_bits(to_float(x[offset + i])) & 0x7fffffffu);
    }
    for (int distance = team / 2; distance > 0; distance /= 2) {
      largest = max(largest, __shfl_xor_sync(~0u, largest, distance));
    }

    const Encoder encoder(largest);
    for (int64_t i = member; i < length; i += team) {
      mantissa[offset + i] = encoder(to_float(x[offset + i]));
    }
    if (length > 0 && member == 0) exponent[group] = encoder.exponent;
  }
}

}  // namespace

const char* quantize(const void* x, Format format, Groups groups, int8_t* mantissa,
                     uint8_t* exponent, void* stream) {
  int team = 1;
  while (team < kWarp && team < groups.size) team *= 2;
  return with_type(format, [&](auto type) {
    using T = decltype(type);
    return launch(quantize_kernel<T>, blocks_for(groups.count() * team), kThreads, stream,
                  static_cast<const T*>(x), groups, team, mantissa, exponent);
  });
}

}  // namespace mxint::cuda
