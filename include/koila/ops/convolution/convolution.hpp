// SPDX-License-Identifier: MIT
#pragma once
// Shared by the convolutions. There is one rule, one flow and three kernels for one to three
// spatial dims.
//
// The sum of all elements of dy * conv(x, w) is linear in each of dy, w and x. The derivatives of
// this sum with respect to dy, w and x are the ops conv_like, conv_weight and conv_input. The
// derivatives of these three ops are computed by the same three ops.
#include <koila/ops/convolution/conv_attributes.hpp>
#include <koila/ops/convolution/direct_conv.hpp>
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/internal/sum_to.hpp>

namespace koila::inline v0 {

namespace internal {

struct conv_like;
struct conv_input;
struct conv_weight;

}  // namespace internal

namespace rules {

/// Checks the ranks, dtypes and attributes of a convolution over n spatial dims, and that the
/// number of groups divides dim 0 of w. Returns `accepted` or the reason for a refusal.
constexpr auto convolvable(const dims& x, const dims& w, const detail::conv_attributes& a, int n) -> reason {
  if ((x.ranked() && x.rank != n + 1 && x.rank != n + 2) || (w.ranked() && w.rank != n + 2))
    return reason::no_rule_for_these_ranks;
  if (x.type != dtype::unknown && w.type != dtype::unknown && x.type != w.type) return reason::dtypes_differ;
  for (const dtype t : {x.type, w.type})
    if (t != dtype::unknown && !is_floating(t)) return reason::not_a_floating_type;
  for (const reason r : {spatial(a.stride, n, 1), spatial(a.padding, n, 0), spatial(a.dilation, n, 1)})
    if (r != reason::accepted) return r;
  if (a.groups.known && a.groups.value < 1) return reason::size_out_of_range;
  if (w.ranked() && a.groups.known && w[0].known() && w[0].n % a.groups.value != 0)
    return reason::channels_are_not_divisible_by_groups;
  switch (a.padding.mode) {
    case choice::none:
    case choice::valid: return reason::accepted;
    case choice::same:
      for (int i = 0; i < a.stride.n; ++i)
        if (a.stride.e[i].known && a.stride.e[i].value != 1) return reason::not_an_expected_choice;
      return reason::accepted;
    default: return reason::not_an_expected_choice;
  }
}

/// Checks the bias b of a convolution. b must have one number for each channel of the result. v
/// is the verdict on the convolution without bias.
constexpr auto biased(const verdict& v, const dims& b, int n) -> verdict {
  if (!v.accepted()) return v;
  if (b.type != dtype::unknown && v.out.type != dtype::unknown && b.type != v.out.type) return reason::dtypes_differ;
  if (b.ranked() &&
      (b.rank != 1 || (v.out.ranked() && detail::compare_extents(b[0], v.out[-n - 1]) == detail::tristate::no)))
    return reason::bias_is_not_out_features;
  return v;
}

/// (samples, in, ...) x (out, in / groups, k...) -> (samples, out, ...): a convolution over n
/// spatial dims. x and the result may lack the dim `samples`.
constexpr auto convolution(const dims& x, const dims& w, const detail::conv_attributes& a, int n) -> verdict {
  if (const reason r = convolvable(x, w, a, n); r != reason::accepted) return r;
  const dtype type = x.type == dtype::unknown ? w.type : x.type;
  if (!x.ranked()) return dims(type);
  dims out = detail::open_dims(x.rank, type);
  if (x.rank == n + 2) out[0] = x[0];
  if (!w.ranked()) return out;
  const extent &in = x[-n - 1], &each = w[1];
  if (a.groups.known && in.known() && in.n % a.groups.value != 0) return reason::channels_are_not_divisible_by_groups;
  if (a.groups.known && a.groups.value == 1 && detail::compare_extents(in, each) == detail::tristate::no)
    return reason::channels_differ;
  if (a.groups.known && in.known() && each.known() && in.n != times(each.n, a.groups.value))
    return reason::channels_differ;
  out[-n - 1] = w[0];
  for (int i = 0; i < n; ++i) {
    if (x[i - n].known() && x[i - n].n == 0) return reason::size_out_of_range;
    if (a.padding.mode == choice::same) {
      out[i - n] = x[i - n];
      continue;
    }
    const windowed e = windowed_extent(x[i - n], w[i - n], a.stride[i], a.padding[i], a.dilation[i]);
    if (e.reason != reason::accepted) return e.reason;
    out[i - n] = e.e;
  }
  return out;
}

/// (samples, in, ...) x (in, out / groups, k...) -> (samples, out, ...): a transposed convolution
/// over n spatial dims. x and the result may lack the dim `samples`.
constexpr auto transposed_convolution(const dims& x, const dims& w, const detail::conv_transpose_attributes& a, int n)
    -> verdict {
  if (const reason r = convolvable(x, w, a, n); r != reason::accepted) return r;
  if (a.padding.mode != choice::none) return reason::not_an_expected_choice;
  if (const reason r = spatial(a.output_padding, n, 0); r != reason::accepted) return r;
  const dtype type = x.type == dtype::unknown ? w.type : x.type;
  if (!x.ranked()) return dims(type);
  dims out = detail::open_dims(x.rank, type);
  if (x.rank == n + 2) out[0] = x[0];
  if (!w.ranked()) return out;
  if (detail::compare_extents(x[-n - 1], w[0]) == detail::tristate::no) return reason::channels_differ;
  if (a.groups.known && a.groups.value == 1) out[-n - 1] = w[1];
  else if (a.groups.known && w[1].known() && times(w[1].n, a.groups.value) < 0) return reason::size_out_of_range;
  else if (a.groups.known && w[1].known()) out[-n - 1] = extent{w[1].n * a.groups.value, {}, w[1].open};
  for (int i = 0; i < n; ++i) {
    const extent &e = x[i - n], &k = w[i - n];
    if (e.known() && e.n == 0) return reason::size_out_of_range;
    const attr<index_t> s = a.stride[i], p = a.padding[i], more = a.output_padding[i], d = a.dilation[i];
    if (k.known() && (k.n < 1 || k.n > most_of_window)) return reason::size_out_of_range;
    if (more.known && s.known && d.known && more.value >= s.value && more.value >= d.value)
      return reason::size_out_of_range;
    out[i - n] = {-1, {}, true};
    if (!k.known() || !s.known || !p.known || !more.known || !d.known) continue;
    const index_t around = d.value * (k.n - 1) + more.value - 2 * p.value;
    if (s.value == 1 && around == 0) {
      out[i - n] = e;
    } else if (e.known()) {
      if (times(e.n, s.value) < 0) return reason::size_out_of_range;
      const index_t m = (e.n - 1) * s.value + around + 1;
      if (m < 1) return reason::size_out_of_range;
      out[i - n] = {m, {}, e.open || e.named() || k.open};
    }
  }
  return out;
}

/// Checks that x, w and y can be the input, the weight and the result of one convolution. y may
/// have fewer positions than there are windows. Returns `accepted` or the reason for a refusal.
constexpr auto shapes_of_convolution(const dims& x, const dims& w, const dims& y, const detail::conv_attributes& a)
    -> reason {
  const dtype types[] = {x.type, w.type, y.type};
  for (const dtype t : types)
    if (t != dtype::unknown && !is_floating(t)) return reason::not_a_floating_type;
  for (const dtype t : types)
    for (const dtype u : types)
      if (t != dtype::unknown && u != dtype::unknown && t != u) return reason::dtypes_differ;
  if (w.ranked() && (w.rank < 3 || w.rank > detail::windows::capacity + 2)) return reason::no_rule_for_these_ranks;
  for (const dims* d : {&x, &y})
    if (w.ranked() && d->ranked() && d->rank != w.rank && d->rank + 1 != w.rank) return reason::no_rule_for_these_ranks;
  if (!w.ranked()) return reason::accepted;
  const int n = w.rank - 2;
  if (const reason r = convolvable(x, w, a, n); r != reason::accepted) return r;
  if (x.ranked() && a.groups.known && x[-n - 1].known() && w[1].known() && x[-n - 1].n != times(w[1].n, a.groups.value))
    return reason::channels_differ;
  if (!x.ranked() || !y.ranked()) return reason::accepted;
  if (x.rank != y.rank) return reason::no_rule_for_these_ranks;
  if (x.rank == w.rank && detail::compare_extents(x[0], y[0]) == detail::tristate::no)
    return reason::batch_dimensions_differ;
  if (detail::compare_extents(y[-n - 1], w[0]) == detail::tristate::no) return reason::channels_differ;
  for (int i = 0; i < n; ++i) {
    const extent &from = x[i - n], &k = w[i - n], &to = y[i - n];
    if (!from.known() || !k.known() || !to.known()) continue;
    if (k.n < 1 || k.n > most_of_window) return reason::size_out_of_range;
    if (to.n == 0) continue;
    if (a.padding.mode == choice::same) {
      if (to.n > from.n) return reason::size_out_of_range;
      continue;
    }
    const attr<index_t> s = a.stride[i], p = a.padding[i], d = a.dilation[i];
    if (s.known && times(to.n, s.value) < 0) return reason::size_out_of_range;
    if (s.known && p.known && d.known && (to.n - 1) * s.value + d.value * (k.n - 1) >= from.n + 2 * p.value)
      return reason::size_out_of_range;
  }
  return reason::accepted;
}

}  // namespace rules

namespace flows {

/// The result is per sample if the batch axis is dim 0 of the first operand. In that case each
/// chunk reads the other operands as a whole. If the batch axis is another dim of the first
/// operand, or a dim of another operand, all operands are gathered.
constexpr auto convolution(const value* operands, int n, int spatial, const dims& out) -> relations {
  relations f;
  for (int k = 1; k < n; ++k)
    if (operands[k].batch_relation.sampled()) return gather(operands, n, out);
  if (!operands[0].batch_relation.sampled()) return f;
  if (operands[0].batch_relation.axis != 0 || operands[0].dims.rank != spatial + 2) return gather(operands, n, out);
  f.out = operands[0].batch_relation;
  for (int k = 1; k < n; ++k) f.operand[k].kind = need::whole;
  return f;
}

}  // namespace flows

namespace detail {

/// The sizes of a convolution (samples, in, ...) -> (samples, out, ...), how the kernels split the
/// work, and how much memory the kernels need.
struct convolution {
  windows window;
  index_t samples = 1, groups = 1, in_channels = 0, out_channels = 0;
  dtype type = dtype::unknown;

