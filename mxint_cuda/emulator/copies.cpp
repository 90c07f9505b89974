// Asynchronous copies: their bytes arrive at the wait for them, and not before.
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

}  // namespace

void begin_copy(void* to, const void* from) {
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

}  // namespace emulator
