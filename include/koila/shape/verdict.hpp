// SPDX-License-Identifier: MIT
#pragma once
// The result of a shape rule, and the error message of a refused call.
#include <koila/base/error.hpp>
#include <koila/shape/dims.hpp>
#include <koila/shape/reason.hpp>

#include <cstddef>
#include <string>

namespace koila::inline v0 {

namespace author {

/// Result of a shape rule: the dims of the op's result, or the reason for which the call is
/// refused.
struct verdict {
  author::reason reason = author::reason::accepted;
  dims out{};
  constexpr verdict(const dims& d) : out(d) {}
  constexpr verdict(author::reason r) : reason(r) {}
  constexpr auto accepted() const -> bool { return reason == reason::accepted; }
};

}  // namespace author

namespace detail {
/// Base of the exceptions for a loss that has no gradient because one of the loss's ops does not
/// define a gradient.
struct gradient_is_absent {};
template <class Error>
struct without_gradient : Error, gradient_is_absent {
  using Error::Error;
};

/// A string that a template argument can hold.
template <std::size_t N>
struct text {
  char chars[N];
  constexpr auto view() const -> std::string_view { return {chars, N - 1}; }
};

}  // namespace detail

namespace author {

/// Returns "name: reason", for a refusal that mentions no operands.
template <reason Reason, std::size_t N>
consteval auto message(const char (&name)[N]) -> detail::text<N + 2 + to_string(Reason).size()> {
  detail::text<N + 2 + to_string(Reason).size()> out{};
  std::size_t n = 0;
  for (const char c : std::string_view(name)) out.chars[n++] = c;
  out.chars[n++] = ':';
  out.chars[n++] = ' ';
  for (const char c : to_string(Reason)) out.chars[n++] = c;
  return out;
}

}  // namespace author

namespace detail {

/// Return type of deleted overloads, which refuse a call.
struct refused {};

/// Writes an error message without allocating: "matmul: [batch, 128] x [64, 10]: inner dimensions
/// differ".
struct writer {
  char buffer[512]{};
  std::size_t size = 0;

  constexpr void put(char c) {
    if (size < sizeof(buffer)) buffer[size++] = c;
  }
  constexpr void put(std::string_view s) {
    for (const char c : s) put(c);
  }
  constexpr void put(const char* s) { put(std::string_view(s)); }
  constexpr void put(index_t n) {
    if (n < 0) put('-');
    if (n >= 10 || n <= -10) put(n / 10 < 0 ? -(n / 10) : n / 10);
    const index_t digit = n % 10;
    put(static_cast<char>('0' + (digit < 0 ? -digit : digit)));
  }
  constexpr void put(const extent& x) {
    if (x.named()) {
      const auto colon = x.axis.rfind("::");
      put(colon == std::string_view::npos ? x.axis : x.axis.substr(colon + 2));
      if (x.known()) put("=");
    }
    if (x.known()) put(x.n);
    if (!x.named() && !x.known()) put("?");
  }
  constexpr void put(const dims& d) {
    if (d.type != dtype::float32 && d.type != dtype::unknown && !d.number) put(to_string(d.type));
    if (!d.ranked()) return put("[...]");
    put("[");
    for (int i = 0; i < d.rank; ++i) {
      if (i > 0) put(", ");
      put(d.e[i]);
    }
    put("]");
  }
  constexpr auto view() const -> std::string_view { return {buffer, size}; }
};

/// Writes "name: [a] x [b], dim 1: reason". If `attributes.write(writer&)` exists, it writes the
/// attributes, here ", dim 1".
template <class Attributes>
constexpr auto write(std::string_view name, reason r, const dims* operands, int count, const Attributes& attributes)
    -> writer {
  writer w;
  w.put(name);
  for (int i = 0; i < count; ++i) {
    w.put(i == 0 ? ": " : " x ");
    w.put(operands[i]);
  }
  if constexpr (requires { attributes.write(w); }) attributes.write(w);
  w.put(": ");
  w.put(to_string(r));
  return w;
}

/// Throws a shape_error with the message of `write`.
template <class Attributes = int>
[[noreturn]] inline void refuse(std::string_view name, reason r, const dims* operands, int count,
                                const Attributes& attributes = {}) {
  throw shape_error(std::string(detail::write(name, r, operands, count, attributes).view()));
}

}  // namespace detail

}  // namespace koila::inline v0
