// The threads of CUDA kernels: fibers of one CPU thread, block after block.
#include "machine.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <deque>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "fiber.h"

namespace emulator {
namespace {

constexpr unsigned kMostThreads = 1024, kWarp = 32;

struct Thread {
  unsigned number;
  Index index;         // in the block of the present launch
  uint32_t warp_span;  // counts the warp's barriers, which all its lanes pass
  Fiber fiber;
};

// The lanes that wait for each other in an exchange.  The next exchange has other memory: a lane
// may begin it while another has yet to read the values of this one.
struct Warp {
  const char* what = nullptr;
  unsigned arrived = 0, turn = 0;
  uint64_t brought[2][kWarp];
};

struct Machine {
  std::vector<Thread> threads{kMostThreads};
  Warp warps[kMostThreads / kWarp];
  std::deque<Thread*> ready;
  std::vector<Thread*> at_barrier;
  Thread* current = nullptr;
  unsigned count = 0, ended = 0;  // threads of a block
  Index grid, block_size, block;
  Moment moment{};
  Body body;
  std::string failure;

  int64_t order = 0;  // of threads and blocks: 0 forward, 1 backward, and else a random one
  std::mt19937 random;
  unsigned most_blocks = ~0u;  // grids are cut short after so many
  int multiprocessors = 1, capability = 90;
  std::set<const void*> kernels;  // those that have run
  unsigned launches = 0;

