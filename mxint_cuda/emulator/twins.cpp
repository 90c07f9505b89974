// Products of matrices by a warp, and copies whose bytes arrive at the wait for them and not before.
#include "twins.h"

#include <cstring>
#include <deque>
#include <map>
#include <vector>

namespace emulator {
namespace {

constexpr int kBytes = 16;

struct Copy {
  void* to;
  const void* from;
};

using Group = std::vector<Copy>;

// What a thread has begun and not waited for.
struct Copies {
  uint32_t block = 0;
  std::deque<Group> groups{1};  // the last is open
};

std::map<int, Copies>& of_threads = *new std::map<int, Copies>;

Copies& mine() {
  const Moment moment = now();
  Copies& copies = of_threads[moment.thread];
  if (copies.block != moment.block) copies = {moment.block};
  return copies;
}

void only_since_80(const char* instruction) {
  if (capability() < 80) fail("%s begins with compute capability 8.0", instruction);
}

// Calls body(i, of a, of b) for each number i that this lane gets of a product of 16 rows by 8
// columns, with each of the eight words of its row and of its column.
template <class Body>
void along_words(const uint32_t (&a)[4], const uint32_t (&b)[2], Body body) {
  const uint32_t mine[6] = {a[0], a[1], a[2], a[3], b[0], b[1]};
  uint32_t all[6][32];
  for (int word = 0; word < 6; ++word) {
    const uint64_t* brought = exchange("mma.sync", ~0u, mine[word]);
    for (int i = 0; i < 32; ++i) all[word][i] = static_cast<uint32_t>(brought[i]);
  }
  const int g = lane() / 4, t = lane() % 4;
  for (int i = 0; i < 4; ++i) {
    const int lower = i / 2, column = 2 * t + i % 2;
    for (int word = 0; word < 8; ++word) {
      const int of_lane = word % 4, half = word / 4;
      body(i, all[lower + 2 * half][4 * g + of_lane], all[4 + half][4 * column + of_lane]);
    }
  }
}

}  // namespace

namespace twins {

void multiply_16x32(int (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int c) {
  only_since_80("mma.sync.m16n8k32");
  for (int& sum : d) sum = c;
  along_words(a, b, [&](int i, uint32_t of_a, uint32_t of_b) {
    d[i] = dot_of_bytes(static_cast<int>(of_a), static_cast<int>(of_b), d[i]);
  });
}

void add_16x16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], Value value) {
  only_since_80("mma.sync.m16n8k16");
  along_words(a, b, [&](int i, uint32_t of_a, uint32_t of_b) {
    for (int bit : {0, 16}) {
      d[i] += value(static_cast<uint16_t>(of_a >> bit)) * value(static_cast<uint16_t>(of_b >> bit));
    }
  });
}

void add_8x16(int& d0, int& d1, uint32_t a, uint32_t b) {
  uint32_t all[2][32];
  for (const bool of_b : {false, true}) {
    const uint64_t* brought = exchange("mma.sync", ~0u, of_b ? b : a);
    for (int i = 0; i < 32; ++i) all[of_b][i] = static_cast<uint32_t>(brought[i]);
  }
  const int g = lane() / 4, t = lane() % 4;
  for (int word = 0; word < 4; ++word) {  // along the 16 bytes
    const int of_row = static_cast<int>(all[0][4 * g + word]);
    d0 = dot_of_bytes(of_row, static_cast<int>(all[1][4 * (2 * t) + word]), d0);
    d1 = dot_of_bytes(of_row, static_cast<int>(all[1][4 * (2 * t + 1) + word]), d1);
  }
}

void begin_copy(void* to, const void* from) {
  only_since_80("cp.async");
  if (reinterpret_cast<uintptr_t>(to) % kBytes || reinterpret_cast<uintptr_t>(from) % kBytes) {
    fail("copies from or to an address that is not aligned");
  }
  access(from, kBytes, false);
  leave(to, kBytes);
  mine().groups.back().push_back({to, from});
}

void end_group() { mine().groups.emplace_back(); }

void wait_for_groups(unsigned latest) {
  std::deque<Group>& groups = mine().groups;
  for (; groups.size() > latest + 1; groups.pop_front()) {
    for (const Copy& copy : groups.front()) {
      memcpy(copy.to, copy.from, kBytes);
      arrive(copy.to, kBytes);
    }
  }
}

}  // namespace twins
}  // namespace emulator
