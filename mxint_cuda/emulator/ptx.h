// The instructions of PTX that nvcc makes of the kernels, in C++: what ptx.py translates to.
//
// Registers of 16, 32 and 64 bits hold anything of their size, so an operand is taken as the type
// that its instruction names (`In`), and a result is put into a register as bits (`set`).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "machine.h"
#include "twins.h"

namespace ptx {

using emulator::fail;

using u8 = uint8_t;
using s8 = int8_t;
using u16 = uint16_t;
using s16 = int16_t;
using b16 = uint16_t;
using f16 = _Float16;
using u32 = uint32_t;
using s32 = int32_t;
using b32 = uint32_t;
using f32 = float;
using u64 = uint64_t;
using s64 = int64_t;
using b64 = uint64_t;
using pred = bool;
struct bf16 {
  uint16_t bits;
  operator float() const { return std::bit_cast<float>(uint32_t{bits} << 16); }
};

// The arguments of a launch, each by its address.
using Parameters = const void* const*;

// Makes a kernel known by its mangled name and the compute capability that it is compiled for, as
// cudart.cpp looks for it.
struct Known {
  Known(const char* name, int capability, void (*kernel)(const Parameters&), unsigned shared,
        unsigned most_threads);
};

// Of the block that runs; PTX addresses it from 0 on.  48 KiB are what a kernel has without asking.
constexpr unsigned kMostShared = 48 << 10;
extern char shared_memory[kMostShared];
extern unsigned shared_size;

template <class To, class From>
To as(From value) {
  if constexpr (sizeof(To) == sizeof(From)) {
    return std::bit_cast<To>(value);
  } else {
    static_assert(std::is_integral_v<From>);
    return static_cast<To>(value);
  }
}

template <class T>
struct In {
  T value;
  template <class Register>
  In(Register bits) : value(as<T>(bits)) {}
  operator T() const { return value; }
};

template <class Register, class T>
void set(Register& to, T value) {
  to = as<Register>(value);
}

// Integers wrap around, as those without a sign do in C++.
template <class T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                             std::type_identity<T>>::type;

// The integers of T's kind and twice its bits.
template <class T, class Small = std::conditional_t<std::is_signed_v<T>, s64, u64>,
          class Large = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>
using Wide = std::conditional_t<sizeof(T) == 4, Small, Large>;

// ---- where a thread is ---------------------------------------------------------------------------

#define tid_x (::emulator::thread_index().x)
#define ctaid_x (::emulator::block_index().x)
#define ctaid_y (::emulator::block_index().y)
#define ntid_x (::emulator::block_size().x)
#define nctaid_x (::emulator::grid_size().x)

// ---- moves ---------------------------------------------------------------------------------------

#define OF_ONE(name, expression)        \
  template <class T, class R>           \
  void name##_(R& d, In<T> x) {         \
    const auto a = x.value;             \
    set(d, static_cast<T>(expression)); \
  }
OF_ONE(mov, a)
OF_ONE(cvta_to_global, a)  // of the addresses that all memory has, global memory's are its own
OF_ONE(neg, -Wrapping<T>(a))
OF_ONE(not, (std::is_same_v<T, pred> ? !a : ~a))
#undef OF_ONE

template <class T>
void mov_(b32& d, In<b16> low, In<b16> high) {
  d = b32{high} << 16 | low;
}

template <class T>
void mov_(b16& low, b16& high, In<b32> a) {
  low = static_cast<b16>(a.value);
  high = static_cast<b16>(a.value >> 16);
}

template <class T, class R>
void selp_(R& d, In<T> a, In<T> b, pred p) {
  set(d, p ? a.value : b.value);
}

template <class To, class From, class R>
void cvt_(R& d, In<From> a) {
  set(d, static_cast<To>(a.value));
}

template <class T>
void cvta_shared_(b64& d, In<T> a) {
  d = reinterpret_cast<b64>(shared_memory) + a;
}

template <class T>
void cvta_to_shared_(b64& d, In<T> a) {
  d = a - reinterpret_cast<b64>(shared_memory);
}

// ---- arithmetic ----------------------------------------------------------------------------------

#define OF_TWO(name, expression)         \
  template <class T, class R>            \
  void name##_(R& d, In<T> x, In<T> y) { \
    const auto a = x.value, b = y.value; \
    set(d, static_cast<T>(expression));  \
  }
