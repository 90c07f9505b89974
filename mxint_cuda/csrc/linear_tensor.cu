// Linear layers on tensor cores: x in MXINT8, whose products are integers, or in bfloat16 or float16,
// for which the weight's mantissas become numbers of that format.  A block computes up to 32 columns
// of y for up to 64 rows; its warps share out the groups, and add up their sums in the end.  While a
// warp multiplies, its next pieces of the weight are on their way into shared memory.  Blocks of
// the same columns are neighbours, so that they find the weight in the caches.
#include <type_traits>

#include "instructions.cuh"
#include "linear.cuh"

namespace mxint::cuda {
namespace {

constexpr int kWarps = 8;     // of a block
constexpr int kOutputs = 16;  // columns of y in one multiplication, whose rows they are
constexpr int kRows = 8;      // of x in one multiplication
constexpr int kDepth = 32;    // inputs of one multiplication, all of one group
constexpr int kStep = kWarps * kDepth;  // inputs that the warps of a block take at a time
constexpr int kStages = 4;              // pieces of the weight that a warp holds or waits for

// Mantissas 2 * `pair` and the next one of a word, as numbers of T.
template <class T>
__device__ uint32_t mantissas_of(uint32_t word, int pair) {
  const float first = mantissa_of(word, 2 * pair), second = mantissa_of(word, 2 * pair + 1);
  // An integer of eight bits is the upper half of its float32.
  if constexpr (std::is_same_v<T, BFloat16>) {
    return __byte_perm(as_bits(first), as_bits(second), 0x7632);
  } else {
    T low, high;
    from_float(first, low);
    from_float(second, high);
    return static_cast<uint32_t>(high.bits) << 16 | low.bits;
  }
}

// Tiles of kRows rows by strips of kOutputs columns, in each block.  How many blocks are to fit
// says how many registers may be used: on its own nvcc takes too few.  X is int8_t, with exponents,
// or T.
template <class X, class T, int Tiles, int Strips>
__global__ void __launch_bounds__(kWarp * kWarps, Tiles <= 2 ? 4 : 2)
tensor_kernel(Shape shape, const X* __restrict__ x, const uint8_t* __restrict__ x_exponent,
              const int8_t* __restrict__ mantissa, const uint8_t* __restrict__ exponent,
              const T* __restrict__ bias, T* __restrict__ y) {
  constexpr bool of_integers = std::is_same_v<X, int8_t>;
  constexpr int outputs = Strips * kOutputs;
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, g = lane / 4, t = lane % 4;
  const int64_t first = static_cast<int64_t>(blockIdx.y) * outputs;
  const int64_t first_row = static_cast<int64_t>(blockIdx.x) * Tiles * kRows;
  const int groups = static_cast<int>(shape.groups);
  // From here on rows and columns are those of the block.
  const int rows = static_cast<int>(min(shape.rows - first_row, int64_t{Tiles * kRows}));
  const int columns = static_cast<int>(min(shape.outputs - first, int64_t{outputs}));
  x += first_row * shape.inputs;
  if constexpr (of_integers) x_exponent += first_row * groups;
  mantissa += first * shape.inputs;
  exponent += first * groups;
  y += first_row * shape.outputs + first;

  // A warp's pieces of the weight, in turn; of each strip, half a row is a lane's to copy.
  alignas(16) __shared__ int8_t pieces[kWarps][kStages][outputs][kDepth];
  const auto piece = [&](int k) {
    return pieces[warp][static_cast<unsigned>(k) / kStep % kStages];
  };
  // Pointers move on with k: nvcc would compute sums with it anew each time.
  const int8_t* from[Strips];
#pragma unroll
  for (int strip = 0; strip < Strips; ++strip) {
    const int row = min(strip * kOutputs + lane / 2, columns - 1);
    from[strip] = mantissa + row * shape.inputs + lane % 2 * 16 + warp * kDepth;
  }
  const auto fetch = [&](int k) {
    if (k < shape.inputs) {
#pragma unroll
      for (int strip = 0; strip < Strips; ++strip) {
        begin_copy(piece(k)[strip * kOutputs + lane / 2] + lane % 2 * 16, from[strip]);
        from[strip] += kStep;
      }
    }
    end_group();  // also where there is no more: the waits count groups
  };
  for (int stage = 0; stage < kStages - 1; ++stage) fetch(warp * kDepth + stage * kStep);

  const X* from_x = x + min(g, rows - 1) * shape.inputs + 8 * t + warp * kDepth;
  const int next_tile = kRows * shape.inputs;
  float sums[Tiles][Strips][4] = {};
  for (int k = warp * kDepth; k < shape.inputs; k += kStep, from_x += kStep) {
    wait_for_groups<kStages - 2>();
    __syncwarp();  // this piece is whole, and the place of the last one is free
    fetch(k + (kStages - 1) * kStep);

    const int group = shape.size.quotient(k);
    // Of the scales each lane loads its share, and the lanes that need them ask it.
    const float scale = scale_of(exponent[min(lane % outputs, columns - 1) * groups + group]);
    uint32_t w[Strips][4];
    float scales[Strips][2];
#pragma unroll
    for (int strip = 0; strip < Strips; ++strip) {
      const int upper = strip * kOutputs + g, lower = upper + 8;
      // Which of the group's inputs a lane holds does not matter, if it is the same on both sides.
      // Words are loaded one at a time (`volatile`): nvcc would move those of a pair apart for each
      // multiplication.
      const auto* above = reinterpret_cast<const volatile uint32_t*>(piece(k)[upper] + 8 * t);
      const auto* below = reinterpret_cast<const volatile uint32_t*>(piece(k)[lower] + 8 * t);
      for (int i = 0; i < 2; ++i) {
        w[strip][2 * i] = above[i];
        w[strip][2 * i + 1] = below[i];
      }
      scales[strip][0] = __shfl_sync(~0u, scale, upper);
      scales[strip][1] = __shfl_sync(~0u, scale, lower);
    }
    // Calls body(tile, words), for each tile with the lane's eight numbers of its row of x.
    const auto for_tiles = [&](auto body) {
      const X* at = from_x;
#pragma unroll
      for (int tile = 0; tile < Tiles; ++tile) {
        body(tile, load<2 * sizeof(X)>(reinterpret_cast<const uint32_t*>(at)).at);
        at += (tile + 1) * kRows + g < rows ? next_tile : 0;  // rows past the last repeat one
      }
    };
    if constexpr (of_integers) {
      float x_scales[(Tiles * kRows + kWarp - 1) / kWarp];
      for (int i = 0; i * kWarp < Tiles * kRows; ++i) {
        x_scales[i] = scale_of(x_exponent[min(i * kWarp + lane, rows - 1) * groups + group]);
      }
      const auto multiply = [&](auto are_ordinary) {
        for_tiles([&](int tile, const auto& values) {
          float x_scale[2];
#pragma unroll
          for (int i = 0; i < 2; ++i) {
            const int holder = tile * kRows % kWarp + 2 * t + i;
            x_scale[i] = __shfl_sync(~0u, x_scales[tile * kRows / kWarp], holder);
          }
#pragma unroll
          for (int strip = 0; strip < Strips; ++strip) {
            int dots[4];
            multiply_bytes(dots, w[strip], values, kStart);
#pragma unroll
            for (int i = 0; i < 4; ++i) {
              float& sum = sums[tile][strip][i];
              sum = add_scaled<are_ordinary>(sum, dots[i], scales[strip][i / 2], x_scale[i % 2]);
            }
          }
        });
      };
      if (__all_sync(~0u, ordinary(scale))) {
        multiply(std::true_type{});
      } else {
        multiply(std::false_type{});
      }
    } else {
      uint32_t numbers[Strips][2][4];  // for two multiplications, of 16 inputs each
#pragma unroll
      for (int strip = 0; strip < Strips; ++strip) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          numbers[strip][i / 4][i % 4] = mantissas_of<T>(w[strip][i / 4 * 2 + i % 2], i % 4 / 2);
        }
      }
      for_tiles([&](int tile, const uint32_t(&values)[4]) {
#pragma unroll
        for (int strip = 0; strip < Strips; ++strip) {
          float dots[4] = {};
          add_products<T>(dots, numbers[strip][0], {values[0], values[1]});
          add_products<T>(dots, numbers[strip][1], {values[2], values[3]});
#pragma unroll
          for (int i = 0; i < 4; ++i) sums[tile][strip][i] += dots[i] * scales[strip][i / 2];
        }
      });
    }
  }

