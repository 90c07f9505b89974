// What is decoded or encoded is taken sixteen numbers at a time.
#pragma once

#include "format.h"

namespace mxint {
namespace {

constexpr int64_t kPiece = 16;
constexpr int64_t kAhead = 8192;  // bytes; the processor itself looks ahead within a page only

// Calls body(offset, count) for each piece of `length` numbers, the last of which may have fewer.
template <class Body>
MXINT_INLINE void for_each_piece(int64_t length, Body body) {
  int64_t i = 0;
  for (; i + kPiece <= length; i += kPiece) body(i, kPiece);
  if (i < length) body(i, length - i);
}

}  // namespace
}  // namespace mxint
