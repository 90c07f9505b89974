// Linear layers for few rows of x, where reading the weight is most of the work: it is decoded in
// registers.  A block computes kColumns columns of y for up to eight rows; its threads share out
// the inputs, a run of one group at a time, and add up their sums in the end.
#include <type_traits>

#include "launch.cuh"

namespace mxint::cuda {
namespace {

constexpr int kWarp = 32;
constexpr int kBlock = 128;  // threads
constexpr int kColumns = 4;  // columns of y, which share what is loaded of x
constexpr int kFloatRun = 8;
constexpr int kLongRun = 32, kShortRun = 8;  // of mxint8_kernel

// Consecutive values, loaded 16 bytes at a time where there are so many.
template <class T, int Run>
struct alignas(sizeof(T) * Run < 16 ? sizeof(T) * Run : 16) Values { T at[Run]; };

template <class T, int Run>
__device__ Values<T, Run> load(const T* from) {
  return *reinterpret_cast<const Values<T, Run>*>(from);
}

__device__ int64_t row_of_weight(const Linear& layer, int column) {
  const int64_t n = static_cast<int64_t>(blockIdx.x) * kColumns + column;
  return n < layer.outputs ? n : layer.outputs - 1;  // past the end: computed, not stored
}

// Adds up `Count` sums over a warp; lane i is left with the sum i / (kWarp / Count).  Each step
// halves what a lane holds: it keeps one half, and hands the other to its partner.
template <int Count>
__device__ float sum_over_warp(float (&sums)[Count], int lane) {
  int held = Count;
#pragma unroll
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    const bool upper = lane & distance;
    if (held > 1) {
      held /= 2;
#pragma unroll
      for (int i = 0; i < Count / 2; ++i) {
        if (i >= held) break;
        const float given = upper ? sums[i] : sums[i + held];
        const float kept = upper ? sums[i + held] : sums[i];
        sums[i] = kept + __shfl_xor_sync(~0u, given, distance);
      }
    } else {
      sums[0] += __shfl_xor_sync(~0u, sums[0], distance);
    }
  }
  return sums[0];
}

// Adds up the sums of all threads, and stores them.
template <class T, int Rows>
__device__ void finish(const Linear& layer, int64_t first_row, float (&sums)[Rows * kColumns],
                       float factor) {
  constexpr int count = Rows * kColumns, lanes = kWarp / count;
  __shared__ float of_warp[kBlock / kWarp][count];
  const int lane = threadIdx.x % kWarp;
  const float sum = sum_over_warp(sums, lane);
  if (lane % lanes == 0) of_warp[threadIdx.x / kWarp][lane / lanes] = sum;
  __syncthreads();
  if (threadIdx.x >= count) return;
  float total = 0;
  for (int warp = 0; warp < kBlock / kWarp; ++warp) total += of_warp[warp][threadIdx.x];
  const int64_t row = first_row + threadIdx.x / kColumns;
  const int64_t n = static_cast<int64_t>(blockIdx.x) * kColumns + threadIdx.x % kColumns;
  if (n >= layer.outputs) return;
  const float bias = layer.bias ? to_float(static_cast<const T*>(layer.bias)[n]) : 0.0f;
  from_float(total * factor + bias, static_cast<T*>(layer.y)[row * layer.outputs + n]);
}

template <class T, int Rows>
__global__ void __launch_bounds__(kBlock)
float_kernel(Linear layer, const T* x, int64_t first_row) {
  const int inputs = static_cast<int>(layer.weight.columns);
  const int size = static_cast<int>(layer.weight.size);
  const int64_t groups = layer.weight.per_row();
  float sums[Rows * kColumns] = {};
  for (int k = threadIdx.x * kFloatRun; k < inputs; k += kBlock * kFloatRun) {
    float w[kColumns][kFloatRun];
#pragma unroll
    for (int column = 0; column < kColumns; ++column) {
      const int64_t row = row_of_weight(layer, column);
      const auto mantissas = load<int8_t, kFloatRun>(layer.mantissa + row * inputs + k);
      const float scale = scale_of(layer.exponent[row * groups + k / size]);
#pragma unroll
      for (int i = 0; i < kFloatRun; ++i) w[column][i] = mantissas.at[i] * scale;
    }
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
      const auto values = load<T, kFloatRun>(x + (first_row + row) * inputs + k);
#pragma unroll
      for (int i = 0; i < kFloatRun; ++i) {
        const float value = to_float(values.at[i]);
#pragma unroll
        for (int column = 0; column < kColumns; ++column) {
          sums[row * kColumns + column] += value * w[column][i];
        }
      }
    }
  }
  finish<T, Rows>(layer, first_row, sums, 1.0f);
}

