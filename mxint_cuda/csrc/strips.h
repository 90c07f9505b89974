// A strip is 16 columns of y, one a lane: a block of its weights is transposed into registers once,
// and then serves every row of x.
#pragma once

#include "lanes.h"

namespace mxint {
namespace {

// Turns 16 rows of 16 words into 16 columns.
MXINT_INLINE void transpose(__m512i (&r)[kLanes32]) {
  __m512i t[kLanes32];
  for (int i = 0; i < kLanes32; i += 4) {
    const __m512i a = _mm512_unpacklo_epi32(r[i], r[i + 1]);
    const __m512i b = _mm512_unpackhi_epi32(r[i], r[i + 1]);
    const __m512i c = _mm512_unpacklo_epi32(r[i + 2], r[i + 3]);
    const __m512i d = _mm512_unpackhi_epi32(r[i + 2], r[i + 3]);
    t[i] = _mm512_unpacklo_epi64(a, c);
    t[i + 1] = _mm512_unpackhi_epi64(a, c);
    t[i + 2] = _mm512_unpacklo_epi64(b, d);
    t[i + 3] = _mm512_unpackhi_epi64(b, d);
  }
  for (int i = 0; i < 4; ++i) {
    const __m512i a = _mm512_shuffle_i32x4(t[i], t[i + 4], 0x88);
    const __m512i b = _mm512_shuffle_i32x4(t[i], t[i + 4], 0xdd);
    const __m512i c = _mm512_shuffle_i32x4(t[i + 8], t[i + 12], 0x88);
    const __m512i d = _mm512_shuffle_i32x4(t[i + 8], t[i + 12], 0xdd);
    r[i] = _mm512_shuffle_i32x4(a, c, 0x88);
    r[i + 4] = _mm512_shuffle_i32x4(b, d, 0x88);
    r[i + 8] = _mm512_shuffle_i32x4(a, c, 0xdd);
    r[i + 12] = _mm512_shuffle_i32x4(b, d, 0xdd);
  }
}

// The rows of W that are the columns of a strip, and their exponents.
struct Strip {
  const char* rows[kLanes32];
  int64_t length;  // bytes of a row

  // Past the last row there is the last row: computed, not stored.
  Strip(const void* bytes, int64_t row_length, int64_t first, int64_t row_count)
      : length(row_length) {
    for (int i = 0; i < kLanes32; ++i) {
      rows[i] = static_cast<const char*>(bytes) + smaller(first + i, row_count - 1) * length;
    }
  }

  // Bytes first to first + 63 of all rows: words[i] holds word i of each.  Meanwhile those that come
  // later are fetched into L2, and those that come soon into L1: so many rows at a time are more
  // than the processor itself looks ahead in.
  MXINT_INLINE void load_transposed(int64_t first, __m512i (&words)[kLanes32]) const {
    const int64_t far = ahead(first + 1024), near = ahead(first + 256);
    for (int i = 0; i < kLanes32; ++i) {
      words[i] = load(rows[i] + first, length - first);
      _mm_prefetch(rows[i] + far, _MM_HINT_T1);
      _mm_prefetch(rows[i] + near, _MM_HINT_T0);
    }
    transpose(words);
  }

  // Past the end of a row come the rows of the next strip.
  MXINT_INLINE int64_t ahead(int64_t byte) const {
    return byte < length ? byte : byte + (kLanes32 - 1) * length;
  }
};

// The exponents of a strip, group by group.
class StripExponents {
 public:
  // `groups` are those of a row.
  MXINT_INLINE StripExponents(const uint8_t* exponent, int64_t groups, int64_t first,
                              int64_t row_count)
      : groups_(groups), strip_(exponent, groups, first, row_count) {}
  MXINT_INLINE StripExponents(const Linear& layer, int64_t first)
      : StripExponents(layer.exponent, Groups{1, layer.inputs, layer.size}.per_row(), first,
                       layer.outputs) {}

  // The scales / 2^power of a group, a lane's own in each; zeros past the last group.
  MXINT_INLINE __m512 scales(int64_t group, int power) {
    return group < groups_ ? scales_of(of(group), power) : _mm512_setzero_ps();
  }

  // The exponents; zeros past the last group.
  MXINT_INLINE __m512i of(int64_t group) {
    if (group >= groups_) return _mm512_setzero_si512();
    if (group / kBlock != loaded_) {
      loaded_ = group / kBlock;
      strip_.load_transposed(loaded_ * kBlock, words_);
    }
    const __m512i bytes = _mm512_srlv_epi32(words_[group % kBlock / 4],
                                            _mm512_set1_epi32(static_cast<int>(group % 4 * 8)));
    return _mm512_and_si512(bytes, _mm512_set1_epi32(255));
  }

 private:
  int64_t groups_;
  Strip strip_;
  __m512i words_[kLanes32];  // exponents of 64 groups
  int64_t loaded_ = -1;      // which 64
};

}  // namespace
}  // namespace mxint
