// A function that runs on a stack of its own, in turns with its caller.  It begins as a context of
// POSIX, and goes on by longjmp, which costs no system call.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <cstddef>
#include <memory>

namespace emulator {

class Fiber {
 public:
  // Starts the function, which must not return, or goes on with it, until it suspends itself.
  void resume(void (*function)()) {
    current = this;
    if (_setjmp(caller) != 0) return;
    if (begun_) _longjmp(at_, 1);
    begun_ = true;
    if (!stack_) stack_.reset(new char[kStack]);
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = stack_.get();
    context.uc_stack.ss_size = kStack;
    makecontext(&context, function, 0);
    setcontext(&context);
  }
  static void suspend() {
    if (_setjmp(current->at_) == 0) _longjmp(caller, 1);
  }

  // Lets the next `resume` start anew, wherever the function stands.
  void forget() { begun_ = false; }

  // Whether an address is on the stack.
  bool holds(const void* address) const {
    return address >= stack_.get() && address < stack_.get() + kStack;
  }

 private:
  inline static Fiber* current;
  inline static jmp_buf caller;
  static constexpr size_t kStack = (64 << 10) + 64;  // an odd number of cache lines spreads stacks
  std::unique_ptr<char[]> stack_;
  bool begun_ = false;
  jmp_buf at_;  // where it goes on, once begun
};

}  // namespace emulator
