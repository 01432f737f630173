// SPDX-License-Identifier: MIT
// Definitions of text.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/plan/text.hpp>

#include <cmath>

namespace koila::inline v0::detail {

auto text_writer::fixed(double x, int digits) -> text_writer& {
  if (!(std::abs(x) < 1e15)) return *this << (x < 0 ? "-1000000000000000" : "1000000000000000");
  double scale = 1;
  for (int i = 0; i < digits; ++i) scale *= 10;
  auto n = static_cast<index_t>(std::llround(std::abs(x) * scale));
  if (x < 0 && n > 0) s += '-';
  const auto unit = static_cast<index_t>(scale);
  *this << n / unit;
  if (digits == 0) return *this;
  const std::string behind = std::to_string(n % unit);
  s += '.';
  s.append(static_cast<std::size_t>(digits) - behind.size(), '0');
  return *this << behind;
}

auto grouped(index_t n) -> std::string {
  std::string s = std::to_string(n);
  for (auto i = static_cast<index_t>(s.size()) - 3; i > (n < 0 ? 1 : 0); i -= 3)
    s.insert(static_cast<std::size_t>(i), 1, ',');
  return s;
}

auto human_bytes(index_t n) -> std::string {
  static constexpr std::string_view units[] = {" B", " KiB", " MiB", " GiB", " TiB"};
  auto x = static_cast<double>(n);
  std::size_t unit = 0;
  for (; std::abs(x) >= 1023.5 && unit + 1 < std::size(units); x /= 1024) ++unit;
  text_writer w;
  w.fixed(x, unit == 0 || std::abs(x) >= 99.95 ? 0 : std::abs(x) >= 9.995 ? 1 : 2) << units[unit];
  return w.s;
}

auto human_seconds(double s) -> std::string {
  const double x = s >= 1 ? s : s >= 1e-3 ? 1e3 * s : 1e6 * s;
  text_writer w;
  w.fixed(x, x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2) << (s >= 1 ? " s" : s >= 1e-3 ? " ms" : " us");
  return w.s;
}

auto to_string(const dims& d) -> std::string {
  writer w;
  w.put(d);
  return std::string(w.view());
}

auto chunks_to_string(const std::vector<index_t>& chunks, index_t batch) -> std::string {
  if (chunks.empty()) return std::to_string(batch);
  const auto [least, most] = std::minmax_element(chunks.begin(), chunks.end());
  return std::to_string(*least) + (*least < *most ? " to " + std::to_string(*most) : "");
}

auto to_string(monoid m) -> std::string_view {
  switch (m) {
    case monoid::sum: return "summed over chunks";
    case monoid::prod: return "multiplied over chunks";
    case monoid::max: return "the largest of all chunks";
    case monoid::min: return "the smallest of all chunks";
    case monoid::moments: return "mean and variance over chunks";
    case monoid::concat: return "gathered";
    case monoid::none: break;
  }
  return "";
}

auto to_string(const graph_node& n) -> std::string {
  if (n.batch_relation.kind == batch_relation::whole) return "whole";
  if (n.batch_relation.kind == batch_relation::partial) return std::string(to_string(n.batch_relation.combine));
  text_writer w;
  w << "per sample, axis " << n.batch_relation.axis;
  if (n.batch_relation.outer != 1 || n.batch_relation.inner != 1)
    w << " (" << n.batch_relation.outer << " x batch x " << n.batch_relation.inner << ")";
  return w.s;
}

auto call_of(const builder& b, int node) -> std::string {
  const graph_node& x = b.node(node);
  std::string s(x.name());
  if (x.kind == node_kind::leaf || x.kind == node_kind::number) return s;
  s += '(';
  for (int k = 0, n = 0; k < x.operand_count; ++k) {
    if (!x.reads(k)) continue;
    if (n++ > 0) s += ", ";
    s += b.node(x.operands[static_cast<std::size_t>(k)]).name();
  }
  return s + ')';
}

/// Returns the length in bytes of the UTF-8 character at byte `position`, or 0 if it is invalid.
inline auto bytes_of_character(std::string_view s, std::size_t position) -> std::size_t {
  const auto byte = [&](std::size_t i) {
    return i < s.size() ? static_cast<unsigned>(static_cast<unsigned char>(s[i])) : 0U;
  };
  const unsigned first = byte(position), second = byte(position + 1);
  const std::size_t n = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  for (std::size_t i = 1; i < n; ++i)
    if ((byte(position + i) & 0xC0U) != 0x80) return 0;
  // Refuse overlong encodings, UTF-16 surrogates, and code points above U+10FFFF.
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  return (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F) ? 0 : n;
}

/// Calls f with each character. Bytes that are not UTF-8 become U+FFFD, and control characters
/// become spaces.
template <class F>
void each_character(std::string_view s, const F& f) {
  for (std::size_t i = 0; i < s.size();) {
    const std::size_t n = bytes_of_character(s, i);
    if (n == 0) f(std::string_view("\uFFFD"));
    else if (static_cast<unsigned char>(s[i]) < 0x20 || s[i] == 0x7F) f(std::string_view(" "));
    else f(s.substr(i, n));
    i += std::max<std::size_t>(n, 1);
  }
}

auto xml(std::string_view s) -> std::string {
  std::string out;
  each_character(s, [&](std::string_view c) {
    if (c == "<") out += "&lt;";
    else if (c == ">") out += "&gt;";
    else if (c == "&") out += "&amp;";
    else if (c == "\"") out += "&quot;";
    else out += c;
  });
  return out;
}

auto json(std::string_view s) -> std::string {
  std::string out;
  each_character(s, [&](std::string_view c) {
    if (c == "\"" || c == "\\") out += '\\';
    out += c;
  });
  return out;
}

}  // namespace koila::inline v0::detail
