// SPDX-License-Identifier: MIT
#pragma once
// erased: an expression that states its shape and hides its type, for loops over blocks and for
// function boundaries.
#include <koila/expr/op.hpp>
#include <koila/shape/rules.hpp>

#include <vector>

namespace koila::inline v0 {

namespace detail {

struct builder;

/// Interface of the expression inside an `erased`.
struct erased_base : object {
  constexpr ~erased_base() override {}
  /// Adds the expression's nodes to the graph and returns the node of the result; defined in
  /// graph/.
  constexpr virtual auto lower_into(builder& b) const -> int = 0;
  /// Appends to `list` the erased expressions on which this expression directly depends. The
  /// caller lowers these expressions first, so a deep chain does not need recursion.
  constexpr virtual void below(std::vector<const erased_base*>& list) const = 0;
};

/// Releases a handle. A chain of thousands of erased expressions is freed in a loop, not by
/// recursion.
inline void release_chain(handle<const erased_base>&& last) {
  using chain = std::vector<handle<const erased_base>>;
  static thread_local chain* draining = nullptr;
  if (!last) return;
  if (draining != nullptr) {
    if (last.sole()) draining->push_back(std::move(last));
    return;
  }
  if (!last.sole()) return;
  chain todo;
  draining = &todo;
  todo.push_back(std::move(last));
  while (!todo.empty()) {
    const auto top = std::move(todo.back());
    todo.pop_back();
  }
  draining = nullptr;
}

/// Rule of an assignment to an `erased`: the expression must have the stated shape.
struct erased_rule {
  static constexpr std::string_view name = "erased = expression";
  static constexpr auto rule(const dims& want, const dims& got) -> verdict { return rules::declared(want, got); }
};

}  // namespace detail

/// Any expression of a stated shape: `erased<batch, 10> y = linear(x, w);`. The type of the
/// expression is hidden, so types stay short and a loop over blocks can build a model. Copies
/// share the expression. Throws shape_error at run time if a dim that the compiler does not know
/// differs from the stated dim.
template <auto... D>
struct erased : detail::shaped<typename detail::canonical_shape<D...>::type>, detail::evaluates<erased<D...>> {
  using own_shape = typename detail::canonical_shape<D...>::type;

  detail::handle<const detail::erased_base> held;

  constexpr erased(const erased&) = default;
  constexpr auto operator=(const erased& o) -> erased& {
    auto keep = o.held;
    std::swap(keep, held);
    drop(std::move(keep));
    return *this;
  }
  constexpr ~erased() { drop(std::move(held)); }

  template <Expression X>
    requires(!std::same_as<X, erased> && Accepts<detail::erased_rule, own_shape, detail::shape_t<X>>)
  constexpr erased(const X& x);
  template <Expression X>
    requires(!std::same_as<X, erased> && Accepts<detail::erased_rule, own_shape, detail::shape_t<X>>)
  constexpr auto operator=(const X& x) -> erased& {
    return *this = erased(x);
  }

 private:
  static constexpr void drop(detail::handle<const detail::erased_base>&& h) {
    if (std::is_constant_evaluated()) h = {};
    else detail::release_chain(std::move(h));
  }

 public:
  // Refusals. The name in #line is deliberately not the name of a file, so that compilers quote
  // the user's line; see op.hpp.
#line 1 "koila's erased"
  template <class Got, author::reason Reason = detail::verdict_of<detail::erased_rule, own_shape, Got>::value.reason,
            detail::text Message = detail::verdict_of<detail::erased_rule, own_shape, Got>::sentence()>
    requires(Reason != author::reason::accepted)
  erased(const detail::shaped<Got>&) = delete;
  template <class Got, author::reason Reason = detail::verdict_of<detail::erased_rule, own_shape, Got>::value.reason,
            detail::text Message = detail::verdict_of<detail::erased_rule, own_shape, Got>::sentence()>
    requires(Reason != author::reason::accepted)
  auto operator=(const detail::shaped<Got>&) -> erased& = delete;
};

}  // namespace koila::inline v0
