// The CUDA kernels, without any of torch: raw pointers, and a stream as `void *`.
//
// Each function starts its kernel on the current device and returns null, or CUDA's message when
// it could not be started.
#pragma once

#include "groups.h"

namespace mxint::cuda {

enum class Algorithm : int { automatic, scalar, vectorised, cute };

const char* quantize(const void* x, Format format, Groups groups, int8_t* mantissa,
                     uint8_t* exponent, void* stream);

const char* dequantize(const int8_t* mantissa, const uint8_t* exponent, Groups groups, void* y,
                       Format format, Algorithm algorithm, void* stream);

// The kernel of the lab: bfloat16 alone, and rows of whole groups (or one row).
const char* dequantize_cute(const int8_t* mantissa, const uint8_t* exponent, Groups groups,
                            BFloat16* y, void* stream);

// For a weight that is decoded piece by piece, and multiplied by so many rows: the outputs of a
// piece, so many that each multiprocessor has a tile of their product to compute.
int64_t outputs_per_piece(int64_t rows, const Groups& weight);

// y = x W^T + bias: for few rows of x, or any number in MXINT8.
struct Linear {
  int64_t rows, outputs;
  Groups weight;
  const int8_t* mantissa;
  const uint8_t* exponent;
  const void* bias;  // of y's format, or null
  void* y;           // (rows, outputs)
  Format format;     // of y
};

constexpr int64_t kMostRows = 8;  // of the kernels without tensor cores

// Whether the kernels below take these shapes and pointers.
bool linear_takes(const Linear& layer, const void* x, bool mxint8);

const char* linear_float(const Linear& layer, const void* x, void* stream);
const char* linear_mxint8(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                          void* stream);

// The same for a row of x, of y's format, that is not quantized yet; where linear_takes it, too.
bool linear_quantizes(const Linear& layer);
const char* linear_quantizing(const Linear& layer, const void* x, void* stream);

// The part of these on tensor cores; x has exponents if it is in MXINT8.
bool tensor_takes(const Linear& layer, bool mxint8);
const char* linear_tensor(const Linear& layer, const void* x, const uint8_t* exponent,
                          void* stream);

}  // namespace mxint::cuda
