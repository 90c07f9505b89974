// The numbers: MXINT8 (OCP Microscaling Formats v1.0, sections 5.2 and 6.3) and the float formats
// that are converted to and from it.  Everything here is plain arithmetic on one value; the same
// source serves the host and the device.
#pragma once

#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define MXINT_INLINE __host__ __device__ __forceinline__
#else
// Never emitted as a function of its own: cpu.cpp is compiled once per instruction set, and the
// linker would keep only one of the copies.
#define MXINT_INLINE inline __attribute__((always_inline))
#endif

namespace mxint {

constexpr int kNaNExponent = 255;      // E8M0 has one NaN, no infinity and no zero
constexpr int kExponentBias = 127;     // of E8M0, and of float32
constexpr int kFractionBits = 6;       // an element is m / 64
constexpr int kLargestMantissa = 127;  // the encoder is symmetric: it never emits -128
constexpr uint32_t kInfinityBits = 0x7f800000;

enum class Format : int { float32, bfloat16, float16 };

struct BFloat16 { uint16_t bits; };
struct Float16 { uint16_t bits; };

// Calls body(T{}) with the type of a format.
template <class Body>
auto with_type(Format format, Body body) {
  switch (format) {
    case Format::float32: return body(float{});
    case Format::bfloat16: return body(BFloat16{});
    default: return body(Float16{});
  }
}

MXINT_INLINE float as_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

MXINT_INLINE uint32_t as_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// 2^exponent for -126 <= exponent <= 127
MXINT_INLINE float power_of_two(int exponent) {
  return as_float(static_cast<uint32_t>(exponent + kExponentBias) << 23);
}

// ---- float formats -------------------------------------------------------------------------

MXINT_INLINE float to_float(float x) { return x; }

MXINT_INLINE float to_float(BFloat16 x) { return as_float(static_cast<uint32_t>(x.bits) << 16); }

// Without branches, so that loops over it become vector code.
MXINT_INLINE float to_float(Float16 x) {
#ifdef __CUDA_ARCH__
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(x.bits));
  return value;
#else
  const uint32_t sign = (x.bits & 0x8000u) << 16;
  const uint32_t magnitude = x.bits & 0x7fffu;
  // A normal number keeps its fraction; its exponent moves from bias 15 to 127 by the product,
  // which also takes infinity and NaN (exponent 31) to infinity and NaN.
  const float normal = as_float((magnitude << 13) + (224u << 23)) * power_of_two(-112);
  // A subnormal number is its fraction times 2^-24: put under the exponent of 1/2, less 1/2.
  const float subnormal = as_float(magnitude | (126u << 23)) - 0.5f;
  return as_float(sign | as_bits(magnitude < 0x400u ? subnormal : normal));
#endif
}

MXINT_INLINE void from_float(float x, float& y) { y = x; }

// To nearest, ties to even.
MXINT_INLINE void from_float(float x, BFloat16& y) {
  const uint32_t bits = as_bits(x);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  y.bits = static_cast<uint16_t>((bits & 0x7fffffffu) > kInfinityBits ? 0x7fc0u : rounded);
}

// To nearest, ties to even; too large becomes infinity.
MXINT_INLINE void from_float(float x, Float16& y) {
#ifdef __CUDA_ARCH__
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
#else
  const uint32_t bits = as_bits(x);
  const uint32_t magnitude = bits & 0x7fffffffu;
  // Adding a number whose last bit weighs as much as the result's lets the adder round: 2^13 times
  // the power of two at or below x, and at least that of the smallest normal number.
  const uint32_t exponent = magnitude >> 23 < 113u ? 113u : magnitude >> 23;
  const uint32_t anchor = (exponent + 13u) << 23;
  const uint32_t sum = as_bits(as_float(magnitude) + as_float(anchor)) - anchor;
  const uint32_t finite = sum + ((exponent - 113u) << 10);
  const uint32_t special = magnitude > kInfinityBits ? 0x7e00u : 0x7c00u;
  const uint32_t rounded = magnitude < 0x477ff000u ? finite : special;  // 65520 rounds up
  y.bits = static_cast<uint16_t>((bits >> 16 & 0x8000u) | rounded);
#endif
}

// ---- decoding ------------------------------------------------------------------------------

// What an integer mantissa is multiplied by: 2^(E - 127) / 64, exact for every E; NaN for 255.
MXINT_INLINE float scale_of(uint8_t exponent) {
  const int e = exponent;
  // At and below 2^-127 the scale is a subnormal number, one bit.
  const uint32_t finite =
      e > kFractionBits ? static_cast<uint32_t>(e - kFractionBits) << 23 : 1u << (e + 16);
  return as_float(e == kNaNExponent ? 0x7fc00000u : finite);
}

// m, an integer, times a scale, which float32 and bfloat16 hold exactly (but for
// -128 * 2^121 = -infinity).
MXINT_INLINE void decode(float mantissa, float scale, float& y) { y = mantissa * scale; }

MXINT_INLINE void decode(float mantissa, float scale, BFloat16& y) {
  y.bits = static_cast<uint16_t>(as_bits(mantissa * scale) >> 16);
}

MXINT_INLINE void decode(float mantissa, float scale, Float16& y) {
  from_float(mantissa * scale, y);
}

// ---- encoding ------------------------------------------------------------------------------

// How a group is encoded, from the largest of its magnitudes as float32 bits.  These compare as
// integers in the order of the magnitudes, with infinity and NaN on top.
struct Encoder {
  uint8_t exponent;  // floor(log2 max) + 127, at least 0; 0 for a group of zeros
  float up, further;  // their product is 64 / 2^(E - 127), which alone may be too large for float

  MXINT_INLINE explicit Encoder(uint32_t largest) {
    const int e = static_cast<int>(largest >> 23);
    const int shift = kExponentBias + kFractionBits - e;
    exponent = static_cast<uint8_t>(e);
    up = power_of_two(shift < 127 ? shift : 127);
    further = power_of_two(shift < 127 ? 0 : shift - 127);
  }

  // round(x / 2^(E - 127) * 64), ties to even, within +-127; 0 in a group that is not finite
  MXINT_INLINE int8_t operator()(float x) const {
    const float anchor = 12582912.0f;  // 1.5 * 2^23: the sum's last bit weighs 1, so it is rounded
    const float sum = x * up * further + anchor;
    int m = static_cast<int>(as_bits(sum)) - static_cast<int>(as_bits(anchor));
    m = m < -kLargestMantissa ? -kLargestMantissa : m;
    m = m > kLargestMantissa ? kLargestMantissa : m;
    return static_cast<int8_t>(exponent == kNaNExponent ? 0 : m);
  }
};

}  // namespace mxint
