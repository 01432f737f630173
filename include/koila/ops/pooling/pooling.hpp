// SPDX-License-Identifier: MIT
#pragma once
// Shared by the pooling ops: one rule and one flow for one to three spatial dims, adaptive or not.
// The ops that users call expand to max_pool_at and avg_pool. The number of spatial dims is an
// attribute of these two ops and their backward ops.
#include <koila/ops/convolution/windows.hpp>

namespace koila::inline v0 {

namespace internal {

struct max_pool_at;
struct avg_pool;

}  // namespace internal

namespace detail {

/// All attributes of a pooling op. `n` is the number of spatial dims.
struct pool_of {
  bool known = true;
  int n = 0;
  attr_list kernel_size, stride, padding = 0, dilation = 1, output_size;
  attr<bool> ceil_mode = false, count_include_pad = true;
  attr<index_t> divisor_override = 0;

  constexpr auto adaptive() const -> bool { return !output_size.empty(); }
  constexpr auto step(int i) const -> attr<index_t> { return stride.empty() ? kernel_size[i] : stride[i]; }
  constexpr void assign(const pool_of& o) { *this = o; }
  constexpr void assign(attr<index_t>) { known = false; }  // at compile time, when values are not known
  constexpr void write(auto& w) const {
    if (adaptive()) return w.put(", output_size "), output_size.write(w);
    if (!kernel_size.empty()) w.put(", kernel_size "), kernel_size.write(w);
    detail::write_unless(w, "stride", stride, attr_list());
    detail::write_unless(w, "padding", padding, attr_list(0));
    detail::write_unless(w, "dilation", dilation, attr_list(1));
  }
  friend constexpr auto operator==(const pool_of&, const pool_of&) -> bool = default;
};

struct pooling_attributes {
  pool_of pooling;
  constexpr void write(auto& w) const { pooling.write(w); }
  friend constexpr auto operator==(const pooling_attributes&, const pooling_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// (..., in...) -> (..., out...): the last n dims are spatial. The dim before them holds the
/// channels, and there may be a dim of samples in front. As in LibTorch, a spatial dim must not be
/// empty, and the padding must be at most half of the kernel size, whatever the dilation is. If a
/// mean is computed over three dims, the kernel must not be larger than the input without padding.
constexpr auto pooled(const dims& x, const detail::pool_of& p, bool mean) -> verdict {
  if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
  if (!p.known) return x.ranked() ? detail::open_dims(x.rank, x.type) : x;
  if (p.n < 0 || p.n > detail::windows::capacity) return reason::dims_are_not_all_given;
  if (x.ranked() && x.rank != p.n + 1 && x.rank != p.n + 2) return reason::no_rule_for_these_ranks;
  if (p.adaptive()) {
    if (const reason r = spatial(p.output_size, p.n, 0); r != reason::accepted) return r;
  } else {
    for (const reason r :
         {spatial(p.kernel_size, p.n, 1), p.stride.empty() ? reason::accepted : spatial(p.stride, p.n, 1),
          spatial(p.padding, p.n, 0), spatial(p.dilation, p.n, 1)})
      if (r != reason::accepted) return r;
  }
  if (!x.ranked()) return x;
  dims out = x;
  for (int i = 0; i < p.n; ++i) {
    extent& e = out[i - p.n];
    if (e.known() && e.n == 0) return reason::size_out_of_range;
    if (p.adaptive()) {
      e = p.output_size[i].known ? extent{p.output_size[i].value} : extent{-1, {}, true};
      continue;
    }
    const attr<index_t> k = p.kernel_size[i], pad = p.padding[i], d = p.dilation[i];
    if (k.known && pad.known && 2 * pad.value > k.value) return reason::size_out_of_range;
    if (mean && p.n == 3 && k.known && e.known() && k.value > e.n) return reason::kernel_larger_than_input;
    const windowed w = windowed_extent(e, k.known ? extent{k.value} : extent{}, p.step(i), pad, d, p.ceil_mode);
    if (w.reason != reason::accepted) return w.reason;
    e = w.e;
  }
  return out;
}

/// The rule of the backward op of a pooling op. dy must have the dims of the pooled x, and the
/// result has the dims of x.
constexpr auto unpooled(const dims& dy, const dims& x, const detail::pool_of& p, bool mean) -> verdict {
  const verdict v = pooled(x, p, mean);
  if (v.accepted() && same_shape(v.out, dy) == detail::tristate::no) return reason::shapes_differ;
  if (v.accepted() && dy.type != dtype::unknown && x.type != dtype::unknown && dy.type != x.type)
    return reason::dtypes_differ;
  return v.accepted() ? verdict(x) : v;
}

}  // namespace rules

namespace flows {

/// The result is per sample if the samples lie along any dim that is not spatial, because each
/// plane is pooled separately. If the samples lie along a spatial dim, or along different dims in
/// different operands, the op needs every operand as a whole.
constexpr auto planes(const value* operands, int n, int spatial, const dims& out) -> relations {
  relations f;
  for (int i = n - 1; i >= 0; --i)
    if (operands[i].batch_relation.sampled()) f.out = operands[i].batch_relation;
  if (!f.out.sampled()) return f;
  for (int i = 0; i < n; ++i) {
    if (operands[i].batch_relation.sampled() && (operands[i].batch_relation.axis >= operands[i].dims.rank - spatial ||
                                                 operands[i].batch_relation.axis != f.out.axis))
      return gather(operands, n, out);
    f.operand[i] = {need::rows, f.out};
  }
  return f;
}

}  // namespace flows

namespace detail {

/// The base of the ops that pooling and interpolation expand to, and of their backward ops.
template <class Op>
struct pool_kernel : op<Op, 2> {
  using attributes = pooling_attributes;
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto cost_of(const dims& x, const dims& y, const dims& out) -> op_cost {
    return {static_cast<double>(x.count() + y.count()), static_cast<double>(x.bytes() + y.bytes() + out.bytes()), 0};
  }
};

/// The attributes of max_pool, in LibTorch's order.
struct max_pool_attributes {
  static constexpr std::size_t positional = 5;
  attr_list kernel_size, stride, padding = 0, dilation = 1;
  attr<bool> ceil_mode = false;
  constexpr void set(std::size_t i, const auto& v) {
    detail::assign_at(i, v, kernel_size, stride, padding, dilation, ceil_mode);
  }
  constexpr auto for_rank(int n) const -> pool_of {
    return {true, n, kernel_size, stride, padding, dilation, {}, ceil_mode};
  }
  constexpr void write(auto& w) const { for_rank(0).write(w); }
  friend constexpr auto operator==(const max_pool_attributes&, const max_pool_attributes&) -> bool = default;
};

/// The attributes of avg_pool, in LibTorch's order. A `divisor_override` of 0 means that no divisor
/// is given.
struct avg_pool_attributes {
  static constexpr std::size_t positional = 6;
  attr_list kernel_size, stride, padding = 0;
  attr<bool> ceil_mode = false, count_include_pad = true;
  attr<index_t> divisor_override = 0;
  constexpr void set(std::size_t i, const auto& v) {
    detail::assign_at(i, v, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
  }
  constexpr auto for_rank(int n) const -> pool_of {
    return {true, n, kernel_size, stride, padding, 1, {}, ceil_mode, count_include_pad, divisor_override};
  }
  constexpr void write(auto& w) const { for_rank(0).write(w); }
  friend constexpr auto operator==(const avg_pool_attributes&, const avg_pool_attributes&) -> bool = default;
};

/// The attribute of the adaptive pooling ops.
struct adaptive_attributes {
  static constexpr std::size_t positional = 1;
  attr_list output_size;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, output_size); }
  /// If no size is given, there is no kernel size either, and the rule refuses the call.
  constexpr auto for_rank(int n) const -> pool_of { return {true, n, {}, {}, 0, 1, output_size}; }
  constexpr void write(auto& w) const { for_rank(0).write(w); }
  friend constexpr auto operator==(const adaptive_attributes&, const adaptive_attributes&) -> bool = default;
};

/// A pooling op over N spatial dims, which expands to `Kernel`. max_pool_at has two operands: it
/// finds the positions of the maxima in the second and returns the first operand's elements at
/// these positions. For plain max pooling, both operands are x.
template <class Op, int N, class Kernel, class Attributes>
struct pool_op : op<Op, 1> {
  using attributes = Attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict {
    return rules::pooled(x, a.for_rank(N), std::is_same_v<Kernel, struct internal::avg_pool>);
  }
  static constexpr auto expand(const auto& x, const attributes& a) {
    if constexpr (std::is_same_v<Kernel, struct internal::max_pool_at>)
      return detail::call<Kernel>(x, x, pooling = a.for_rank(N));
    else return detail::call<Kernel>(x, pooling = a.for_rank(N));
  }
};

}  // namespace detail

}  // namespace koila::inline v0
