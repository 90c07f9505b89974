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

// The sum of some integer products of a group, at most 32, scaled by both sides.  The smaller scale
// goes first: so nothing overflows or loses bits but what does in the end, as the sum has 19 bits
// and the scales one each, of at least 2^-133.
__device__ inline float scaled(int dot, float a, float b) {
  const bool ordered = a < b;  // not so where one is NaN, and then both are still used
  return dot * (ordered ? a : b) * (ordered ? b : a);
}

// Whether all groups are made of whole runs, of so many inputs.
inline bool whole_runs(const Linear& layer, int run) {
  return layer.weight.columns % run == 0 && layer.weight.size % run == 0;
}

}  // namespace mxint::cuda
