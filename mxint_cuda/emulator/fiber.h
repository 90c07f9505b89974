// A function that runs on a stack of its own, in turns with its caller.
#pragma once

#include <setjmp.h>

#include <cstddef>
#include <memory>

namespace emulator {

class Fiber {
 public:
  // Starts the function, which must not return, or goes on with it, until it suspends itself.
  void resume(void (*function)());
  static void suspend();

  // Lets the next `resume` start anew, wherever the function stands.
  void forget() { begun_ = false; }

  // Whether an address is on the stack.
  bool holds(const void* address) const {
    return address >= stack_.get() && address < stack_.get() + kStack;
  }

 private:
  static constexpr size_t kStack = (64 << 10) + 64;  // an odd number of cache lines spreads stacks
  std::unique_ptr<char[]> stack_;
  bool begun_ = false;
  jmp_buf at_;  // where it goes on, once begun
};

}  // namespace emulator
