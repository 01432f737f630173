// SPDX-License-Identifier: MIT
#pragma once
// Shared by the losses: the reduction of element-wise losses, and shape rules.
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/internal/to_dtype.hpp>
#include <koila/ops/pointwise/sub.hpp>
#include <koila/ops/reduction/mean.hpp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0 {

namespace detail {

/// `reduction` is kMean (over the whole batch, however the batch is split), kSum or kNone.
struct loss_attributes {
  attr<choice> reduction = choice::mean;
  friend constexpr auto operator==(const loss_attributes&, const loss_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// The rule of the reduction of element-wise losses. The result has the dims () or, with kNone,
/// the dims of `values`.
constexpr auto reduced(const verdict& values, const attr<choice>& reduction) -> verdict {
  if (!values.accepted()) return values;
  if (values.out.type != dtype::unknown && !is_floating(values.out.type)) return reason::not_a_floating_type;
  if (!reduction.known) return dims(values.out.type);
  if (reduction.value == choice::none) return values;
  if (reduction.value != choice::mean && reduction.value != choice::sum) return reason::not_an_expected_choice;
  return scalar(values.out.type);
}

/// The rule of two operands that must have the same dims. The operands do not broadcast, because a
/// target that broadcasts is usually a mistake.
constexpr auto equal_dims(const dims& x, const dims& y) -> verdict {
  if (same_shape(x, y) == detail::tristate::no) return reason::shapes_differ;
  return merged(x, y).with(result_type(x, y));
}

/// The rule of the product of element-wise losses and weights. The weights must broadcast to the
/// losses.
constexpr auto weighted(const verdict& values, const dims& weight) -> verdict {
  if (!values.accepted()) return values;
  if (!weight.number && !same_type(values.out, weight)) return reason::dtypes_differ;
  const verdict v = broadcast(values.out, weight, values.out.type);
  if (!v.accepted() || same_shape(v.out, values.out) == detail::tristate::no) return reason::not_broadcastable;
  return v;
}

}  // namespace rules

namespace detail {

/// Returns x. If x is a number and `other` is a floating-point value, x is first expanded to the
/// shape and the dtype of `other`. The loss has this dtype, whereas functions of a number would be
/// computed in float32.
constexpr auto as_dtype_of(const auto& x, const auto& other) {
  const bool is_repeated = dims_of(x).number && !dims_of(other).number && is_floating(dims_of(other).type);
  return is_repeated ? call<struct expand_like>(x, other) : x;
}

/// Returns x - y, where booleans count as 0 and 1, as in LibTorch's losses. (`sub` refuses
/// booleans.)
constexpr auto difference(const auto& x, const auto& y) {
  const dtype type = result_type(dims_of(x), dims_of(y));
  const auto numeric = [&](const auto& v) {
    return dims_of(v).type == dtype::boolean ? call_with<struct internal::to_dtype>({type}, v) : v;
  };
  return sub(numeric(x), numeric(y));
}

/// Reduces element-wise losses. `values` must be a traced value, so that all branches have one
/// type.
constexpr auto reduce(const auto& values, const attr<choice>& reduction) {
  if (reduction.value == choice::none) return values;
  return reduction.value == choice::sum ? sum(values) : mean(values);
}

/// A loss of two operands of one shape: (...) x (...) -> (). `Op::each` must return the
/// element-wise losses.
template <class Op, class Attributes = loss_attributes>
struct loss_of_alike : op<Op, 2> {
  using attributes = Attributes;
  static constexpr auto rule(const dims& x, const dims& y, const attributes& a) -> verdict {
    return rules::reduced(rules::equal_dims(x, y), a.reduction);
  }
  static constexpr auto expand(const auto& x, const auto& y, const attributes& a) {
    return detail::reduce(Op::each(x, y, a), a.reduction);
  }
};

/// A loss of two operands that broadcast: (...) x (...) -> (). `Op::each` must return the
/// element-wise losses.
template <class Op, class Attributes = loss_attributes>
struct loss_of_broadcast : loss_of_alike<Op, Attributes> {
  static constexpr auto rule(const dims& x, const dims& y, const Attributes& a) -> verdict {
    return rules::reduced(rules::broadcast(x, y), a.reduction);
  }
};

}  // namespace detail

}  // namespace koila::inline v0
