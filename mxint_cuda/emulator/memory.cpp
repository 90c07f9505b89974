// The checks of what threads read and write.  GCC calls the functions at the end for every access
// of code that is compiled with -fsanitize=thread,bounds,alignment; its own libraries for that are
// not used.
#include <memory>
#include <vector>

#include "machine.h"

// Static memory of this library begins and ends there: it is the shared memory of the kernels.
extern "C" __attribute__((visibility("hidden"))) char __bss_start, _end;

namespace emulator {
namespace {

constexpr int kSeveral = -1;

// Who accessed a byte last, and when.
struct Access {
  uint32_t block = 0, span = 0;  // both count from 1
  uint32_t warp_span = 0;
  int thread = 0, warp = 0;
};

struct Byte {
  Access write, read;
  bool written = false;
  uint32_t left_by = 0;  // the block that a copy has yet to arrive in
};

// A tensor, or a block's shared memory.
struct Region {
  uintptr_t start;
  size_t size;
  bool shared;
  std::unique_ptr<Byte[]> bytes;
};

std::vector<Region>& regions = *new std::vector<Region>;

void add(const void* start, size_t size, bool shared, bool written) {
  regions.push_back({reinterpret_cast<uintptr_t>(start), size, shared,
                     std::unique_ptr<Byte[]>(new Byte[size])});
  for (size_t i = 0; i < size; ++i) regions.back().bytes[i].written = written;
}

// The region that has a byte, or null.
const Region* region_of(const void* address) {
  for (const Region& region : regions) {
    if (reinterpret_cast<uintptr_t>(address) - region.start < region.size) return &region;
  }
  return nullptr;
}

// Whether an access of before and one of now cannot happen at the same time.
bool in_turn(const Access& before, const Moment& now, bool shared) {
  if (before.block < now.first_block) return true;  // of another launch, or there was none
  // Blocks run in any order, and each has shared memory of its own.
  if (before.block != now.block) return shared;
  if (before.warp == now.warp() && before.warp_span != now.warp_span) return true;
  return before.thread == now.thread || before.span != now.span;
}

void check(const Region& region, size_t at, bool write, const Moment& moment) {
  Byte& byte = region.bytes[at];
  const char* name = region.shared ? "shared" : "global";
  const char* verb = write ? "writes" : "reads";
  if (byte.left_by == moment.block) {
    fail("%s %s memory that a copy has yet to fill, at byte %zu", verb, name, at);
  }
  if (!write && !(region.shared ? byte.write.block == moment.block : byte.written)) {
    fail("reads %s memory that was not written, at byte %zu", name, at);
  }
  if (!in_turn(byte.write, moment, region.shared)) {
    fail("race: %s %s memory that thread %d writes, at byte %zu", verb, name, byte.write.thread, at);
  }
  if (write && !in_turn(byte.read, moment, region.shared)) {
    fail("race: writes %s memory that thread %d reads, at byte %zu", name, byte.read.thread, at);
  }
  const Access access{moment.block, moment.span, moment.warp_span, moment.thread, moment.warp()};
  if (write) {
    byte.write = access;
    byte.written = true;
    return;
  }
  const bool alone = in_turn(byte.read, moment, region.shared);
  const bool of_one_warp = alone || byte.read.warp == access.warp;
  byte.read = access;
  if (!alone) byte.read.thread = kSeveral;
  if (!of_one_warp) byte.read.warp = kSeveral;
}

// Marks shared memory as left to a copy of this block, or as free.
void mark(const void* at, size_t bytes, uint32_t block) {
  const Region* region = region_of(at);
  if (!region) return;  // nothing is checked
  if (!region->shared) fail("copies into global memory");
  const size_t first = reinterpret_cast<uintptr_t>(at) - region->start;
  for (size_t i = 0; i < bytes; ++i) region->bytes[first + i].left_by = block;
}

}  // namespace

void access(const void* pointer, size_t bytes, bool write) {
  if (!running() || regions.empty() || on_stack(pointer)) return;
  const char* verb = write ? "writes" : "reads";
  const Region* region = region_of(pointer);
  if (!region) fail("%s %zu bytes outside of every tensor", verb, bytes);
  const size_t at = reinterpret_cast<uintptr_t>(pointer) - region->start;
  if (bytes > region->size - at) fail("%s %zu bytes, beyond the end of a tensor", verb, bytes);
  const Moment moment = now();
  for (size_t i = 0; i < bytes; ++i) check(*region, at + i, write, moment);
}

const void* tensor_at(const void* address) {
  const Region* region = region_of(address);
  return region ? reinterpret_cast<const void*>(region->start) : nullptr;
}

void leave(void* at, size_t bytes) {
  access(at, bytes, true);
  mark(at, bytes, now().block);
}

void arrive(void* at, size_t bytes) {
  mark(at, bytes, 0);
  access(at, bytes, true);
}

}  // namespace emulator

using emulator::access;

#pragma GCC visibility push(default)
extern "C" {

void host_tensor(const void* start, size_t size, bool written) {
  emulator::add(start, size, false, written);
}

void host_begin(bool checked) {
  emulator::regions.clear();
  if (checked) emulator::add(&__bss_start, &_end - &__bss_start, true, false);
}

}  // extern "C"
#pragma GCC visibility pop

#define HOOKS(bytes)                                                                   \
  extern "C" void __tsan_read##bytes(void* at) { access(at, bytes, false); }           \
  extern "C" void __tsan_write##bytes(void* at) { access(at, bytes, true); }           \
  extern "C" void __tsan_unaligned_read##bytes(void* at) { access(at, bytes, false); } \
  extern "C" void __tsan_unaligned_write##bytes(void* at) { access(at, bytes, true); }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
extern "C" void __tsan_read_range(void* at, size_t bytes) { access(at, bytes, false); }
extern "C" void __tsan_write_range(void* at, size_t bytes) { access(at, bytes, true); }
extern "C" void __tsan_func_entry(void*) {}
extern "C" void __tsan_func_exit() {}
extern "C" void __tsan_init() {}
extern "C" void __ubsan_handle_out_of_bounds(void*, uintptr_t index) {
  if (emulator::running()) emulator::fail("an array has no element %zu", index);
}
extern "C" void __ubsan_handle_type_mismatch_v1(void*, uintptr_t) {
  if (emulator::running()) emulator::fail("accesses an address that is not aligned");
}
