// Linear layers of both sides in MXINT8 on tensor cores, for up to 64 rows of x.  A block computes
// 16 columns of y for all rows, so that the weight is read once; its warps share out the groups,
// and add up their sums in the end.
#include <type_traits>

#include "linear.cuh"
#include "mma.cuh"

namespace mxint::cuda {
namespace {

constexpr int kWarp = 32, kWarps = 8;
constexpr int kOutputs = 16;  // columns of y in a block: the rows of one multiplication
constexpr int kRows = 8;      // of x in one multiplication
constexpr int kDepth = 32;    // inputs of one multiplication, all of one group

// Tiles of kRows rows.  How many blocks are to fit says how many registers may be used: on its own
// nvcc takes too few.
template <class T, int Tiles>
__global__ void __launch_bounds__(kWarp * kWarps, Tiles == 2 ? 4 : 2)
tensor_kernel(Shape shape, const int8_t* __restrict__ x, const uint8_t* __restrict__ x_exponent,
              const int8_t* __restrict__ mantissa, const uint8_t* __restrict__ exponent,
              const T* __restrict__ bias, T* __restrict__ y) {
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, g = lane / 4, t = lane % 4;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * kOutputs;
  const int64_t upper = shape.output(first + g), lower = shape.output(first + g + 8);
  const int most = static_cast<int>(shape.rows) - 1, groups = static_cast<int>(shape.groups);
  float sums[Tiles][4] = {};
  for (int k = warp * kDepth; k < shape.inputs; k += kWarps * kDepth) {
    const int group = shape.size.quotient(k);
    // Which of the group's inputs a lane holds does not matter, if it is the same on both sides.
    const auto words = [&](const int8_t* row) {
      return load<2>(reinterpret_cast<const uint32_t*>(row + k + 8 * t));
    };
    const auto above = words(mantissa + upper * shape.inputs);
    const auto below = words(mantissa + lower * shape.inputs);
    const uint32_t w[4] = {above.at[0], below.at[0], above.at[1], below.at[1]};
    const float scales[2] = {scale_of(exponent[upper * shape.groups + group]),
                             scale_of(exponent[lower * shape.groups + group])};
#pragma unroll
    for (int tile = 0; tile < Tiles; ++tile) {
      const auto values = words(x + min(tile * kRows + g, most) * shape.inputs);
      int dots[4];
      multiply_bytes(dots, w, values.at);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int row = min(tile * kRows + 2 * t + i % 2, most);
        const float x_scale = scale_of(x_exponent[row * groups + group]);
        sums[tile][i] += scaled(dots[i], scales[i / 2], x_scale);
      }
    }
  }

  __shared__ float of_warp[kWarps][Tiles * kRows][kOutputs];
#pragma unroll
  for (int tile = 0; tile < Tiles; ++tile) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      of_warp[warp][tile * kRows + 2 * t + i % 2][g + i / 2 * 8] = sums[tile][i];
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < Tiles * kRows * kOutputs; i += kWarp * kWarps) {
    const int row = i / kOutputs, column = i % kOutputs;
    const int64_t n = first + column;
    if (row >= shape.rows || n >= shape.outputs) continue;
    float total = bias ? to_float(bias[n]) : 0.0f;
    for (int w = 0; w < kWarps; ++w) total += of_warp[w][row][column];
    from_float(total, y[row * shape.outputs + n]);
  }
}

// Calls body(tiles), with the smallest constant that is enough.
template <class Body>
const char* with_tiles(int64_t rows, Body body) {
  if (rows <= 2 * kRows) return body(std::integral_constant<int, 2>{});
  if (rows <= 4 * kRows) return body(std::integral_constant<int, 4>{});
  return body(std::integral_constant<int, 8>{});
}

}  // namespace

const char* linear_tensor(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                          void* stream) {
  const auto blocks = static_cast<unsigned>((layer.outputs + kOutputs - 1) / kOutputs);
  return with_type(layer.format, [&](auto type) {
    using T = decltype(type);
    return with_tiles(layer.rows, [&](auto tiles) {
      return launch(tensor_kernel<T, tiles>, blocks, kWarp * kWarps, stream, Shape(layer),
                    mantissa, exponent, layer.mantissa, layer.exponent,
                    static_cast<const T*>(layer.bias), static_cast<T*>(layer.y));
    });
  });
}

}  // namespace mxint::cuda
