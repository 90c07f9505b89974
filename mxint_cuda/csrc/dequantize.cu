// Dequantization: one element a thread, and sixteen elements a thread.
#include "division.h"
#include "values.cuh"

namespace mxint::cuda {
namespace {

// ---- which group an element is in, without divisions -----------------------------------------

// Rows of whole groups whose size is a power of two: the group is a shift away.
struct PowerOfTwoGroups {
  int64_t total;
  int shift;

  static bool fits(const Groups& g) {
    return g.columns % g.size == 0 && (g.size & (g.size - 1)) == 0;
  }
  explicit PowerOfTwoGroups(const Groups& g) : total(g.elements()), shift(0) {
    while (int64_t{1} << shift < g.size) ++shift;
  }
  MXINT_INLINE int64_t elements() const { return total; }
  MXINT_INLINE int64_t group_of(int64_t element) const { return element >> shift; }
};

struct AnyGroups {
  int64_t total, columns, size, per_row;
  Divisor64 by_columns, by_size;

  explicit AnyGroups(const Groups& g)
      : total(g.elements()),
        columns(g.columns),
        size(g.size),
        per_row(g.per_row()),
        by_columns(g.columns),
        by_size(g.size) {}

  MXINT_INLINE int64_t elements() const { return total; }
  MXINT_INLINE int64_t group_of(int64_t element) const {
    const int64_t row = by_columns.quotient(element);
    return row * per_row + by_size.quotient(element - row * columns);
  }
};

// Goes from element to element, and from group to group with them.
class Walk {
 public:
  MXINT_INLINE Walk(const AnyGroups& groups, int64_t element) : groups_(groups) {
    const int64_t row = groups.by_columns.quotient(element);
    column_ = element - row * groups.columns;
    const int64_t in_row = groups.by_size.quotient(column_);
    within_ = column_ - in_row * groups.size;
    group_ = row * groups.per_row + in_row;
  }

  MXINT_INLINE int64_t group() const { return group_; }

  // Moves on by one element; returns whether that is in another group.
  MXINT_INLINE bool next() {
    ++column_;
    ++within_;
    if (column_ < groups_.columns && within_ < groups_.size) return false;
    if (column_ == groups_.columns) column_ = 0;
    within_ = 0;
    ++group_;
    return true;
  }

 private:
  const AnyGroups& groups_;
  int64_t column_, within_, group_;
};

// ---- the kernels -----------------------------------------------------------------------------

// The elements that the vectorised kernel decodes, in whole tiles.
struct Body {
  int64_t begin, tiles;
  bool aligned;  // the mantissas; the results are

