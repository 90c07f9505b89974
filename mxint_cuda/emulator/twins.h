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

// Four of the eight bytes of `low` and `high`: a digit's lower bits name one, its upper bit takes the
// sign alone.
inline uint32_t permuted_bytes(uint32_t low, uint32_t high, uint32_t digits) {
  uint32_t word = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t digit = digits >> 4 * i & 15;
    uint64_t byte = (uint64_t{high} << 32 | low) >> 8 * (digit & 7) & 0xff;
    if (digit & 8) byte = byte >> 7 ? 0xff : 0;
    word |= static_cast<uint32_t>(byte << 8 * i);
  }
  return word;
}

// The 32 bits from bit `by` on of `high` and `low`, one behind the other.
inline uint32_t shifted(uint32_t low, uint32_t high, uint32_t by) {
  return static_cast<uint32_t>((uint64_t{high} << 32 | low) >> (by & 31));
}

// mma.sync of m16n8k32 and m8n8k16 on bytes, of m16n8k16 on floats of 16 bits, and cp.async, as
// csrc/instructions.cuh says.
namespace twins {
// The value of a float of 16 bits.
using Value = float (*)(uint16_t bits);

void multiply_16x32(int (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int c);
void add_8x16(int& d0, int& d1, uint32_t a, uint32_t b);
void add_16x16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], Value value);
void begin_copy(void* to_shared, const void* from);
void end_group();
void wait_for_groups(unsigned latest);

template <class T>
void add_16x16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  add_16x16(d, a, b, [](uint16_t bits) { return to_float(T{bits}); });
}

template <int Latest>
void wait_for_groups() {
  wait_for_groups(Latest);
}
}  // namespace twins

}  // namespace emulator
