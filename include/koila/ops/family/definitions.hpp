#pragma once
// For the parts of op headers that call LibTorch: compiled once into koila::koila, or included by koila::header_only.
#include <koila/shape/dims.hpp>

#include <ATen/core/Tensor.h>

#ifdef KOILA_HEADER_ONLY
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

}  // namespace koila::detail
