// SPDX-License-Identifier: MIT
#pragma once
// The arguments of LibTorch's reductions.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0::detail {

/// The dims of a reduction, as an argument of LibTorch's operators. An empty list means all dims.
struct reduced_dims {
  std::int64_t values[dims::capacity]{};
  std::size_t n = 0;
  reduced_dims(const reduction_attributes& a, const at::Tensor& x) {
    const int rank = static_cast<int>(x.dim());
    for (int d = 0; d < rank && !a.all(); ++d)
      if ((a.bits(rank) >> static_cast<unsigned>(d) & 1U) != 0) values[n++] = d;
  }
  auto list() const -> at::IntArrayRef { return {values, n}; }
  auto given() const -> at::OptionalIntArrayRef {
    return n == 0 ? at::OptionalIntArrayRef() : at::OptionalIntArrayRef(list());
  }
};

/// Returns the dim of a reduction over one dim, or nullopt for a reduction over all dims.
inline auto one_dim(const reduction_attributes& a) -> std::optional<std::int64_t> {
  return a.all() ? std::nullopt : std::optional<std::int64_t>(a.dim[0].value);
}

}  // namespace koila::inline v0::detail