  // A tile at a time.  The next one has the other place, so one barrier a tile is enough.
  __shared__ float of_warp[2][kWarps][kRows][outputs];
#pragma unroll
  for (int tile = 0; tile < Tiles; ++tile) {
#pragma unroll
    for (int strip = 0; strip < Strips; ++strip) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        of_warp[tile % 2][warp][2 * t + i % 2][strip * kOutputs + g + i / 2 * 8] =
            sums[tile][strip][i];
      }
    }
    __syncthreads();
    const int in_tile = threadIdx.x / outputs, row = tile * kRows + in_tile;
    const int column = threadIdx.x % outputs;
    if (in_tile >= kRows || row >= rows || column >= columns) continue;
    float total = bias ? to_float(bias[first + column]) : 0.0f;
    for (int w = 0; w < kWarps; ++w) total += of_warp[tile % 2][w][in_tile][column];
    from_float(total, y[row * shape.outputs + column]);
  }
}

dim3 blocks(const Linear& layer, int tiles, int strips) {
  const int rows = tiles * kRows, outputs = strips * kOutputs;
  return dim3(static_cast<unsigned>((layer.rows + rows - 1) / rows),
              static_cast<unsigned>((layer.outputs + outputs - 1) / outputs));
}

// Calls body(tiles, strips), with constants; there are at least Least and at most Most tiles.  More
// tiles in a block share what it reads of the weight, and strips what it reads of x: as many as there
// are rows for, and leave seven of eight multiprocessors a block, as 4096 columns do with 132 of them.
template <int Least, int Most, class Body>
const char* with_tiles(const Linear& layer, Body body) {
  const int64_t enough = multiprocessors();
  constexpr std::integral_constant<int, 1> one;
  constexpr std::integral_constant<int, 2> two;
  constexpr std::integral_constant<int, 4> four;
  constexpr std::integral_constant<int, 8> eight;
  const auto suits = [&](int tiles) {
    const dim3 grid = blocks(layer, tiles, two);
    return layer.rows > tiles / 2 * kRows && 8 * int64_t{grid.x} * grid.y >= 7 * enough;
  };
  if constexpr (Most == eight) {
    if (suits(eight)) return body(eight, two);
  }
  if (suits(four)) return body(four, two);
  if (suits(two)) return body(two, two);
  if constexpr (Least == one) {
    if (layer.rows <= kRows) return suits(one) ? body(one, two) : body(one, one);
  }
  return body(two, one);
}

