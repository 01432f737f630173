// SPDX-License-Identifier: MIT
#pragma once
// Element-wise functions that libm computes, one element at a time. LibTorch's operators use one
// function for whole vectors and another function for the elements left at the end of a row. With
// these operators, the bits of an element would depend on the number of elements, and so on the
// chunk size.
#include <koila/ops/common/floating.ipp>
#include <koila/ops/common/power_operators.ipp>
#include <koila/torch/tensor.hpp>

#include <ATen/TensorIterator.h>

#include <cmath>
#include <concepts>
#include <utility>

namespace koila::inline v0::detail {

/// Returns true if y is floating-point and each operand has y's dtype or is a C++ number.
template <std::same_as<at::Tensor>... X>
auto is_for_libm(const at::Tensor& y, const X&... x) -> bool {
  const auto fits = [&](const at::Tensor& t) { return t.scalar_type() == y.scalar_type() || is_wrapped_number(t); };
  return y.is_floating_point() && (fits(x) && ...);
}

/// Computes y = f(x...) element by element, with broadcasting. 16-bit elements are computed in
/// float32. C++ numbers are first rounded to y's dtype. Returns false, and computes nothing, if
/// is_for_libm is false.
template <class F, std::same_as<at::Tensor>... X>
auto each_by_libm(const at::Tensor& y, const F& f, const X&... x) -> bool {
  if (!is_for_libm(y, x...)) return false;
  double numbers[sizeof...(X)] = {};
  std::size_t places[sizeof...(X)] = {};  // an operand's position among the tensors; 0 for a C++ number
  std::size_t n = 0, tensors = 1;
  at::TensorIteratorConfig config;
  config.add_output(y);
  const auto add_operand = [&](const at::Tensor& t) {
    if (t.scalar_type() == y.scalar_type()) {
      places[n] = tensors++;
      config.add_const_input(t);
    } else numbers[n] = t.item().toDouble();
    ++n;
  };
  (add_operand(x), ...);
  at::TensorIterator all = config.build();
  with_floating_type(y, [&](auto type) {
    using T = decltype(type);
    using wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
    // A 2-d loop, because g++ 12 warns about LibTorch's code for a 1-d loop.
    all.for_each([&](char** pointers, const std::int64_t* step, std::int64_t columns, std::int64_t rows) {
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t i = 0; i < columns; ++i) {
          const auto element = [&](std::size_t k) { return pointers[k] + i * step[k] + r * step[tensors + k]; };
          const auto operand = [&](std::size_t k) {
            return places[k] == 0 ? static_cast<wide>(static_cast<T>(static_cast<wide>(numbers[k])))
                                  : static_cast<wide>(*reinterpret_cast<const T*>(element(places[k])));
          };
          *reinterpret_cast<T*>(element(0)) = static_cast<T>([&]<std::size_t... I>(std::index_sequence<I...>) {
            return f(operand(I)...);
          }(std::make_index_sequence<sizeof...(X)>()));
        }
    });
  });
  return true;
}

/// Like each_by_libm, but only for float64; returns false for other dtypes. In programs, koila's
/// element-wise kernels compute these ops for float32 and 16-bit dtypes.
template <class F, std::same_as<at::Tensor>... X>
auto each_double_by_libm(const at::Tensor& y, const F& f, const X&... x) -> bool {
  return y.scalar_type() == at::kDouble && each_by_libm(y, f, x...);
}

/// Computes y = x^e, where e is a C++ number. For some exponents LibTorch computes products,
/// quotients or roots, whose bits do not depend on an element's position. For these exponents
/// LibTorch's operator is called, except in 16-bit dtypes.
inline void power_into(at::Tensor& y, const at::Tensor& x, const at::Scalar& e) {
  const double v = e.toDouble();
  const bool plain =
      (v == 0 || v == 0.5 || v == 1 || v == 2 || v == 3 || v == -0.5 || v == -1 || v == -2) && y.element_size() > 2;
  if (plain || !each_by_libm(y, [v](auto a) { return std::pow(a, static_cast<decltype(a)>(v)); }, x))
    power_by_operator(y, x, e);
}
inline void power_into(at::Tensor& y, const at::Tensor& x, const at::Tensor& e) {
  if (!each_by_libm(y, [](auto a, auto b) { return std::pow(a, b); }, x, e)) power_by_operator(y, x, e);
}

}  // namespace koila::inline v0::detail