OF_TWO(add, Wrapping<T>(a) + Wrapping<T>(b))
OF_TWO(sub, Wrapping<T>(a) - Wrapping<T>(b))
OF_TWO(mul, a * b)  // of floats
OF_TWO(mul_lo, Wrapping<T>(a) * Wrapping<T>(b))
OF_TWO(mul_hi, Wide<T>(a) * b >> 8 * sizeof(T))
OF_TWO(div, a / b)
OF_TWO(rem, a % b)
OF_TWO(min, a < b ? a : b)
OF_TWO(max, a < b ? b : a)
OF_TWO(and, a & b)
OF_TWO(or, a | b)
OF_TWO(xor, a ^ b)
#undef OF_TWO

template <class T, class R>
void mul_wide_(R& d, In<T> a, In<T> b) {
  set(d, Wide<T>(a) * b.value);
}

template <class T, class R>
void mad_lo_(R& d, In<T> a, In<T> b, In<T> c) {
  set(d, static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b) + Wrapping<T>(c)));
}

template <class T, class R>
void fma_(R& d, In<T> a, In<T> b, In<T> c) {
  set(d, std::fma(a.value, b.value, c.value));
}

// What is shifted by more than all bits is gone.
template <class T, class R>
void shl_(R& d, In<T> a, In<u32> by) {
  set(d, by < 8 * sizeof(T) ? static_cast<T>(a.value << by) : T{0});
}

template <class T, class R>
void shr_(R& d, In<T> a, In<u32> by) {
  constexpr u32 most = 8 * sizeof(T) - 1;
  set(d, by <= most ? static_cast<T>(a.value >> by) : static_cast<T>(a.value >> most >> 1));
}

#define COMPARED(name, operation)           \
  template <class T>                        \
  void setp_##name##_(pred& d, In<T> a, In<T> b) { \
    d = a.value operation b.value;          \
  }
COMPARED(eq, ==)
COMPARED(ne, !=)
COMPARED(lt, <)
COMPARED(le, <=)
COMPARED(gt, >)
COMPARED(ge, >=)
#undef COMPARED

template <class, class>
void dp4a_(b32& d, In<s32> a, In<s32> b, In<s32> c) {
  d = static_cast<b32>(emulator::dot_of_bytes(a, b, c));
}

template <class T>
void prmt_(b32& d, In<b32> low, In<b32> high, In<b32> digits) {
  d = emulator::permuted_bytes(low, high, digits);
}

template <class T>
void shf_r_wrap_(b32& d, In<b32> low, In<b32> high, In<u32> by) {
  d = emulator::shifted(low, high, by);
}

// ---- memory --------------------------------------------------------------------------------------

template <class T, class... R>
void take(const char* from, R&... to) {
  T values[sizeof...(to)];
  memcpy(values, from, sizeof values);
  const T* next = values;
  (set(to, *next++), ...);
}

template <class T, class... R>
void put(char* to, R... from) {
  const T values[] = {In<T>(from)...};
  memcpy(to, values, sizeof values);
}

inline char* checked(char* at, size_t bytes, bool write) {
  if (reinterpret_cast<uintptr_t>(at) % bytes) fail("accesses an address that is not aligned");
  emulator::access(at, bytes, write);
  return at;
}

// An instruction is known by its number in its kernel.
inline char* global(int instruction, u64 address, size_t bytes, bool write) {
  char* at = checked(reinterpret_cast<char*>(address), bytes, write);
  emulator::count(instruction, at, bytes);
  return at;
}

inline char* shared(u32 address, size_t bytes, bool write) {
  if (address + u64{bytes} > shared_size) {
    fail("%s %zu bytes outside of shared memory", write ? "writes" : "reads", bytes);
  }
  return checked(shared_memory + address, bytes, write);
}

