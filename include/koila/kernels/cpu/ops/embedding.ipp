// SPDX-License-Identifier: MIT
#pragma once
// embedding on the host.
#include <koila/kernels/cpu/embedding.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/sparse/embedding.hpp>

#include <cstring>

namespace koila::inline v0::kernels::cpu {

struct embedding {
  using attributes = koila::embedding::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& index, const at::Tensor& w, const attributes& a) {
    const auto bytes = static_cast<std::size_t>(w.size(1) * w.element_size());
    const std::int64_t zero = a.zero_padding.value ? a.padding(w.size(0)) : -1;
    auto* to = static_cast<char*>(y.mutable_data_ptr());
    const auto* from = static_cast<const char*>(w.const_data_ptr());
    detail::for_each_row(index, w.size(0), [&](std::int64_t i, std::int64_t row) {
      char* at = to + static_cast<std::size_t>(i) * bytes;
      if (bytes == 0) return;
      if (row == zero) std::memset(at, 0, bytes);
      else std::memcpy(at, from + static_cast<std::size_t>(row) * bytes, bytes);
    });
  }
};
[[gnu::init_priority(
    registered_first)]] inline const host_kernel<struct koila::embedding, embedding> embedding_registered;

}  // namespace koila::inline v0::kernels::cpu