  constexpr convolution(const dims& x, const dims& w, const dims& y, const conv_attributes& a)
      : groups(a.groups.value) {
    const int n = w.rank - 2;
    for (int i = 0, j = windows::capacity - n; i < n; ++i, ++j) {
      window.input_size[j] = x[i - n].n, window.output_size[j] = y[i - n].n, window.kernel[j] = w[i - n].n;
      window.stride[j] = a.stride[i].value, window.dilation[j] = a.dilation[i].value,
      window.padding[j] = a.padding[i].value;
      if (a.padding.mode == choice::same)
        window.padding[j] = window.dilation[j] * (window.kernel[j] - 1) / 2;  // an odd padding element goes to the end
    }
    if (x.rank == n + 2) samples = x[0].n;
    in_channels = x[-n - 1].n, out_channels = y[-n - 1].n, type = x.type;
  }
  /// Returns the number of rows of the im2col matrix of one group.
  constexpr auto rows() const -> index_t { return in_channels / groups * window.elements(); }
  /// Returns true if there is nothing to multiply.
  constexpr auto empty() const -> bool { return samples * out_channels * window.positions() * rows() == 0; }

  // The columns (im2col matrix) of a sample are computed in parts that stay in cache. A part has
  // some channels of a group, at the positions of one tile. If each window is one element, the
  // sample itself is the im2col matrix, and no parts are needed.

