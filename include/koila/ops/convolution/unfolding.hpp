// SPDX-License-Identifier: MIT
#pragma once
// Shared by unfold and fold: windows over two spatial dims, as columns.
#include <koila/ops/convolution/windows.hpp>

namespace koila::inline v0 {

struct fold;

namespace detail {

/// The attributes of unfold and fold, in LibTorch's order. fold takes output_size before these
/// attributes.
struct unfold_attributes {
  static constexpr std::size_t positional = 4;
  attr_list kernel_size, dilation = 1, padding = 0, stride = 1;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, kernel_size, dilation, padding, stride); }
  constexpr void write(auto& w) const {
    detail::write_unless(w, "kernel_size", kernel_size, attr_list());
    detail::write_unless(w, "dilation", dilation, attr_list(1));
    detail::write_unless(w, "padding", padding, attr_list(0));
    detail::write_unless(w, "stride", stride, attr_list(1));
  }
  /// Returns the number of elements of a window, or -1 if a size is not known or out of range.
  constexpr auto elements() const -> index_t {
    for (int i = 0; i < 2; ++i)
      if (!kernel_size[i].known || kernel_size[i].value < 1 || kernel_size[i].value > rules::most_of_window) return -1;
    return kernel_size[0].value * kernel_size[1].value;
  }
  friend constexpr auto operator==(const unfold_attributes&, const unfold_attributes&) -> bool = default;
};
struct fold_attributes : unfold_attributes {
  static constexpr std::size_t positional = 5;
  attr_list output_size;
  constexpr void set(std::size_t i, const auto& v) {
    if (i == 0) detail::assign_member(output_size, v);
    else unfold_attributes::set(i - 1, v);
  }
  constexpr void write(auto& w) const {
    detail::write_unless(w, "output_size", output_size, attr_list());
    unfold_attributes::write(w);
  }
  friend constexpr auto operator==(const fold_attributes&, const fold_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// (samples, channels, h, w) -> (samples, channels * k * k, windows). x and the result may lack the
/// dim `samples`.
constexpr auto unfolded(const dims& x, const detail::unfold_attributes& a) -> verdict {
  if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
  for (const reason r :
       {spatial(a.kernel_size, 2, 1), spatial(a.dilation, 2, 1), spatial(a.padding, 2, 0), spatial(a.stride, 2, 1)})
    if (r != reason::accepted) return r;
  if (!x.ranked()) return dims(x.type);
  if (x.rank != 3 && x.rank != 4) return reason::no_rule_for_these_ranks;
  dims out = detail::open_dims(x.rank - 1, x.type);
  if (x.rank == 4) out[0] = x[0];
  const index_t k = a.elements();
  if (k == 1) out[-2] = x[-3];
  else if (k > 0 && x[-3].known() && times(x[-3].n, k) < 0) return reason::size_out_of_range;
  else if (k > 0 && x[-3].known()) out[-2] = extent{x[-3].n * k, {}, x[-3].open || x[-3].named()};
  index_t many = 1;
  bool sure = true, open = false;
  for (int i = 0; i < 2; ++i) {
    const attr<index_t> size = a.kernel_size[i];
    const windowed w =
        windowed_extent(x[i - 2], size.known ? extent{size.value} : extent{}, a.stride[i], a.padding[i], a.dilation[i]);
    if (w.reason != reason::accepted) return w.reason;
    sure = sure && w.e.known(), open = open || w.e.open || w.e.named();
    many = sure ? times(many, w.e.n) : many;
    if (sure && many < 0) return reason::size_out_of_range;
  }
  out[-1] = {sure ? many : -1, {}, open};
  return out;
}

}  // namespace rules

namespace flows {

/// The result is per sample if dim 0 is the batch axis. If the batch axis is another dim, x is
/// gathered.
constexpr auto samples_first(const value& x, int rank_with_samples, const dims& out) -> relations {
  relations f;
  if (!x.batch_relation.sampled()) return f;
  if (x.batch_relation.axis != 0 || x.dims.rank != rank_with_samples) return gather(&x, 1, out);
  f.out = x.batch_relation;
  return f;
}

}  // namespace flows

namespace detail {

/// Returns the windows over an image (..., h, w) of known dims.
constexpr auto windows_over(const dims& image, const unfold_attributes& a) -> windows {
  windows g;
  for (int i = 0; i < 2; ++i) {
    const index_t k = a.kernel_size[i].value;
    g.input_size[i + 1] = image[i - 2].n, g.kernel[i + 1] = k;
    g.stride[i + 1] = a.stride[i].value, g.padding[i + 1] = a.padding[i].value, g.dilation[i + 1] = a.dilation[i].value;
    g.output_size[i + 1] =
        rules::windowed_extent(image[i - 2], extent{k}, a.stride[i], a.padding[i], a.dilation[i]).e.n;
  }
  return g;
}

}  // namespace detail
}  // namespace koila::inline v0
