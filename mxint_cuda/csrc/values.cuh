// Consecutive values in the registers of a lane, and how a warp shares out a tile of 512 of them.
#pragma once

#include <cstring>

#include "launch.cuh"

namespace mxint::cuda {

constexpr int kWarp = 32;                // lanes
constexpr int kPerLane = 16;             // elements of a lane
constexpr int kTile = kWarp * kPerLane;  // elements of a warp
constexpr int kWords = kPerLane / 4;     // 32-bit words of mantissas that a lane loads

// A tile of T as a warp stores it, or loads it: 16 bytes a lane at a time, so that it covers 512 bytes
// without a gap.  To decode, each lane loads 16 mantissas, 16 bytes; decoded they are 32 or 64.  If it
// stored them itself, the warp's store would touch every second (or fourth) 16 bytes; so the lanes
// first hand each other the mantissas.
template <class T>
struct Pieces {
  static constexpr int elements = 16 / sizeof(T);    // of one lane at a time
  static constexpr int count = kPerLane / elements;  // pieces of a lane
  static constexpr int words = elements / 4;         // of mantissas in a piece

  // The first element of a lane's piece, counted in the tile.
  MXINT_INLINE static int first(int piece, int lane) { return (piece * kWarp + lane) * elements; }
  // The lane that has loaded a piece's mantissas, and the first word of them that it holds.
  MXINT_INLINE static int lane(int piece, int lane) { return first(piece, lane) / kPerLane; }
  MXINT_INLINE static int word(int piece, int lane) { return first(piece, lane) % kPerLane / 4; }
};

// Loaded and stored 16 bytes at a time where there are so many.
template <class T, int Count>
struct alignas(sizeof(T) * Count < 16 ? sizeof(T) * Count : 16) Values { T at[Count]; };

template <int Count, class T>
__device__ Values<T, Count> load(const T* from) {
  return *reinterpret_cast<const Values<T, Count>*>(from);
}

// As words: nvcc would store smaller values two at a time.  It parts some stores of 16 bytes all the
// same, but not those that say that the results will not be read soon (`cs`).
template <int Count, class T>
__device__ void store(const Values<T, Count>& values, T* to) {
  Values<uint32_t, sizeof values / 4> words;
  memcpy(&words, &values, sizeof words);
  if constexpr (sizeof words == 16) {
    const auto [a, b, c, d] = words.at;
    __stcs(reinterpret_cast<uint4*>(to), make_uint4(a, b, c, d));
  } else {
    *reinterpret_cast<decltype(words)*>(to) = words;
  }
}

// The same from and to any address, one at a time.
template <int Count, class T>
__device__ Values<T, Count> load_each(const T* from) {
  Values<T, Count> values;
#pragma unroll
  for (int i = 0; i < Count; ++i) values.at[i] = from[i];
  return values;
}

template <int Count, class T>
__device__ void store_each(const Values<T, Count>& values, T* to) {
#pragma unroll
  for (int i = 0; i < Count; ++i) to[i] = values.at[i];
}

// Four words from any address, by the aligned words that hold them: it may read up to four bytes
// more on either side.
__device__ inline Values<uint32_t, 4> load_unaligned(const int8_t* from) {
  const int beyond = reinterpret_cast<uintptr_t>(from) % 4;
  const auto* words = reinterpret_cast<const uint32_t*>(from - beyond);
  Values<uint32_t, 4> values;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    values.at[i] = __funnelshift_r(words[i], words[i + 1], 8 * beyond);
  }
  return values;
}

// Mantissa i of the four in a word.  As the last byte of 2^23, plus 128, it is a float without a
// conversion, of which a GPU does few at a time.
__device__ inline float mantissa_of(uint32_t word, int i) {
  const uint32_t biased = __byte_perm(word ^ 0x80808080u, 0x4b000000u, 0x7540 + i);
  return as_float(biased) - 8388736.0f;
}

// ---- the largest of a group, which decides how it is encoded ---------------------------------

// A magnitude as bits, which compare as Encoder wants them.
template <class T>
__device__ uint32_t magnitude(T x) {
  return as_bits(to_float(x)) & 0x7fffffffu;
}

template <int Count, class T>
__device__ uint32_t largest_of(const Values<T, Count>& x) {
  uint32_t largest = 0;
#pragma unroll
  for (int i = 0; i < Count; ++i) largest = max(largest, magnitude(x.at[i]));
  return largest;
}

// The largest of `lanes` neighbouring lanes, a power of two of them.
__device__ inline uint32_t largest_of_lanes(uint32_t largest, int lanes) {
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    largest = max(largest, __shfl_xor_sync(~0u, largest, distance));
  }
  return largest;
}

}  // namespace mxint::cuda
