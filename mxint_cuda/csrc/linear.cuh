// What the kernels of linear layers share.
#pragma once

#include "division.h"
#include "values.cuh"

namespace mxint::cuda {

// The sizes of a layer, as the kernels count.
struct Shape {
  int64_t rows, outputs, groups;  // groups of a row
  int inputs;
  Divisor32 size;  // of a group

  explicit Shape(const Linear& layer)
      : rows(layer.rows),
        outputs(layer.outputs),
        groups(layer.weight.per_row()),
        inputs(static_cast<int>(layer.weight.columns)),
        size(layer.weight.size) {}

  // What is past the end is the last once more: computed, not stored.
  __device__ int64_t row(int64_t i) const { return i < rows ? i : rows - 1; }
  __device__ int64_t output(int64_t i) const { return i < outputs ? i : outputs - 1; }
};

// Where sums of integer products start: the bits of 1.5 * 2^23.  Read as a float, they are that
// number, and what is added to them is added to it, if it is below 2^22.  That is a conversion
// without the instruction for it, of which a GPU does few at a time.
constexpr int kStart = 0x4b400000;
constexpr float kStartValue = 12582912.0f;

// Whether a scale's product with kStartValue is finite: so are nearly all.
__device__ inline bool ordinary(float scale) { return scale < 0x1p105f; }

// total + (sum - kStart) * a * b, for the sum of some integer products of a group, at most 32: it
// has 19 bits, so its product with an ordinary a is exact, as a has one bit and is at least
// 2^-133.  Otherwise the smaller scale goes first: nothing overflows but what does in the end.
template <bool Ordinary>
__device__ float add_scaled(float total, int sum, float a, float b) {
  const float value = as_float(static_cast<uint32_t>(sum));
  if constexpr (Ordinary) return fmaf(fmaf(value, a, -kStartValue * a), b, total);
  const bool ordered = a < b;  // not so where one is NaN, and then both are still used
  return fmaf((value - kStartValue) * (ordered ? a : b), ordered ? b : a, total);
}

// Whether all groups are made of whole runs, of so many inputs.
inline bool whole_runs(const Linear& layer, int run) {
  return layer.weight.columns % run == 0 && layer.weight.size % run == 0;
}

}  // namespace mxint::cuda
