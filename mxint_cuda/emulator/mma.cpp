// Tensor cores: a warp's product of matrices of bytes.
#include "twins.h"

namespace emulator {

void multiply_bytes(int (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int c) {
  const uint32_t mine[6] = {a[0], a[1], a[2], a[3], b[0], b[1]};
  uint32_t all[6][32];
  for (int word = 0; word < 6; ++word) {
    const uint64_t* brought = exchange("mma.sync", ~0u, mine[word]);
    for (int i = 0; i < 32; ++i) all[word][i] = static_cast<uint32_t>(brought[i]);
  }
  const int g = lane() / 4, t = lane() % 4;
  for (int i = 0; i < 4; ++i) {
    const int lower = i / 2, column = 2 * t + i % 2;
    d[i] = c;
    for (int word = 0; word < 8; ++word) {  // along the 32 bytes
      const int of_lane = word % 4, half = word / 4;
      d[i] = dot_of_bytes(static_cast<int>(all[lower + 2 * half][4 * g + of_lane]),
                    static_cast<int>(all[4 + half][4 * column + of_lane]), d[i]);
    }
  }
}

}  // namespace emulator
