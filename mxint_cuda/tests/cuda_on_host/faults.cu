// Kernels with one fault each, which the checks must find, and one without.
#include "instructions.cuh"
#include "launch.cuh"

namespace mxint::cuda {
namespace {

constexpr int kElements = 64;  // of x and of y, and threads of a block

// Numbered as in test_cuda_machine.py.
enum class Fault : int {
  none, read_beyond, write_beyond, read_elsewhere, misaligned, unwritten, unwritten_shared,
  beyond_array, no_barrier, no_barrier_after, two_writers, two_blocks, barrier_in_branch,
  shuffle_in_branch, shuffle_of_some, two_shuffles, too_many_threads,
  // of the copies
  no_fault_in_copies, copy_not_awaited, one_wait_too_few, no_barrier_of_warp, copied_over,
  copied_to_global, copied_from_beyond, copy_misaligned,
};

// Reverses x with a detour by way of shared memory, and fails as it is told.
__global__ void faulty_kernel(Fault fault, const int* x, const int* elsewhere, int* y) {
  __shared__ int shared[kElements];
  const int i = threadIdx.x, last = kElements - 1;
  int value = x[fault == Fault::read_beyond ? i + 1 : i];
  if (fault == Fault::read_elsewhere) value = elsewhere[i];
  if (fault == Fault::misaligned) value = *reinterpret_cast<const int*>(1 + (const char*)(x + i / 2));
  if (fault == Fault::unwritten) value = y[i];
  if (fault == Fault::shuffle_of_some) value = __shfl_sync(0xffffu, value, 0);
  if (fault == Fault::shuffle_in_branch && i % 32 < 16) value = __shfl_sync(~0u, value, 0);
  if (fault == Fault::two_shuffles) {
    value = i < 8 ? __shfl_sync(~0u, value, 0) : __shfl_xor_sync(~0u, value, 1);
  }
  if (fault != Fault::unwritten_shared || i > 0) {
    shared[fault == Fault::beyond_array ? i + 1 : i] = value;
  }
  if (fault != Fault::no_barrier) __syncthreads();
  if (fault == Fault::barrier_in_branch && i < 32) __syncthreads();
  const int reversed = shared[last - i];
  if (fault == Fault::no_barrier_after) shared[i] = 0;
  const int to = fault == Fault::two_writers ? i / 2 : fault == Fault::write_beyond ? i + 1 : i;
  if (blockIdx.x == 0 || fault == Fault::two_blocks) y[to] = reversed;
}

// The same, with copies: each warp has a half of x, and copies it in two groups.
__global__ void faulty_copies_kernel(Fault fault, const int* x, int* y) {
  constexpr int half = kElements / 2, group = half / 2, each = 4;
  alignas(16) __shared__ int shared[2][half];
  const int lane = threadIdx.x % half, warp = threadIdx.x / half;
  const auto copy = [&](int first) {
    const int i = first + each * lane;
    const int beyond = fault == Fault::copied_from_beyond ? kElements : 0;
    const int off = fault == Fault::copy_misaligned ? 1 : 0;
    int* to = fault == Fault::copied_to_global ? y : shared[warp];
    if (i < first + group) begin_copy(to + i, x + half * warp + i + beyond + off);
    end_group();
  };
  copy(0);
  copy(group);
  if (fault != Fault::copy_not_awaited) wait_for_groups<1>();
  if (fault != Fault::no_barrier_of_warp) __syncwarp();
  int value = lane < group ? shared[warp][group - 1 - lane] : 0;
  if (fault == Fault::copied_over) copy(0);
  if (fault != Fault::one_wait_too_few) wait_for_groups<0>();
  __syncwarp();
  if (lane >= group) value = shared[warp][half - 1 - (lane - group)];
  if (blockIdx.x == 0) y[half * (1 - warp) + (lane + group) % half] = value;
}

}  // namespace
}  // namespace mxint::cuda

#pragma GCC visibility push(default)
extern "C" {

const char* host_fault(int64_t number, const int* x, const int* elsewhere, int* y) {
  using namespace mxint::cuda;
  const Fault fault{static_cast<int>(number)};
  const int threads = fault == Fault::too_many_threads ? 2048 : kElements;
  if (fault >= Fault::no_fault_in_copies) {
    return launch(faulty_copies_kernel, 2, threads, nullptr, fault, x, y);
  }
  return launch(faulty_kernel, 2, threads, nullptr, fault, x, elsewhere, y);
}

// Leaves a failure behind that nobody asks for.
void host_fail_elsewhere() {
  const cudaLaunchConfig_t config{1, 2048, 0, nullptr, nullptr, 0};
  cudaLaunchKernelEx(&config, mxint::cuda::faulty_kernel, mxint::cuda::Fault::none, nullptr,
                     nullptr, nullptr);
}

}  // extern "C"
#pragma GCC visibility pop
