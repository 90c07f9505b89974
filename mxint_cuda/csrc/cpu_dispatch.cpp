// Which of the copies of cpu.cpp runs.
#include <atomic>
#include <iterator>

#include "cpu.h"

#ifdef MXINT_X86
#include <cpuid.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif

namespace mxint {

extern const CpuKernels portable;
#ifdef MXINT_X86
extern const CpuKernels avx2, avxvnni, avx512, amx;
#endif

namespace {

// In order of merit.  A processor need not have all that come before its best.
const CpuKernels* const kLevels[] = {
    &portable,
#ifdef MXINT_X86
    &avx2,
    &avxvnni,
    &avx512,
    &amx,
#endif
};

#ifdef MXINT_X86
// Not every compiler's __builtin_cpu_supports knows AVX-VNNI.
bool has_avxvnni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1 << 4);
}

// Tiles are registers that Linux gives a process only if it asks for them, for good.
bool has_amx() {
#ifdef __linux__
  constexpr int ask = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  constexpr unsigned tiles = 1 << 24, of_bytes = 1 << 25, of_bfloat16 = 1 << 22;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & tiles) && (d & of_bytes) &&
         (d & of_bfloat16) && syscall(SYS_arch_prctl, ask, tile_data) == 0;
#else
  return false;
#endif
}
#endif

// For the tests: copies built on emulated instructions.  They run only when asked for by name.
constexpr bool kEmulated[] = {
    false,
#ifdef MXINT_X86
    false,
    MXINT_EMULATES_avxvnni,
    MXINT_EMULATES_avx512,
    MXINT_EMULATES_amx,
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
    case 4: return v4 && __builtin_cpu_supports("avx512vnni") && has_amx();
  }
#endif
  return level == 0;
}

int best_level() {
  int best = std::size(kLevels) - 1;
  while (kEmulated[best] || !runs(best)) --best;
  return best;
}

// Found at first use: a process that only loads the library is left as it is.
std::atomic<int>& level() {
  static std::atomic<int> level{best_level()};
  return level;
}

}  // namespace

const CpuKernels& cpu_kernels() { return *kLevels[level().load(std::memory_order_relaxed)]; }

bool multiplies_bfloat16() {
#ifdef MXINT_X86
  const CpuKernels* const used = &cpu_kernels();
  return (used == &avx512 || used == &amx) && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

}  // namespace mxint

int mxint_cpu_level(int wanted) {
  const int last = std::size(mxint::kLevels) - 1;
  if (wanted >= 0 && wanted <= last && mxint::runs(wanted)) mxint::level() = wanted;
  return mxint::level();
}
