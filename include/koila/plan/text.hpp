#pragma once
// Text for people and for files: numbers and names into strings. A stream's formatting takes users'
// compilers long, and printf's depends on the locale.
#include <koila/plan/plan.hpp>

#include <cstdio>
#include <string>

namespace koila::detail {

struct text_writer {
  std::string s;
  auto operator<<(std::string_view x) -> text_writer& { return s += x, *this; }
  auto operator<<(index_t n) -> text_writer& { return s += std::to_string(n), *this; }
  auto operator<<(int n) -> text_writer& { return *this << static_cast<index_t>(n); }
  /// With this many digits behind the point.
  auto fixed(double x, int digits) -> text_writer&;
  /// In a column of so many characters.
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

/// 1234567 as "1,234,567".
auto grouped(index_t n) -> std::string;
/// 1234567 as "1.18 MiB".
auto human_bytes(index_t n) -> std::string;
/// 0.0123 as "12.3 ms".
auto human_seconds(double s) -> std::string;
auto spell(const dims& d) -> std::string;
/// The chunk sizes of loops: "64", or "16 to 64"; `batch` where there is no loop.
auto spell_chunks(const std::vector<index_t>& chunks, index_t batch) -> std::string;
/// How parts combine.
auto spell(monoid m) -> std::string_view;
/// The relation of a node to the batch.
auto spell(const graph_node& n) -> std::string;
/// A node with what it is computed from: "mm(relu, w2)".
auto call_of(const builder& b, int node) -> std::string;
/// What XML or JSON does not take as it is, written so that it does. Control characters become
/// spaces, bytes that are no UTF-8 U+FFFD.
auto xml(std::string_view s) -> std::string;
auto json(std::string_view s) -> std::string;

}  // namespace koila::detail
