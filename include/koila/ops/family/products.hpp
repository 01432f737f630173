#pragma once
// What products added to something share: beta input + alpha product.
#include <koila/ops/add.hpp>
#include <koila/ops/mul.hpp>

namespace koila {

/// addmm(input, a, b, beta = 0.5, alpha = 2).
struct blend_attributes {
  attr<double> beta = 1.0, alpha = 1.0;
  friend constexpr auto operator==(const blend_attributes&, const blend_attributes&) -> bool = default;
};

namespace rules {

/// `input` must broadcast to the product's shape and have its dtype; integers have whole factors.
constexpr auto blend(const dims& input, const verdict& product, const blend_attributes& a) -> verdict {
  if (!product.accepted()) return product;
  const dims& p = product.out;
  if (input.type != dtype::unknown && p.type != dtype::unknown && input.type != p.type) return why::dtypes_differ;
  const auto whole = [](const attr<double>& f) {
    return !f.known ||
           (f.value >= -9e15 && f.value <= 9e15 && f.value == static_cast<double>(static_cast<index_t>(f.value)));
  };
  if (is_integral(p.type) && !(whole(a.beta) && whole(a.alpha))) return why::not_integers;
  const dtype type = p.type == dtype::unknown ? input.type : p.type;
  if (!holds(type, a.beta) || !holds(type, a.alpha)) return why::number_out_of_range;
  if (!input.ranked()) return p.with(type);
  if (!broadcasts_to(input, p)) return why::not_broadcastable;
  return p.with(type);
}

}  // namespace rules

namespace detail {

/// A value times a factor of its own dtype.
template <class X>
constexpr auto scaled(const X& x, double factor, dtype type) {
  if (factor == 1) return x;
  return is_integral(type) ? mul(x, static_cast<index_t>(factor)) : mul(x, factor);
}

/// beta input + alpha product. As LibTorch, a beta of 0 leaves the input's values out, whatever
/// they are.
template <class X>
constexpr auto blend(const X& input, const X& product, const blend_attributes& a) {
  const dtype type = dims_of(input).type;
  const X p = scaled(product, a.alpha.value, type);
  return a.beta.value == 0 ? p : add(scaled(input, a.beta.value, type), p);
}

}  // namespace detail

}  // namespace koila
