// Division by a number that a kernel is given: by a product, as processors of GPUs cannot divide.
#pragma once

#include "format.h"

namespace mxint {

// U is an unsigned type, and Wide one of twice its bits.
template <class U, class Wide>
class Divisor {
 public:
  explicit Divisor(int64_t divisor) {
    while ((Wide{1} << shift_) < Wide(divisor)) ++shift_;
    const Wide power = Wide{1} << (kBits - 1 + shift_);
    reciprocal_ = static_cast<U>((power + divisor - 1) / divisor);
  }

  // n / divisor, for n below 2^(bits of U - 1).  The reciprocal is too large by less than one part
  // in 2^(bits of U - 1), which such an n does not notice.
  MXINT_INLINE U quotient(U n) const {
    return static_cast<U>(Wide(2 * n) * reciprocal_ >> kBits) >> shift_;
  }

 private:
  static constexpr int kBits = 8 * sizeof(U);
  U reciprocal_;  // 2^(kBits - 1 + shift_) / divisor, rounded up
  int shift_ = 0;
};

using Divisor32 = Divisor<uint32_t, uint64_t>;
using Divisor64 = Divisor<uint64_t, unsigned __int128>;

}  // namespace mxint
