// SPDX-License-Identifier: MIT
#pragma once
// The verdict on a call as a type. The compiler evaluates the op's rule. If the rule refuses the
// call, the compiler also makes the error message.
#include <koila/expr/attribute_names.hpp>
#include <koila/shape/verdict.hpp>

#include <utility>

namespace koila::inline v0 {

namespace detail {

template <class...>
struct type_list {};

template <std::size_t>
using any_dims = const dims&;

template <class Op, std::size_t N>
constexpr auto takes_operands() -> bool {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    constexpr attributes_t<Op> a{};
    return requires(any_dims<I>... d) { Op::rule(d...); } || requires(any_dims<I>... d) { Op::rule(d..., a); };
  }(std::make_index_sequence<N>{});
}

/// Maximum number of operands that an op's rule takes.
template <class Op, std::size_t N = 6>
constexpr auto arity() -> std::size_t {
  if constexpr (N == 0) return 0;
  else if constexpr (takes_operands<Op, N>()) return N;
  else return arity<Op, N - 1>();
}

/// Refuses a result of more than `most_elements` elements, so that rules need not check this.
constexpr void require_countable(verdict& v) {
  if (v.accepted() && !countable(v.out)) v = reason::size_out_of_range;
}

/// Evaluates the op's rule, with the attributes if the rule takes them.
template <class Op, class... D>
constexpr auto ask_rule(const attributes_t<Op>& a, const D&... d) -> verdict {
  if constexpr (requires { Op::rule(d..., a); }) {
    verdict v = Op::rule(d..., a);  // one variable, so that no copy is made: dims are large
    require_countable(v);
    return v;
  } else if constexpr (requires { Op::rule(d...); }) {
    verdict v = Op::rule(d...);
    require_countable(v);
    return v;
  } else {
    return reason::wrong_number_of_operands;
  }
}

/// True if argument I of a call is an operand. A number is an operand if the rule takes more than
/// I operands, unless the op defines `numbers_are_attributes`.
template <class Op, std::size_t I, class T>
inline constexpr bool is_operand =
    Expression<T> || PlainTensor<T> || (Number<T> && I < arity<Op>() && !requires { Op::numbers_are_attributes; });
template <class Op, std::size_t I, auto... D>
inline constexpr bool is_operand<Op, I, shape<D...>> = true;

/// Splits the arguments of a call into operands and attributes.
template <class Op, std::size_t I, class Operands, class... Ts>
struct split_arguments {
  using operands = Operands;
  using attributes = type_list<Ts...>;
};
template <class Op, std::size_t I, class... Xs, class T, class... Ts>
  requires is_operand<Op, I, T>
struct split_arguments<Op, I, type_list<Xs...>, T, Ts...> : split_arguments<Op, I + 1, type_list<Xs..., T>, Ts...> {};

template <class T>
struct dims_carrier {
  using type = shape_t<T>;
};
template <auto... D>
struct dims_carrier<shape<D...>> {
  using type = shape<D...>;
};

/// The verdict of an op on operands of these shapes and attributes of these types.
template <class Op, class Attributes, class... Shapes>
struct verdict_for;
template <class Op, class... A, class... Shapes>
struct verdict_for<Op, detail::type_list<A...>, Shapes...> {
  static constexpr verdict value = [] {
    if constexpr (!((Attribute<A> || Expression<A> || PlainTensor<A>) && ...)) return verdict(reason::not_an_argument);
    else if constexpr (!(Attribute<A> && ...)) return verdict(reason::operand_after_attribute);
    else if constexpr (!Has<Op, A...>) return verdict(reason::no_such_attribute);
    else return detail::ask_rule<Op>(static_attributes<Op, A...>(), Shapes::value...);
  }();

  static consteval auto sentence() { return sentence_of<value.reason>(); }
  /// The error message for a given reason, with or without the attributes.
  template <reason Reason, bool Attributes = true>
  static consteval auto sentence_of() {
    if constexpr (Reason == reason::accepted) {
      return text<1>{""};
    } else {
      constexpr auto w = [] {
        const dims operands[] = {Shapes::value..., dims()};  // the last one keeps the array from being empty
        constexpr int n = static_cast<int>(sizeof...(Shapes));
        if constexpr (Attributes && (Attribute<A> && ...)) {
          if constexpr (Has<Op, A...>)
            return detail::write(Op::name, Reason, operands, n, static_attributes<Op, A...>());
          else return detail::write(Op::name, Reason, operands, n, 0);
        } else {
          return detail::write(Op::name, Reason, operands, n, 0);
        }
      }();
      text<w.size + 1> out{};
      for (std::size_t i = 0; i < w.size; ++i) out.chars[i] = w.buffer[i];
      return out;
    }
  }
};

/// The axes in an attribute that is an axis or a list of axes, as a shape. For other attributes,
/// the shape is empty.
template <class A>
struct axis_of_attribute {
  using type = shape<>;
};
template <Axis A>
struct axis_of_attribute<A> {
  using type = shape<A{}>;
};
template <class... Shapes>
struct axes_of_list {
  using type = shape<>;
};
template <auto... A, class... Rest>
struct axes_of_list<shape<A...>, Rest...> : axes_of_list<Rest...> {};
template <auto A, class... Rest>
struct axes_of_list<shape<A>, Rest...> {
  template <auto... B>
  static auto with(shape<B...>*) -> shape<A, B...>*;
  using type = std::remove_pointer_t<decltype(with(static_cast<typename axes_of_list<Rest...>::type*>(nullptr)))>;
};
template <class... V>
struct axis_of_attribute<list_of<V...>> : axes_of_list<typename axis_of_attribute<V>::type...> {};

template <class Op, class Operands, class Attributes>
struct verdict_of_split;
template <class Op, class... Xs, class... As>
struct verdict_of_split<Op, type_list<Xs...>, type_list<As...>> {
  using type = verdict_for<Op, type_list<As...>, typename dims_carrier<Xs>::type...>;
  using result = typename shape_of_verdict<
      type, concatenated<typename dims_carrier<Xs>::type..., typename axis_of_attribute<As>::type...>>::type;
};
template <class Op, class... Ts>
struct verdict_of_arguments : verdict_of_split<Op, typename split_arguments<Op, 0, type_list<>, Ts...>::operands,
                                               typename split_arguments<Op, 0, type_list<>, Ts...>::attributes> {};

/// The verdict on the arguments of a call. An argument may be a shape<...> instead of an
/// expression.
template <class Op, class... Ts>
using verdict_of = typename detail::verdict_of_arguments<Op, Ts...>::type;

/// The shape type of the result of an accepted call.
template <class Op, class... Ts>
using result_of = typename detail::verdict_of_arguments<Op, Ts...>::result;

}  // namespace detail

/// True if the op accepts a call with arguments of these types. This means that the op's rule
/// does not find a mistake in what the compiler knows about the arguments.
template <class Op, class... Ts>
concept Accepts = detail::verdict_of<Op, Ts...>::value.accepted();

}  // namespace koila::inline v0
