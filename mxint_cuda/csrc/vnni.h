// y = x W^T in integers with AVX-512 VNNI, whose one instruction multiplies 64 bytes of one operand
// (unsigned) by 64 of another (signed) and adds the products up by fours, into 16 lanes.
//
// W takes the unsigned side as W + 128.  What that adds, 128 times the sum of x, is known
// beforehand: it is what the sums of products begin with.
#pragma once

#include "lanes.h"

namespace mxint {
namespace {

// w + 128, unsigned
MXINT_INLINE __m512i lifted(__m512i w) { return _mm512_xor_si512(w, _mm512_set1_epi8(-128)); }

}  // namespace
}  // namespace mxint
