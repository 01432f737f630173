// SPDX-License-Identifier: MIT
#pragma once
// Gradient clipping, as in torch::nn::utils::clip_grad_norm_ and clip_grad_value_. Each clip is an
// optimiser that wraps another optimiser.
#include <koila/optim/update.hpp>

#include <span>
#include <string>

namespace koila::inline v0 {

namespace detail {

template <class From, class To>
using same_const = std::conditional_t<std::is_const_v<From>, const To, To>;
/// Calls the wrapped optimiser's `before`, if it has this member.
template <class O>
void before_inside(const O& o, std::span<const at::Tensor> gradients) {
  if constexpr (requires { o.before(gradients); }) o.before(gradients);
}
/// Calls `settings` of the wrapped optimiser O, if it has this member.
template <class O, class F, class... Os>
constexpr void settings_inside(const F& f, Os&... os) {
  if constexpr ((requires { O::settings(f, static_cast<same_const<Os, O>&>(os)); } && ...))
    O::settings(f, static_cast<same_const<Os, O>&>(os)...);
}
/// Returns the name of a wrapped clip's setting in checkpoint files: "max_norm.1" for the
/// innermost clip, "max_norm.2" for the clip around it. `inside` is the number of clips of the
/// same kind that `Clip` wraps.
template <class Clip>
auto hidden_name(const char* name, int inside) -> const char* {
  static const std::string full = std::string(name) + "." + std::to_string(inside);
  return full.c_str();
}
/// Scales all gradients so that their joint 2-norm is at most max_norm. Returns the joint norm
/// before the scaling.
auto clip_norm(std::span<const at::Tensor> gradients, double max_norm) -> double;
/// Limits every element of the gradients to [-limit, limit].
void clip_value(std::span<const at::Tensor> gradients, double limit);

}  // namespace detail

/// Limits the joint 2-norm of the gradients of all parameters to max_norm, before the wrapped
/// optimiser sees them: `step(loss, clip_grad_norm(adam{.lr = 1e-3}, 1.0))`. The wrapped
/// optimiser may be a clip, too. The settings of the wrapped optimiser are members of this
/// optimiser: `train.optimizer.lr`.
template <class O>
struct clip_grad_norm : O {
  double max_norm;
  detail::followed<clip_grad_norm> link = {};
  clip_grad_norm(O o, double most) : O(std::move(o)), max_norm(most) {}
  /// The number of wrapped optimisers that have a `max_norm`, too.
  static constexpr int norms_inside = [] {
    if constexpr (requires { O::norms_inside; }) return O::norms_inside + 1;
    else return requires(O& o) { o.max_norm; } ? 1 : 0;
  }();
  /// Calls f(name, setting...) for each setting that detail::each_setting does not know.
  template <class F, class... Os>
  static constexpr void settings(const F& f, Os&... os) {
    detail::settings_inside<O>(f, os...);
    if constexpr (norms_inside > 0)
      f(detail::hidden_name<clip_grad_norm>("max_norm", norms_inside),
        static_cast<detail::same_const<Os, O>&>(os).max_norm...);
  }
  void before(std::span<const at::Tensor> gradients) const {
    detail::clip_norm(gradients, max_norm);
    detail::before_inside(static_cast<const O&>(*this), gradients);
  }
  void check_settings() const {
    detail::check_settings(static_cast<const O&>(*this));
    if (!(max_norm > 0)) detail::refuse_setting("clip_grad_norm", "the largest norm", max_norm, "above 0");
  }
};

/// Limits every element of the gradients to [-clip_value, clip_value]:
/// `step(loss, clip_grad_value(sgd{.lr = 0.1}, 0.5))`.
template <class O>
struct clip_grad_value : O {
  double clip_value;
  detail::followed<clip_grad_value> link = {};
  clip_grad_value(O o, double most) : O(std::move(o)), clip_value(most) {}
  /// The number of wrapped optimisers that have a `clip_value`, too.
  static constexpr int values_inside = [] {
    if constexpr (requires { O::values_inside; }) return O::values_inside + 1;
    else return requires(O& o) { o.clip_value; } ? 1 : 0;
  }();
  /// Calls f(name, setting...) for each setting that detail::each_setting does not know.
  template <class F, class... Os>
  static constexpr void settings(const F& f, Os&... os) {
    detail::settings_inside<O>(f, os...);
    if constexpr (values_inside > 0)
      f(detail::hidden_name<clip_grad_value>("clip_value", values_inside),
        static_cast<detail::same_const<Os, O>&>(os).clip_value...);
  }
  void before(std::span<const at::Tensor> gradients) const {
    detail::clip_value(gradients, clip_value);
    detail::before_inside(static_cast<const O&>(*this), gradients);
  }
  void check_settings() const {
    detail::check_settings(static_cast<const O&>(*this));
    if (!(clip_value > 0)) detail::refuse_setting("clip_grad_value", "the largest value", clip_value, "above 0");
  }
};

}  // namespace koila::inline v0
