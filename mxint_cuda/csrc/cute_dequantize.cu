// The lab's dequantization kernel: tiles, shared memory and predicates by CuTe, one element a
// thread.  Two things differ from the lab's: the decoding is exact, and the blocks of groups run
// along x, where there may be 2^31 - 1 of them, not along y with its 65,535.
#include "cute_tiling.h"
#include "launch.cuh"

namespace mxint::cuda {
namespace {

template <class Tiling>
__global__ void __launch_bounds__(kTileElements)
cute_kernel(const int8_t* mantissa, const uint8_t* exponent, Matrix matrix, BFloat16* y) {
  using namespace cute;
  constexpr int BLK_K = Tiling::BLK_K;
  const int thread = threadIdx.x;
  const int64_t block_k = blockIdx.x, block_m = blockIdx.y;

  Tensor mX = make_tensor(make_gmem_ptr(mantissa), matrix.layout());  // (size, groups)
  Tensor mY = make_tensor(make_gmem_ptr(y), matrix.layout());         // (size, groups)
  Tensor cX = make_identity_tensor(matrix.shape());                   // (size, groups)
  Tensor gX = Tiling::tile(mX, block_m, block_k);                     // (BLK_M, BLK_K)
  Tensor gY = Tiling::tile(mY, block_m, block_k);                     // (BLK_M, BLK_K)
  Tensor cT = Tiling::tile(cX, block_m, block_k);                     // (BLK_M, BLK_K)

  __shared__ int8_t smemX[kTileElements];
  __shared__ uint8_t smemScale[BLK_K];
  Tensor sX = make_tensor(make_smem_ptr(smemX), typename Tiling::SharedLayout{});
  // (BLK_M, BLK_K)

  Tensor tXgX = Tiling::of_thread(gX, thread);  // (1, 1)
  Tensor tXsX = Tiling::of_thread(sX, thread);  // (1, 1)
  Tensor tXgY = Tiling::of_thread(gY, thread);  // (1, 1)
  Tensor tXcX = Tiling::of_thread(cT, thread);  // (1, 1)
  Tensor tXpX = make_tensor<bool>(shape(tXsX));       // (1, 1)
  CUTE_UNROLL
  for (int i = 0; i < size(tXpX); ++i) tXpX(i) = Tiling::inside(tXcX(i), matrix);

  copy_if(tXpX, tXgX, tXsX);
  const int64_t group = block_k * BLK_K + thread;
  if (thread < BLK_K && group < get<1>(matrix.shape())) smemScale[thread] = exponent[group];
  __syncthreads();

  Tensor tXrY = make_tensor<BFloat16>(shape(tXsX));  // (1, 1)
  CUTE_UNROLL
  for (int i = 0; i < size(tXrY); ++i) {
    if (tXpX(i)) decode(tXsX(i), scale_of(smemScale[Tiling::column_of(thread)]), tXrY(i));
  }
  copy_if(tXpX, tXrY, tXgY);
}

}  // namespace

const char* dequantize_cute(const int8_t* mantissa, const uint8_t* exponent, Groups groups,
                            BFloat16* y, void* stream) {
  if (groups.rows > 1 && groups.columns % groups.size != 0) {
    return "the CuTe kernel needs rows of whole groups";
  }
  const Matrix matrix{groups.elements(), groups.size};
  return with_tiling(matrix.group_size, [&](auto tiling) -> const char* {
    const auto grid = decltype(tiling)::grid(matrix);
    const int64_t along_m = cute::get<0>(grid), along_k = cute::get<1>(grid);
    if (along_m > 65535 || along_k > 2147483647) return "too many blocks for the CuTe kernel";
    const dim3 blocks(static_cast<unsigned>(along_k), static_cast<unsigned>(along_m));
    return launch(cute_kernel<decltype(tiling)>, blocks, kTileElements, stream, mantissa, exponent,
                  matrix, y);
  });
}

}  // namespace mxint::cuda
