// How the vectorised kernels share out a tile of 512 elements over the lanes of a warp; the program
// that prints the partition includes it as well.
//
// To decode, each lane loads 16 mantissas, 16 bytes; decoded they are 32 or 64 bytes.  If each lane
// stored its own, a warp's store would touch every second (or fourth) 16 bytes.  So the lanes first
// hand each other the mantissas, and then each store of the warp covers 512 bytes without a gap.
#pragma once

#include "format.h"

namespace mxint {

constexpr int kLanes = 32;
constexpr int kPerLane = 16;              // elements of a lane
constexpr int kTile = kLanes * kPerLane;  // elements of a warp
constexpr int kWords = kPerLane / 4;      // 32-bit words of mantissas that a lane loads

// A tile of T as a warp stores it, or loads it: 16 bytes a lane at a time.
template <class T>
struct Pieces {
  static constexpr int elements = 16 / sizeof(T);    // of one lane at a time
  static constexpr int count = kPerLane / elements;  // pieces of a lane
  static constexpr int words = elements / 4;         // of mantissas in a piece

  // The first element of a lane's piece, counted in the tile.
  MXINT_INLINE static int first(int piece, int lane) { return (piece * kLanes + lane) * elements; }
  // The lane that has loaded a piece's mantissas, and the first word of them that it holds.
  MXINT_INLINE static int lane(int piece, int lane) { return first(piece, lane) / kPerLane; }
  MXINT_INLINE static int word(int piece, int lane) { return first(piece, lane) % kPerLane / 4; }
};

}  // namespace mxint
