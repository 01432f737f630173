// SPDX-License-Identifier: MIT
#pragma once
// Included by the definitions that call LibTorch. They are compiled once, into koila::koila.
#include <koila/shape/dims.hpp>

#include <ATen/core/Tensor.h>

#include <atomic>

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

/// The known dims of a tensor, of an unknown dtype.
inline auto dims_of_sizes(const at::Tensor& t) -> dims {
  dims d = open_dims(static_cast<int>(t.dim()));
  for (int i = 0; i < d.rank; ++i) d.e[i] = extent{t.size(i)};
  return d;
}

/// The elements of a contiguous tensor. const_data_ptr<T> is not used, because clang mangles its
/// name differently than the compiler that built LibTorch.
template <class T>
auto data(const at::Tensor& t) -> const T* {
  return static_cast<const T*>(t.const_data_ptr());
}

/// For tests: LibTorch's operators compute with tensors on the host, as they do on other devices.
inline std::atomic<bool> by_operators_only{false};
/// For tests: kernels for blocks, which not every machine has, are not used.
inline std::atomic<bool> without_brgemm{false};
/// Returns true if koila's own kernels may compute with a tensor. They read and write elements, so
/// they run only on the host.
inline auto on_host(const at::Tensor& t) -> bool {
  return t.is_cpu() && !by_operators_only.load(std::memory_order_relaxed);
}

}  // namespace koila::detail
