// Counts requests of warps: the lanes run one after the other, so a request is put together from what
// each lane asks for when it comes to the same instruction for the same time.
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine.h"

namespace emulator {
namespace {

constexpr uintptr_t kSector = 32;

struct Request {
  uintptr_t first = 0;  // byte
  std::set<uintptr_t> sectors;
  uint64_t bytes = 0;
};

using Place = std::pair<int, int>;  // an instruction, and a thread or a warp

struct Counts {
  bool on = false;
  uint32_t block = 0;                         // the requests below are of this block
  std::map<Place, size_t> times;              // that a thread has come to an instruction
  std::map<Place, std::vector<Request>> requests;  // of a warp, in that order
  std::map<const void*, Traffic> of_tensors;
};

Counts& counts = *new Counts;

void finish_block() {
  for (const auto& [place, requests] : counts.requests) {
    for (const Request& request : requests) {
      Traffic& traffic = counts.of_tensors[tensor_at(reinterpret_cast<void*>(request.first))];
      traffic.requests += 1;
      traffic.sectors += request.sectors.size();
      traffic.bytes += request.bytes;
    }
  }
  counts.times.clear();
  counts.requests.clear();
}

}  // namespace

void count(int instruction, const void* at, size_t bytes) {
  if (!counts.on) return;
  const Moment moment = now();
  if (moment.block != counts.block) finish_block();
  counts.block = moment.block;
  const size_t time = counts.times[{instruction, moment.thread}]++;
  std::vector<Request>& requests = counts.requests[{instruction, moment.warp()}];
  if (requests.size() <= time) requests.resize(time + 1);
  Request& request = requests[time];
  request.first = reinterpret_cast<uintptr_t>(at);
  request.bytes += bytes;
  for (uintptr_t s = request.first / kSector; s <= (request.first + bytes - 1) / kSector; ++s) {
    request.sectors.insert(s);
  }
}

}  // namespace emulator

using emulator::counts;

#pragma GCC visibility push(default)
extern "C" {

void host_count() {
  counts = {};
  counts.on = true;
}

emulator::Traffic host_traffic(const void* tensor) {
  emulator::finish_block();
  return counts.of_tensors[tensor];
}

}  // extern "C"
#pragma GCC visibility pop
