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

}  // namespace mxint
