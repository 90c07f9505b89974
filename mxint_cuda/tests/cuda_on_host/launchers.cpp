// csrc/cuda.h for Python's ctypes: the launchers return null, or what went wrong.
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

const char* host_quantize(const void* x, int format, int64_t rows, int64_t columns, int64_t size,
                          int8_t* mantissa, uint8_t* exponent) {
  return cuda::quantize(x, Format(format), {rows, columns, size}, mantissa, exponent, nullptr);
}

const char* host_dequantize(const int8_t* mantissa, const uint8_t* exponent, int64_t rows,
                            int64_t columns, int64_t size, void* y, int format, int algorithm) {
  return cuda::dequantize(mantissa, exponent, {rows, columns, size}, y, Format(format),
                          cuda::Algorithm(algorithm), nullptr);
}

// x is int8_t where it has exponents.
const char* host_linear(const void* x, const uint8_t* x_exponent, int64_t rows,
                        const int8_t* mantissa, const uint8_t* exponent, int64_t outputs,
                        int64_t inputs, int64_t size, const void* bias, void* y, int format) {
  const cuda::Linear layer{rows, outputs, {outputs, inputs, size}, mantissa, exponent, bias,
                           y,    Format(format)};
  if (!cuda::linear_takes(layer, x, x_exponent != nullptr)) return "not taken";
  if (x_exponent == nullptr) return cuda::linear_float(layer, x, nullptr);
  return cuda::linear_mxint8(layer, static_cast<const int8_t*>(x), x_exponent, nullptr);
}

const char* host_linear_quantizing(const void* x, const int8_t* mantissa, const uint8_t* exponent,
                                   int64_t outputs, int64_t inputs, int64_t size, const void* bias,
                                   void* y, int format) {
  const cuda::Linear layer{1, outputs, {outputs, inputs, size}, mantissa, exponent, bias,
                           y, Format(format)};
  if (!cuda::linear_takes(layer, x, true) || !cuda::linear_quantizes(layer)) return "not taken";
  return cuda::linear_quantizing(layer, x, nullptr);
}

int64_t host_outputs_per_piece(int64_t rows, int64_t outputs, int64_t inputs) {
  return cuda::outputs_per_piece(rows, {outputs, inputs, 32});
}

int64_t host_quotient(int64_t n, int64_t divisor, bool of_64_bits) {
  return of_64_bits ? Divisor64(divisor).quotient(n) : Divisor32(divisor).quotient(n);
}

}  // extern "C"
#pragma GCC visibility pop
