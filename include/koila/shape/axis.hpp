// SPDX-License-Identifier: MIT
#pragma once
// Axes: names for extents that are known only at run time. koila splits the axis `batch` into
// chunks.
#include <koila/shape/author.hpp>

#include <cstdint>
#include <string_view>

namespace koila::inline v0 {

using index_t = std::int64_t;

namespace detail {

template <class T>
consteval auto type_name() -> std::string_view {
  const std::string_view all = __PRETTY_FUNCTION__;
  const auto begin = all.find("T = ") + 4;
  return all.substr(begin, all.find_first_of(";]", begin) - begin);
}

}  // namespace detail

/// The qualified name of an axis, which identifies the axis. An address is not used, because
/// comparing addresses is not a constant expression under g++ 12's UBSan.
template <class Tag>
inline constexpr std::string_view axis_name = detail::type_name<Tag>();

/// The extent that a call gives to an axis: `batch = 64`.
template <class Tag>
struct axis_binding {
  static constexpr std::string_view name = axis_name<Tag>;
  index_t extent;
};

/// Base of every axis: `inline constexpr struct seq : axis<seq> { using axis::operator=; } seq;`
template <class Tag>
struct axis {
  using axis_type = Tag;
  constexpr auto operator=(index_t extent) const -> axis_binding<Tag> { return {extent}; }
};

/// The axis of the samples.
inline constexpr struct batch : axis<batch> {
  using axis::operator=;
} batch;

namespace internal {

struct any_of;  // the reduction that LibTorch calls any: see ops/reduction/any.hpp

}  // namespace internal

/// A dim whose extent is unknown until a tensor is bound. A call of `any` with a value, such as
/// `any(x > 0)`, is LibTorch's reduction `any`.
inline constexpr struct any {
  template <class X, class... A, class Op = internal::any_of>
  constexpr auto operator()(const X& x, const A&... a) const -> decltype(Op{}(x, a...)) {
    return Op{}(x, a...);
  }
} any;

/// A shape whose rank is unknown until a tensor is bound.
inline constexpr struct unranked {
} unranked;

/// An axis: `batch`, or an axis that the user defines.
template <class T>
concept Axis = requires { typename T::axis_type; };

}  // namespace koila::inline v0
