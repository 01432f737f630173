// SPDX-License-Identifier: MIT
#pragma once
// fold: adds the columns of overlapping windows up into an image.
#include <koila/ops/convolution/unfolding.hpp>

namespace koila::inline v0 {

struct unfold;

/// (samples, channels * k * k, windows) -> (samples, channels, h, w): adds each column to the
/// elements of its window. x and the result may lack the dim `samples`. fold is the transpose of
/// unfold.
inline constexpr struct fold : author::op<fold, 1> {
  static constexpr std::string_view name = "fold";
  static constexpr std::string_view aten = "col2im";
  using attributes = detail::fold_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    if (const reason r = rules::spatial(a.output_size, 2, 1); r != reason::accepted) return r;
    if (x.ranked() && x.rank != 2 && x.rank != 3) return reason::no_rule_for_these_ranks;
    dims image = detail::open_dims(x.ranked() ? x.rank + 1 : 3, x.type);
    for (int i = 0; i < 2; ++i)
      if (a.output_size[i].known) image[i - 2] = extent{a.output_size[i].value};
    if (x.rank == 3) image[0] = x[0];
    const index_t k = a.elements();
    if (x.ranked() && x[-2].known() && k > 0) {
      if (x[-2].n % k != 0) return reason::not_divisible;
      image[-3] = k == 1 ? x[-2] : extent{x[-2].n / k, {}, x[-2].open || x[-2].named()};
    }
    const verdict v = rules::unfolded(image, a);
    if (!v.accepted()) return v;
    if (x.ranked() && detail::compare_extents(v.out[-1], x[-1]) == detail::tristate::no)
      return reason::element_counts_differ;
    return x.ranked() ? image : dims(x.type);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const dims& out, const attributes&) -> relations {
    return flows::samples_first(x, 3, out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> op_cost {
    return detail::with_float32_sums({static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes())},
                                     out);
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x, const attributes& a);
  static constexpr auto gradient(const auto& dy, const auto&, const auto&, const attributes& a) {
    return gradients(detail::call<struct unfold>(dy, koila::kernel_size = a.kernel_size, koila::dilation = a.dilation,
                                                 koila::padding = a.padding, koila::stride = a.stride));
  }
} fold;

}  // namespace koila::inline v0

#include <koila/ops/convolution/unfold.hpp>
