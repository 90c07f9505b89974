// Linear layers for few rows of x, where reading the weight is most of the work: it is decoded in
// registers.  A block computes kColumns columns of y for up to eight rows; its threads share out
// the inputs, a run of one group at a time, and add up their sums in the end.
#include <algorithm>
#include <type_traits>

#include "linear.cuh"

namespace mxint::cuda {
namespace {

constexpr int kBlock = 128;  // threads
constexpr int kColumns = 4;  // columns of y, which share what is loaded of x
constexpr int kFloatRun = 8;
// Of both sides in MXINT8.  The lanes of a warp load neighbouring runs, of at most 16 bytes, so that
// what they load at a time has no gaps.
constexpr int kLongRun = 16, kShortRun = 8;

__device__ int64_t output_of(int column) {
  return static_cast<int64_t>(blockIdx.x) * kColumns + column;
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
template <int Rows, class T>
__device__ void finish(const Shape& shape, float (&sums)[Rows * kColumns],
                       const T* __restrict__ bias, T* __restrict__ y) {
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
  const int64_t n = output_of(threadIdx.x % kColumns);
  if (row >= shape.rows || n >= shape.outputs) return;
  from_float(total + (bias ? to_float(bias[n]) : 0.0f), y[row * shape.outputs + n]);
}

template <class T, int Rows>
__global__ void __launch_bounds__(kBlock)
float_kernel(Shape shape, const T* __restrict__ x, const int8_t* __restrict__ mantissa,
             const uint8_t* __restrict__ exponent, const T* __restrict__ bias,
             T* __restrict__ y) {
  float sums[Rows * kColumns] = {};
  for (int k = threadIdx.x * kFloatRun; k < shape.inputs; k += kBlock * kFloatRun) {
    const int group = shape.size.quotient(k);
    float w[kColumns][kFloatRun];
#pragma unroll
    for (int column = 0; column < kColumns; ++column) {
      const int64_t row = shape.output(output_of(column));
      const auto words = load<kFloatRun / 4>(
          reinterpret_cast<const uint32_t*>(mantissa + row * shape.inputs + k));
      const float scale = scale_of(exponent[row * shape.groups + group]);
#pragma unroll
      for (int i = 0; i < kFloatRun; ++i) {
        w[column][i] = mantissa_of(words.at[i / 4], i % 4) * scale;
      }
    }
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
      const auto values = load<kFloatRun>(x + shape.row(row) * shape.inputs + k);
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
  finish<Rows>(shape, sums, bias, y);
}

// A run of a row of x in MXINT8.
template <int Run>
struct RunOfX {
  Values<int, Run / 4> words;  // of four mantissas
  float scale;
};

// A run of each of a block's columns of the weight.
template <int Run>
struct RunsOfWeight {
  Values<int, Run / 4> words[kColumns];
  float scales[kColumns];
  bool all_ordinary = true;

  __device__ RunsOfWeight(const Shape& shape, const int8_t* __restrict__ mantissa,
                          const uint8_t* __restrict__ exponent, int k, int group) {
#pragma unroll
    for (int column = 0; column < kColumns; ++column) {
      const int64_t row = shape.output(output_of(column));
      words[column] =
          load<Run / 4>(reinterpret_cast<const int*>(mantissa + row * shape.inputs + k));
      scales[column] = scale_of(exponent[row * shape.groups + group]);
      all_ordinary = all_ordinary && ordinary(scales[column]);
    }
  }

  // Adds their products with the run of each row of x, which x(row) returns.
  template <int Rows, class X>
  __device__ void multiply(X x, float (&sums)[Rows * kColumns]) const {
    const auto add = [&](auto are_ordinary) {
#pragma unroll
      for (int row = 0; row < Rows; ++row) {
        const RunOfX<Run> of_x = x(row);
#pragma unroll
        for (int column = 0; column < kColumns; ++column) {
          int sum = kStart;
#pragma unroll
          for (int i = 0; i < Run / 4; ++i) {
            sum = __dp4a(of_x.words.at[i], words[column].at[i], sum);
          }
          float& total = sums[row * kColumns + column];
          total = add_scaled<are_ordinary>(total, sum, scales[column], of_x.scale);
        }
      }
    };
    if (all_ordinary) {
      add(std::true_type{});
    } else {
      add(std::false_type{});
    }
  }
};

template <class T, int Rows, int Run>
__global__ void __launch_bounds__(kBlock)
mxint8_kernel(Shape shape, const int8_t* __restrict__ x, const uint8_t* __restrict__ x_exponent,
              const int8_t* __restrict__ mantissa, const uint8_t* __restrict__ exponent,
              const T* __restrict__ bias, T* __restrict__ y) {
  float sums[Rows * kColumns] = {};
  for (int k = threadIdx.x * Run; k < shape.inputs; k += kBlock * Run) {
    const int group = shape.size.quotient(k);
    const RunsOfWeight<Run> weight(shape, mantissa, exponent, k, group);
    const auto of_x = [&](int row) {
      const int64_t x_row = shape.row(row);
      const auto* from = reinterpret_cast<const int*>(x + x_row * shape.inputs + k);
      return RunOfX<Run>{load<Run / 4>(from),
                         scale_of(x_exponent[x_row * shape.groups + group])};
    };
    weight.template multiply<Rows>(of_x, sums);
  }
  finish<Rows>(shape, sums, bias, y);
}

// The same for one row of x that is not quantized yet: each block does it for itself, which saves a
// launch, and takes two instructions more for each number of the weight; reading that takes longer.
// `lanes` neighbours, of one warp, hold a group of x.
template <class T, int Run>
__global__ void __launch_bounds__(kBlock)
quantizing_kernel(Shape shape, int lanes, const T* __restrict__ x,
                  const int8_t* __restrict__ mantissa, const uint8_t* __restrict__ exponent,
                  const T* __restrict__ bias, T* __restrict__ y) {
  float sums[kColumns] = {};
  // While a lane of the warp has inputs, all take part in the exchange; past the end they hold the
  // last run once more.
  const int before = threadIdx.x % kWarp * Run;
  for (int k = threadIdx.x * Run; k - before < shape.inputs; k += kBlock * Run) {
    const int at = k < shape.inputs ? k : shape.inputs - Run;
    const RunsOfWeight<Run> weight(shape, mantissa, exponent, at, shape.size.quotient(at));
    const auto values = load<Run>(x + at);
    const Encoder encoder(largest_of_lanes(largest_of(values), lanes));
    if (at < k) break;
    Values<int8_t, Run> codes;
#pragma unroll
    for (int i = 0; i < Run; ++i) codes.at[i] = encoder(to_float(values.at[i]));
    RunOfX<Run> of_x;
    memcpy(&of_x.words, &codes, sizeof codes);
    of_x.scale = scale_of(encoder.exponent);
    weight.template multiply<1>([&](int) { return of_x; }, sums);
  }
  finish<1>(shape, sums, bias, y);
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

}  // namespace

int64_t outputs_per_piece(int64_t rows, const Groups& weight) {
  constexpr int64_t little = int64_t{1} << 23;  // elements; decoding fewer is not worth a launch
  constexpr int64_t side = 128;  // of the tiles of y that products are commonly made of
  const auto quotient_up = [](int64_t n, int64_t divisor) { return (n + divisor - 1) / divisor; };
  const int64_t tiles = quotient_up(weight.rows, side);
  const int64_t enough = quotient_up(multiprocessors(), quotient_up(rows, side));
  const int64_t least = std::max(enough, little / (side * std::max<int64_t>(weight.columns, 1)));
  // Rounded down: what is left over makes all pieces larger, and no small one of its own.
  const int64_t pieces = std::max<int64_t>(tiles / least, 1);
  return std::min(quotient_up(tiles, pieces) * side, weight.rows);
}

bool linear_takes(const Linear& layer, const void* x, bool mxint8) {
  constexpr int64_t most = 1 << 30;  // columns are counted in 32 bits, blocks in 31
  const Groups& weight = layer.weight;
  const bool few = layer.rows <= kMostRows && whole_runs(layer, kShortRun);
  return (few || tensor_takes(layer, mxint8)) && weight.columns <= most &&
         weight.size <= most && layer.outputs <= most && aligned(layer.mantissa, 16) &&
         aligned(x, 16);
}

const char* linear_float(const Linear& layer, const void* x, void* stream) {
  if (tensor_takes(layer, false)) return linear_tensor(layer, x, nullptr, stream);
  return with_type(layer.format, [&](auto type) {
    using T = decltype(type);
    return with_rows(layer.rows, [&](auto rows) {
      return launch(float_kernel<T, rows>, blocks(layer), kBlock, stream, Shape(layer),
                    static_cast<const T*>(x), layer.mantissa, layer.exponent,
                    static_cast<const T*>(layer.bias), static_cast<T*>(layer.y));
    });
  });
}

bool linear_quantizes(const Linear& layer) {
  const Groups& groups = layer.weight;
  const bool whole = groups.columns % groups.size == 0;
  const bool power_of_two = (groups.size & (groups.size - 1)) == 0;
  return layer.rows == 1 && whole && power_of_two && groups.size <= kWarp * kLongRun;
}

const char* linear_quantizing(const Linear& layer, const void* x, void* stream) {
  return with_type(layer.format, [&](auto type) {
    using T = decltype(type);
    const int size = static_cast<int>(layer.weight.size);
    const int run = size < kLongRun ? kShortRun : kLongRun;
    const auto kernel =
        run == kLongRun ? quantizing_kernel<T, kLongRun> : quantizing_kernel<T, kShortRun>;
    return launch(kernel, blocks(layer), kBlock, stream, Shape(layer), size / run,
                  static_cast<const T*>(x), layer.mantissa, layer.exponent,
                  static_cast<const T*>(layer.bias), static_cast<T*>(layer.y));
  });
}

const char* linear_mxint8(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                          void* stream) {
  if (layer.rows > kMostRows) return linear_tensor(layer, mantissa, exponent, stream);
  return with_type(layer.format, [&](auto type) {
    using T = decltype(type);
    return with_rows(layer.rows, [&](auto rows) {
      const auto kernel = whole_runs(layer, kLongRun) ? mxint8_kernel<T, rows, kLongRun>
                                                      : mxint8_kernel<T, rows, kShortRun>;
      return launch(kernel, blocks(layer), kBlock, stream, Shape(layer), mantissa, exponent,
                    layer.mantissa, layer.exponent, static_cast<const T*>(layer.bias),
                    static_cast<T*>(layer.y));
    });
  });
}

}  // namespace mxint::cuda
