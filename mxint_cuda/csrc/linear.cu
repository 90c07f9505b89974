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

// What is past the end is the last row once more: computed, not stored.
__device__ int64_t row_of_x(const Linear& layer, int row) {
  return row < layer.rows ? row : layer.rows - 1;
}

__device__ int64_t row_of_weight(const Linear& layer, int column) {
  const int64_t n = static_cast<int64_t>(blockIdx.x) * kColumns + column;
  return n < layer.outputs ? n : layer.outputs - 1;
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
__device__ void finish(const Linear& layer, float (&sums)[Rows * kColumns]) {
  constexpr int count = Rows * kColumns, lanes = kWarp / count;
  __shared__ float of_warp[kBlock / kWarp][count];
  const int lane = threadIdx.x % kWarp;
  const float sum = sum_over_warp(sums, lane);
  if (lane % lanes == 0) of_warp[threadIdx.x / kWarp][lane / lanes] = sum;
  __syncthreads();
  if (threadIdx.x >= count) return;
  float total = 0;
  for (int warp = 0; warp < kBlock / kWarp; ++warp) total += of_warp[warp][threadIdx.x];
  const int64_t row = threadIdx.x / kColumns;
  const int64_t n = static_cast<int64_t>(blockIdx.x) * kColumns + threadIdx.x % kColumns;
  if (row >= layer.rows || n >= layer.outputs) return;
  const float bias = layer.bias ? to_float(static_cast<const T*>(layer.bias)[n]) : 0.0f;
  from_float(total + bias, static_cast<T*>(layer.y)[row * layer.outputs + n]);
}

template <class T, int Rows>
__global__ void __launch_bounds__(kBlock)
float_kernel(Linear layer, const T* x) {
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
      const auto values = load<T, kFloatRun>(x + row_of_x(layer, row) * inputs + k);
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
  finish<T, Rows>(layer, sums);
}

// The sum of a run's integer products, scaled by both sides.  The smaller scale goes first: so
// nothing overflows or loses bits but what does in the end, as the sum has 20 bits and the scales
// one each, of at least 2^-133.
__device__ float scaled(int dot, float a, float b) {
  const bool ordered = a < b;  // not so where one is NaN, and then both are still used
  return dot * (ordered ? a : b) * (ordered ? b : a);
}

template <class T, int Rows, int Run>
__global__ void __launch_bounds__(kBlock)
mxint8_kernel(Linear layer, const int8_t* x, const uint8_t* x_exponent) {
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
      const int64_t x_row = row_of_x(layer, row);
      const auto values = load<int, Run / 4>(reinterpret_cast<const int*>(x + x_row * inputs + k));
      const float x_scale = scale_of(x_exponent[x_row * groups + k / size]);
#pragma unroll
      for (int column = 0; column < kColumns; ++column) {
        int dot = 0;
#pragma unroll
        for (int i = 0; i < Run / 4; ++i) dot = __dp4a(values.at[i], w[column].at[i], dot);
        sums[row * kColumns + column] += scaled(dot, scales[column], x_scale);
      }
    }
  }
  finish<T, Rows>(layer, sums);
}

// Calls body(rows), with the smallest constant of 1, 2, 4 and 8 that is enough: one kernel for all
// rows reads the weight once.
template <class Body>
const char* with_rows(int64_t rows, Body body) {
  if (rows <= 1) return body(std::integral_constant<int, 1>{});
  if (rows <= 2) return body(std::integral_constant<int, 2>{});
  if (rows <= 4) return body(std::integral_constant<int, 4>{});
  return body(std::integral_constant<int, 8>{});
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
    return with_rows(layer.rows, [&](auto rows) {
      return launch(float_kernel<T, rows>, blocks(layer), kBlock, stream, layer,
                    static_cast<const T*>(x));
    });
  });
}

const char* linear_mxint8(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                          void* stream) {
  return with_type(layer.format, [&](auto type) {
    using T = decltype(type);
    return with_rows(layer.rows, [&](auto rows) {
      const auto kernel = whole_runs(layer, kLongRun) ? mxint8_kernel<T, rows, kLongRun>
                                                      : mxint8_kernel<T, rows, kShortRun>;
      return launch(kernel, blocks(layer), kBlock, stream, layer, mantissa, exponent);
    });
  });
}

}  // namespace mxint::cuda
