// SPDX-License-Identifier: MIT
#pragma once
// index_select on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/indexing.ipp>
#include <koila/ops/indexing/index_select.hpp>

namespace koila::inline v0::kernels::cpu {

struct index_select {
  using attributes = koila::index_select::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const at::Tensor& index, const attributes& a) {
    const auto d = a.dim.value < 0 ? a.dim.value + x.dim() : a.dim.value;
    const auto bytes =
        static_cast<std::size_t>(c10::multiply_integers(x.sizes().slice(static_cast<std::size_t>(d + 1))) *
                                 static_cast<std::int64_t>(x.element_size()));
    char* const to = static_cast<char*>(y.mutable_data_ptr());
    const char* const from = detail::data<char>(x);
    detail::for_each_row(x, d, index, a.from_end.value, [&](auto from_row, auto to_row) {
      if (bytes > 0)
        std::memcpy(to + static_cast<std::size_t>(to_row) * bytes, from + static_cast<std::size_t>(from_row) * bytes,
                    bytes);
    });
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::index_select, index_select> index_select_registered;

}  // namespace koila::inline v0::kernels::cpu
