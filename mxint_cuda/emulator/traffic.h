// What warps ask of global memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulator {

struct Traffic {
  uint64_t requests;  // instructions of a warp
  uint64_t sectors;   // of 32 bytes, that these touch, each for itself
  uint64_t bytes;     // that lanes read or write
};

// The present thread's part of an instruction, which has this number in its kernel.  The lanes of a
// warp that come to an instruction for the same time make one request.
void count(int instruction, const void* at, size_t bytes);

}  // namespace emulator

extern "C" {

// Begins to count, from zero.
void host_count();

// What was asked of a tensor that `host_tensor` has named.
emulator::Traffic host_traffic(const void* tensor);
}
