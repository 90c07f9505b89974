// A GPU as far as the kernels use one: runs their threads on the CPU, and watches what they touch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulator {

struct Index { unsigned x, y, z; };

// What a thread may ask while it runs.
Index thread_index();
Index block_index();
Index block_size();
Index grid_size();

// Waits for all threads of the block.
void barrier();

// Waits for all lanes of the warp; returns the values that they have brought, which stay there
// until the lane's next exchange but one.
const uint64_t* exchange(const char* what, unsigned mask, uint64_t value);

// The same, and returns the value of one lane: what kernels' own code reads is checked.
uint64_t exchange(const char* what, unsigned mask, uint64_t value, int from);

// The same, and returns whether all lanes have brought true.
bool all(const char* what, unsigned mask, bool value);

// Waits for all lanes of the warp, and orders what they read and write.
void warp_barrier(unsigned mask);

// What all threads of a launch call.
struct Body {
  const void* kernel;
  void (*call)(const void* object);
  const void* object;
};

// Runs a grid; returns whether all went well.  Otherwise `failure` tells what did not.
bool run(Index grid, Index block, Body body);
const char* failure();

// What the device says of itself, by the number that CUDA gives an attribute (cudaDeviceAttr).
// However many multiprocessors that are, blocks run one after the other.
int attribute(int number);
constexpr char kName[] = "the emulator";

// 75 is compute capability 7.5.
int capability();

// ---- between the threads and the memory that they touch --------------------------------------

// The present moment.  Blocks and the spans between barriers are counted up, and never again from
// the start; those between barriers of a warp, from the start of the block.
struct Moment {
  uint32_t block, first_block;  // first_block: of this launch
  uint32_t span, warp_span;
  int thread;

  int warp() const { return thread / 32; }
};

// Whether a thread runs now.
bool running();
Moment now();
bool on_stack(const void* address);

// Checks an access of the present thread.
void access(const void* at, size_t bytes, bool write);

// Where the tensor begins that has this byte, or null.
const void* tensor_at(const void* address);

// The same as `access`, for shared memory that a copy is to fill: nobody may touch it from `leave`
// to `arrive`.
void leave(void* at, size_t bytes);
void arrive(void* at, size_t bytes);

// What warps ask of a tensor in global memory.
struct Traffic {
  uint64_t requests;  // instructions of a warp
  uint64_t sectors;   // of 32 bytes, that these touch, each for itself
  uint64_t bytes;     // that lanes read or write
};

// The present thread's part of an instruction, which has this number in its kernel.  The lanes of a
// warp that come to an instruction for the same time make one request.
void count(int instruction, const void* at, size_t bytes);

// Ends the launch with a failure, in printf's words.
[[noreturn]] __attribute__((format(printf, 1, 2))) void fail(const char* format, ...);

}  // namespace emulator

extern "C" {

// Forgets all tensors, and begins with new shared memory.  Without any tensor nothing is checked.
void host_begin(bool checked);

// Kernels may touch this tensor, and must write before they read unless it is `written`.
void host_tensor(const void* start, size_t size, bool written);

// Begins to count what kernels ask of tensors, from zero.
void host_count();
emulator::Traffic host_traffic(const void* tensor);
}
