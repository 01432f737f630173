// SPDX-License-Identifier: MIT
#pragma once
// Attributes: the arguments of an op that are not operands. The compiler knows the value of a
// Boost.Hana constant, such as 2_c. The value of a number is known only at run time.
#include <koila/expr/attribute_name.hpp>
#include <koila/expr/concepts.hpp>

#include <boost/hana/integral_constant.hpp>
#include <boost/hana/negate.hpp>

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <type_traits>

namespace koila::inline v0 {

namespace hana = boost::hana;
using namespace hana::literals;

namespace author {

/// The value of an attribute as a rule sees it. If `known` is false, the value is known only at
/// run time.
template <class T>
struct attr {
  T value{};
  bool known = true;
  constexpr attr() = default;
  constexpr attr(T v) : value(v) {}
  constexpr attr(T v, bool k) : value(v), known(k) {}
  constexpr void write(auto& w) const { known ? w.put(value) : w.put('?'); }
  /// Compares floating-point values by their bits: 0 differs from -0, and NaN equals itself.
  friend constexpr auto operator==(const attr& a, const attr& b) -> bool {
    if constexpr (std::is_same_v<T, double>)
      return a.known == b.known && std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
    else return a.known == b.known && a.value == b.value;
  }
};

}  // namespace author

namespace rules {

/// Returns true if the dtype holds the attribute's value, or if the value is not known yet.
constexpr auto holds(dtype t, const attr<double>& v) -> bool { return !v.known || author::holds(t, v.value); }

/// The same as `holds`, but for a number with which elements are compared. Returns false for NaN,
/// because no element is less or greater than NaN.
constexpr auto holds_bound(dtype t, const attr<double>& v) -> bool {
  return holds(t, v) && !(v.known && v.value != v.value);
}

}  // namespace rules

/// Several integers as one attribute: `stride = list_of(2_c, 1_c)`, `sum(x, list_of(0_c, 1_c))`.
template <class... V>
struct list_of {
  std::tuple<V...> values;
  constexpr explicit list_of(V... v) : values(v...) {}
};

namespace author {

/// Choices for attributes, named as in LibTorch: `reduction = kSum`, `padding = kSame`.
enum class choice : signed char {
  none,
  mean,
  sum,
  batch_mean,
  same,
  valid,
  zeros,
  constant,
  reflect,
  replicate,
  circular,
  border,
  reflection,
  nearest,
  linear,
  bilinear,
  bicubic,
  trilinear,
  area,
  max,
  tanh,
  relu,
  gelu,
  trunc,
  floor
};
/// A choice as an argument of a call.
template <choice C>
struct choice_constant {
  static constexpr choice value = C;
};

}  // namespace author

inline constexpr author::choice_constant<author::choice::none> kNone;
inline constexpr author::choice_constant<author::choice::mean> kMean;
inline constexpr author::choice_constant<author::choice::sum> kSum;
inline constexpr author::choice_constant<author::choice::batch_mean> kBatchMean;
inline constexpr author::choice_constant<author::choice::same> kSame;
inline constexpr author::choice_constant<author::choice::valid> kValid;
inline constexpr author::choice_constant<author::choice::zeros> kZeros;
inline constexpr author::choice_constant<author::choice::constant> kConstant;
inline constexpr author::choice_constant<author::choice::reflect> kReflect;
inline constexpr author::choice_constant<author::choice::replicate> kReplicate;
inline constexpr author::choice_constant<author::choice::circular> kCircular;
inline constexpr author::choice_constant<author::choice::border> kBorder;
inline constexpr author::choice_constant<author::choice::reflection> kReflection;
inline constexpr author::choice_constant<author::choice::nearest> kNearest;
inline constexpr author::choice_constant<author::choice::linear> kLinear;
inline constexpr author::choice_constant<author::choice::bilinear> kBilinear;
inline constexpr author::choice_constant<author::choice::bicubic> kBicubic;
inline constexpr author::choice_constant<author::choice::trilinear> kTrilinear;
inline constexpr author::choice_constant<author::choice::area> kArea;
inline constexpr author::choice_constant<author::choice::max> kMax;
inline constexpr author::choice_constant<author::choice::tanh> kTanh;
inline constexpr author::choice_constant<author::choice::relu> kReLU;
inline constexpr author::choice_constant<author::choice::gelu> kGELU;
inline constexpr author::choice_constant<author::choice::trunc> kTrunc;
inline constexpr author::choice_constant<author::choice::floor> kFloor;

namespace detail {

/// The attribute struct of an op without attributes.
struct no_attributes {
  friend constexpr auto operator==(const no_attributes&, const no_attributes&) -> bool = default;
};

template <class T>
struct is_constant : std::false_type {};
template <class I, I v>
struct is_constant<hana::integral_constant<I, v>> : std::true_type {};
template <class T>
struct is_named : std::false_type {};
template <class Tag, class V>
struct is_named<named<Tag, V>> : std::true_type {};
template <class T>
inline constexpr bool is_list = false;
template <class... V>
inline constexpr bool is_list<list_of<V...>> = true;
template <class T>
inline constexpr bool is_choice = false;
template <choice C>
inline constexpr bool is_choice<choice_constant<C>> = true;
template <class T>
struct is_attr : std::false_type {};
template <class T>
struct is_attr<attr<T>> : std::true_type {};

/// True if a conversion from V to T would round: T is an integer or an enumeration, and V is a
/// floating-point type.
template <class T, class V>
inline constexpr bool rounds = (std::is_integral_v<T> || std::is_enum_v<T>) && std::is_floating_point_v<V>;

/// Converts an argument to an attr<T>. Floating-point values are not converted to integers or
/// enumerations.
template <class T, class I, I v>
constexpr auto as_attr(hana::integral_constant<I, v>) -> attr<T> {
  return {static_cast<T>(v), true};
}
template <class T, class V>
  requires((Number<V> || std::is_enum_v<V>) && !rounds<T, V>)
constexpr auto as_attr(V v) -> attr<T> {
  return {static_cast<T>(v), true};
}
template <class T, class V>
  requires(!rounds<T, V>)
constexpr auto as_attr(attr<V> v) -> attr<T> {
  return {static_cast<T>(v.value), v.known};
}
template <std::same_as<choice> T, choice C>
constexpr auto as_attr(choice_constant<C>) -> attr<T> {
  return {C, true};
}

/// Returns true if the first n elements of two arrays are equal. Later elements are not compared,
/// because g++ 12 sometimes replaces elements that have their default values by zeros.
template <class T>
constexpr auto same_first(int n, const T* a, const T* b) -> bool {
  for (int i = 0; i < n; ++i)
    if (!(a[i] == b[i])) return false;
  return true;
}

/// True if V may be an element of a list of integers.
template <class V>
inline constexpr bool is_whole = requires(V v) { as_attr<index_t>(v); };

}  // namespace detail

namespace author {

/// An attribute of up to 8 integers. A single integer applies to all dims: a stride of 2 means (2,
/// 2).
struct attr_list {
  attr<index_t> e[dims::capacity]{};
  int n = 0;

