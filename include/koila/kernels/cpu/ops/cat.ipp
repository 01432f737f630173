// SPDX-License-Identifier: MIT
#pragma once
// cat on the host.
#include <koila/kernels/cpu/copies.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/ops/indexing/cat.hpp>

namespace koila::inline v0::kernels::cpu {

struct cat {
  using attributes = koila::cat::attributes;
  static void evaluate(at::Tensor& y, const auto&... t) {
    koila::cat::with_operands([&](const auto& x, int n, const attributes& a) { join(y, x, n, a); }, t...);
  }

 private:
  static void join(at::Tensor& y, const at::Tensor* const* x, int n, const attributes& a) {
    const std::int64_t dim = detail::wrap(a.dim.value, static_cast<int>(y.dim()));
    detail::for_each_to_join(
        y, x, n, dim, [&](const at::Tensor& part, index_t first, const detail::strided_lines& l, bool same_bytes) {
          if (same_bytes)
            detail::copy_lines(l.to, l.step, static_cast<const char*>(part.const_data_ptr()), l.line, l.line_count);
          else y.narrow(dim, first, part.size(dim)).copy_(part);
        });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::cat, cat> cat_registered;

}  // namespace koila::inline v0::kernels::cpu
