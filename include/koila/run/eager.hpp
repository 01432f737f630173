// SPDX-License-Identifier: MIT
#pragma once
// Ops on plain tensors. They run immediately, with the same shape rule and the same kernel as in an
// expression.
#include <koila/run/run.hpp>

namespace koila::inline v0::detail {

/// Runs the op on `n` operands and returns its result, whose dims are `result`.
auto run_eagerly(const op_info& op, const at::Tensor* const* operands, const dims& result, int n,
                 const object* attributes) -> at::Tensor;
/// Returns a number as a 0-dim tensor that dtype promotion treats as a C++ number.
auto wrapped(double v, const dims& d) -> at::Tensor;
/// Throws shape_error if `t` is a leaf of autograd that requires a gradient. An op on plain tensors
/// records no graph, so the gradient would be lost without notice.
void refuse_autograd(std::string_view op, const at::Tensor& t);
/// Returns `y`, the result of an op that ran immediately on plain tensors. If an operand requires a
/// gradient, as a parameter does, the result requires a gradient, too, although no graph was
/// recorded. If LibTorch's backward or the gradient of an expression reaches the result, an
/// exception is thrown.
auto computed_at_once(std::string_view op, const at::Tensor* const* operands, int n, const at::Tensor& y) -> at::Tensor;

template <class Op>
struct eager {
  template <class... Ts>
  static auto call(const Ts&... ts) -> at::Tensor {
    using S = detail::split_arguments<Op, 0, detail::type_list<>, Ts...>;
    return split(std::make_index_sequence<detail::length<typename S::operands>::value>{},
                 std::make_index_sequence<detail::length<typename S::attributes>::value>{},
                 std::tuple<const Ts&...>(ts...));
  }

 private:
  template <std::size_t... X, std::size_t... A, class... Ts>
  static auto split(std::index_sequence<X...>, std::index_sequence<A...>, const std::tuple<const Ts&...>& ts)
      -> at::Tensor {
    static constexpr const op_info& op = info_of<Op, sizeof...(X)>();
    const auto at = detail::box_attributes<Op>(attributes_from<Op>(std::get<sizeof...(X) + A>(ts)...));
    const at::Tensor tensors[] = {as_tensor(std::get<X>(ts))...};
    if constexpr (requires(at::Tensor& y) { Op::at_once(y, tensors[X]..., detail::attributes_in<Op>(at.get())); }) {
      at::Tensor y;
      Op::at_once(y, tensors[X]..., detail::attributes_in<Op>(at.get()));
      return y;
    }
    const at::Tensor* in[] = {&tensors[X]...};
    const dims d[] = {dims_of_operand(std::get<X>(ts), tensors[X])...};
    const verdict v = op.rule(d, at.get());
    if (!v.accepted()) op.refuse(v.reason, d, at.get());
    constexpr int n = static_cast<int>(sizeof...(X));
    const bool differentiable = (op.gradient != nullptr || op.expand != nullptr) && !op.stops_gradient;
    if (differentiable) (refuse_leaf(std::get<X>(ts)), ...);
    if (op.is_computed())
      return detail::computed_at_once(Op::name, in, differentiable ? n : 0,
                                      detail::run_eagerly(op, in, v.out, n, at.get()));
    const at::Tensor y = run(node<Op, shape<unranked>, decltype(as_leaf(std::get<X>(ts), tensors[X]))...>(
        attributes_from<Op>(std::get<sizeof...(X) + A>(ts)...), as_leaf(std::get<X>(ts), tensors[X])...));
    return detail::computed_at_once(Op::name, in, n, y);
  }

  template <class T>
  static void refuse_leaf(const T& tensor) {
    if constexpr (PlainTensor<T>) detail::refuse_autograd(Op::name, tensor);
  }
  static auto as_tensor(const at::Tensor& tensor) -> at::Tensor {
    detail::require_supported(tensor, Op::name);
    return tensor;
  }
  template <auto... D>
  static auto as_tensor(const parameter<D...>& leaf) -> at::Tensor {
    return tensor_of(leaf);
  }
  template <auto... D>
  static auto as_tensor(const buffer<D...>& b) -> at::Tensor {
    return tensor_of(b);
  }
  template <Number N>
  static auto as_tensor(N n) -> at::Tensor {
    const dims d = detail::number_shape<N>::value;
    if constexpr (std::signed_integral<N>)
      if (!detail::fits_float64(n)) {  // a tensor holds n exactly; the double in an expression does not
        at::Tensor number = detail::wrapped(0, d);
        number.fill_(static_cast<std::int64_t>(n));
        return number;
      }
    return detail::wrapped(detail::constant_of(n), d);
  }
  template <class T>
  static auto dims_of_operand(const T&, const at::Tensor& tensor) -> dims {
    if constexpr (Number<T>) return detail::number_shape<T>::value;
    else return shape_of(tensor);
  }
  template <class T>
  static auto as_leaf(const T& x, const at::Tensor& tensor) {
    if constexpr (Number<T>) return number_leaf(x);
    else if constexpr (detail::is_buffer<T>) return x;  // a run may update the buffer
    else return tensor_leaf(hold_tensor(tensor));
  }
};

}  // namespace koila::inline v0::detail
