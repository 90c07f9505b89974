// Linear layers of both sides in MXINT8 on tensor cores.  A block computes 16 columns of y for up
// to 64 rows; its warps share out the groups, and add up their sums in the end.  While a warp
// multiplies, its next pieces of the weight are on their way into shared memory.  Blocks of the
// same columns are neighbours, so that they find the weight in the caches.
#include <type_traits>

#include "async_copy.cuh"
#include "linear.cuh"
#include "mma.cuh"

namespace mxint::cuda {
namespace {

constexpr int kWarp = 32, kWarps = 8;
constexpr int kOutputs = 16;  // columns of y in a block: the rows of one multiplication
constexpr int kRows = 8;      // of x in one multiplication
constexpr int kDepth = 32;    // inputs of one multiplication, all of one group
constexpr int kStep = kWarps * kDepth;  // inputs that the warps of a block take at a time
constexpr int kStages = 4;              // pieces of the weight that a warp holds or waits for

// Tiles of kRows rows, in each block.  How many blocks are to fit says how many registers may be
// used: on its own nvcc takes too few.
template <class T, int Tiles>
__global__ void __launch_bounds__(kWarp * kWarps, Tiles == 2 ? 4 : 2)
tensor_kernel(Shape shape, const int8_t* __restrict__ x, const uint8_t* __restrict__ x_exponent,
              const int8_t* __restrict__ mantissa, const uint8_t* __restrict__ exponent,
              const T* __restrict__ bias, T* __restrict__ y) {
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, g = lane / 4, t = lane % 4;
  const int64_t first = static_cast<int64_t>(blockIdx.y) * kOutputs;
  const int64_t first_row = static_cast<int64_t>(blockIdx.x) * Tiles * kRows;
  const int64_t upper = shape.output(first + g), lower = shape.output(first + g + 8);
  const int groups = static_cast<int>(shape.groups);
  // From here on rows are those of the block.
  const int rows = static_cast<int>(min(shape.rows - first_row, int64_t{Tiles * kRows}));
  x += first_row * shape.inputs;
  x_exponent += first_row * groups;
  y += first_row * shape.outputs;

  // A warp's pieces of the weight, in turn; half a row of one is a lane's to copy.
  alignas(16) __shared__ int8_t pieces[kWarps][kStages][kOutputs][kDepth];
  const auto piece = [&](int k) {
    return pieces[warp][static_cast<unsigned>(k) / kStep % kStages];
  };
  const int8_t* from = mantissa + shape.output(first + lane / 2) * shape.inputs + lane % 2 * 16;
  const auto fetch = [&](int k) {
    if (k < shape.inputs) begin_copy(piece(k)[lane / 2] + lane % 2 * 16, from + k);
    end_group();  // also where there is no more: the waits count groups
  };
  for (int stage = 0; stage < kStages - 1; ++stage) fetch(warp * kDepth + stage * kStep);

  float sums[Tiles][4] = {};
  for (int k = warp * kDepth; k < shape.inputs; k += kStep) {
    wait_for_groups<kStages - 2>();
    __syncwarp();  // this piece is whole, and the place of the last one is free
    fetch(k + (kStages - 1) * kStep);

    const int group = shape.size.quotient(k);
    // Which of the group's inputs a lane holds does not matter, if it is the same on both sides.
    const auto words = [&](const int8_t* inputs) {
      return load<2>(reinterpret_cast<const uint32_t*>(inputs + 8 * t));
    };
    const auto above = words(piece(k)[g]), below = words(piece(k)[g + 8]);
    const uint32_t w[4] = {above.at[0], below.at[0], above.at[1], below.at[1]};
    const float scales[2] = {scale_of(exponent[upper * shape.groups + group]),
                             scale_of(exponent[lower * shape.groups + group])};
    // Of the rows' scales each lane loads its share, and the lanes that need them ask it.
    float x_scales[(Tiles * kRows + kWarp - 1) / kWarp];
    for (int i = 0; i * kWarp < Tiles * kRows; ++i) {
      x_scales[i] = scale_of(x_exponent[min(i * kWarp + lane, rows - 1) * groups + group]);
    }
#pragma unroll
    for (int tile = 0; tile < Tiles; ++tile) {
      const auto values = words(x + min(tile * kRows + g, rows - 1) * shape.inputs + k);
      int dots[4];
      multiply_bytes(dots, w, values.at);
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int holder = tile * kRows % kWarp + 2 * t + i;
        const float x_scale = __shfl_sync(~0u, x_scales[tile * kRows / kWarp], holder);
        sums[tile][i] += scaled(dots[i], scales[0], x_scale);
        sums[tile][i + 2] += scaled(dots[i + 2], scales[1], x_scale);
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
    if (row >= rows || n >= shape.outputs) continue;
    float total = bias ? to_float(bias[n]) : 0.0f;
    for (int w = 0; w < kWarps; ++w) total += of_warp[w][row][column];
    from_float(total, y[row * shape.outputs + n]);
  }
}

dim3 blocks(const Linear& layer, int tiles) {
  const int rows = tiles * kRows;
  return dim3(static_cast<unsigned>((layer.rows + rows - 1) / rows),
              static_cast<unsigned>((layer.outputs + kOutputs - 1) / kOutputs));
}

// Calls body(tiles), with a constant.  More tiles in a block share what it reads of the weight: as
// many as there are rows for, and leave each multiprocessor a block.
template <class Body>
const char* with_tiles(const Linear& layer, Body body) {
  const int64_t enough = multiprocessors();
  const auto suits = [&](int tiles) {
    const dim3 grid = blocks(layer, tiles);
    return layer.rows > tiles / 2 * kRows && int64_t{grid.x} * grid.y >= enough;
  };
  if (suits(8)) return body(std::integral_constant<int, 8>{});
  if (suits(4)) return body(std::integral_constant<int, 4>{});
  return body(std::integral_constant<int, 2>{});
}

}  // namespace

bool tensor_takes(const Linear& layer) {
  // A block counts what it reads of x in 32 bits; CUDA counts blocks in 31, and in the second
  // dimension in 16.  Beyond 128 rows of 16 bits, decoding the weight for cuBLAS should be faster:
  // by counted instructions and published rates, not by measurement.
  constexpr int64_t most_inputs = 1 << 24, most_outputs = 65535 * kOutputs;
  const int64_t most_rows = layer.format == Format::float32 ? 1 << 30 : 128;
  return whole_runs(layer, kDepth) && layer.weight.columns <= most_inputs &&
         layer.rows <= most_rows && layer.outputs <= most_outputs;
}

const char* linear_tensor(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                          void* stream) {
  return with_type(layer.format, [&](auto type) {
    using T = decltype(type);
    return with_tiles(layer, [&](auto tiles) {
      return launch(tensor_kernel<T, tiles>, blocks(layer, tiles), kWarp * kWarps, stream,
                    Shape(layer), mantissa, exponent, layer.mantissa, layer.exponent,
                    static_cast<const T*>(layer.bias), static_cast<T*>(layer.y));
    });
  });
}

}  // namespace mxint::cuda
