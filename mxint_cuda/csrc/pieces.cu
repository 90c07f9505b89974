// How much of a weight is decoded at a time where torch multiplies.
#include <algorithm>

#include "launch.cuh"

namespace mxint::cuda {
namespace {

constexpr int64_t kLittle = int64_t{1} << 23;  // elements; decoding fewer is not worth a launch
constexpr int64_t kSide = 128;  // of the tiles of y that products are commonly made of

int64_t quotient_up(int64_t n, int64_t divisor) { return (n + divisor - 1) / divisor; }

}  // namespace

int64_t outputs_per_piece(int64_t rows, const Groups& weight) {
  const int64_t tiles = quotient_up(weight.rows, kSide);
  const int64_t enough = quotient_up(multiprocessors(), quotient_up(rows, kSide));
  const int64_t least = std::max(enough, kLittle / (kSide * std::max<int64_t>(weight.columns, 1)));
  // Rounded down: what is left over makes all pieces larger, and no small one of its own.
  const int64_t pieces = std::max<int64_t>(tiles / least, 1);
  return std::min(quotient_up(tiles, pieces) * kSide, weight.rows);
}

}  // namespace mxint::cuda
