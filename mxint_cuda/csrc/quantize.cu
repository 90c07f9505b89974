// Quantization: sixteen elements a lane where groups allow it, and else an element at a time.
#include "division.h"
#include "values.cuh"

namespace mxint::cuda {
namespace {

// Tiles of whole groups, of 2^shift elements: at least a lane's piece, at most a tile.
template <class T, bool aligned>
__global__ void tile_kernel(const T* __restrict__ x, int shift, int64_t tiles,
                            int8_t* __restrict__ mantissa, uint8_t* __restrict__ exponent) {
  using P = Pieces<T>;
  const int size = 1 << shift, lane = threadIdx.x % kWarp;
  const int lanes = size / P::elements < kWarp ? size / P::elements : kWarp;
#pragma unroll 1
  for (int64_t tile = first_thread() / kWarp; tile < tiles; tile += all_threads() / kWarp) {
    Values<T, P::elements> pieces[P::count];
    uint32_t largest[P::count];
#pragma unroll
    for (int p = 0; p < P::count; ++p) {
      const T* from = x + tile * kTile + P::first(p, lane);
      pieces[p] = aligned ? load<P::elements>(from) : load_each<P::elements>(from);
    }
#pragma unroll
    for (int p = 0; p < P::count; ++p) largest[p] = largest_of_lanes(largest_of(pieces[p]), lanes);
    // A group may go on in a lane's next pieces.
#pragma unroll
    for (int along = 1; along < P::count; along *= 2) {
      if (size <= along * kWarp * P::elements) break;
#pragma unroll
      for (int p = 0; p < P::count; ++p) {
        if ((p & along) == 0) largest[p] = largest[p + along] = max(largest[p], largest[p + along]);
      }
    }
#pragma unroll
    for (int p = 0; p < P::count; ++p) {
      const Encoder encoder(largest[p]);
      const int64_t first = tile * kTile + P::first(p, lane);
      Values<int8_t, P::elements> codes;
#pragma unroll
      for (int i = 0; i < P::elements; ++i) codes.at[i] = encoder(to_float(pieces[p].at[i]));
      aligned ? store(codes, mantissa + first) : store_each(codes, mantissa + first);
      if ((first & (size - 1)) == 0) exponent[first >> shift] = encoder.exponent;
    }
  }
}

// Where groups begin and how long they are, without divisions.
struct Spans {
  int64_t count, per_row, columns, size;
  Divisor64 by_per_row;

  explicit Spans(const Groups& g)
      : count(g.count()),
        per_row(g.per_row()),
        columns(g.columns),
        size(g.size),
        by_per_row(g.per_row()) {}

  struct Span { int64_t offset, length; };

  __device__ Span operator[](int64_t group) const {
    const int64_t row = by_per_row.quotient(group);
    const int64_t start = (group - row * per_row) * size, left = columns - start;
    return {row * columns + start, left < size ? left : size};
  }
};

// Any groups: 2^shift neighbouring threads, at most a warp, encode one together.
template <class T>
__global__ void team_kernel(const T* __restrict__ x, Spans groups, int shift,
                            int8_t* __restrict__ mantissa, uint8_t* __restrict__ exponent) {
  const int team = 1 << shift, member = threadIdx.x & (team - 1);
  // All lanes of a warp make the same number of rounds, so that all take part in the exchange.
  const int64_t first_of_warp = first_thread() / kWarp * kWarp >> shift;
#pragma unroll 1
  for (int64_t base = first_of_warp; base < groups.count; base += all_threads() >> shift) {
    const int64_t group = base + (threadIdx.x % kWarp >> shift);
    Spans::Span span{0, 0};
    if (group < groups.count) span = groups[group];
    uint32_t largest = 0;
    for (int64_t i = member; i < span.length; i += team) {
      largest = max(largest, magnitude(x[span.offset + i]));
    }
    const Encoder encoder(largest_of_lanes(largest, team));
    for (int64_t i = member; i < span.length; i += team) {
      mantissa[span.offset + i] = encoder(to_float(x[span.offset + i]));
    }
    if (span.length > 0 && member == 0) exponent[group] = encoder.exponent;
  }
}

template <class T>
const char* run_teams(const T* x, Groups groups, int8_t* mantissa, uint8_t* exponent,
                      void* stream) {
  if (groups.count() == 0) return nullptr;
  int shift = 0;
  while (1 << shift < kWarp && 1 << shift < groups.size) ++shift;
  return launch(team_kernel<T>, blocks_for(groups.count() << shift), kThreads, stream, x,
                Spans(groups), shift, mantissa, exponent);
}

// The tiles, and then what is less than a tile.
template <class T>
const char* run_tiles(const T* x, Groups groups, int8_t* mantissa, uint8_t* exponent,
                      void* stream) {
  int shift = 0;
  while (int64_t{1} << shift < groups.size) ++shift;
  const int64_t tiles = groups.elements() / kTile, done = tiles * kTile;
  if (tiles > 0) {
    const bool placed = aligned(x, 16) && aligned(mantissa, Pieces<T>::elements);
    const auto kernel = placed ? tile_kernel<T, true> : tile_kernel<T, false>;
    const char* error = launch(kernel, blocks_for(tiles * kWarp), kThreads, stream, x,
                               shift, tiles, mantissa, exponent);
    if (error) return error;
  }
  return run_teams(x + done, {1, groups.elements() - done, groups.size}, mantissa + done,
                   exponent + (done >> shift), stream);
}

}  // namespace

const char* quantize(const void* from, Format format, Groups groups, int8_t* mantissa,
                     uint8_t* exponent, void* stream) {
  return with_type(format, [&](auto type) {
    using T = decltype(type);
    const T* x = static_cast<const T*>(from);
    const bool whole = groups.columns % groups.size == 0;
    const bool power_of_two = (groups.size & (groups.size - 1)) == 0;
    const bool fits = groups.size >= Pieces<T>::elements && groups.size <= kTile;
    return whole && power_of_two && fits
               ? run_tiles(x, groups, mantissa, exponent, stream)
               : run_teams(x, groups, mantissa, exponent, stream);
  });
}

}  // namespace mxint::cuda
