// The operators that PyTorch sees, on its stable ABI: one build serves every later release, CPU or
// CUDA.  They check what memory safety needs; the messages for people are in Python.
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "cpu.h"

#ifdef MXINT_X86
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

#ifdef __linux__
#include <sys/mman.h>
#endif

#ifdef MXINT_CUDA
#include "cuda.h"
// In libtorch_cuda, which is absent from a CPU build of torch: null there, and never called.
extern "C" __attribute__((weak)) AOTITorchError
aoti_torch_get_current_cuda_stream(int32_t device_index, void** stream);
#endif

namespace mxint {
namespace {

using torch::headeronly::ScalarType;
using torch::stable::Tensor;
using Shape = std::vector<int64_t>;

// ---- tensors -------------------------------------------------------------------------------

void require(bool condition, const char* message) {
  if (!condition) throw std::runtime_error(std::string("mxint_cuda: ") + message);
}

Format format_of(ScalarType type) {
  switch (type) {
    case ScalarType::Float: return Format::float32;
    case ScalarType::BFloat16: return Format::bfloat16;
    case ScalarType::Half: return Format::float16;
    default: throw std::runtime_error("mxint_cuda: dtype must be float32, bfloat16 or float16");
  }
}

Shape shape_of(const Tensor& t) { return {t.sizes().begin(), t.sizes().end()}; }

Shape with_last(Shape shape, int64_t last) {
  shape.back() = last;
  return shape;
}

Groups groups_of(const Tensor& t, int64_t size) {
  require(size >= 1, "group_size must be at least 1");
  require(t.dim() >= 1, "a tensor must have at least one dimension");
  const int64_t columns = t.size(t.dim() - 1);
  int64_t rows = 1;
  for (int64_t i = 0; i + 1 < t.dim(); ++i) rows *= t.size(i);
  return {rows, columns, size};
}

// Asks Linux for huge pages where a whole one lies in a new tensor: to be given a page of 4 KiB takes
// longer than to fill it.
void prefer_huge_pages([[maybe_unused]] const Tensor& t) {
#ifdef __linux__
  constexpr uintptr_t huge = 1 << 21;
  const auto start = reinterpret_cast<uintptr_t>(t.const_data_ptr());
  const uintptr_t first = (start + huge - 1) / huge * huge;
  const uintptr_t last = (start + t.numel() * t.element_size()) / huge * huge;
  if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

Tensor new_tensor(const Shape& shape, ScalarType type, const Tensor& beside) {
  const Tensor t = torch::stable::empty(shape, type, std::nullopt, beside.device());
  if (!t.is_cuda()) prefer_huge_pages(t);
  return t;
}

// `t` itself where it is so already: torch would give it back, too, after a call of its dispatcher.
Tensor as_type(const Tensor& t, ScalarType type) {
  return t.scalar_type() == type ? t : torch::stable::to(t, type);
}

Tensor as_contiguous(const Tensor& t) {
  return t.is_contiguous() ? t : torch::stable::contiguous(t);
}

Tensor as_shape(const Tensor& t, const Shape& shape) {
  return shape_of(t) == shape ? t : torch::stable::reshape(t, shape);
}

bool on_same_device(const Tensor& a, const Tensor& b) {
  return a.is_cuda() == b.is_cuda() && a.get_device_index() == b.get_device_index();
}

// The groups of mantissas and exponents, which must belong together.
Groups groups_of_pair(const Tensor& m, const Tensor& e, int64_t size) {
  const Groups groups = groups_of(m, size);
  require(m.scalar_type() == ScalarType::Char, "mantissa must be int8");
  require(e.scalar_type() == ScalarType::Byte, "exponent must be uint8");
  require(on_same_device(m, e), "mantissa and exponent must be on one device");
  require(shape_of(e) == with_last(shape_of(m), groups.per_row()), "exponent has a wrong shape");
  return groups;
}

// A packed tensor: contiguous mantissas and exponents.
struct Packed {
  Groups groups;
  Tensor mantissas, exponents;

  Packed(const Tensor& m, const Tensor& e, int64_t size)
      : groups(groups_of_pair(m, e, size)),
        mantissas(as_contiguous(m)),
        exponents(as_contiguous(e)) {}

  const int8_t* mantissa() const { return mantissas.const_data_ptr<int8_t>(); }
  const uint8_t* exponent() const { return exponents.const_data_ptr<uint8_t>(); }
};

// Calls body(t) with a contiguous tensor to fill: `out` itself, or else one that is copied into it.
template <class Body>
void fill(Tensor out, const Body& body) {
  if (out.is_contiguous()) return body(out);
  const Tensor t = new_tensor(shape_of(out), out.scalar_type(), out);
  body(t);
  torch::stable::copy_(out, t);
}

// ---- devices -------------------------------------------------------------------------------

constexpr int64_t kElementsPerTask = 1 << 15;  // less is not worth another thread

// While it lives, its thread computes with subnormal numbers, which scales of normal ones may be,
// even if torch.set_flush_denormal or a library built with -ffast-math has it flush them to zero.
class SubnormalsKept {
#ifdef MXINT_X86  // where <cfenv> takes twenty times as long
 public:
  SubnormalsKept() : before_(_mm_getcsr()) { _mm_setcsr(0x1f80); }  // the default
  ~SubnormalsKept() { _mm_setcsr(before_); }

 private:
  unsigned before_;
#else
 public:
  SubnormalsKept() {
    fegetenv(&before_);
    fesetenv(FE_DFL_ENV);
  }
  ~SubnormalsKept() { fesetenv(&before_); }

 private:
  fenv_t before_;
#endif
};

// Shares work out over torch's own threads.
template <class Body>
void share_out(int64_t count, int64_t each, const Body& body) {
  torch::stable::parallel_for(0, count, each, [&](int64_t begin, int64_t end) {
    const SubnormalsKept kept;
    body(begin, end);
  });
}

template <class Body>
void share_out(Groups groups, const Body& body) {
  share_out(groups.count(), std::max<int64_t>(kElementsPerTask / groups.size, 1), body);
}

#ifdef MXINT_CUDA
// Makes a tensor's device the current one, and holds the stream that its work goes to.
struct OnDevice {
  torch::stable::accelerator::DeviceGuard guard;
  void* stream = nullptr;

  explicit OnDevice(const Tensor& t) : guard(t.get_device_index()) {
    require(aoti_torch_get_current_cuda_stream != nullptr, "this torch has no CUDA");
    const AOTITorchError error =
        aoti_torch_get_current_cuda_stream(t.get_device_index(), &stream);
    require(error == TORCH_SUCCESS, "cannot tell the current CUDA stream");
  }
};

void require_launched(const char* error) { require(error == nullptr, error ? error : ""); }
#endif

// ---- quantize and dequantize ---------------------------------------------------------------

void quantize_on_cpu(const void* x, Format format, Groups groups, int8_t* mantissa,
                     uint8_t* exponent) {
  share_out(groups, [&](int64_t begin, int64_t end) {
    cpu_kernels().quantize(x, format, groups, begin, end, mantissa, exponent);
  });
}

// Into contiguous tensors.
void quantize_into(const Tensor& input, int64_t group_size, const Tensor& mantissas,
                   const Tensor& exponents) {
  const Format format = format_of(input.scalar_type());
  const Groups groups = groups_of(input, group_size);
  if (groups.elements() == 0) return;
  const Tensor x = as_contiguous(input);
  const void* from = x.const_data_ptr();
  auto* mantissa = mantissas.mutable_data_ptr<int8_t>();
  auto* exponent = exponents.mutable_data_ptr<uint8_t>();
#ifdef MXINT_CUDA
  if (x.is_cuda()) {
    const OnDevice device(x);
    require_launched(cuda::quantize(from, format, groups, mantissa, exponent, device.stream));
    return;
  }
#endif
  quantize_on_cpu(from, format, groups, mantissa, exponent);
}

std::tuple<Tensor, Tensor> quantize(const Tensor& x, int64_t group_size) {
  const Shape scales = with_last(shape_of(x), groups_of(x, group_size).per_row());
  const Tensor mantissa = new_tensor(shape_of(x), ScalarType::Char, x);
  const Tensor exponent = new_tensor(scales, ScalarType::Byte, x);
  quantize_into(x, group_size, mantissa, exponent);
  return {mantissa, exponent};
}

void quantize_out(const Tensor& x, int64_t group_size, Tensor mantissa, Tensor exponent) {
  groups_of_pair(mantissa, exponent, group_size);
  require(shape_of(mantissa) == shape_of(x), "mantissa must have the shape of x");
  require(on_same_device(mantissa, x), "mantissa must be on the device of x");
  fill(mantissa, [&](const Tensor& m) {
    fill(exponent, [&](const Tensor& e) { quantize_into(x, group_size, m, e); });
  });
}

void dequantize_into(const Packed& packed, [[maybe_unused]] int64_t algorithm, const Tensor& y) {
  const Format format = format_of(y.scalar_type());
  if (packed.groups.elements() == 0) return;
  void* to = y.mutable_data_ptr();
#ifdef MXINT_CUDA
  if (y.is_cuda()) {
    const OnDevice device(y);
    require_launched(cuda::dequantize(packed.mantissa(), packed.exponent(), packed.groups, to,
                                      format, static_cast<cuda::Algorithm>(algorithm),
                                      device.stream));
    return;
  }
#endif
  share_out(packed.groups, [&](int64_t begin, int64_t end) {
    cpu_kernels().dequantize(packed.mantissa(), packed.exponent(), packed.groups, begin, end, to,
                             format);
  });
}

Tensor dequantize(const Tensor& mantissa, const Tensor& exponent, int64_t group_size,
                  ScalarType dtype) {
  const Packed packed(mantissa, exponent, group_size);
  const Tensor y = new_tensor(shape_of(mantissa), dtype, mantissa);
  dequantize_into(packed, 0, y);
  return y;
}

// algorithm: 0 chooses; 1 scalar, 2 vectorised, 3 CuTe on CUDA, for the benchmark
void dequantize_out(const Tensor& mantissa, const Tensor& exponent, int64_t group_size,
                    int64_t algorithm, Tensor out) {
  const Packed packed(mantissa, exponent, group_size);
  require(shape_of(out) == shape_of(mantissa), "out must have the shape of mantissa");
  require(on_same_device(out, mantissa), "out must be on the device of mantissa");
  fill(out, [&](const Tensor& y) { dequantize_into(packed, algorithm, y); });
}

// ---- linear --------------------------------------------------------------------------------

constexpr int64_t kProductsPerTask = 1 << 16;  // fewer are not worth another thread

// Columns of y for one thread, each of so many products: whole strips.
int64_t columns_per_task(int64_t products) {
  const int64_t enough = kProductsPerTask / std::clamp<int64_t>(products, 1, kProductsPerTask);
  return enough / kColumns * kColumns + kColumns;
}

// The CPU kernels take a group that is longer than a row as one of whole blocks of 64 inputs.
int64_t size_on_cpu(const Groups& weight) {
  if (weight.size < weight.columns) return weight.size;
  return (std::max<int64_t>(weight.columns, 1) + 63) / 64 * 64;
}

// Whether the CPU kernels multiply x of floats, rather than torch with a decoded weight.  With
// bfloat16, from some rows on, torch is faster where the processor multiplies it.
bool kernels_take(const Tensor& x, const Groups& weight) {
  const CpuKernels& kernels = cpu_kernels();
  const int64_t size = size_on_cpu(weight);
  if (x.size(0) > kernels.most_float_rows(size)) return false;
  return x.scalar_type() != ScalarType::BFloat16 || !multiplies_bfloat16() ||
         x.size(0) <= kernels.most_bfloat16_rows(size);
}

// y, of (rows, outputs), is computed in float32.
Tensor linear_on_cpu(const Tensor& x, const Packed& weight, const std::optional<Tensor>& bias,
                     bool mxint8) {
  const int64_t rows = x.size(0), inputs = x.size(1), outputs = weight.groups.rows;
  const Tensor y = new_tensor({rows, outputs}, ScalarType::Float, x);
  std::optional<Tensor> bias32;
  if (bias) bias32 = as_contiguous(as_type(*bias, ScalarType::Float));
  const Linear layer{rows,
                     inputs,
                     outputs,
                     size_on_cpu(weight.groups),
                     weight.mantissa(),
                     weight.exponent(),
                     bias32 ? bias32->const_data_ptr<float>() : nullptr,
                     y.mutable_data_ptr<float>()};
  const int64_t columns = columns_per_task(rows * inputs);
  if (mxint8) {
    const Groups groups{rows, inputs, weight.groups.size};
    const auto mantissa = std::make_unique_for_overwrite<int8_t[]>(groups.elements());
    const auto exponent = std::make_unique_for_overwrite<uint8_t[]>(groups.count());
    quantize_on_cpu(x.const_data_ptr(), format_of(x.scalar_type()), groups, mantissa.get(),
                    exponent.get());
    share_out(outputs, columns, [&](int64_t begin, int64_t end) {
      cpu_kernels().linear_mxint8(layer, mantissa.get(), exponent.get(), begin, end);
    });
  } else {
    const Tensor x32 = as_contiguous(as_type(x, ScalarType::Float));
    const auto* values = x32.const_data_ptr<float>();
    share_out(outputs, columns, [&](int64_t begin, int64_t end) {
      cpu_kernels().linear_float(layer, values, begin, end);
    });
  }
  return as_type(y, x.scalar_type());
}

#ifdef MXINT_CUDA
// On a GPU, where the kernels take the shapes.  One row of x is quantized by each block for itself;
// more would take most of a block's instructions, and are quantized once, in a launch of their own.
std::optional<Tensor> linear_on_cuda(const Tensor& x, const Packed& weight,
                                     const std::optional<Tensor>& bias, bool mxint8) {
  const Tensor y = new_tensor({x.size(0), weight.groups.rows}, x.scalar_type(), x);
  std::optional<Tensor> terms;
  if (bias) terms = as_contiguous(*bias);
  const cuda::Linear layer{x.size(0),
                           weight.groups.rows,
                           weight.groups,
                           weight.mantissa(),
                           weight.exponent(),
                           terms ? terms->const_data_ptr() : nullptr,
                           y.mutable_data_ptr(),
                           format_of(x.scalar_type())};
  if (!cuda::linear_takes(layer, x.const_data_ptr(), mxint8)) return std::nullopt;
  const OnDevice device(x);
  if (mxint8 && cuda::linear_quantizes(layer)) {
    require_launched(cuda::linear_quantizing(layer, x.const_data_ptr(), device.stream));
  } else if (mxint8) {
    const auto [mantissas, exponents] = quantize(x, weight.groups.size);
    require_launched(cuda::linear_mxint8(layer, mantissas.const_data_ptr<int8_t>(),
                                         exponents.const_data_ptr<uint8_t>(), device.stream));
  } else {
    require_launched(cuda::linear_float(layer, x.const_data_ptr(), device.stream));
  }
  return y;
}
#endif

// A piece of the weight at a time is decoded, always into the same memory, and multiplied
// by torch.  On the CPU that memory stays in the caches.  Under float16, which does not hold every
// weight, all of this is float32.
constexpr int64_t kElementsPerPiece = int64_t{1} << 20;

int64_t outputs_per_piece([[maybe_unused]] const Tensor& x, const Groups& weight) {
#ifdef MXINT_CUDA
  if (x.is_cuda()) {
    const OnDevice device(x);
    return cuda::outputs_per_piece(x.size(0), weight);
  }
#endif
  const int64_t inputs = std::max<int64_t>(weight.columns, 1);
  return std::clamp<int64_t>(kElementsPerPiece / inputs, 1, weight.rows);
}

// Here nothing is differentiated: Python defines the gradient.  In an exported program, whose
// parameters require one, torch would refuse to write into `y`.
class NoGradient {
 public:
  NoGradient() : before_(aoti_torch_grad_mode_is_enabled()) {
    aoti_torch_grad_mode_set_enabled(false);
  }
  ~NoGradient() { aoti_torch_grad_mode_set_enabled(before_); }
  NoGradient(const NoGradient&) = delete;
  NoGradient& operator=(const NoGradient&) = delete;

 private:
  bool before_;
};

void linear_into(const Tensor& x, const Tensor& w, const std::optional<Tensor>& bias,
                 const Tensor& y) {
  std::array<StableIValue, 4> stack{
      torch::stable::detail::from(x), torch::stable::detail::from(w),
      torch::stable::detail::from(bias), torch::stable::detail::from(y)};
  const NoGradient no_gradient;
  const auto error = torch_call_dispatcher("aten::linear", "out", stack.data(), TORCH_ABI_VERSION);
  require(error == TORCH_SUCCESS, "torch's linear failed");
  torch::stable::detail::to<Tensor>(stack[0]);  // takes what was returned, `y` again
}

Tensor linear_by_pieces(const Tensor& x, const Packed& weight, const std::optional<Tensor>& bias) {
  if (x.scalar_type() == ScalarType::Half) {
    std::optional<Tensor> bias32;
    if (bias) bias32 = as_type(*bias, ScalarType::Float);
    const Tensor y = linear_by_pieces(as_type(x, ScalarType::Float), weight, bias32);
    return as_type(y, ScalarType::Half);
  }
  const int64_t inputs = weight.groups.columns, outputs = weight.groups.rows;
  const int64_t most = outputs_per_piece(x, weight.groups);
  Tensor y = new_tensor({x.size(0), outputs}, x.scalar_type(), x);
  Tensor decoded = new_tensor({most, inputs}, x.scalar_type(), x);
  for (int64_t first = 0; first < outputs; first += most) {
    const int64_t count = std::min(most, outputs - first);
    const auto part = [&](Tensor t) { return torch::stable::narrow(t, 0, first, count); };
    const Tensor w = torch::stable::narrow(decoded, 0, 0, count);
    dequantize_into({part(weight.mantissas), part(weight.exponents), weight.groups.size}, 0, w);
    std::optional<Tensor> terms;
    if (bias) terms = part(*bias);
    linear_into(x, w, terms, torch::stable::narrow(y, 1, first, count));
  }
  return y;
}

Tensor linear_of_rows(const Tensor& x, const Packed& weight, const std::optional<Tensor>& bias,
                      bool mxint8) {
  if (x.size(0) == 0 || weight.groups.rows == 0) {
    return new_tensor({x.size(0), weight.groups.rows}, x.scalar_type(), x);
  }
  if (!x.is_cuda()) {
    const bool kernels = mxint8 || kernels_take(x, weight.groups);
    return kernels ? linear_on_cpu(x, weight, bias, mxint8) : linear_by_pieces(x, weight, bias);
  }
#ifdef MXINT_CUDA
  if (auto y = linear_on_cuda(x, weight, bias, mxint8)) return *y;
#endif
  if (!mxint8) return linear_by_pieces(x, weight, bias);
  const auto [mantissas, exponents] = quantize(x, weight.groups.size);
  return linear_by_pieces(dequantize(mantissas, exponents, weight.groups.size, x.scalar_type()),
                          weight, bias);
}

Tensor linear(const Tensor& x, const Tensor& mantissa, const Tensor& exponent,
              const std::optional<Tensor>& bias, int64_t group_size, bool mxint8) {
  const Packed weight(mantissa, exponent, group_size);
  const Groups groups = groups_of(x, group_size);
  const int64_t outputs = weight.groups.rows;
  require(mantissa.dim() == 2, "mantissa must have two dimensions");
  require(groups.columns == weight.groups.columns, "x and mantissa must have equal last sizes");
  require(on_same_device(x, mantissa), "x must be on the device of mantissa");
  if (bias) {
    require(shape_of(*bias) == Shape{outputs}, "bias must have one number per row of mantissa");
    require(bias->scalar_type() == x.scalar_type(), "bias must be of the dtype of x");
    require(on_same_device(*bias, x), "bias must be on the device of x");
  }
  const Tensor rows = as_contiguous(as_shape(x, {groups.rows, groups.columns}));
  return as_shape(linear_of_rows(rows, weight, bias, mxint8), with_last(shape_of(x), outputs));
}

// ---- reading -------------------------------------------------------------------------------

// For the benchmark: a packed weight read by all threads, which no layer can be faster than.
int64_t read(const Tensor& mantissa, const Tensor& exponent, int64_t group_size) {
  const Packed packed(mantissa, exponent, group_size);
  const Groups& groups = packed.groups;
  const int64_t scales = groups.per_row();
  std::atomic<uint64_t> all = 0;
  torch::stable::parallel_for(
      0, groups.rows, columns_per_task(groups.columns), [&](int64_t begin, int64_t end) {
        const auto& kernels = cpu_kernels();
        all ^= kernels.read(packed.mantissa(), begin * groups.columns, end * groups.columns);
        all ^= kernels.read(packed.exponent(), begin * scales, end * scales);
      });
  return static_cast<int64_t>(all.load());
}

// For the benchmark: as many products of bytes as x (rows, inputs) has with W (outputs, inputs), by
// all threads, which no layer can be faster than; 0 where the instructions in use multiply no bytes.
int64_t multiply(const Tensor& x, const Tensor& mantissa) {
  if (!cpu_kernels().multiply) return 0;
  require(x.dim() == 2 && mantissa.dim() == 2, "x and mantissa must have two dimensions");
  std::atomic<int64_t> all = 0;
  const int64_t products = x.size(0) * mantissa.numel();
  torch::stable::parallel_for(0, products, kProductsPerTask, [&](int64_t begin, int64_t end) {
    all += cpu_kernels().multiply(end - begin);
  });
  return all;
}

}  // namespace
}  // namespace mxint

// The macros below hold the number of their line: without this, a comment above would change the
// product, and all that was measured with it would be measured again.
#line 1

STABLE_TORCH_LIBRARY(mxint_cuda, m) {
  m.def("quantize(Tensor x, int group_size) -> (Tensor, Tensor)");
  m.def(
      "quantize_out(Tensor x, int group_size, Tensor(a!) mantissa, Tensor(b!) exponent) -> ()");
  m.def(
      "dequantize(Tensor mantissa, Tensor exponent, int group_size, ScalarType dtype) -> Tensor");
  m.def(
      "dequantize_out(Tensor mantissa, Tensor exponent, int group_size, int algorithm, "
      "Tensor(a!) out) -> ()");
  m.def(
      "linear(Tensor x, Tensor mantissa, Tensor exponent, Tensor? bias, int group_size, "
      "bool mxint8) -> Tensor");
  m.def("read(Tensor mantissa, Tensor exponent, int group_size) -> int");
  m.def("multiply(Tensor x, Tensor mantissa) -> int");
}

STABLE_TORCH_LIBRARY_IMPL(mxint_cuda, CPU, m) {
  m.impl("quantize", TORCH_BOX(&mxint::quantize));
  m.impl("quantize_out", TORCH_BOX(&mxint::quantize_out));
  m.impl("dequantize", TORCH_BOX(&mxint::dequantize));
  m.impl("dequantize_out", TORCH_BOX(&mxint::dequantize_out));
  m.impl("linear", TORCH_BOX(&mxint::linear));
  m.impl("read", TORCH_BOX(&mxint::read));
  m.impl("multiply", TORCH_BOX(&mxint::multiply));
}

#ifdef MXINT_CUDA
STABLE_TORCH_LIBRARY_IMPL(mxint_cuda, CUDA, m) {
  m.impl("quantize", TORCH_BOX(&mxint::quantize));
  m.impl("quantize_out", TORCH_BOX(&mxint::quantize_out));
  m.impl("dequantize", TORCH_BOX(&mxint::dequantize));
  m.impl("dequantize_out", TORCH_BOX(&mxint::dequantize_out));
  m.impl("linear", TORCH_BOX(&mxint::linear));
}
#endif