// Of x in bfloat16 or float16.  On an H200 one row took as long by either kernel.  From two on this one
// took less for large layers, and up to a microsecond more for 4096 x 4096 at two and four; from 64 on,
// decoding the weight for cuBLAS took less for large layers.
constexpr int64_t kFewestRows = 2, kMostFloatRows = 32;
// Of x in MXINT8, where cuBLAS would multiply in bfloat16 on tensor cores.  On an H200, at 128 rows,
// this kernel took 46 us for 4096 x 4096 where decoding for cuBLAS took 114, and 522 for 8192 x 28672
// where that took 373.
constexpr int64_t kMostByteRows = 128;

}  // namespace

bool tensor_takes(const Linear& layer, bool mxint8) {
  // A block counts what it reads of x in 32 bits; CUDA counts blocks in 31, and in the second
  // dimension in 16.
  constexpr int64_t most_inputs = 1 << 24, most_outputs = 65535 * kOutputs, any = 1 << 30;
  const bool since_80 = attribute(cudaDevAttrComputeCapabilityMajor) >= 8;
  const bool cublas = layer.format == Format::bfloat16 && since_80;
  int64_t most_rows = cublas ? kMostByteRows : any;
  if (!mxint8) most_rows = layer.format != Format::float32 && since_80 ? kMostFloatRows : 0;
  return whole_runs(layer, kDepth) && layer.weight.columns <= most_inputs &&
         layer.rows >= kFewestRows && layer.rows <= most_rows && layer.outputs <= most_outputs;
}

const char* linear_tensor(const Linear& layer, const void* x, const uint8_t* exponent,
                          void* stream) {
  return with_type(layer.format, [&](auto type) {
    using T = decltype(type);
    const auto start = [&](auto of_x, auto tiles, auto strips) {
      using X = decltype(of_x);
      return launch(tensor_kernel<X, T, tiles, strips>, blocks(layer, tiles, strips),
                    kWarp * kWarps, stream, Shape(layer), static_cast<const X*>(x), exponent,
                    layer.mantissa, layer.exponent, static_cast<const T*>(layer.bias),
                    static_cast<T*>(layer.y));
    };
    if constexpr (!std::is_same_v<T, float>) {
      if (exponent == nullptr) {
        return with_tiles<1, 4>(layer, [&](auto... sizes) { return start(type, sizes...); });
      }
    }
    return with_tiles<2, 8>(layer, [&](auto... sizes) { return start(int8_t{}, sizes...); });
  });
}

}  // namespace mxint::cuda
