// What is decoded or encoded is taken sixteen numbers at a time.
#pragma once

#include "format.h"

namespace mxint {
namespace {

constexpr int64_t kPiece = 16;
constexpr int64_t kAhead = 8192;  // bytes; the processor itself looks ahead within a page only

}  // namespace
}  // namespace mxint
