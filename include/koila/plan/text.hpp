// SPDX-License-Identifier: MIT
#pragma once
// Numbers and names as text, for people and for files. Streams are not used because they make
// users' builds slow, and printf is not used because it depends on the locale.
#include <koila/plan/plan.hpp>

#include <cstdio>
#include <string>

namespace koila::inline v0::detail {

struct text_writer {
  std::string s;
  auto operator<<(std::string_view x) -> text_writer& { return s += x, *this; }
  auto operator<<(index_t n) -> text_writer& { return s += std::to_string(n), *this; }
  auto operator<<(int n) -> text_writer& { return *this << static_cast<index_t>(n); }
  /// Appends a number with `digits` digits after the decimal point.
  auto fixed(double x, int digits) -> text_writer&;
  /// Appends text, padded with spaces to `width` characters.
  auto column(std::string_view x, std::size_t width) -> text_writer& {
    s += x;
    if (x.size() < width) s.append(width - x.size(), ' ');
    return *this;
  }
  auto right(std::string_view x, std::size_t width) -> text_writer& {
    if (x.size() < width) s.append(width - x.size(), ' ');
    return *this << x;
  }
};

/// Returns 1234567 as "1,234,567".
auto grouped(index_t n) -> std::string;
/// Returns 1234567 as "1.18 MiB".
auto human_bytes(index_t n) -> std::string;
/// Returns 0.0123 as "12.3 ms".
auto human_seconds(double s) -> std::string;
auto to_string(const dims& d) -> std::string;
/// Returns the chunk sizes of loops as text, such as "64" or "16 to 64". Returns `batch` as text
/// if there are no loops.
auto chunks_to_string(const std::vector<index_t>& chunks, index_t batch) -> std::string;
/// Returns how the parts of a partial value are combined, such as "summed over chunks".
auto to_string(monoid m) -> std::string_view;
/// Returns the relation of a node to the batch as text, such as "per sample, axis 0".
auto to_string(const graph_node& n) -> std::string;
/// Returns a node with its operands, such as "mm(relu, w2)".
auto call_of(const builder& b, int node) -> std::string;
/// Escapes text for XML or JSON. Control characters become spaces, and bytes that are not UTF-8
/// become U+FFFD.
auto xml(std::string_view s) -> std::string;
auto json(std::string_view s) -> std::string;

}  // namespace koila::inline v0::detail
