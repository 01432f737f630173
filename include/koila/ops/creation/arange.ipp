// SPDX-License-Identifier: MIT
#pragma once
// Definitions of arange.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/creation/arange.hpp>

namespace koila::inline v0 {

namespace detail {

/// Writes the elements of an arange to a tensor on the host.
inline void fill_arange(at::Tensor& y, const arange::attributes& a) {
  const std::int64_t n = y.numel();
  if (a.floating) {
    auto* const to = y.mutable_data_ptr<float>();
    for (std::int64_t i = 0; i < n; ++i)
      to[i] = static_cast<float>(a.start<double>() + static_cast<double>(i) * a.step<double>());
    return;
  }
  auto* const to = y.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < n; ++i) to[i] = a.start<std::int64_t>() + i * a.step<std::int64_t>();
}

}  // namespace detail

// The elements are computed on the host and copied, because LibTorch's operator rounds differently
// from fill_arange.
void arange::evaluate(at::Tensor& y, const attributes& a) {
  at::Tensor made = y.new_empty(y.sizes(), y.options().device(at::kCPU));
  detail::fill_arange(made, a);
  y.copy_(made);
}

}  // namespace koila::inline v0
