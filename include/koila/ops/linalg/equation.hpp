// SPDX-License-Identifier: MIT
#pragma once
// Parses the equation of an einsum, such as "bij,bjk->bik". An equation "..."_eq is known at
// compile time; a string is known only at run time.
#include <koila/expr/op.hpp>

#include <algorithm>

namespace koila::inline v0 {

namespace detail {

/// The characters of an equation.
struct equation {
  static constexpr std::size_t capacity = 80;
  char chars[capacity]{};
  std::size_t size = 0;
  bool known = false;  ///< false if the equation is a string whose text the compiler does not know

  constexpr equation() = default;
  constexpr explicit equation(std::string_view s) : size(s.size()), known(true) {
    for (std::size_t i = 0; i < size && i < capacity; ++i) chars[i] = s[i];
  }
  constexpr auto view() const -> std::string_view { return {chars, size < capacity ? size : capacity}; }
  friend constexpr auto operator==(const equation&, const equation&) -> bool = default;
};

/// A string literal as a template argument.
template <std::size_t N>
struct literal {
  char chars[N];
  constexpr literal(const char (&s)[N]) {
    for (std::size_t i = 0; i < N; ++i) chars[i] = s[i];
  }
};

/// An equation as a type, so that the compiler can read the equation.
template <literal L>
struct equation_constant {
  static constexpr equation value{std::string_view(L.chars, sizeof(L.chars) - 1)};
};

}  // namespace detail

/// einsum("bij,bjk->bik"_eq, a, b): an equation that is known at compile time.
template <detail::literal L>
constexpr auto operator""_eq() -> detail::equation_constant<L> {
  return {};
}

namespace detail {

template <>
inline constexpr bool is_attribute<equation> = true;
template <literal L>
inline constexpr bool is_attribute<equation_constant<L>> = true;
template <literal L>
struct type_only<equation_constant<L>> {
  static constexpr auto value() -> equation_constant<L> { return {}; }
};
template <>
struct type_only<equation> {
  static constexpr auto value() -> equation { return {}; }
};

/// The labels of a value's dims. The dims of an ellipsis have the labels -1, -2, ..., counted from
/// the last dim of the ellipsis.
struct labels {
  signed char letter[dims::capacity]{};
  int n = 0;
  bool too_many = false;

  constexpr void push(int label) {
    if (n == dims::capacity) too_many = true;
    else letter[n++] = static_cast<signed char>(label);
  }
  constexpr auto find(int label) const -> int {
    for (int i = 0; i < n; ++i)
      if (letter[i] == label) return i;
    return -1;
  }
  constexpr auto has(int label) const -> bool { return find(label) >= 0; }
  constexpr auto repeats() const -> bool {
    for (int i = 0; i < n; ++i)
      if (find(letter[i]) != i) return true;
    return false;
  }
};

/// A parsed equation for operands of given ranks. The parsed equation has the labels of each
/// operand and of the result.
struct subscripts {
  static constexpr int most = 5;
  author::reason reason = author::reason::accepted;
  labels operands[most], out;
  int n = 0;

  /// Returns the number of operands that have a label, counted from operand `first` on.
  constexpr auto count(int label, int first = 0) const -> int {
    int times = 0;
    for (int k = first; k < n; ++k) times += operands[k].has(label) ? 1 : 0;
    return times;
  }
};

/// Parses one term, such as "b...i". If the rank of the value is unknown (-1), `dots` is the number
/// of dims of the ellipsis.
constexpr auto read_term(std::string_view s, int rank, int dots) -> std::pair<labels, reason> {
  labels out;
  int letters = 0, at = -1;
  for (const char c : s) letters += c != '.' && c != ' ' ? 1 : 0;
  if (rank >= 0) dots = rank - letters;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const char c = s[i];
    if (c == ' ') continue;
    if (c == '.') {
      if (s.substr(i, 3) != "..." || at >= 0) return {out, reason::not_an_equation};
      at = static_cast<int>(i);
      i += 2;
      for (int k = dots; k > 0; --k) out.push(-k);
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      out.push(c);
    } else {
      return {out, reason::not_an_equation};
    }
  }
  if (out.too_many) return {out, reason::too_many_dimensions};
  if (rank >= 0 && (dots < 0 || (dots > 0 && at < 0))) return {out, reason::no_rule_for_these_ranks};
  return {out, out.repeats() ? reason::dim_given_twice : reason::accepted};
}

/// Returns the labels of the result of an equation without "->". The labels of the ellipsis come
/// first, followed by the letters that occur once, in ASCII order.
constexpr auto implied(const subscripts& s, int dots) -> labels {
  labels out;
  for (int k = dots; k > 0; --k) out.push(-k);
  for (int c = 'A'; c <= 'z'; ++c)
    if (s.count(c) == 1) out.push(c);
  return out;
}

/// Parses an equation for `n` operands with the ranks `rank`.
constexpr auto read(const equation& e, int n, const int* rank) -> subscripts {
  subscripts out;
  out.n = n;
  const std::string_view s = e.view();
  const auto arrow = s.find("->");
  std::string_view left = s.substr(0, arrow);
  if (e.size > equation::capacity) out.reason = reason::not_an_equation;
  else if (std::count(left.begin(), left.end(), ',') != n - 1) out.reason = reason::wrong_number_of_operands;
  int dots = 0;
  for (int k = 0; k < n && out.reason == reason::accepted; ++k) {
    const std::string_view term = left.substr(0, left.find(','));
    left.remove_prefix(std::min(left.size(), term.size() + 1));
    const auto [labels, r] = read_term(term, rank[k], 0);
    out.operands[k] = labels;
    out.reason = r;
    for (int i = 0; i < labels.n; ++i) dots = labels.letter[i] < -dots ? -labels.letter[i] : dots;
  }
  if (out.reason != reason::accepted) return out;
  if (arrow == s.npos) {
    out.out = implied(out, dots);
    if (out.out.too_many) out.reason = reason::too_many_dimensions;
    return out;
  }
  const auto [labels, r] = read_term(s.substr(arrow + 2), -1, dots);
  out.out = labels;
  out.reason = r;
  for (int i = 0; i < labels.n && out.reason == reason::accepted; ++i)
    if (out.count(labels.letter[i]) == 0) out.reason = reason::not_an_equation;
  return out;
}

}  // namespace detail

}  // namespace koila::inline v0
