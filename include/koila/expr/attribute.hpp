#pragma once
// Attributes: what an op takes besides its operands. A Boost.Hana constant is known to the compiler, a number at run time.
#include <koila/expr/concepts.hpp>

#include <boost/hana/integral_constant.hpp>
#include <boost/hana/negate.hpp>

#include <tuple>

namespace koila {

namespace hana = boost::hana;
using namespace hana::literals;

/// An attribute as a rule sees it: its value, or that the value is known at run time only.
template <class T>
struct attr {
  T value{};
  bool known = true;
  constexpr attr() = default;
  constexpr attr(T v) : value(v) {}
  constexpr attr(T v, bool k) : value(v), known(k) {}
  constexpr void write(auto& w) const { known ? w.put(value) : w.put('?'); }
  friend constexpr auto operator==(const attr&, const attr&) -> bool = default;
};

/// `dim = -1_c`: a value with the attribute's name.
template <class Tag, class Value>
struct named {
  using tag = Tag;
  Value value;
};

/// Base of an attribute's name. `of(attributes)` is the member of that name: an op takes the names it has members for.
template <class Tag>
struct attribute_name {
  template <class Value>
  constexpr auto operator=(Value v) const -> named<Tag, Value> {
    return {v};
  }
};

/// The dim an op works along; negative counts from the end.
inline constexpr struct dim : attribute_name<dim> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.dim)) { return a.dim; }
} dim;

/// Whether a reduced dim stays as extent 1.
inline constexpr struct keepdim : attribute_name<keepdim> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.keepdim)) { return a.keepdim; }
} keepdim;

/// The two dims that transpose swaps.
inline constexpr struct dim0 : attribute_name<dim0> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.dim0)) { return a.dim0; }
} dim0;
inline constexpr struct dim1 : attribute_name<dim1> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.dim1)) { return a.dim1; }
} dim1;

/// The first and the last dim that flatten merges.
inline constexpr struct start_dim : attribute_name<start_dim> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.start_dim)) { return a.start_dim; }
} start_dim;
inline constexpr struct end_dim : attribute_name<end_dim> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.end_dim)) { return a.end_dim; }
} end_dim;

/// The class index that cross_entropy leaves out.
inline constexpr struct ignore_index : attribute_name<ignore_index> {
  using attribute_name::operator=;
  static constexpr auto of(auto& a) -> decltype((a.ignore_index)) { return a.ignore_index; }
} ignore_index;

/// For ops without attributes.
struct no_attributes {
  friend constexpr auto operator==(const no_attributes&, const no_attributes&) -> bool = default;
};

namespace detail {

template <class T>
struct is_constant : std::false_type {};
template <class I, I v>
struct is_constant<hana::integral_constant<I, v>> : std::true_type {};
template <class T>
struct is_named : std::false_type {};
template <class Tag, class V>
struct is_named<named<Tag, V>> : std::true_type {};
template <class T>
struct is_attr : std::false_type {};
template <class T>
struct is_attr<attr<T>> : std::true_type {};

/// The value of an argument as an attr's value, where there is one now (`known` says whether the compiler has it).
template <class T, class I, I v>
constexpr auto as_attr(hana::integral_constant<I, v>) -> attr<T> {
  return {static_cast<T>(v), true};
}
template <class T, class V>
  requires(Number<V> || std::is_enum_v<V>)
constexpr auto as_attr(V v) -> attr<T> {
  return {static_cast<T>(v), true};
}
template <class T, class V>
constexpr auto as_attr(attr<V> v) -> attr<T> {
  return {static_cast<T>(v.value), v.known};
}

}  // namespace detail

namespace detail {

// One atomic constraint: clang lists each part of a disjunction in every message.
template <class T>
inline constexpr bool is_attribute = is_named<T>::value || is_constant<T>::value || is_attr<T>::value || Number<T> || Axis<T>;

}  // namespace detail

/// What may follow the operands of a call: a named attribute, a Hana constant, a number, an axis.
template <class T>
concept Attribute = detail::is_attribute<T>;

/// The attribute struct of an op.
template <class Op>
struct attributes_of {
  using type = no_attributes;
};
template <class Op>
  requires requires { typename Op::attributes; }
struct attributes_of<Op> {
  using type = typename Op::attributes;
};
template <class Op>
using attributes_t = typename attributes_of<Op>::type;

namespace detail {

/// Sets positional attributes in the order that the op names them: Op::attributes::set(position, value).
template <class A, class V>
constexpr void set_positional(A& a, std::size_t position, V v) {
  if constexpr (is_constant<V>::value) a.set(position, attr<index_t>(static_cast<index_t>(V::value)));
  else if constexpr (Axis<V>) a.set(position, extent{-1, axis_name<typename V::axis_type>});
  else a.set(position, as_attr<index_t>(v));
}

template <class A, class V>
concept SettableByName = is_named<V>::value && requires(A& a) { V::tag::of(a); };
template <class A, class V>
concept SettableByPosition = !is_named<V>::value && requires(A& a, V v) {
  A::positional;
  set_positional(a, std::size_t{}, v);
};

template <class A, class V>
constexpr void set_attribute(A& a, std::size_t& position, V v) {
  if constexpr (is_named<V>::value) {
    auto& member = V::tag::of(a);
    using Member = std::remove_reference_t<decltype(member)>;
    if constexpr (requires { member.assign(v.value); }) member.assign(v.value);
    else if constexpr (is_attr<Member>::value) member = as_attr<decltype(member.value)>(v.value);
    else member = v.value;
  } else {
    set_positional(a, position++, v);
  }
}

/// For the compiler: an argument that is no constant has no known value.
template <class V>
struct type_only {
  static constexpr auto value() -> V
    requires(is_constant<V>::value || Axis<V>)
  {
    return {};
  }
  static constexpr auto value() -> attr<index_t>
    requires(Number<V> || is_attr<V>::value)
  {
    return {0, false};
  }
};
template <class Tag, class V>
struct type_only<named<Tag, V>> {
  static constexpr auto value() {
    if constexpr (requires { type_only<V>::value(); })
      return named<Tag, decltype(type_only<V>::value())>{type_only<V>::value()};
    else return named<Tag, attr<index_t>>{{0, false}};
  }
};

}  // namespace detail

namespace detail {

template <class A>
constexpr auto positions() -> std::size_t {
  if constexpr (requires { A::positional; }) return A::positional;
  else return 0;
}

}  // namespace detail

/// Whether an op has all of these attributes. `Op::attributes::positional` says how many it takes without a name.
template <class Op, class... A>
concept Has = ((detail::SettableByName<attributes_t<Op>, A> || detail::SettableByPosition<attributes_t<Op>, A>) && ...) &&
              ((detail::is_named<A>::value ? 0 : 1) + ... + std::size_t{0}) <= detail::positions<attributes_t<Op>>();

/// The attributes of a call as values, at run time.
template <class Op, class... A>
constexpr auto attributes_from(const A&... args) -> attributes_t<Op> {
  attributes_t<Op> out{};
  [[maybe_unused]] std::size_t position = 0;
  (detail::set_attribute(out, position, args), ...);
  return out;
}

/// The attributes of a call as far as their types tell.
template <class Op, class... A>
constexpr auto static_attributes() -> attributes_t<Op> {
  return attributes_from<Op>(detail::type_only<A>::value()...);
}

}  // namespace koila
