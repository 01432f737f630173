// SPDX-License-Identifier: MIT
#pragma once
// Walks over the modules and leaves of a model, and names each of them.
#include <koila/expr/leaf.hpp>
#include <koila/nn/members.hpp>

#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace koila::inline v0 {

namespace detail {

/// Returns true if a class belongs to the standard library, LibTorch, Boost or koila.
template <class T>
consteval auto of_library() -> bool {
  for (const std::string_view library : {"std::", "at::", "c10::", "boost::", "koila::"})
    if (type_name<T>().starts_with(library)) return true;
  return false;
}
/// Returns true if a library's class may hold a model that koila cannot find: std::any, or a
/// class template of models such as std::stack<layer>.
template <class T>
consteval auto may_hide_models() -> bool;

}  // namespace detail

/// True if a class is known to hold no parameters, although koila cannot look inside. This is the
/// case for trivially copyable classes and for classes of the standard library, LibTorch, Boost and
/// koila. Exceptions are std::any and class templates of models that are not ranges, such as
/// std::stack<layer>. Specialise the variable for std::any or for a class of another library:
/// `template <> inline constexpr bool koila::holds_no_parameters<logger> = true;`
// The variable is also true for std::function, in which a model may hold an activation function,
// and for pointers that own nothing, such as std::weak_ptr.
template <class T>
inline constexpr bool holds_no_parameters =  // is_trivially_copyable is false for some lambdas in g++ 12
    (std::is_trivially_copy_constructible_v<T> && std::is_trivially_destructible_v<T>) ||
    (detail::of_library<T>() && !detail::may_hide_models<T>());

namespace detail {

template <class T>
inline constexpr bool is_shared = false;
template <class T>
inline constexpr bool is_shared<std::shared_ptr<T>> = !std::is_array_v<T>;
/// True for types that hold one model or none: std::optional and smart pointers.
template <class T>
inline constexpr bool is_owner = is_shared<T>;
template <class T>
inline constexpr bool is_owner<std::optional<T>> = true;
template <class T, class D>
inline constexpr bool is_owner<std::unique_ptr<T, D>> = !std::is_array_v<T>;
template <class T>
inline constexpr bool is_reference_wrapper = false;
template <class T>
inline constexpr bool is_reference_wrapper<std::reference_wrapper<T>> = !std::is_function_v<T>;
template <class T>
inline constexpr bool is_std_tuple = false;
template <class... T>
inline constexpr bool is_std_tuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_std_tuple<std::pair<A, B>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;

/// A range whose elements are objects of a class. A class whose elements have the type of the class
/// itself, such as std::filesystem::path, does not count.
template <class T>
concept Range = requires(T& t) {
  t.end();
  requires std::is_lvalue_reference_v<decltype(*t.begin())>;  // not std::vector<bool>
  requires std::is_class_v<std::remove_cvref_t<decltype(*t.begin())>>;
  requires !std::is_same_v<std::remove_cv_t<T>, std::remove_cvref_t<decltype(*t.begin())>>;
};

/// How the walk continues inside a member.
enum class part { leaf, owner, reference, array, tuple, variant, module, range, aggregate, closed };
template <class T>
constexpr auto part_of() -> part {
  if (owns_tensor<T>) return part::leaf;
  if (Expression<T>) return part::closed;
  if (is_owner<T>) return part::owner;
  if (is_reference_wrapper<T>) return part::reference;
  if (std::is_array_v<T>) return part::array;
  if (is_std_tuple<T>) return part::tuple;
  if (is_variant<T>) return part::variant;
  if (requires(T& t) { t.members(); }) return part::module;
  if (Range<T>) return part::range;
  return std::is_class_v<T> && std::is_aggregate_v<T> && !std::is_empty_v<T> ? part::aggregate : part::closed;
}

/// Returns true if a model of this type may have parameters or buffers. `Outer` are the types that
/// contain this type.
template <class T, class... Outer>
consteval auto holds_leaves() -> bool;
template <class T, class... Outer>
inline constexpr bool tuple_holds_leaves = false;
template <template <class...> class Tuple, class... T, class... Outer>
inline constexpr bool tuple_holds_leaves<Tuple<T...>, Outer...> =
    (holds_leaves<std::remove_cvref_t<T>, Outer...>() || ...);

template <class T, class... Outer>
consteval auto holds_leaves() -> bool {
  constexpr part is = part_of<T>();
  if constexpr ((std::is_same_v<T, Outer> || ...)) return false;
  else if constexpr (is == part::leaf) return true;
  else if constexpr (is == part::owner)
    return holds_leaves<std::remove_cvref_t<decltype(*std::declval<T&>())>, T, Outer...>();
  else if constexpr (is == part::reference) return holds_leaves<std::remove_cv_t<typename T::type>, T, Outer...>();
  else if constexpr (is == part::array)
    return holds_leaves<std::remove_cv_t<std::remove_all_extents_t<T>>, T, Outer...>();
  else if constexpr (is == part::tuple || is == part::variant) return tuple_holds_leaves<T, T, Outer...>;
  else if constexpr (is == part::module)
    return tuple_holds_leaves<std::remove_cvref_t<decltype(std::declval<T&>().members())>, T, Outer...>;
  else if constexpr (is == part::range) {
    using element = std::remove_cvref_t<decltype(*std::declval<T&>().begin())>;
    return holds_leaves<element, T, Outer...>();
  } else if constexpr (is == part::aggregate) {
    return tuple_holds_leaves<decltype(tie_members(std::declval<T&>())), T, Outer...>;
  } else {
    return false;
  }
}

template <class T>
inline constexpr bool is_template_of_models = false;
template <template <class...> class C, class... T>
inline constexpr bool is_template_of_models<C<T...>> = (holds_leaves<std::remove_cvref_t<T>>() || ...);
template <class T>
inline constexpr bool is_template_of_models<std::weak_ptr<T>> = false;
template <class T>
consteval auto may_hide_models() -> bool {
  return std::is_same_v<T, std::any> || (!type_name<T>().starts_with("koila::") && is_template_of_models<T>);
}

inline auto joined_name(const std::string& path, const std::string& name) -> std::string {
  return path.empty() || name.empty() ? path + name : path + "." + name;
}

/// Returns the name that a member was given, or "" if the member has no name.
template <class T>
auto own_name(const T& t) -> std::string {
  if constexpr (is_owner<T>) {
    return t ? own_name(*t) : "";
  } else if constexpr (is_reference_wrapper<T>) {
    return own_name(t.get());
  } else if constexpr (is_variant<T>) {
    return std::visit([](const auto& held) { return own_name(held); }, t);
  } else if constexpr (owns_tensor<T>) {
    return shared_state(t.state).named() ? t.state->name : "";
  } else if constexpr (requires { std::string(t.name); }) {
    if constexpr (std::is_convertible_v<decltype(t.name), const char*>)
      if (t.name == nullptr) return "";
    return std::string(t.name);
  } else {
    return "";
  }
}

/// Marks an object that the walk on this thread has entered through a reference. A member of a
/// model may refer to the model itself. Without these marks, the walk would not end.
class followed_reference {
 public:
  explicit followed_reference(const void* to) : to_(to), outer_(innermost()) { innermost() = this; }
  followed_reference(const followed_reference&) = delete;
  auto operator=(const followed_reference&) -> followed_reference& = delete;
  ~followed_reference() { innermost() = outer_; }
  /// Returns true if the walk has already entered this object through another reference.
  auto again() const -> bool {
    for (const followed_reference* r = outer_; r != nullptr; r = r->outer_)
      if (r->to_ == to_) return true;
    return false;
  }

