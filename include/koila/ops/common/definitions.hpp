// SPDX-License-Identifier: MIT
#pragma once
// Shared by all definitions that use tensors: sizes, dims and elements.
#include <koila/shape/dims.hpp>

#include <ATen/core/Tensor.h>

namespace koila::inline v0::detail {

/// Known dims as LibTorch's sizes.
struct sizes {
  std::int64_t n[dims::capacity];
  std::size_t rank;
  explicit sizes(const dims& d) : n{}, rank(static_cast<std::size_t>(d.rank)) {
    for (std::size_t i = 0; i < rank; ++i) n[i] = d.e[i].n;
  }
  operator at::IntArrayRef() const { return {n, rank}; }
};

/// Returns the dims of a tensor. Their dtype is unknown.
inline auto dims_of_sizes(const at::Tensor& t) -> dims {
  dims d = open_dims(static_cast<int>(t.dim()));
  for (int i = 0; i < d.rank; ++i) d.e[i] = extent{t.size(i)};
  return d;
}

/// Returns a pointer to the elements of a contiguous tensor. const_data_ptr<T> is not used, because
/// clang mangles the name of this function differently than the compiler that built LibTorch.
template <class T>
auto data(const at::Tensor& t) -> const T* {
  return static_cast<const T*>(t.const_data_ptr());
}

}  // namespace koila::inline v0::detail
