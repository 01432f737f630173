// SPDX-License-Identifier: MIT
#pragma once
// Shared by the losses of class indices: class weights, ignored labels, and the weighted mean.
#include <koila/ops/internal/count_labels.hpp>
#include <koila/ops/internal/label_weights.hpp>
#include <koila/ops/internal/nll.hpp>
#include <koila/ops/internal/to_dtype.hpp>
#include <koila/ops/loss/loss.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0::detail {

/// Labels equal to `ignore_index` do not count. `reduction` is kMean, kSum or kNone.
struct class_loss_attributes {
  attr<index_t> ignore_index = -100;
  attr<choice> reduction = choice::mean;
  friend constexpr auto operator==(const class_loss_attributes&, const class_loss_attributes&) -> bool = default;
};

/// Returns a null weight, which means that all classes count alike.
template <class S>
constexpr auto no_weight(const S&) -> const S* {
  return nullptr;
}

/// The loss of each label times the weight of its class. `weight` may be null.
template <class S>
constexpr auto weighted_labels(const S& each, const S& label, const S* weight, const auto& a) -> S {
  return weight == nullptr ? each
                           : mul(each, internal::label_weights(label, *weight, koila::ignore_index = a.ignore_index));
}
/// -x[label] times the weight of the label's class. `weight` may be null.
template <class S>
constexpr auto weighted_nll(const S& x, const S& label, const S* weight, const auto& a) -> S {
  return weighted_labels(internal::nll(x, label, koila::ignore_index = a.ignore_index), label, weight, a);
}

/// Reduces the losses of the labels. The mean divides by the sum of the weights of all labels that
/// count, over the whole batch. This sum is computed before the losses, so that the mean does not
/// depend on how the batch is split.
template <class S>
constexpr auto reduce_labelled(const S& each, const S& x, const S& label, const S* weight, const auto& a) -> S {
  if (a.reduction.value == choice::none) return each;
  if (a.reduction.value == choice::sum) return sum(each);
  const dtype t = dims_of(x).type, wide = accumulator_of(t);  // 16-bit sums and counts overflow or lose terms
  const auto to = [](dtype type, const S& v) -> S { return call_with<struct internal::to_dtype>({type}, v); };
  return to(
      t, ops::div(sum(to(wide, each)),
                  weight == nullptr
                      ? internal::count_labels(label, to(wide, x), koila::ignore_index = a.ignore_index)
                      : sum(to(wide, internal::label_weights(label, *weight, koila::ignore_index = a.ignore_index)))));
}

}  // namespace koila::inline v0::detail