  Machine() {
    for (unsigned i = 0; i < kMostThreads; ++i) threads[i].number = i;
  }
};

// On the heap, as the library's own static memory is the kernels' shared memory.
Machine& machine = *new Machine;

// What a fiber runs: its thread of one block after another.
void run_threads() {
  for (;;) {
    machine.body.call(machine.body.object);
    ++machine.ended;
    Fiber::suspend();
  }
}

Thread& next() {
  if (machine.order > 1) {
    std::swap(machine.ready.front(), machine.ready[machine.random() % machine.ready.size()]);
  }
  Thread& thread = *machine.ready.front();
  machine.ready.pop_front();
  return thread;
}

// The numbers 0 to count - 1 in the order that is set.
std::vector<unsigned> in_order(unsigned count) {
  std::vector<unsigned> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  if (machine.order == 1) std::reverse(numbers.begin(), numbers.end());
  if (machine.order > 1) {
    std::shuffle(numbers.begin(), numbers.end(), machine.random);
  }
  return numbers;
}

// Why nobody goes on although threads are left.
std::string who_waits() {
  std::string text = std::to_string(machine.ended) + " threads have ended";
  if (!machine.at_barrier.empty()) {
    text += ", " + std::to_string(machine.at_barrier.size()) + " wait at a barrier";
  }
  for (unsigned i = 0; i < machine.count / kWarp; ++i) {
    if (machine.warps[i].arrived == 0) continue;
    char words[80];
    snprintf(words, sizeof words, ", in warp %u the lanes %#x wait in %s", i,
             machine.warps[i].arrived, machine.warps[i].what);
    return "deadlock: " + text + words;
  }
  return "deadlock: " + text;
}

void run_block() {
  ++machine.moment.block;
  ++machine.moment.span;
  machine.ended = 0;
  for (const unsigned i : in_order(machine.count)) {
    machine.threads[i].warp_span = 0;
    machine.ready.push_back(&machine.threads[i]);
  }
  while (machine.failure.empty() && !machine.ready.empty()) {
    machine.current = &next();
    machine.current->fiber.resume(run_threads);
  }
  machine.current = nullptr;
  if (machine.failure.empty() && machine.ended < machine.count) machine.failure = who_waits();
  if (machine.failure.empty()) return;
  // Threads stand anywhere.
  machine.ready.clear();
  machine.at_barrier.clear();
  for (Thread& thread : machine.threads) thread.fiber.forget();
  for (Warp& warp : machine.warps) warp.arrived = 0;
}

Index index_of(uint64_t linear, const Index& size) {
  const uint64_t plane = linear / size.x;
  return {static_cast<unsigned>(linear % size.x), static_cast<unsigned>(plane % size.y),
          static_cast<unsigned>(plane / size.y)};
}

}  // namespace

bool run(Index grid, Index block, Body body) {
  const uint64_t threads = uint64_t{block.x} * block.y * block.z;
  machine.failure.clear();
  if (grid.x - 1 >= 2147483647u || grid.y - 1 >= 65535 || grid.z - 1 >= 65535 || threads == 0 ||
      threads > kMostThreads) {
    machine.failure = "invalid configuration argument";
    return false;
  }
  grid.x = std::min(grid.x, machine.most_blocks);
  machine.grid = grid;
  machine.block_size = block;
  machine.body = body;
  machine.count = static_cast<unsigned>(threads);
  for (unsigned i = 0; i < machine.count; ++i) machine.threads[i].index = index_of(i, block);
  machine.kernels.insert(body.kernel);
  ++machine.launches;
  machine.moment.first_block = machine.moment.block + 1;
  for (const unsigned i : in_order(grid.x * grid.y * grid.z)) {
    machine.block = index_of(i, grid);
    run_block();
    if (!machine.failure.empty()) return false;
  }
  return true;
}

int attribute(int number) {
  switch (number) {
    case 16: return machine.multiprocessors;
    case 75: return machine.capability / 10;
    case 76: return machine.capability % 10;
    default: return 0;
  }
}

int capability() { return machine.capability; }

const char* failure() { return machine.failure.c_str(); }

Index thread_index() { return machine.current->index; }
Index block_index() { return machine.block; }
Index block_size() { return machine.block_size; }
Index grid_size() { return machine.grid; }

void barrier() {
  machine.at_barrier.push_back(machine.current);
  if (machine.at_barrier.size() == machine.count) {
    ++machine.moment.span;
    machine.ready.insert(machine.ready.end(), machine.at_barrier.begin(), machine.at_barrier.end());
    machine.at_barrier.clear();
  }
  Fiber::suspend();
}

const uint64_t* exchange(const char* what, unsigned mask, uint64_t value) {
  const unsigned lane = machine.current->number % kWarp, first = machine.current->number - lane;
  Warp& warp = machine.warps[first / kWarp];
  if (mask != ~0u) fail("%s of the lanes %#x: here, lanes exchange by whole warps", what, mask);
  if (warp.arrived != 0 && warp.what != what) fail("some lanes call %s, some %s", warp.what, what);
  warp.what = what;
  uint64_t* brought = warp.brought[warp.turn % 2];
  brought[lane] = value;
  warp.arrived |= 1u << lane;
  if (warp.arrived == ~0u) {
    warp.arrived = 0;
    ++warp.turn;
    for (unsigned i = 0; i < kWarp; ++i) machine.ready.push_back(&machine.threads[first + i]);
  }
  Fiber::suspend();
  return brought;
}

uint64_t exchange(const char* what, unsigned mask, uint64_t value, int from) {
  return exchange(what, mask, value)[from];
}

bool all(const char* what, unsigned mask, bool value) {
  const uint64_t* values = exchange(what, mask, value);
  return std::all_of(values, values + kWarp, [](uint64_t one) { return one != 0; });
}

void warp_barrier(unsigned mask) {
  exchange("__syncwarp", mask, 0);
  ++machine.current->warp_span;
}

bool running() { return machine.current != nullptr; }

Moment now() {
  machine.moment.thread = static_cast<int>(machine.current->number);
  machine.moment.warp_span = machine.current->warp_span;
  return machine.moment;
}

bool on_stack(const void* address) { return machine.current->fiber.holds(address); }

void fail(const char* format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const Index& b = machine.block;
  machine.failure = text;
  machine.failure += " (block " + std::to_string(b.x) + ", " + std::to_string(b.y) + ", thread " +
                     std::to_string(machine.current->number) + ")";
  Fiber::suspend();
  __builtin_unreachable();  // nobody resumes a thread that has failed
}

}  // namespace emulator

using emulator::machine;

// ---- for the tests --------------------------------------------------------------------------------

#pragma GCC visibility push(default)
extern "C" {

void host_order(int64_t order) {
  machine.order = order;
  machine.random.seed(static_cast<unsigned>(order));
}
void host_most_blocks(int64_t most) { machine.most_blocks = static_cast<unsigned>(most); }
void host_multiprocessors(int64_t count) { machine.multiprocessors = static_cast<int>(count); }
void host_capability(int64_t number) { machine.capability = static_cast<int>(number); }

int64_t host_launches() { return machine.launches; }
int64_t host_blocks() { return machine.moment.block; }

// Begins where the library is loaded.
__attribute__((visibility("hidden"))) extern const char __ehdr_start;

// Whether the kernel has run that stands at this place of the library.
bool host_has_run(size_t place) { return machine.kernels.count(&__ehdr_start + place) != 0; }

}  // extern "C"
#pragma GCC visibility pop
