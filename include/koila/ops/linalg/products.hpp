// SPDX-License-Identifier: MIT
#pragma once
// Shared by addmm and baddbmm: beta * input + alpha * product.
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/mul.hpp>

namespace koila::inline v0 {

namespace detail {

/// The factors of addmm(input, a, b, beta = 0.5, alpha = 2) and similar ops.
struct blend_attributes {
  attr<double> beta = 1.0, alpha = 1.0;
  friend constexpr auto operator==(const blend_attributes&, const blend_attributes&) -> bool = default;
};

}  // namespace detail

namespace rules {

/// The rule of beta * input + alpha * product. `input` must broadcast to the product's shape and
/// have its dtype. If the dtype is integral, beta and alpha must be whole numbers.
constexpr auto blend(const dims& input, const verdict& product, const detail::blend_attributes& a) -> verdict {
  if (!product.accepted()) return product;
  const dims& p = product.out;
  if (input.type != dtype::unknown && p.type != dtype::unknown && input.type != p.type) return reason::dtypes_differ;
  const auto whole = [](const attr<double>& f) {
    return !f.known ||
           (f.value >= -9e15 && f.value <= 9e15 && f.value == static_cast<double>(static_cast<index_t>(f.value)));
  };
  if (is_integral(p.type) && !(whole(a.beta) && whole(a.alpha))) return reason::not_integers;
  const dtype type = p.type == dtype::unknown ? input.type : p.type;
  if (!holds(type, a.beta) || !holds(type, a.alpha)) return reason::number_out_of_range;
  if (!input.ranked()) return p.with(type);
  if (!broadcasts_to(input, p)) return reason::not_broadcastable;
  return p.with(type);
}

}  // namespace rules

namespace detail {

/// Returns the product of a value and a factor. The factor is converted to an integer if the
/// value's dtype is integral.
template <class X>
constexpr auto scaled(const X& x, double factor, dtype type) {
  if (factor == 1) return x;
  return is_integral(type) ? mul(x, static_cast<index_t>(factor)) : mul(x, factor);
}

/// Returns beta * input + alpha * product. If beta is 0, the values of the input are ignored, even
/// NaN, as in LibTorch.
template <class X>
constexpr auto blend(const X& input, const X& product, const blend_attributes& a) {
  const dtype type = dims_of(input).type;
  const X p = scaled(product, a.alpha.value, type);
  return a.beta.value == 0 ? p : add(scaled(input, a.beta.value, type), p);
}

}  // namespace detail

}  // namespace koila::inline v0
