// The vectorised CUDA kernel, lane by lane on the host, with the thread body that the device runs.
#include "vector.h"

namespace mxint {
namespace {

template <class T, class G>
void decode_tiles(const int8_t* mantissa, const uint8_t* exponent, const G& groups, void* y) {
  using S = Stores<T>;
  for (int64_t tile = 0; tile < groups.elements() / kTile; ++tile) {
    Bytes16 loaded[kLanes];  // what each lane of the warp holds
    memcpy(loaded, mantissa + tile * kTile, sizeof loaded);
    for (int lane = 0; lane < kLanes; ++lane) {
      for (int store = 0; store < S::count; ++store) {
        uint32_t words[S::words];
        for (int i = 0; i < S::words; ++i) {
          words[i] = pick(loaded[S::lane(store, lane)].word, S::word(store, lane) + i);
        }
        const int64_t first = tile * kTile + S::first(store, lane);
        const Bytes16 decoded = decode_store<T>(words, first, exponent, groups);
        memcpy(static_cast<T*>(y) + first, &decoded, sizeof decoded);
      }
    }
  }
}

template <class G>
void decode_tiles_as(Format format, const int8_t* mantissa, const uint8_t* exponent,
                     const G& groups, void* y) {
  switch (format) {
    case Format::float32: return decode_tiles<float>(mantissa, exponent, groups, y);
    case Format::bfloat16: return decode_tiles<BFloat16>(mantissa, exponent, groups, y);
    case Format::float16: return decode_tiles<Float16>(mantissa, exponent, groups, y);
  }
}

}  // namespace
}  // namespace mxint

extern "C" void decode_on_host(int format, const int8_t* mantissa, const uint8_t* exponent,
                               int64_t rows, int64_t columns, int64_t size, bool shifted,
                               void* y) {
  const mxint::Groups groups{rows, columns, size};
  const auto to = static_cast<mxint::Format>(format);
  if (shifted) {
    mxint::decode_tiles_as(to, mantissa, exponent, mxint::PowerOfTwoGroups(groups), y);
  } else {
    mxint::decode_tiles_as(to, mantissa, exponent, groups, y);
  }
}