// Of one, two or four registers.
template <class T, class... R>
void ld_param_(Parameters parameters, int number, int offset, R&... to) {
  take<T>(static_cast<const char*>(parameters[number]) + offset, to...);
}
template <class T, class... R>
void ld_global_(int instruction, u64 at, R&... to) {
  take<T>(global(instruction, at, sizeof...(to) * sizeof(T), false), to...);
}
template <class T, class... R>
void st_global_(int instruction, u64 at, R... values) {
  put<T>(global(instruction, at, sizeof...(values) * sizeof(T), true), values...);
}
template <class T, class... R>
void ld_shared_(u32 at, R&... to) {
  take<T>(shared(at, sizeof...(to) * sizeof(T), false), to...);
}
template <class T, class... R>
void st_shared_(u32 at, R... values) {
  put<T>(shared(at, sizeof...(values) * sizeof(T), true), values...);
}

// To an address that is global memory's or, as cvta.shared makes it, the block's.
template <class T, class... R>
void st_(u64 at, R... values) {
  const u64 in_shared = at - reinterpret_cast<u64>(shared_memory);
  if (in_shared < kMostShared) return st_shared_<T>(static_cast<u32>(in_shared), values...);
  put<T>(checked(reinterpret_cast<char*>(at), sizeof...(values) * sizeof(T), true), values...);
}

inline void cp_async_cg_shared_global_(u32 to, u64 from, u32 bytes) {
  if (to + u64{bytes} > shared_size) fail("copies outside of shared memory");
  emulator::twins::begin_copy(shared_memory + to, reinterpret_cast<const void*>(from));
}
inline void cp_async_commit_group_() { emulator::twins::end_group(); }
inline void cp_async_wait_group_(unsigned latest) { emulator::twins::wait_for_groups(latest); }

// ---- threads together ----------------------------------------------------------------------------

inline void bar_sync_(int) { emulator::barrier(); }
inline void bar_warp_sync_(int mask) { emulator::warp_barrier(static_cast<u32>(mask)); }

// Whole warps: `last` is 31, and every lane has a partner.
inline b32 from_lane(const char* what, b32 value, u32 lane, u32 last, u32 mask) {
  if (last != 31) fail("%s of a part of a warp", what);
  return static_cast<b32>(emulator::exchange(what, mask, value, static_cast<int>(lane & 31)));
}

template <class T>
void shfl_sync_idx_(b32& d, pred& p, In<b32> a, In<u32> lane, In<u32> last, In<u32> mask) {
  d = from_lane("__shfl_sync", a, lane, last, mask);
  p = true;
}

template <class T>
void shfl_sync_bfly_(b32& d, pred& p, In<b32> a, In<u32> with, In<u32> last, In<u32> mask) {
  d = from_lane("__shfl_xor_sync", a, tid_x % 32 ^ with, last, mask);
  p = true;
}

template <class>
void vote_sync_all_(pred& d, pred a, u32 mask) {
  d = emulator::all("__all_sync", mask, a);
}

template <class, class, class, class>
void mma_sync_aligned_m16n8k32_row_col_(b32& d0, b32& d1, b32& d2, b32& d3, b32 a0, b32 a1, b32 a2,
                                        b32 a3, b32 b0, b32 b1, b32 c0, b32 c1, b32 c2, b32 c3) {
  int d[4];
  emulator::twins::multiply_16x32(d, {a0, a1, a2, a3}, {b0, b1}, 0);
  d0 = d[0] + c0;
  d1 = d[1] + c1;
  d2 = d[2] + c2;
  d3 = d[3] + c3;
}

template <class, class T, class, class>
void mma_sync_aligned_m16n8k16_row_col_(f32& d0, f32& d1, f32& d2, f32& d3, b32 a0, b32 a1, b32 a2,
                                        b32 a3, b32 b0, b32 b1, f32 c0, f32 c1, f32 c2, f32 c3) {
  float d[4] = {c0, c1, c2, c3};
  const auto value = [](uint16_t bits) { return static_cast<float>(as<T>(bits)); };
  emulator::twins::add_16x16(d, {a0, a1, a2, a3}, {b0, b1}, value);
  d0 = d[0];
  d1 = d[1];
  d2 = d[2];
  d3 = d[3];
}

template <class, class, class, class>
void mma_sync_aligned_m8n8k16_row_col_(b32& d0, b32& d1, b32 a, b32 b, b32 c0, b32 c1) {
  int d[2] = {static_cast<int>(c0), static_cast<int>(c1)};
  emulator::twins::add_8x16(d[0], d[1], a, b);
  d0 = d[0];
  d1 = d[1];
}

}  // namespace ptx

#define ret_() return