// The sums of integer products are scaled by 2^(E - 133) of either side.  To keep the product with
// the first scale exact and finite for every E, it is taken 2^-16 times too small, which the sum
// gets back in the end.
constexpr float kSmaller = 1.0f / 65536;

template <class T, int Rows, int Run>
__global__ void __launch_bounds__(kBlock)
mxint8_kernel(Linear layer, const int8_t* x, const uint8_t* x_exponent, int64_t first_row) {
  const int inputs = static_cast<int>(layer.weight.columns);
  const int size = static_cast<int>(layer.weight.size);
  const int64_t groups = layer.weight.per_row();
  float sums[Rows * kColumns] = {};
  for (int k = threadIdx.x * Run; k < inputs; k += kBlock * Run) {
    Values<int, Run / 4> w[kColumns];  // four mantissas each
    float scales[kColumns];
#pragma unroll
    for (int column = 0; column < kColumns; ++column) {
      const int64_t row = row_of_weight(layer, column);
      w[column] = load<int, Run / 4>(reinterpret_cast<const int*>(layer.mantissa + row * inputs + k));
      scales[column] = scale_of(layer.exponent[row * groups + k / size]);
    }
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
      const int64_t x_row = first_row + row;
      const auto values = load<int, Run / 4>(reinterpret_cast<const int*>(x + x_row * inputs + k));
      const float x_scale = scale_of(x_exponent[x_row * groups + k / size]);
#pragma unroll
      for (int column = 0; column < kColumns; ++column) {
        int dot = 0;
#pragma unroll
        for (int i = 0; i < Run / 4; ++i) dot = __dp4a(values.at[i], w[column].at[i], dot);
        sums[row * kColumns + column] += dot * kSmaller * scales[column] * x_scale;
      }
    }
  }
  finish<T, Rows>(layer, first_row, sums, 1 / kSmaller);
}

// Calls body(number of rows, a constant, and the first row): eight at a time, then four, two, one.
template <class Body>
const char* by_rows(int64_t rows, Body body) {
  const char* error = nullptr;
  int64_t row = 0;
  const auto step = [&](auto size) {
    for (; error == nullptr && rows - row >= size; row += size) error = body(size, row);
  };
  step(std::integral_constant<int, 8>{});
  step(std::integral_constant<int, 4>{});
  step(std::integral_constant<int, 2>{});
  step(std::integral_constant<int, 1>{});
  return error;
}

unsigned blocks(const Linear& layer) {
  return static_cast<unsigned>((layer.outputs + kColumns - 1) / kColumns);
}

bool whole_runs(const Linear& layer, int run) {
  return layer.weight.columns % run == 0 && layer.weight.size % run == 0;
}

}  // namespace

bool linear_takes(const Linear& layer, const void* x) {
  constexpr int64_t most = 1 << 30;  // columns are counted in 32 bits, blocks in 31
  return layer.rows <= kMostRows && whole_runs(layer, kShortRun) && layer.weight.columns <= most &&
         layer.weight.size <= most && layer.outputs <= most && aligned(layer.mantissa, 16) &&
         aligned(x, 16);
}

const char* linear_float(const Linear& layer, const void* x, void* stream) {
  return with_type(layer.format, [&](auto type) {
    using T = decltype(type);
    return by_rows(layer.rows, [&](auto rows, int64_t first) {
      float_kernel<T, rows><<<blocks(layer), kBlock, 0, as_stream(stream)>>>(
          layer, static_cast<const T*>(x), first);
      return launched();
    });
  });
}

const char* linear_mxint8(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                          void* stream) {
  return with_type(layer.format, [&](auto type) {
    using T = decltype(type);
    return by_rows(layer.rows, [&](auto rows, int64_t first) {
      const auto kernel = whole_runs(layer, kLongRun) ? mxint8_kernel<T, rows, kLongRun>
                                                      : mxint8_kernel<T, rows, kShortRun>;
      kernel<<<blocks(layer), kBlock, 0, as_stream(stream)>>>(layer, mantissa, exponent, first);
      return launched();
    });
  });
}

}  // namespace mxint::cuda
