// Which group an element is in, for kernels: without divisions.
#pragma once

#include "division.h"
#include "groups.h"

namespace mxint {

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

struct AnyGroups {
  int64_t total, columns, size, per_row;
  Divisor64 by_columns, by_size;

  explicit AnyGroups(const Groups& g)
      : total(g.elements()),
        columns(g.columns),
        size(g.size),
        per_row(g.per_row()),
        by_columns(g.columns),
        by_size(g.size) {}

  MXINT_INLINE int64_t elements() const { return total; }
  MXINT_INLINE int64_t group_of(int64_t element) const {
    const int64_t row = by_columns.quotient(element);
    return row * per_row + by_size.quotient(element - row * columns);
  }
};

// Goes from element to element, and from group to group with them.
class Walk {
 public:
  MXINT_INLINE Walk(const AnyGroups& groups, int64_t element) : groups_(groups) {
    const int64_t row = groups.by_columns.quotient(element);
    column_ = element - row * groups.columns;
    const int64_t in_row = groups.by_size.quotient(column_);
    within_ = column_ - in_row * groups.size;
    group_ = row * groups.per_row + in_row;
  }

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
  const AnyGroups& groups_;
  int64_t column_, within_, group_;
};

}  // namespace mxint