  constexpr attr_list() = default;
  constexpr attr_list(index_t v) : n(1) { e[0] = v; }
  constexpr void assign(const attr_list& o) { *this = o; }
  template <class... V>
    requires(sizeof...(V) <= dims::capacity && (detail::is_whole<V> && ...))
  constexpr void assign(const list_of<V...>& l) {
    n = 0;
    std::apply([&](auto... v) { ((e[n++] = detail::as_attr<index_t>(v)), ...); }, l.values);
  }
  template <class V>
    requires detail::is_whole<V>
  constexpr void assign(V v) {
    n = 1;
    e[0] = detail::as_attr<index_t>(v);
  }
  /// Element i. A list of one integer has this integer at each i.
  constexpr auto operator[](int i) const -> attr<index_t> { return e[n == 1 ? 0 : i]; }
  constexpr auto known() const -> bool {
    for (int i = 0; i < n; ++i)
      if (!e[i].known) return false;
    return true;
  }
  constexpr auto empty() const -> bool { return n == 0; }
  constexpr void write(auto& w) const {
    if (n == 1) return e[0].write(w);
    w.put("(");
    for (int i = 0; i < n; ++i) w.put(i > 0 ? ", " : ""), e[i].write(w);
    w.put(")");
  }
  friend constexpr auto operator==(const attr_list& a, const attr_list& b) -> bool {
    return a.n == b.n && detail::same_first(a.n, a.e, b.e);
  }
};

}  // namespace author

namespace detail {

// This is a variable and not a disjunction in the concept, because clang would list each
// alternative in every message.
template <class T>
inline constexpr bool is_attribute = is_named<T>::value || is_constant<T>::value || is_attr<T>::value || is_list<T> ||
                                     is_choice<T> || std::is_same_v<T, attr_list> || Number<T> || Axis<T>;

}  // namespace detail

/// An argument that may follow the operands of a call: a named attribute, a Hana constant, a number
/// or an axis.
template <class T>
concept Attribute = detail::is_attribute<T>;

namespace detail {

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

[[noreturn]] inline void value_of_another_kind() {
  throw usage_error("koila: an attribute has a value of another kind");
}

/// Sets the attribute at `position`, in the order that the op defines, by calling
/// Op::attributes::set(position, value).
template <class A, class V>
constexpr void set_positional(A& a, std::size_t position, V v) {
  const auto value = [&] {
    if constexpr (is_constant<V>::value) return attr<index_t>(static_cast<index_t>(V::value));
    else if constexpr (Axis<V>) return extent{-1, axis_name<typename V::axis_type>};
    else if constexpr (std::is_floating_point_v<V>) return attr<double>(v);
    else if constexpr (std::is_same_v<V, bool>) return attr<bool>(v);
    else if constexpr (Number<V>) return as_attr<index_t>(v);
    else return v;
  }();
  if constexpr (requires { a.set(position, value); }) a.set(position, value);
  else value_of_another_kind();
}

/// Assigns a value to a member of an attribute struct. Converts the value first if necessary.
template <class Member, class V>
constexpr void assign_member(Member& member, const V& v) {
  if constexpr (requires { member.assign(v); }) member.assign(v);
  else if constexpr (requires { member = as_attr<decltype(member.value)>(v); })
    member = as_attr<decltype(member.value)>(v);
  else if constexpr (std::is_assignable_v<Member&, const V&> && !Number<V> && !std::is_pointer_v<V>) member = v;
  else value_of_another_kind();  // rejected at compile time by takes_values
}
/// Assigns a value to the member at `position`. Most attribute structs implement `set` with this
/// function.
template <class V, class... Members>
constexpr void assign_at(std::size_t position, const V& v, Members&... members) {
  std::size_t i = 0;
  const auto one = [&](auto& member) {
    if (i++ == position) assign_member(member, v);
  };
  (one(members), ...);
}

template <class A, class V>
concept SettableByName = is_named<V>::value && requires(A& a) { V::tag::member(a); };
template <class A, class V>
concept SettableByPosition = !is_named<V>::value && requires(A& a, V v) {
  A::positional;
  set_positional(a, std::size_t{}, v);
};

template <class A, class V>
constexpr void set_attribute(A& a, std::size_t& position, V v) {
  if constexpr (is_named<V>::value) {
    assign_member(V::tag::member(a), v.value);
  } else {
    set_positional(a, position++, v);
  }
}

/// The value that the type of an argument determines. If the argument is not a constant, the
/// value is unknown.
template <class V>
struct type_only {
  static constexpr auto value() -> V
    requires(is_constant<V>::value || is_choice<V> || Axis<V>)
  {
    return {};
  }
  static constexpr auto value() -> attr<
      std::conditional_t<std::is_floating_point_v<V>, double,
                         std::conditional_t<std::is_same_v<V, bool> || std::is_same_v<V, attr<bool>>, bool, index_t>>>
    requires(Number<V> || is_attr<V>::value)
  {
    return {{}, false};
  }
};
template <class... V>
struct type_only<list_of<V...>> {
  static constexpr auto value() { return koila::list_of(type_only<V>::value()...); }
};
template <class Tag, class V>
struct type_only<named<Tag, V>> {
  static constexpr auto value() {
    if constexpr (requires { type_only<V>::value(); })
      return named<Tag, decltype(type_only<V>::value())>{type_only<V>::value()};
    else if constexpr (std::is_pointer_v<V>) return named<Tag, V>{};  // a string is never an attribute's value
    else return named<Tag, attr<index_t>>{{0, false}};
  }
};

template <class A>
constexpr auto positions() -> std::size_t {
  if constexpr (requires { A::positional; }) return A::positional;
  else return 0;
}

/// Builds the attributes of an op from the arguments of a call.
template <class Op, class... A>
constexpr auto attributes_from(const A&... args) -> attributes_t<Op> {
  attributes_t<Op> out{};
  [[maybe_unused]] std::size_t position = 0;
  (detail::set_attribute(out, position, args), ...);
  return out;
}

/// Builds the attributes of an op from the types of the arguments. Values that the types do not
/// determine are unknown.
template <class Op, class... A>
constexpr auto static_attributes() -> attributes_t<Op> {
  return attributes_from<Op>(detail::type_only<A>::value()...);
}

/// True if each attribute accepts the type of its value. To check this, the attributes are built
/// in a constant expression.
template <class Op, class... A>
concept takes_values = requires { typename std::bool_constant<(static_attributes<Op, A...>(), true)>; };

}  // namespace detail

/// True if the op has all of these attributes. `Op::attributes::positional` is the number of
/// attributes that the op accepts without a name.
template <class Op, class... A>
concept Has =
    ((detail::SettableByName<detail::attributes_t<Op>, A> || detail::SettableByPosition<detail::attributes_t<Op>, A>) &&
     ...) &&
    ((detail::is_named<A>::value ? 0 : 1) + ... + std::size_t{0}) <= detail::positions<detail::attributes_t<Op>>() &&
    detail::takes_values<Op, A...>;

}  // namespace koila::inline v0
