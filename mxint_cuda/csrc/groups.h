// Where the groups of a tensor lie: each row of the last dimension is cut into groups of `size`
// elements, the last of which may be shorter.  Elements and groups are counted from the tensor's
// start, in 64 bits.
#pragma once

#include "format.h"

namespace mxint {

struct Groups {
  int64_t rows, columns, size;

  MXINT_INLINE int64_t per_row() const {
    return columns / size + (columns % size != 0);  // rounded up, for every size of 64 bits
  }
  MXINT_INLINE int64_t count() const { return rows * per_row(); }
  MXINT_INLINE int64_t elements() const { return rows * columns; }
  MXINT_INLINE int64_t group_of(int64_t element) const {
    return element / columns * per_row() + element % columns / size;
  }
};

// Goes from element to element, and knows the group without a division.
class Walk {
 public:
  MXINT_INLINE Walk(const Groups& groups, int64_t element)
      : groups_(groups),
        column_(element % groups.columns),
        within_(column_ % groups.size),
        group_(groups.group_of(element)) {}

  MXINT_INLINE int64_t group() const { return group_; }

  // Moves on by one element; returns whether that is in another group.
  MXINT_INLINE bool next() {
    ++column_;
    ++within_;
    if (column_ < groups_.columns && within_ < groups_.size) return false;
    if (column_ == groups_.columns) column_ = 0;
    within_ = 0;
    ++group_;
    return true;
  }

 private:
  const Groups& groups_;
  int64_t column_, within_, group_;
};

// Rows of whole groups whose size is a power of two: the group is a shift away.
struct PowerOfTwoGroups {
  int64_t total;
  int shift;

  static bool fits(const Groups& g) {
    return g.columns % g.size == 0 && (g.size & (g.size - 1)) == 0;
  }
  explicit PowerOfTwoGroups(const Groups& g) : total(g.elements()), shift(0) {
    while (int64_t{1} << shift < g.size) ++shift;
  }
  MXINT_INLINE int64_t elements() const { return total; }
  MXINT_INLINE int64_t group_of(int64_t element) const { return element >> shift; }
};

}  // namespace mxint
