#pragma once
// For the parts of op headers that call LibTorch: compiled once into koila::koila, or included by koila::header_only.
#include <koila/shape/dims.hpp>

#include <ATen/core/Tensor.h>

// Inline too where the ops are compiled: in several files, each of which needs its own and may include the others.
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

/// The elements of a contiguous tensor. LibTorch's const_data_ptr<T> has another name in clang than in the compiler that built it.
template <class T>
auto data(const at::Tensor& t) -> const T* {
  return static_cast<const T*>(t.const_data_ptr());
}

}  // namespace koila::detail
