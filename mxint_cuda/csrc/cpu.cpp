// The CPU kernels.  CMake compiles this file once per instruction set, each time with another name
// for MXINT_KERNELS: as plain loops, which the compiler turns into vector code, or on top of the
// headers that are written for AVX2 and AVX-512.
#include "cpu.h"

#include <vector>

#ifdef __AVX512VNNI__  // the level above AVX2, with all that it has
#include "avx512.h"
#include "float_rows.h"
#include "float_strips.h"
#include "vnni_row.h"
#include "vnni_strips.h"
#ifdef __AMX_INT8__
#include "amx_float_strips.h"
#include "amx_strips.h"
#endif
#elif defined __AVX2__
#include "avx2_pieces.h"
#include "avx2_rows.h"
#include "avx2_strips.h"
#include "float_rows.h"
#include "float_strips.h"
#endif

namespace mxint {
namespace {

// ---- conversion ----------------------------------------------------------------------------

// Calls body(offset of its first element, length, group) for each group of the range.
template <class Body>
MXINT_INLINE void for_each_group(Groups groups, int64_t begin, int64_t end, Body body) {
  if (begin == end) return;  // rows of no elements have no groups to divide by
  const int64_t per_row = groups.per_row();
  int64_t row = begin / per_row, start = begin % per_row * groups.size;
  for (int64_t group = begin; group < end; ++group) {
    body(row * groups.columns + start, smaller(groups.size, groups.columns - start), group);
    start += groups.size;
    if (start >= groups.columns) {
      start = 0;
      ++row;
    }
  }
}

template <class T>
void quantize_as(const T* x, Groups groups, int64_t begin, int64_t end, int8_t* mantissa,
                 uint8_t* exponent) {
#ifdef __AVX512VNNI__
  encode_by_sixteens(x, groups, begin, end, mantissa, exponent);
#else
  for_each_group(groups, begin, end, [=](int64_t offset, int64_t length, int64_t group) {
    uint32_t largest = 0;
    for (int64_t i = offset; i < offset + length; ++i) {
      const uint32_t magnitude = as_bits(to_float(x[i])) & 0x7fffffffu;
      largest = magnitude > largest ? magnitude : largest;
    }
    const Encoder encoder(largest);
    for (int64_t i = offset; i < offset + length; ++i) mantissa[i] = encoder(to_float(x[i]));
    exponent[group] = encoder.exponent;
  });
#endif
}

template <class T>
void dequantize_as(const int8_t* mantissa, const uint8_t* exponent, Groups groups, int64_t begin,
                   int64_t end, T* y) {
#ifdef __AVX512VNNI__
  const bool past_caches = goes_past_caches(groups, y);
  if (has_sixteens(groups)) {
    with_run_length(groups.size, [&](auto size) {
      decode_by_sixteens<size>(mantissa, exponent, begin, end, y, past_caches);
    });
  } else {
    const bool whole_lines = groups.columns % 32 == 0 && groups.size % 32 == 0;
    for_each_group(groups, begin, end, [=](int64_t offset, int64_t length, int64_t group) {
      decode_pieces(mantissa + offset, length, scale_of(exponent[group]), y + offset,
                    past_caches && whole_lines);
    });
  }
  if (past_caches) _mm_sfence();  // nothing else orders these stores with what other threads do
#else
#ifdef __AVX2__
  if (has_whole_pieces(groups)) {
    return decode_by_pieces(mantissa, exponent, groups, begin, end, y);
  }
#endif
  for_each_group(groups, begin, end, [=](int64_t offset, int64_t length, int64_t group) {
    const float scale = scale_of(exponent[group]);
    for (int64_t i = offset; i < offset + length; ++i) decode(mantissa[i], scale, y[i]);
  });
#endif
}

void quantize(const void* x, Format format, Groups groups, int64_t begin, int64_t end,
              int8_t* mantissa, uint8_t* exponent) {
  with_type(format, [=](auto type) {
    quantize_as(static_cast<const decltype(type)*>(x), groups, begin, end, mantissa, exponent);
  });
}

void dequantize(const int8_t* mantissa, const uint8_t* exponent, Groups groups, int64_t begin,
                int64_t end, void* y, Format format) {
  with_type(format, [=](auto type) {
    dequantize_as(mantissa, exponent, groups, begin, end, static_cast<decltype(type)*>(y));
  });
}

// ---- linear --------------------------------------------------------------------------------

void linear_float(const Linear& layer, const float* x, int64_t begin, int64_t end) {
#ifdef __AVX512VNNI__
#ifdef __AMX_INT8__
  if (linear_by_float_tiles(layer, x, begin, end)) return;
#endif
  if (layer.rows <= most_few_rows(layer.size) || !has_whole_runs(layer.size)) {
    return linear_of_float_rows(layer, x, begin, end);
  }
  with_run_length(layer.size, [&](auto run) {
    linear_of_float_strips<FloatStrip<run>>(layer, x, begin, end);
  });
#else
#ifdef __AVX2__
  if (layer.rows <= most_few_rows(layer.size)) return linear_of_float_rows(layer, x, begin, end);
  if (has_whole_registers(layer.size)) {
    return linear_of_float_strips<FloatStrip>(layer, x, begin, end);
  }
#endif
  const Groups row_of_w{1, layer.inputs, layer.size};
  std::vector<float> decoded(layer.inputs);
  for (int64_t n = begin; n < end; ++n) {
    dequantize_as(layer.mantissa + n * layer.inputs, layer.exponent + n * row_of_w.count(),
                  row_of_w, 0, row_of_w.count(), decoded.data());
    for (int64_t row = 0; row < layer.rows; ++row) {
      const float* xr = x + row * layer.inputs;
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t k = 0; k < layer.inputs; ++k) sum += xr[k] * decoded[k];
      layer.y[row * layer.outputs + n] = sum + (layer.bias ? layer.bias[n] : 0.0f);
    }
  }
#endif
}

int64_t most_float_rows([[maybe_unused]] int64_t size) {
#ifdef __AVX512VNNI__
  if (has_whole_runs(size)) return INT64_MAX;
#elif defined __AVX2__
  if (has_whole_registers(size)) return INT64_MAX;
  if (most_few_rows(size) > 0) return most_few_rows(size);
#endif
  return 3;  // what is left is fast for a few rows alone
}

int64_t most_bfloat16_rows([[maybe_unused]] int64_t size) {
#ifdef __AMX_INT8__
  if (size % kStep == 0) return kMostBfloat16Rows;
#endif
  return 16;
}

// The longest run whose sum of products surely fits into 32 bits: 2^16 * 128 * 127 < 2^31.
constexpr int64_t kLongestRun = 65536;

MXINT_INLINE int64_t dot(const int8_t* a, const int8_t* b, int64_t length) {
  int64_t total = 0;
  for (int64_t start = 0; start < length; start += kLongestRun) {
    const int64_t end = smaller(length, start + kLongestRun);
    int32_t sum = 0;
    for (int64_t i = start; i < end; ++i) sum += a[i] * b[i];
    total += sum;
  }
  return total;
}

// Whether the scales of x are finite when taken 2^16 times too large, or NaN.  Those of 2^118 and
// more, of which no layer makes sense, are left to plain loops.
MXINT_INLINE bool are_ordinary(const uint8_t* exponent, int64_t count) {
  bool huge = false;
  for (int64_t i = 0; i < count; ++i) {
    huge |= exponent[i] > kLargestExponent && exponent[i] != kNaNExponent;
  }
  return !huge;
}

void linear_mxint8(const Linear& layer, const int8_t* mantissa, const uint8_t* exponent,
                   int64_t begin, int64_t end) {
  const Groups one_row{1, layer.inputs, layer.size};
  const int64_t groups = one_row.count();
#ifdef __AVX512VNNI__
  if (has_whole_runs(layer.size) && are_ordinary(exponent, layer.rows * groups)) {
    if (layer.rows == 1) return linear_of_one_row(layer, mantissa, exponent, begin, end);
#ifdef __AMX_INT8__
    if (tiles_take(layer, begin, end)) {
      return linear_by_tiles(layer, mantissa, exponent, begin, end);
    }
#endif
    return with_run_length(layer.size, [&](auto run) {
      linear_by_strips<run>(layer, mantissa, exponent, begin, end);
    });
  }
#elif defined __AVX2__
  if (has_whole_registers(layer.size) && are_ordinary(exponent, layer.rows * groups)) {
    if (layer.rows <= kMostOfFewRows) {
      return linear_of_few_rows(layer, mantissa, exponent, begin, end);
    }
    return linear_by_strips(layer, mantissa, exponent, begin, end);
  }
#endif
  for (int64_t n = begin; n < end; ++n) {
    const int8_t* w = layer.mantissa + n * layer.inputs;
    for (int64_t row = 0; row < layer.rows; ++row) {
      const int8_t* x = mantissa + row * layer.inputs;
      double y = layer.bias ? layer.bias[n] : 0.0;
      for_each_group(one_row, 0, groups, [&](int64_t offset, int64_t length, int64_t group) {
        const double scale = static_cast<double>(scale_of(exponent[row * groups + group])) *
                             scale_of(layer.exponent[n * groups + group]);
        y += static_cast<double>(dot(x + offset, w + offset, length)) * scale;
      });
      layer.y[row * layer.outputs + n] = static_cast<float>(y);
    }
  }
}

// ---- reading -------------------------------------------------------------------------------

uint64_t read(const void* bytes, int64_t begin, int64_t end) {
  typedef uint64_t Half __attribute__((vector_size(32)));
  constexpr int64_t half = sizeof(Half), line = 2 * half, ahead = 4096;
  const auto* from = static_cast<const char*>(bytes);
  Half sums[2] = {};
  for (; begin + line <= end; begin += line) {
    __builtin_prefetch(from + begin + ahead);
    Half low, high;
    memcpy(&low, from + begin, half);
    memcpy(&high, from + begin + half, half);
    sums[0] ^= low;
    sums[1] ^= high;
  }
  sums[0] ^= sums[1];
  uint64_t all = sums[0][0] ^ sums[0][1] ^ sums[0][2] ^ sums[0][3];
  for (; begin < end; ++begin) all ^= static_cast<uint8_t>(from[begin]);
  return all;
}

#ifndef __AVX2__
constexpr int64_t (*multiply_in_registers)(int64_t) = nullptr;
#endif

}  // namespace

extern const CpuKernels MXINT_KERNELS;
const CpuKernels MXINT_KERNELS{
    quantize,           dequantize,    linear_float, most_float_rows,
    most_bfloat16_rows, linear_mxint8, read,         multiply_in_registers};

}  // namespace mxint
