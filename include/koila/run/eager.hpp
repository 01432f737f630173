#pragma once
// Plain tensors: the same ops at once, by the same rule and the same evaluation.
#include <koila/run/run.hpp>

namespace koila {

namespace detail {

/// Allocates the result, runs the op. `in` are operands as tensors.
auto run_eagerly(const op_info& op, const at::Tensor* const* in, const dims& result, int n, const object* at) -> at::Tensor;
/// A number as a tensor that promotes as numbers do.
auto wrapped(double v, const dims& d) -> at::Tensor;
/// Throws where a gradient would be lost in silence.
void refuse_autograd(std::string_view op, const at::Tensor& t);

}  // namespace detail

template <class Op>
struct eager {
  template <class... Ts>
  static auto call(const Ts&... ts) -> at::Tensor {
    using S = detail::split<Op, 0, detail::list<>, Ts...>;
    return split(std::make_index_sequence<detail::length<typename S::operands>::value>{},
                 std::make_index_sequence<detail::length<typename S::attributes>::value>{}, std::tuple<const Ts&...>(ts...));
  }

 private:
  template <std::size_t... X, std::size_t... A, class... Ts>
  static auto split(std::index_sequence<X...>, std::index_sequence<A...>, const std::tuple<const Ts&...>& ts) -> at::Tensor {
    static constexpr const op_info& op = info_of<Op, sizeof...(X)>();
    const auto at = detail::box_attributes<Op>(attributes_from<Op>(std::get<sizeof...(X) + A>(ts)...));
    const at::Tensor tensors[] = {as_tensor(std::get<X>(ts))...};
    const at::Tensor* in[] = {&tensors[X]...};
    const dims d[] = {dims_of_operand(std::get<X>(ts), tensors[X])...};
    const verdict v = op.rule(d, at.get());
    if (!v.accepted()) op.refuse(v.reason, d, at.get());
    if (op.evaluate != nullptr || op.draw != nullptr || op.view != nullptr)
      return detail::run_eagerly(op, in, v.out, static_cast<int>(sizeof...(X)), at.get());
    return run(node<Op, shape<unranked>, decltype(as_leaf(std::get<X>(ts), tensors[X]))...>(
        attributes_from<Op>(std::get<sizeof...(X) + A>(ts)...), as_leaf(std::get<X>(ts), tensors[X])...));
  }

  static auto as_tensor(const at::Tensor& t) -> at::Tensor {
    detail::require_supported(t, Op::name);
    detail::refuse_autograd(Op::name, t);
    return t;
  }
  template <auto... D>
  static auto as_tensor(const parameter<D...>& p) -> at::Tensor {
    return tensor_of(p);
  }
  template <auto... D>
  static auto as_tensor(const buffer<D...>& b) -> at::Tensor {
    return tensor_of(b);
  }
  template <Number N>
  static auto as_tensor(N n) -> at::Tensor {
    return detail::wrapped(static_cast<double>(n), detail::number_shape<N>::value);
  }
  template <class T>
  static auto dims_of_operand(const T&, const at::Tensor& t) -> dims {
    if constexpr (Number<T>) return detail::number_shape<T>::value;
    else return shape_of(t);
  }
  template <class T>
  static auto as_leaf(const T& x, const at::Tensor& t) {
    if constexpr (Number<T>) return number_leaf(x);
    else if constexpr (detail::is_buffer<T>) return x;  // it may be changed
    else return tensor_leaf(hold_tensor(t));
  }
};

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/eager.ipp>
#endif
