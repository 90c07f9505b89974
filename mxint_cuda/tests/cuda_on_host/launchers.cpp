// csrc/cuda.h for Python's ctypes: numbers are of 64 bits, and launchers return null, or what went
// wrong.
#include "cuda.h"
#include "division.h"

using namespace mxint;

#pragma GCC visibility push(default)
extern "C" {

#ifdef MXINT_CUTE
extern const bool host_has_cute = true;
#else
extern const bool host_has_cute = false;
#endif

const char* host_quantize(const void* x, int64_t format, int64_t rows, int64_t columns,
                          int64_t size, int8_t* mantissa, uint8_t* exponent) {
  return cuda::quantize(x, Format(format), {rows, columns, size}, mantissa, exponent, nullptr);
}

const char* host_dequantize(const int8_t* mantissa, const uint8_t* exponent, int64_t rows,
                            int64_t columns, int64_t size, void* y, int64_t format,
                            int64_t algorithm) {
  return cuda::dequantize(mantissa, exponent, {rows, columns, size}, y, Format(format),
                          cuda::Algorithm(algorithm), nullptr);
}

// x is int8_t where it has exponents.
const char* host_linear(const void* x, const uint8_t* x_exponent, const int8_t* mantissa,
                        const uint8_t* exponent, int64_t rows, int64_t outputs, int64_t inputs,
                        int64_t size, const void* bias, void* y, int64_t format,
                        int64_t quantizing) {
  const cuda::Linear layer{rows, outputs, {outputs, inputs, size}, mantissa, exponent, bias,
                           y,    Format(format)};
  const bool mxint8 = x_exponent != nullptr || quantizing;
  if (!cuda::linear_takes(layer, x, mxint8)) return "not taken";
  if (!mxint8) return cuda::linear_float(layer, x, nullptr);
  if (!quantizing) {
    return cuda::linear_mxint8(layer, static_cast<const int8_t*>(x), x_exponent, nullptr);
  }
  return cuda::linear_quantizes(layer) ? cuda::linear_quantizing(layer, x, nullptr) : "not taken";
}

int64_t host_outputs_per_piece(int64_t rows, int64_t outputs, int64_t inputs) {
  return cuda::outputs_per_piece(rows, {outputs, inputs, 32});
}

int64_t host_quotient(int64_t n, int64_t divisor, int64_t bits) {
  return bits == 64 ? Divisor64(divisor).quotient(n) : Divisor32(divisor).quotient(n);
}

}  // extern "C"
#pragma GCC visibility pop