 private:
  const void* to_;
  const followed_reference* outer_;

  static auto innermost() -> const followed_reference*& {
    static thread_local const followed_reference* last = nullptr;
    return last;
  }
};

/// Calls f(path, x) for every object of class type in a model, such as parameters, buffers, modules
/// and their owners, in the order of declaration. Follows references.
template <class T, class F>
void visit(T& t, const std::string& path, const F& f);

template <class T, class F>
void visit_member(T& t, const std::string& path, std::size_t index, const F& f) {
  const std::string own = own_name(t);
  visit(t, joined_name(path, own.empty() ? std::to_string(index) : own), f);
}

template <class T, class F>
void visit(T& t, const std::string& path, const F& f) {
  using U = std::remove_cv_t<T>;
  constexpr part is = part_of<U>();
  const auto each = [&](auto&&... members) {
    std::size_t i = 0;
    (visit_member(members, path, i++, f), ...);
  };
  if constexpr (std::is_class_v<U>) f(path, t);
  if constexpr (is == part::owner) {
    if (t) visit(*t, path, f);
  } else if constexpr (is == part::reference) {
    const followed_reference here(&t.get());
    if (!here.again()) visit(t.get(), path, f);
  } else if constexpr (is == part::tuple) {
    std::apply(each, t);
  } else if constexpr (is == part::variant) {
    std::visit([&](auto& held) { visit(held, path, f); }, t);
  } else if constexpr (is == part::module) {
    std::apply(each, t.members());
  } else if constexpr (is == part::array || is == part::range) {
    std::size_t i = 0;
    for (auto& element : t) {
      if constexpr (requires { std::string(element.first); })
        visit(element.second, joined_name(path, element.first), f);
      else visit_member(element, path, i, f);
      ++i;
    }
  } else if constexpr (is == part::aggregate) {
    std::apply(each, tie_members(t));
  } else if constexpr (is == part::closed && std::is_class_v<U> && !Expression<U>) {
    static_assert(holds_no_parameters<U> || !may_hide_models<U>(),
                  "koila cannot see what parameters this class of another library holds: hold models in "
                  "members, arrays, vectors, maps, tuples, variants, optionals or smart pointers; if it holds none, "
                  "specialise koila::holds_no_parameters for it");
    static_assert(
        holds_no_parameters<U> || may_hide_models<U>(),
        "koila cannot see what parameters this class holds, since it has a constructor or private members, or is a "
        "lambda with captures: give it a member function members() that returns a std::tie of them");
  }
}

}  // namespace detail
}  // namespace koila::inline v0
