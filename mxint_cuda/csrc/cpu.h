// The CPU kernels.  Each works on a range of groups or of output columns, so that the caller may
// share the work out over threads; cpu.cpp holds them, and is compiled once per instruction set.
#pragma once

#include "groups.h"

namespace mxint {

MXINT_INLINE int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// y = x W^T + bias for `rows` rows of x; W is (outputs, inputs), packed in groups of `size`.
struct Linear {
  int64_t rows, inputs, outputs, size;
  const int8_t* mantissa;
  const uint8_t* exponent;
  const float* bias;  // or null
  float* y;           // (rows, outputs)
};

// The sums of integer products are scaled by 2^(E - 133) of either side.  To keep their product
// with W's scale exact and finite for every E, that is taken 2^-16 times too small, and x's scale
// 2^16 times too large, which is finite up to this exponent.
constexpr int kLargerBits = 16;
constexpr float kLarger = 1 << kLargerBits;
constexpr int kLargestExponent = 2 * kExponentBias + kFractionBits - kLargerBits;

// The rows of W that are so many columns from n on.  Past the last column there is the last one
// again: computed, not stored.
template <int Count>
struct Columns {
  const int8_t* w[Count];
  const uint8_t* e[Count];

  MXINT_INLINE Columns(const Linear& layer, int64_t groups, int64_t n, int64_t end) {
    for (int c = 0; c < Count; ++c) {
      const int64_t column = smaller(n + c, end - 1);
      w[c] = layer.mantissa + column * layer.inputs;
      e[c] = layer.exponent + column * groups;
    }
  }
};

// Columns that kernels for a few rows take together, as they share what is loaded of x; vnni_row.h has
// its own number.
constexpr int kColumnsTogether = 4;

// How many bytes ahead W is fetched: some 8192 or more, a multiple of the bytes of the `Count` columns
// that are taken together.  The processor itself looks ahead within a page only.
template <int Count>
MXINT_INLINE int64_t bytes_ahead(int64_t inputs) {
  constexpr int64_t least = 8192;
  const int64_t together = Count * inputs;
  return (least / (together + 1) + 1) * together;
}

// Columns of y that a strip of float_strips.h has; those of others have as many or half of them.
constexpr int kColumns = 16;

// Stores rows first to first + count - 1 of the columns of y from n on, of those before `end`:
// `sums` has `Width` lanes a row, a column each.
template <int Width>
MXINT_INLINE void store_columns(const Linear& layer, const float* sums, int64_t first,
                                int64_t count, int64_t n, int64_t end) {
  for (int64_t row = 0; row < count; ++row) {
    float* y = layer.y + (first + row) * layer.outputs + n;
    for (int64_t i = 0; i < smaller(Width, end - n); ++i) {
      y[i] = sums[row * Width + i] + (layer.bias ? layer.bias[n + i] : 0.0f);
    }
  }
}

struct CpuKernels {
  // Groups begin to end of x, which is of `format`.
  void (*quantize)(const void* x, Format format, Groups groups, int64_t begin, int64_t end,
                   int8_t* mantissa, uint8_t* exponent);
  void (*dequantize)(const int8_t* mantissa, const uint8_t* exponent, Groups groups,
                     int64_t begin, int64_t end, void* y, Format format);

  // Columns begin to end of y.  Float activations: products and sums in float32.
  void (*linear_float)(const Linear& layer, const float* x, int64_t begin, int64_t end);
  // The most rows that linear_float is given where W has groups of `size`: torch takes more, W decoded.
  int64_t (*most_float_rows)(int64_t size);
  // The same for x in bfloat16, where the processor multiplies that.
  int64_t (*most_bfloat16_rows)(int64_t size);
  // MXINT8 activations: products are added in integers, then scaled and added.  Plain loops do so
  // group by group, in float64; VNNI and AVX2 by four inputs of a group or more, in float32.
  void (*linear_mxint8)(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                        int64_t begin, int64_t end);

  // For the benchmark: reads bytes begin to end, does next to nothing with them, and returns what.
  uint64_t (*read)(const void* bytes, int64_t begin, int64_t end);
  // For the benchmark: at least so many products of bytes, added up, as fast as this instruction set
  // can, of operands in registers; returns a sum.  Null for plain loops.
  int64_t (*multiply)(int64_t products);
};

// The best that this processor runs, or what `cpu_level` chose.
const CpuKernels& cpu_kernels();

// Whether the processor, up to the level in use, has instructions that multiply bfloat16: torch uses
// them.
bool multiplies_bfloat16();

}  // namespace mxint

// For the tests and the benchmark: make `level` (0 is portable code) the one in use, where this
// processor runs it; return the level in use.  A negative level changes nothing.
extern "C" __attribute__((visibility("default"))) int mxint_cpu_level(int level);
