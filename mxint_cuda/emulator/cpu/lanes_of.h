// Vectors of the CPU as arrays of lanes.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace mxint {
namespace {

template <class T, class Vector>
struct Lanes {
  static constexpr int count = sizeof(Vector) / sizeof(T);
  T of[count];
};

template <class T, class Vector>
inline auto lanes_of(Vector vector) {
  Lanes<T, Vector> lanes;
  memcpy(&lanes, &vector, sizeof(lanes));
  return lanes;
}

// The vector whose lane i is lane(i).
template <class T, class Vector, class Lane>
inline Vector make(Lane lane) {
  Lanes<T, Vector> lanes;
  for (int i = 0; i < lanes.count; ++i) lanes.of[i] = lane(i);
  Vector vector;
  memcpy(&vector, &lanes, sizeof(vector));
  return vector;
}

// vpdpbusd: the bytes of a are unsigned, those of b signed.
template <class Vector>
inline Vector add_products_by_fours(Vector sums, Vector a, Vector b) {
  const auto sum = lanes_of<uint32_t>(sums);
  const auto x = lanes_of<uint8_t>(a);
  const auto y = lanes_of<int8_t>(b);
  return make<uint32_t, Vector>([&](int i) {
    uint32_t all = sum.of[i];
    for (int k = 4 * i; k < 4 * i + 4; ++k) all += static_cast<uint32_t>(x.of[k] * y.of[k]);
    return all;
  });
}

}  // namespace
}  // namespace mxint
