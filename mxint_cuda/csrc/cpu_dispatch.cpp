// Which of the copies of cpu.cpp runs.
#include <atomic>

#include "cpu.h"

namespace mxint {

extern const CpuKernels portable;
#ifdef MXINT_X86
extern const CpuKernels avx2, avx512;
#endif

namespace {

const CpuKernels* const kLevels[] = {
    &portable,
#ifdef MXINT_X86
    &avx2,
    &avx512,
#endif
};

int highest_level() {
#ifdef MXINT_X86
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vnni");
  return v4 ? 2 : v3 ? 1 : 0;
#else
  return 0;
#endif
}

std::atomic<int> level{highest_level()};

}  // namespace

const CpuKernels& cpu_kernels() { return *kLevels[level.load(std::memory_order_relaxed)]; }

}  // namespace mxint

int mxint_cpu_level(int wanted) {
  if (wanted >= 0) {
    const int highest = mxint::highest_level();
    mxint::level = wanted < highest ? wanted : highest;
  }
  return mxint::level;
}
