// What a GPU's instructions do, in C++, where C++ has no such operation.
#pragma once

#include "machine.h"

namespace emulator {

inline int lane() { return static_cast<int>(thread_index().x % 32); }

// dp4a: the sum of four products of signed bytes, and c.
inline int dot_of_bytes(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8) {
    c += static_cast<int8_t>(a >> i) * static_cast<int8_t>(b >> i);
  }
  return c;
}

// mma.sync.m16n8k32 on bytes, and cp.async, as csrc/instructions.cuh says.
void multiply_bytes(int (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int c);
void begin_copy(void* to_shared, const void* from);
void end_group();
void wait_for_groups(unsigned latest);

}  // namespace emulator
