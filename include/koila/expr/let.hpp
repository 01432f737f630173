// SPDX-License-Identifier: MIT
#pragma once
// let: a subexpression that is used several times and evaluated once.
#include <koila/expr/leaf.hpp>
#include <koila/expr/node.hpp>

namespace koila::inline v0 {

/// A named subexpression. All copies share the subexpression, so it is evaluated only once.
template <Expression E>
struct shared : detail::shaped<detail::shape_t<E>>, detail::evaluates<shared<E>> {
  struct holder : detail::object {
    E value;
    constexpr explicit holder(const E& e) : value(e) {}
    constexpr ~holder() override {}
  };
  detail::handle<const holder> held;
  constexpr explicit shared(const E& e) : held(new holder(e)) {}
};

/// Names a subexpression: `auto h = let(relu(linear(x, w)));`
inline constexpr struct let {
  template <Expression E>
  constexpr auto operator()(const E& e) const -> shared<E> {
    return shared<E>(e);
  }
  template <Expression E>
  constexpr auto operator()(const shared<E>& e) const -> shared<E> {
    return e;
  }
  /// Returns a traced_value unchanged, because it is evaluated only once anyway.
  constexpr auto operator()(const traced_value& s) const -> traced_value { return s; }
  /// Returns a plain tensor unchanged, so that the same model also runs eagerly.
  template <PlainTensor T>
  auto operator()(const T& t) const -> T {
    return t;
  }
#line 1 "koila's let"
  template <class T, author::reason Reason = author::reason::no_expression,
            detail::text Message = author::message<Reason>("let")>
    requires(!Expression<T> && !PlainTensor<T>)
  auto operator()(const T&) const -> detail::refused = delete;
} let;

}  // namespace koila::inline v0
