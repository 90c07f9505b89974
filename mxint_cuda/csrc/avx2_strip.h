// With AVX2 a strip is 8 columns of y, one a lane: a block of its weights is transposed into registers
// once, and then serves every row of x.
#pragma once

#include "avx2.h"

namespace mxint {
namespace {

// Turns 8 rows of 8 words into 8 columns.
MXINT_INLINE void transpose(__m256i (&r)[kLanes]) {
  __m256i t[kLanes];
  for (int i = 0; i < kLanes; i += 4) {
    const __m256i a = _mm256_unpacklo_epi32(r[i], r[i + 1]);
    const __m256i b = _mm256_unpackhi_epi32(r[i], r[i + 1]);
    const __m256i c = _mm256_unpacklo_epi32(r[i + 2], r[i + 3]);
    const __m256i d = _mm256_unpackhi_epi32(r[i + 2], r[i + 3]);
    t[i] = _mm256_unpacklo_epi64(a, c);
    t[i + 1] = _mm256_unpackhi_epi64(a, c);
    t[i + 2] = _mm256_unpacklo_epi64(b, d);
    t[i + 3] = _mm256_unpackhi_epi64(b, d);
  }
  for (int i = 0; i < 4; ++i) {
    r[i] = _mm256_permute2x128_si256(t[i], t[i + 4], 0x20);
    r[i + 4] = _mm256_permute2x128_si256(t[i], t[i + 4], 0x31);
  }
}

// The rows of W that are the columns of a strip, and their exponents.
class Strip {
 public:
  // Columns n to n + 7.  The strip that is loaded next begins `next` columns after.
  Strip(const Linear& layer, int64_t n, int64_t next = kLanes)
      : layer_(layer),
        next_(next),
        columns_(layer, Groups{1, layer.inputs, layer.size}.per_row(), n, layer.outputs) {}

  // Inputs first to first + 31 of all columns: words[i] holds four of each.  Meanwhile those that
  // come later are fetched into L2, and those that come soon into L1.
  MXINT_INLINE void load_transposed(int64_t first, __m256i (&words)[kLanes]) const {
    const int64_t far = ahead(first + 1024), near = ahead(first + 256);
    for (int c = 0; c < kLanes; ++c) {
      words[c] = load(columns_.w[c] + first, layer_.inputs - first);
      _mm_prefetch(columns_.w[c] + far, _MM_HINT_T1);
      _mm_prefetch(columns_.w[c] + near, _MM_HINT_T0);
    }
    transpose(words);
  }

  // The scales of these inputs, a lane's own in each, from a table of Scales.
  MXINT_INLINE __m256 scales_of(int64_t first, const float (&table)[256]) const {
    const int64_t group = first / layer_.size;
    alignas(__m256) float scale[kLanes];
    for (int c = 0; c < kLanes; ++c) scale[c] = table[columns_.e[c][group]];
    return _mm256_load_ps(scale);
  }

 private:
  // Past the end of a row come the rows of the next strip.
  MXINT_INLINE int64_t ahead(int64_t input) const {
    return input < layer_.inputs ? input : input + (next_ - 1) * layer_.inputs;
  }

  const Linear& layer_;
  int64_t next_;
  Columns<kLanes> columns_;
};

}  // namespace
}  // namespace mxint
