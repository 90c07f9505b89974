// Which of the copies of cpu.cpp runs.
#include <atomic>
#include <iterator>

#include "cpu.h"

#ifdef MXINT_X86
#include <cpuid.h>
#endif

namespace mxint {

extern const CpuKernels portable;
#ifdef MXINT_X86
extern const CpuKernels avx2, avxvnni, avx512;
#endif

namespace {

// In order of merit.  A processor need not have all that come before its best.
const CpuKernels* const kLevels[] = {
    &portable,
#ifdef MXINT_X86
    &avx2,
    &avxvnni,
    &avx512,
#endif
};

#ifdef MXINT_X86
// Not every compiler's __builtin_cpu_supports knows AVX-VNNI.
bool has_avxvnni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1 << 4);
}
#endif

// For the tests: copies built on emulated instructions.  They run only when asked for by name.
constexpr bool kEmulated[] = {
    false,
#ifdef MXINT_X86
    false,
    MXINT_EMULATES_avxvnni,
    MXINT_EMULATES_avx512,
#endif
};

bool runs([[maybe_unused]] int level) {
#ifdef MXINT_X86
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
  if (kEmulated[level]) return v3;
  switch (level) {
    case 1: return v3;
    case 2: return v3 && has_avxvnni();
    case 3: return v4 && __builtin_cpu_supports("avx512vnni");
  }
#endif
  return level == 0;
}

int best_level() {
  int best = std::size(kLevels) - 1;
  while (kEmulated[best] || !runs(best)) --best;
  return best;
}

std::atomic<int> level{best_level()};

}  // namespace

const CpuKernels& cpu_kernels() { return *kLevels[level.load(std::memory_order_relaxed)]; }

bool multiplies_bfloat16() {
#ifdef MXINT_X86
  return &cpu_kernels() == &avx512 && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

}  // namespace mxint

int mxint_cpu_level(int wanted) {
  const int last = std::size(mxint::kLevels) - 1;
  if (wanted >= 0 && wanted <= last && mxint::runs(wanted)) mxint::level = wanted;
  return mxint::level;
}