  /// The largest number of threads that work at the same time. Each thread uses a part of its
  /// own. The result does not depend on the number of threads.
  static constexpr index_t most_parts = 8;
  /// Returns the number of channels of a part, chosen so that the part has at most about 256 rows.
  constexpr auto channels() const -> index_t {
    const index_t all = in_channels / groups,
                  most = std::max<index_t>(1, 256 / std::max<index_t>(1, window.elements()));
    const index_t blocks = (all + most - 1) / most;
    return blocks > 0 ? (all + blocks - 1) / blocks : 1;
  }
  constexpr auto channel_blocks() const -> index_t { return (in_channels / groups + channels() - 1) / channels(); }
  /// Returns the tiles of positions, chosen so that a float32 part has about 128 KiB.
  constexpr auto tiles() const -> tiling {
    return {window, std::clamp<index_t>(32'768 / std::max<index_t>(1, channels() * window.elements()), 32, 512)};
  }
  /// Returns tiles with `times` times as many positions as the tiles of tiles().
  constexpr auto tiles(index_t times) const -> tiling { return {window, times * positions_of_tile()}; }
  constexpr auto positions_of_tile() const -> index_t { return tiles().lines_each * tiles().width_each; }
  /// `part_elements` returns the number of elements of a part. `part_of_y` returns the number of
  /// elements of a transposed tile of y (positions, channels).
  constexpr auto part_elements() const -> index_t {
    return window.trivial() ? 0 : channels() * window.elements() * positions_of_tile();
  }
  constexpr auto part_of_y() const -> index_t { return out_channels / groups * positions_of_tile(); }

  /// Returns the sizes of this convolution for the direct kernels, which use no columns and exist
  /// only for float32.
  constexpr auto direct() const -> direct_conv {
    return {window, samples, groups, in_channels / groups, out_channels / groups};
  }

  /// Returns the number of elements of the weight.
  constexpr auto weights() const -> index_t { return out_channels * rows(); }

  /// These functions return the number of threads that have work: `parts_of_y` if the tiles of y
  /// are distributed, `parts_of_x` if the channel blocks of x are distributed, and
  /// `parts_of_weight` if the channel blocks of the weight are distributed.
  constexpr auto parts_of_y() const -> index_t { return std::min(most_parts, samples * tiles().count()); }
  constexpr auto parts_of_x() const -> index_t { return std::min(most_parts, samples * groups * channel_blocks()); }
  constexpr auto parts_of_weight() const -> index_t { return std::min(most_parts, groups * channel_blocks()); }

  // The functions below return the number of elements of scratch memory. The scratch memory holds
  // the parts of all threads. If a kernel needs them, it also holds the transposed weight, the
  // packed weight, or sums of the weight's gradient. The number is the same on all machines,
  // whichever kernels are available.
  constexpr auto forward_scratch() const -> index_t {
    return std::max(parts_of_y() * part_elements(), scratch_of(direct()));
  }
  constexpr auto transposed_scratch() const -> index_t {
    return std::max(parts_of_x() * part_elements() + weights(), scratch_of(direct().transposed()));
  }
  constexpr auto scratch_of(const direct_conv& s) const -> index_t {
    return accumulator_of(type) == dtype::float32 ? s.scratch(most_parts) : 0;
  }
  constexpr auto weight_scratch() const -> index_t {
    return parts_of_weight() * (part_elements() + part_of_y()) + 2 * weights();
  }
  /// The gradient of the weight is summed over this many tiles before the sum is added to the
  /// total. A single float32 sum of very many numbers would lose too much precision.
  static constexpr index_t tiles_per_sum = 32;

  constexpr auto flops() const -> double {
    return 2.0 * static_cast<double>(samples * out_channels) * static_cast<double>(rows() * window.positions());
  }
  constexpr auto cost(index_t bytes, index_t scratch) const -> op_cost {
    return {flops(), static_cast<double>(bytes), empty() ? 0 : scratch * bytes_of(accumulator_of(type)) + widened(),
            true};
  }
  /// Returns the bytes of the float32 copies of x, w and y if the dtype has 16 bits, else 0. A
  /// convolution of a 16-bit dtype is computed from these copies.
  constexpr auto widened() const -> index_t {
    if (accumulator_of(type) == type) return 0;
    return (samples * in_channels * window.inputs() + weights() + samples * out_channels * window.positions()) *
           bytes_of(accumulator_of(type));
  }
  constexpr auto cost_of_forward(index_t bytes) const -> op_cost { return cost(bytes, forward_scratch()); }
  constexpr auto cost_of_transposed(index_t bytes) const -> op_cost { return cost(bytes, transposed_scratch()); }
  constexpr auto cost_of_weight(index_t bytes) const -> op_cost { return cost(bytes, weight_scratch()); }
};

// The kernels. The bias `b` may be null. If `add` is true, the gradient of the weight is added to
// w.
void convolve(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor* b, const conv_attributes& a);
void convolve_transposed(at::Tensor& x, const at::Tensor& y, const at::Tensor& w, const at::Tensor* b,
                         const conv_attributes& a);
void convolve_weight(at::Tensor& w, const at::Tensor& y, const at::Tensor& x, const conv_attributes& a, bool add);

/// Calls the op conv_like, conv_input or conv_weight with the attributes of a convolution.
template <class Op>
constexpr auto call_like(const conv_attributes& a, const traced_value& p, const traced_value& q,
                         const traced_value& like) -> traced_value {
  return call<Op>(p, q, like, koila::stride = a.stride, koila::padding = a.padding, koila::dilation = a.dilation,
                  koila::groups = a.groups);
}

/// Returns the gradient of a bias (out), which is the sum of dy (samples, out, ...) over samples
/// and positions.
constexpr auto bias_gradient(const auto& dy, const auto& b, int spatial) {
  dims along({dims_of(b)[0]}, dims_of(b).type);
  for (int i = 0; i < spatial; ++i) along.e[along.rank++] = extent{1};
  return reshape_like(internal::sum_to(dy, reshape_to(b, along)), b);
}

}  // namespace detail
}  // namespace koila::inline v0
