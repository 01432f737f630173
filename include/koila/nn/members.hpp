// SPDX-License-Identifier: MIT
#pragma once
// Finds the members of an aggregate. C++ cannot list them, so this code counts the values that a
// braced initialiser of the aggregate accepts.
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace koila::inline v0::detail {

/// Converts to any type.
struct anything {
  template <class T>
  operator T() const;
};
/// Converts to the bases of T, or only to its empty bases.
template <class T, bool Empty>
struct base_of {
  template <class B>
    requires(std::is_base_of_v<B, T> && !std::is_same_v<B, T> && (!Empty || std::is_empty_v<B>))
  operator B() const;
};

template <class T, std::size_t... I>
constexpr auto braces_take(std::index_sequence<I...>) -> bool {
  return requires { T{(static_cast<void>(I), anything{})...}; };
}
/// Returns true if T{anything..., {}, anything...} is valid.
template <class T, std::size_t... I, std::size_t... J>
constexpr auto braces_take(std::index_sequence<I...>, std::index_sequence<J...>) -> bool {
  return requires { T{(static_cast<void>(I), anything{})..., {}, (static_cast<void>(J), anything{})...}; };
}
template <class T, bool Empty, std::size_t... I, std::size_t... J>
constexpr auto braces_take_bases(std::index_sequence<I...>, std::index_sequence<J...>) -> bool {
  return requires { T{(static_cast<void>(I), base_of<T, Empty>{})..., (static_cast<void>(J), anything{})...}; };
}

inline constexpr std::size_t uncounted = 128;

/// Counts the values that a braced initialiser of T accepts. Each element of an array counts as a
/// value. Returns `uncounted` if the count cannot be found.
template <class T, std::size_t N = 0, bool Found = false>
constexpr auto count_values() -> std::size_t {
  if constexpr (N == uncounted) return N;
  else if constexpr (braces_take<T>(std::make_index_sequence<N>{})) return count_values<T, N + 1, true>();
  else if constexpr (Found) return N - 1;
  else return count_values<T, N + 1, false>();  // a later member without a default may need a value
}

/// Returns how many of the N values belong to the member that begins with value I: one, or several
/// for an array. To find this number, the function replaces 1, 2, 3, ... values by a single `{}`,
/// until the initialiser is valid. This works because a `{}` can initialise a whole member, also an
/// array.
template <class T, std::size_t N, std::size_t I, std::size_t Length = 1>
constexpr auto length_of_member() -> std::size_t {
  if constexpr (I + Length > N) return 1;  // `{}` cannot initialise this member
  else if constexpr (braces_take<T>(std::make_index_sequence<I>{}, std::make_index_sequence<N - I - Length>{}))
    return Length;
  else return length_of_member<T, N, I, Length + 1>();
}
template <class T, std::size_t N, std::size_t I = 0>
constexpr auto count_members_of() -> std::size_t {
  if constexpr (I >= N) return 0;
  else return 1 + count_members_of<T, N, I + length_of_member<T, N, I>()>();
}

/// Counts the bases of T, or only the empty bases if `Empty` is true.
template <class T, std::size_t N, bool Empty, std::size_t B = 0>
constexpr auto count_bases() -> std::size_t {
  if constexpr (B >= N) return B;
  else if constexpr (braces_take_bases<T, Empty>(std::make_index_sequence<B + 1>{},
                                                 std::make_index_sequence<N - B - 1>{}))
    return count_bases<T, N, Empty, B + 1>();
  else return B;
}

/// Counts the members of an aggregate. Returns `uncounted` if that is impossible.
template <class T>
constexpr auto count_members() -> std::size_t {
  constexpr std::size_t n = count_values<T>();
  if constexpr (n == uncounted) {
    return uncounted;
  } else {
    constexpr std::size_t bases = count_bases<T, n, false>();
    if constexpr (bases != count_bases<T, n, true>()) return uncounted;
    else return count_members_of<T, n>() - bases;
  }
}

/// Returns references to the members of an aggregate, at most 24. A larger model must group its
/// members into structs.
template <class T>
constexpr auto tie_members(T& t) {
  constexpr std::size_t n = count_members<std::remove_cv_t<T>>();
  static_assert(n != uncounted,
                "a model with a base that has members, or whose members cannot be counted: give it a member "
                "function members() that returns a std::tie of what holds its parameters");
  static_assert(n == uncounted || n <= 24,
                "a model of more than 24 members: group them into structs, or give it a member function members()");
  // clang-format off
  if constexpr (n == 0 || n == uncounted) return std::tie();
  else if constexpr (n == 1) { auto& [a] = t; return std::tie(a); }
  else if constexpr (n == 2) { auto& [a, b] = t; return std::tie(a, b); }
  else if constexpr (n == 3) { auto& [a, b, c] = t; return std::tie(a, b, c); }
  else if constexpr (n == 4) { auto& [a, b, c, d] = t; return std::tie(a, b, c, d); }
  else if constexpr (n == 5) { auto& [a, b, c, d, e] = t; return std::tie(a, b, c, d, e); }
  else if constexpr (n == 6) { auto& [a, b, c, d, e, f] = t; return std::tie(a, b, c, d, e, f); }
  else if constexpr (n == 7) { auto& [a, b, c, d, e, f, g] = t; return std::tie(a, b, c, d, e, f, g); }
  else if constexpr (n == 8) { auto& [a, b, c, d, e, f, g, h] = t; return std::tie(a, b, c, d, e, f, g, h); }
  else if constexpr (n == 9) { auto& [a, b, c, d, e, f, g, h, i] = t; return std::tie(a, b, c, d, e, f, g, h, i); }
  else if constexpr (n == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = t; return std::tie(a, b, c, d, e, f, g, h, i, j); }
  else if constexpr (n == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k); }
  else if constexpr (n == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l); }
  else if constexpr (n == 13) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m); }
  else if constexpr (n == 14) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o); }
  else if constexpr (n == 15) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p); }
  else if constexpr (n == 16) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q); }
  else if constexpr (n == 17) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r); }
  else if constexpr (n == 18) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s); }
  else if constexpr (n == 19) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u); }
  else if constexpr (n == 20) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v); }
  else if constexpr (n == 21) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w); }
  else if constexpr (n == 22) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x); }
  else if constexpr (n == 23) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x, y] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x, y); }
  else { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x, y, z] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x, y, z); }
  // clang-format on
}

}  // namespace koila::inline v0::detail
