// SPDX-License-Identifier: MIT
#pragma once
// roll on the host.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/index_remap.ipp>
#include <koila/ops/indexing/roll.hpp>

namespace koila::inline v0::kernels::cpu {

struct roll {
  using attributes = koila::roll::attributes;
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a) {
    const auto rolled = [](auto i, auto n, index_t shift) { return ((i - shift) % n + n) % n; };
    if (a.dim.empty())
      return detail::remap(y.view(-1), x.view(-1),
                           [&](int, auto i, auto n) { return rolled(i, n, a.shifts.e[0].value); });
    const int rank = static_cast<int>(y.dim());
    detail::remap(y, x, [&](int d, auto i, auto n) { return rolled(i, n, a.shift(d, rank)); });
  }
};
[[gnu::init_priority(registered_first)]] inline const host_kernel<struct koila::roll, roll> roll_registered;

}  // namespace koila::inline v0::kernels::cpu
