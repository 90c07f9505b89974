// Columns of y = x W^T that are computed together, as they share what is loaded of x.
#pragma once

#include "cpu.h"

namespace mxint {
namespace {

constexpr int kTogether = 4;

// The rows of W that are columns n to n + 3.  Past the last column there is the last one again:
// computed, not stored.
struct Columns {
  const int8_t* w[kTogether];
  const uint8_t* e[kTogether];

  MXINT_INLINE Columns(const Linear& layer, int64_t groups, int64_t n, int64_t end) {
    for (int c = 0; c < kTogether; ++c) {
      const int64_t column = smaller(n + c, end - 1);
      w[c] = layer.mantissa + column * layer.inputs;
      e[c] = layer.exponent + column * groups;
    }
  }
};

}  // namespace
}  // namespace mxint
