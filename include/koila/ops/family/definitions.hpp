#pragma once
// For the parts of op headers that call LibTorch: compiled once into koila::koila, or included by
// koila::header_only.
#include <koila/shape/dims.hpp>

#include <ATen/core/Tensor.h>

#include <atomic>

// Inline too where the ops are compiled: in several files, each of which needs its own and may
// include the others.
#if defined(KOILA_HEADER_ONLY) || defined(KOILA_DEFINE_OPS)
#define KOILA_INLINE inline
#else
#define KOILA_INLINE
#endif

namespace koila::detail {

/// Known dims as LibTorch's sizes.
struct sizes {
  std::int64_t n[dims::capacity];
  std::size_t rank;
  explicit sizes(const dims& d) : n{}, rank(static_cast<std::size_t>(d.rank)) {
    for (std::size_t i = 0; i < rank; ++i) n[i] = d.e[i].n;
  }
  operator at::IntArrayRef() const { return {n, rank}; }
};

/// The elements of a contiguous tensor. LibTorch's const_data_ptr<T> has another name in clang than
/// in the compiler that built it.
template <class T>
auto data(const at::Tensor& t) -> const T* {
  return static_cast<const T*>(t.const_data_ptr());
}

/// For tests: tensors of the host are computed with as those of other devices are.
inline std::atomic<bool> by_operators_only{false};
/// For tests: kernels that not every machine has are left alone.
inline std::atomic<bool> without_block_kernels{false};
/// Whether koila's own kernels may compute with a tensor. They read and write elements, so only on
/// the host; of another device's tensors LibTorch's operators compute, and an op that has none
/// states `host_only`.
inline auto on_host(const at::Tensor& t) -> bool {
  return t.is_cpu() && !by_operators_only.load(std::memory_order_relaxed);
}

/// A value computed of no tensors: by f on the host, and copied to where y is.
template <class F>
void made_on_host(at::Tensor& y, F f) {
  if (y.is_cpu()) return f(y);
  at::Tensor made = y.new_empty(y.sizes(), y.options().device(at::kCPU));
  f(made);
  y.copy_(made);
}

}  // namespace koila::detail
