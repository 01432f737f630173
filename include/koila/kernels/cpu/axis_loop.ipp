// SPDX-License-Identifier: MIT
#pragma once
// Shared by kernels that process each line along a dim separately. All tensors are contiguous.
#include <koila/kernels/cpu/indexing.ipp>
#include <koila/ops/common/axis_operators.ipp>
#include <koila/ops/common/floating.ipp>
#include <koila/ops/reduction/reduction.hpp>

namespace koila::inline v0::detail {

/// Calls f(first element, stride) for each line of x along a dim. A line has x.size(dim) elements,
/// which lie `stride` apart.
template <class F>
void for_each_line(const at::Tensor& x, std::int64_t dim, F f) {
  if (x.dim() == 0) return f(std::int64_t{0}, std::int64_t{1});
  const auto d = static_cast<std::size_t>(dim < 0 ? dim + x.dim() : dim);
  const auto inner = c10::multiply_integers(x.sizes().slice(d + 1)), n = x.sizes()[d];
  const auto outer = c10::multiply_integers(x.sizes().slice(0, d));
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) f(o * n * inner + i, inner);
}
inline auto line_length(const at::Tensor& x, std::int64_t dim) -> std::int64_t {
  return x.dim() == 0 ? 1 : x.size(dim);
}

/// A dual number: a value and its derivative in one direction.
struct dual {
  double v = 0, slope = 0;
  friend auto operator*(const dual& a, const dual& b) -> dual { return {a.v * b.v, a.v * b.slope + a.slope * b.v}; }
  friend auto operator+(const dual& a, const dual& b) -> dual { return {a.v + b.v, a.slope + b.slope}; }
};

/// Computes the gradient of the cumulative product of a line x(0), ..., x(n - 1). Calls put(i, g)
/// for each i. g is the sum over j >= i of dy(j) * p(i, j), where p(i, j) is the product of x(0),
/// ..., x(j) without x(i). Elements of x may be 0, because the function does not divide by them.
/// `before` must have room for n values.
template <class T, class X, class DY, class Put>
void pull_back_products(std::int64_t n, X x, DY dy, T* before, Put put) {
  T product{1};
  for (std::int64_t i = 0; i < n; ++i) {
    before[i] = product;
    product = product * x(i);
  }
  T after{};
  for (std::int64_t i = n - 1; i >= 0; --i) {
    after = i == n - 1 ? dy(i) : dy(i) + x(i + 1) * after;
    put(i, before[i] * after);
  }
}

/// Calls f(line length, x, v, dy, put) for each line. x(i), v(i) and dy(i) return element i of the
/// line as double. put(i, number) writes element i of the line of y. The tensors `v` and `dy` may
/// be undefined.
template <class F>
void for_each_line_of_numbers(at::Tensor& y, const at::Tensor& x, const at::Tensor& v, const at::Tensor& dy,
                              const along_attributes& a, F f) {
  const at::Tensor lines = with_lines(x, a);
  const std::int64_t dim = line_dim(a), n = line_length(lines, dim);
  with_floating_type(x.scalar_type(), [&](auto zero) {
    using T = decltype(zero);
    T* const to = y.mutable_data_ptr<T>();
    const auto elements = [](const at::Tensor& t) { return t.defined() ? data<T>(t) : nullptr; };
    const T *const px = elements(x), *const pv = elements(v), *const pdy = elements(dy);
    for_each_line(lines, dim, [&](std::int64_t first, std::int64_t step) {
      const auto reader = [=](const T* p) {
        return [=](std::int64_t i) { return static_cast<double>(p[first + i * step]); };
      };
      f(n, reader(px), reader(pv), reader(pdy),
        [=](std::int64_t i, double value) { to[first + i * step] = rounded<T>(value); });
    });
  });
}

}  // namespace koila::inline v0::detail