  MXINT_INLINE int64_t elements() const { return tiles * kTile; }
};

// Decodes what the body leaves out.
template <class T, class G>
__global__ void scalar_kernel(const int8_t* __restrict__ mantissa,
                              const uint8_t* __restrict__ exponent, G groups, Body body,
                              T* __restrict__ y) {
  const int64_t count = groups.elements() - body.elements();
#pragma unroll 1
  for (int64_t n = first_thread(); n < count; n += all_threads()) {
    const int64_t i = n < body.begin ? n : n + body.elements();
    decode(mantissa[i], scale_of(exponent[groups.group_of(i)]), y[i]);
  }
}

// words[index], without the local memory that an index known only at run time would cost
__device__ uint32_t pick(const uint32_t (&words)[kWords], int index) {
  uint32_t word = words[0];
#pragma unroll
  for (int i = 1; i < kWords; ++i) word = index == i ? words[i] : word;
  return word;
}

// Decodes a piece, the first element of which is `first`.  It is of one group when the group's size
// and `first` are multiples of its length.
template <class T>
__device__ Values<T, Pieces<T>::elements> decode_piece(const uint32_t* words, int64_t first,
                                                       const uint8_t* __restrict__ exponent,
                                                       const PowerOfTwoGroups& groups) {
  const float scale = scale_of(exponent[groups.group_of(first)]);
  Values<T, Pieces<T>::elements> y;
#pragma unroll
  for (int i = 0; i < Pieces<T>::elements; ++i) {
    decode(mantissa_of(words[i / 4], i % 4), scale, y.at[i]);
  }
  return y;
}

template <class T>
__device__ Values<T, Pieces<T>::elements> decode_piece(const uint32_t* words, int64_t first,
                                                       const uint8_t* __restrict__ exponent,
                                                       const AnyGroups& groups) {
  Walk walk(groups, first);
  float scale = scale_of(exponent[walk.group()]);
  Values<T, Pieces<T>::elements> y;
#pragma unroll
  for (int i = 0; i < Pieces<T>::elements; ++i) {
    if (i > 0 && walk.next()) scale = scale_of(exponent[walk.group()]);
    decode(mantissa_of(words[i / 4], i % 4), scale, y.at[i]);
  }
  return y;
}

template <class T, class G, bool aligned>
__global__ void vector_kernel(const int8_t* __restrict__ mantissa,
                              const uint8_t* __restrict__ exponent, G groups, Body body,
                              T* __restrict__ y) {
  using P = Pieces<T>;
  const int lane = threadIdx.x % kWarp;
#pragma unroll 1
  for (int64_t tile = first_thread() / kWarp; tile < body.tiles; tile += all_threads() / kWarp) {
    const int64_t begin = body.begin + tile * kTile;
    const int8_t* own = mantissa + begin + lane * kPerLane;
    const auto loaded = aligned ? load<kWords>(reinterpret_cast<const uint32_t*>(own))
                                : load_unaligned(own);
#pragma unroll
    for (int piece = 0; piece < P::count; ++piece) {
      uint32_t received[kWords], words[P::words];
#pragma unroll
      for (int i = 0; i < kWords; ++i) {
        received[i] = __shfl_sync(~0u, loaded.at[i], P::lane(piece, lane));
      }
#pragma unroll
      for (int i = 0; i < P::words; ++i) words[i] = pick(received, P::word(piece, lane) + i);
      const int64_t first = begin + P::first(piece, lane);
      store(decode_piece<T>(words, first, exponent, groups), y + first);
    }
  }
}

// The tiles from the first element on at which the results can be stored, and if possible the
// mantissas loaded, 16 bytes at a time.
template <class T>
Body body_of(const int8_t* mantissa, const T* y, int64_t elements) {
  constexpr int step = Pieces<T>::elements;
  const int64_t first = (16 - reinterpret_cast<uintptr_t>(y) % 16) % 16 / sizeof(T);
  int64_t begin = first;
  while (!aligned(mantissa + begin, 16) && begin < first + kPerLane) begin += step;
  const bool whole = aligned(mantissa + begin, 16);
  const int64_t left = elements - begin - (whole ? 0 : 4);  // load_unaligned reads on
  return left < kTile ? Body{0, 0, true} : Body{begin, left / kTile, whole};
}

template <class T, class G>
const char* run(const int8_t* mantissa, const uint8_t* exponent, G groups, Body body, T* y,
                void* stream) {
  if (body.tiles > 0) {
    const auto kernel = body.aligned ? vector_kernel<T, G, true> : vector_kernel<T, G, false>;
    const char* error = launch(kernel, blocks_for(body.tiles * kWarp), kThreads, stream, mantissa,
                               exponent, groups, body, y);
    if (error) return error;
  }
  const int64_t rest = groups.elements() - body.elements();
  if (rest == 0) return nullptr;
  return launch(scalar_kernel<T, G>, blocks_for(rest), kThreads, stream, mantissa, exponent,
                groups, body, y);
}

}  // namespace

const char* dequantize(const int8_t* mantissa, const uint8_t* exponent, Groups groups, void* to,
                       Format format, Algorithm algorithm, void* stream) {
  if (algorithm == Algorithm::cute) {
    if (format != Format::bfloat16) return "the CuTe kernel decodes to bfloat16 alone";
    return dequantize_cute(mantissa, exponent, groups, static_cast<BFloat16*>(to), stream);
  }
  return with_type(format, [&](auto type) {
    using T = decltype(type);
    T* y = static_cast<T*>(to);
    const Body body = algorithm == Algorithm::scalar ? Body{0, 0, true}
                                                     : body_of(mantissa, y, groups.elements());
    const bool pieces_of_one_group =
        groups.size >= Pieces<T>::elements && body.begin % Pieces<T>::elements == 0;
    return PowerOfTwoGroups::fits(groups) && pieces_of_one_group
               ? run(mantissa, exponent, PowerOfTwoGroups(groups), body, y, stream)
               : run(mantissa, exponent, AnyGroups(groups), body, y, stream);
  });
}

#ifndef MXINT_CUTE
const char* dequantize_cute(const int8_t*, const uint8_t*, Groups, BFloat16*, void*) {
  return "this build has no CuTe kernel: CuTe's headers were absent";
}
#endif

}  // namespace mxint::cuda
