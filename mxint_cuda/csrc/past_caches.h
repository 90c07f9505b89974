// Large results are written past the caches, in whole lines, by stores that need not read what they
// fill.
#pragma once

#include "groups.h"

namespace mxint {
namespace {

constexpr int64_t kLine = 64;  // bytes of a line of the caches

template <class T>
bool starts_line(const T* y) {
  return reinterpret_cast<uintptr_t>(y) % kLine == 0;
}

// Whether a result is better written so: where it is larger than the caches are.
template <class T>
bool goes_past_caches(const Groups& groups, const T* y) {
  constexpr int64_t large = 1 << 26;  // bytes
  return groups.elements() * static_cast<int64_t>(sizeof(T)) >= large && starts_line(y);
}

}  // namespace
}  // namespace mxint
