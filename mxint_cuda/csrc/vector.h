// What one thread of the vectorised kernel does; on the host too, where the tests run it.
//
// A warp decodes a tile of 512 elements.  Each lane loads 16 mantissas, 16 bytes; decoded they are
// 32 or 64 bytes.  If each lane stored its own, a warp's store would touch every second (or fourth)
// 16 bytes.  So the lanes first hand each other the mantissas, and then each store of the warp
// covers 512 bytes without a gap.
#pragma once

#include "groups.h"

#ifdef __CUDACC__
#define MXINT_UNROLL _Pragma("unroll")
#else
#define MXINT_UNROLL
#endif

namespace mxint {

constexpr int kLanes = 32;
constexpr int kPerLane = 16;              // elements that a lane loads
constexpr int kTile = kLanes * kPerLane;  // elements of a warp
constexpr int kWords = kPerLane / 4;      // 32-bit words that a lane loads

struct alignas(16) Bytes16 { uint32_t word[4]; };

// The stores of a tile of T, and from which lane and word of it their mantissas come.
template <class T>
struct Stores {
  static constexpr int elements = 16 / sizeof(T);    // of one lane in one store
  static constexpr int count = kPerLane / elements;  // stores of a tile
  static constexpr int words = elements / 4;         // of mantissas in one store

  // The first element that a lane stores, counted in the tile.
  MXINT_INLINE static int first(int store, int lane) { return (store * kLanes + lane) * elements; }
  MXINT_INLINE static int lane(int store, int lane) { return first(store, lane) / kPerLane; }
  MXINT_INLINE static int word(int store, int lane) { return first(store, lane) % kPerLane / 4; }
};

// words[index], without the local memory that an index known only at run time would cost
MXINT_INLINE uint32_t pick(const uint32_t (&words)[kWords], int index) {
  uint32_t word = words[0];
  MXINT_UNROLL
  for (int i = 1; i < kWords; ++i) word = index == i ? words[i] : word;
  return word;
}

MXINT_INLINE int8_t byte_of(const uint32_t* words, int i) {
  return static_cast<int8_t>(words[i / 4] >> (i % 4 * 8));
}

// Decodes the elements of one store, the first of which is `first`.  They are of one group when
// its size is a multiple of theirs.
template <class T>
MXINT_INLINE Bytes16 decode_store(const uint32_t* words, int64_t first, const uint8_t* exponent,
                                  const PowerOfTwoGroups& groups) {
  const float scale = scale_of(exponent[groups.group_of(first)]);
  T y[Stores<T>::elements];
  MXINT_UNROLL
  for (int i = 0; i < Stores<T>::elements; ++i) decode(byte_of(words, i), scale, y[i]);
  Bytes16 bytes;
  memcpy(&bytes, y, sizeof bytes);
  return bytes;
}

template <class T>
MXINT_INLINE Bytes16 decode_store(const uint32_t* words, int64_t first, const uint8_t* exponent,
                                  const Groups& groups) {
  Walk walk(groups, first);
  float scale = scale_of(exponent[walk.group()]);
  T y[Stores<T>::elements];
  MXINT_UNROLL
  for (int i = 0; i < Stores<T>::elements; ++i) {
    if (i > 0 && walk.next()) scale = scale_of(exponent[walk.group()]);
    decode(byte_of(words, i), scale, y[i]);
  }
  Bytes16 bytes;
  memcpy(&bytes, y, sizeof bytes);
  return bytes;
}

}  // namespace mxint
