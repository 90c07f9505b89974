// Fibers begin as contexts of POSIX, and go on by longjmp, which costs no system call.
#include "fiber.h"

#include <ucontext.h>

namespace emulator {
namespace {

Fiber* current;
jmp_buf caller;

}  // namespace

void Fiber::suspend() {
  if (_setjmp(current->at_) == 0) _longjmp(caller, 1);
}

void Fiber::resume(void (*function)()) {
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

}  // namespace emulator
