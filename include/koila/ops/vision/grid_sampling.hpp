// SPDX-License-Identifier: MIT
#pragma once
// Shared by grid_sample and the ops that it expands to: attributes, rule, flow and cost.
#include <koila/ops/vision/interpolation.hpp>

#include <initializer_list>

namespace koila::inline v0 {

namespace detail {

/// The attributes of grid_sample, in LibTorch's order.
struct grid_sample_attributes {
  static constexpr std::size_t positional = 3;
  attr<choice> mode = choice::bilinear, padding_mode = choice::zeros;
  attr<bool> align_corners = false;
  constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, mode, padding_mode, align_corners); }
  friend constexpr auto operator==(const grid_sample_attributes&, const grid_sample_attributes&) -> bool = default;
};

/// What an operand or a result of the sampling is: images (samples, channels, in...), a grid
/// (samples, out..., coordinates), or sampled images (samples, channels, out...).
enum class sampling_role { image, grid, sampled };

/// Names the dims that several of these values have: 0 for the samples, 1 for the channels, 2 + k
/// for dim k of `out`. The dims `in` and the coordinates have no name (-1).
constexpr auto sampling_label(sampling_role role, int axis, int rank) -> int {
  if (axis == 0) return 0;
  switch (role) {
    case sampling_role::image: return axis == 1 ? 1 : -1;
    case sampling_role::grid: return axis < rank - 1 ? axis + 1 : -1;
    default: return axis;
  }
}

/// An operand with its role.
struct sampling_operand {
  sampling_role role;
  const value& v;
};

}  // namespace detail

namespace rules {

/// (samples, channels, in...) x (samples, out..., n) -> (samples, channels, out...), where n is 2
/// or 3, the number of dims `in` and of dims `out`.
constexpr auto grid_sampled(const dims& x, const dims& grid, const detail::grid_sample_attributes& a) -> verdict {
  if (!may_float(x.type) || !may_float(grid.type)) return reason::not_a_floating_type;
  if (!same_type(x, grid)) return reason::dtypes_differ;
  const choice m = a.mode.value, p = a.padding_mode.value;
  if ((m != choice::bilinear && m != choice::nearest && m != choice::bicubic) ||
      (p != choice::zeros && p != choice::border && p != choice::reflection))
    return reason::not_an_expected_choice;
  for (const dims* d : {&x, &grid})
    if (d->ranked() && d->rank != 4 && (d->rank != 5 || m == choice::bicubic)) return reason::no_rule_for_these_ranks;
  if (x.ranked() && grid.ranked() && x.rank != grid.rank) return reason::no_rule_for_these_ranks;
  const dtype type = x.type == dtype::unknown ? grid.type : x.type;
  if (!x.ranked() && !grid.ranked()) return dims(type);
  dims out = detail::open_dims(x.ranked() ? x.rank : grid.rank, type);
  if (x.ranked()) {
    for (int i = 2; i < x.rank; ++i)
      if (x[i].known() && x[i].n == 0) return reason::size_out_of_range;
    out.e[0] = x[0];
    out.e[1] = x[1];
  }
  if (grid.ranked()) {
    if (detail::compare_extents(grid[-1], extent{grid.rank - 2}) == detail::tristate::no) return reason::shapes_differ;
    out.e[0] = grid[0];
    for (int i = 2; i < out.rank; ++i) out.e[i] = grid[i - 1];
  }
  if (x.ranked() && grid.ranked()) {
    if (detail::compare_extents(x[0], grid[0]) == detail::tristate::no) return reason::batch_dimensions_differ;
    out.e[0] = detail::either(x[0], grid[0]);
  }
  return out;
}

/// The same, for kernels of LibTorch, which compute in float32 and float64.
constexpr auto grid_sampled_in_float(const dims& x, const dims& grid, const detail::grid_sample_attributes& a)
    -> verdict {
  const verdict v = grid_sampled(x, grid, a);
  const bool narrow = is_floating(v.out.type) && detail::accumulator_of(v.out.type) != v.out.type;
  return v.accepted() && narrow ? verdict(reason::no_rule_for_these_dtypes) : v;
}

/// The rule of the gradients of sampling: dy must have the dims of the sampled images. The result
/// has the dims of `to`, which is x or the grid.
constexpr auto grid_sampled_back(const dims& dy, const dims& x, const dims& grid, const dims& to,
                                 const detail::grid_sample_attributes& a) -> verdict {
  const verdict v = grid_sampled_in_float(x, grid, a);
  if (!v.accepted()) return v;
  if (same_shape(v.out, dy) == detail::tristate::no) return reason::shapes_differ;
  if (!same_type(v.out, dy)) return reason::dtypes_differ;
  return to.with(to.type == dtype::unknown ? v.out.type : to.type);
}

}  // namespace rules

namespace flows {

/// The flow of sampling and of its gradients. The samples of the batch may lie along any dim that
/// has a label. If the result lacks this dim, the result is a sum over the dim.
constexpr auto grid_sampled(std::initializer_list<detail::sampling_operand> operands, detail::sampling_role made,
                            const dims& out) -> relations {
  relations f;
  bool sampled = false;
  int label = -1;
  const batch_relation* along = nullptr;
  for (const auto& [role, v] : operands) {
    if (!v.batch_relation.sampled()) continue;
    sampled = true;
    label = detail::sampling_label(role, v.batch_relation.axis, v.dims.rank);
    along = &v.batch_relation;
    if (label >= 0) break;
  }
  if (!sampled) return f;
  const auto need_of = [&](detail::sampling_role role, int rank) -> need {
    for (int axis = 0; axis < rank && label >= 0; ++axis)
      if (detail::sampling_label(role, axis, rank) == label)
        return {need::rows, samples_along(axis, along->outer, along->inner)};
    return {need::whole};
  };
  int k = 0;
  for (const auto& [role, v] : operands) f.operand[k++] = need_of(role, v.dims.rank);
  if (label >= 0) {
    const need result = need_of(made, out.rank);
    f.out = result.kind == need::rows ? result.along : partial(monoid::sum);
  } else if (const int axis = out.find(axis_name<struct batch>); axis >= 0) {  // computed whole and then sliced
    f.resliced = true;
    f.again = samples_along(axis);
  }
  return f;
}

}  // namespace flows

namespace detail {

/// The base of the ops that grid_sample expands to.
template <class Op, int Operands>
struct grid_sampling : op<Op, Operands> {
  using attributes = grid_sample_attributes;
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  /// The cost of a kernel of LibTorch. No kernel is called if there are no sampled values.
  static constexpr auto cost_of(const dims& x, const dims& grid, const dims& sampled, index_t workspace) -> op_cost {
    return {10.0 * static_cast<double>(sampled.count()),
            static_cast<double>(x.bytes() + grid.bytes() + sampled.bytes()), sampled.count() == 0 ? 0 : workspace};
  }
};

}  // namespace detail

}  // namespace koila::inline v0
