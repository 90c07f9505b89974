// Stands in for CUDA's runtime library: what the host code that nvcc makes calls to know its kernels
// and to launch them.  The kernels are those that ptx.py has translated.
#include <cuda_runtime_api.h>

#include <cstring>
#include <iterator>
#include <map>
#include <string>

#include "machine.h"
#include "ptx.h"

namespace ptx {
namespace {

struct Kernel {
  void (*run)(const Parameters&);
  unsigned shared, most_threads;
};

// By name, and by the compute capability that they are compiled for.  They are filled before main, in
// no certain order.
std::map<std::string, std::map<int, Kernel>>& known() {
  static auto& kernels = *new std::map<std::string, std::map<int, Kernel>>;
  return kernels;
}

std::map<const void*, std::string>& names() {
  static auto& of_functions = *new std::map<const void*, std::string>;
  return of_functions;
}

cudaError_t last_error = cudaSuccess;
const char* refused = "";

cudaError_t refuse(cudaError_t error, const char* text) {
  refused = text;
  return last_error = error;
}

cudaError_t launch(const void* function, dim3 grid, dim3 block, void** arguments) {
  const auto& kernels = known()[names()[function]];
  if (kernels.empty()) return refuse(cudaErrorInvalidDeviceFunction, "no such kernel");
  // The latest that the device is not too old for.
  const auto later = kernels.upper_bound(emulator::capability());
  if (later == kernels.begin()) return refuse(cudaErrorNoKernelImageForDevice, "no kernel image");
  const auto& [run, shared, most_threads] = std::prev(later)->second;
  if (shared > kMostShared || uint64_t{block.x} * block.y * block.z > most_threads) {
    return refuse(cudaErrorInvalidConfiguration, "invalid configuration argument");
  }
  shared_size = shared;
  struct Call {
    void (*run)(const Parameters&);
    Parameters parameters;
  } const call{run, const_cast<const void* const*>(arguments)};
  const emulator::Body body{reinterpret_cast<const void*>(run),
                            [](const void* object) {
                              const Call& call = *static_cast<const Call*>(object);
                              call.run(call.parameters);
                            },
                            &call};
  if (emulator::run({grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, body)) {
    return cudaSuccess;
  }
  return refuse(cudaErrorLaunchFailure, emulator::failure());
}

}  // namespace

alignas(16) char shared_memory[kMostShared];
unsigned shared_size;

Known::Known(const char* name, int capability, void (*kernel)(const Parameters&), unsigned shared,
             unsigned most_threads) {
  known()[name][capability] = {kernel, shared, most_threads};
}

}  // namespace ptx

extern "C" {

// ---- what launches call --------------------------------------------------------------------------

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  return ptx::launch(function, config->gridDim, config->blockDim, arguments);
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  *value = emulator::attribute(which);
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* device, int) {
  *device = {};
  strcpy(device->name, emulator::kName);
  device->major = emulator::capability() / 10;
  device->minor = emulator::capability() % 10;
  return cudaSuccess;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = ptx::last_error;
  ptx::last_error = cudaSuccess;
  return error;
}

const char* cudaGetErrorString(cudaError_t) { return ptx::refused; }

// ---- what makes kernels known, and what <<<>>> would call ----------------------------------------

void** __cudaRegisterFatBinary(void*) {
  static void* handle;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char* function, char*, const char* name, int, void*,
                            void*, void*, void*, int*) {
  ptx::names()[function] = name;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}

unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, void*) { return 1; }
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*) { return cudaErrorUnknown; }
cudaError_t __cudaGetKernel(void**, const void*) { return cudaErrorUnknown; }
cudaError_t __cudaLaunchKernel(void*, dim3, dim3, void**, size_t, void*) {
  return ptx::refuse(cudaErrorUnknown, "only cudaLaunchKernelEx is here");
}
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t) {  // before 13.0
  return __cudaLaunchKernel(nullptr, {}, {}, nullptr, 0, nullptr);
}

}  // extern "C"
