// SPDX-License-Identifier: MIT
#include "every_op.hpp"

#include <c10/util/Type.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <sstream>

#include "list.hpp"

namespace koila::test {

namespace {

template <class... N>
auto numbers_of(N... n) -> attr_list {
  attr_list out;
  ((out.e[out.n++] = attr<index_t>(n)), ...);
  return out;
}

/// Returns an op's attributes with different values in positional places. If `numbers`, these are
/// floating-point numbers, otherwise integers and lists of integers.
template <class Op>
auto variants_of(bool numbers) -> std::vector<handle<const object>> {
  using A = attributes_t<Op>;
  std::vector<A> all{A{}};
  const auto vary = [&]<class V>(std::size_t position, std::size_t before, std::initializer_list<V> values) {
    for (std::size_t k = 0; k < before; ++k)
      for (const V& v : values) {
        A a = all[k];
        try {
          koila::detail::set_positional(a, position, v);
        } catch (const std::logic_error&) { return; }
        if (!(a == all[k])) all.push_back(a);
      }
  };
  if constexpr (!std::is_same_v<A, no_attributes>)
    for (std::size_t p = 0; p < std::min<std::size_t>(2, koila::detail::positions<A>()); ++p) {
      const std::size_t before = all.size();
      if (numbers) {
        vary.template operator()<attr<double>>(p, before, {0.25, -1.5, 0.5, 2, 3, -1});
        continue;
      }
      vary.template operator()<attr<index_t>>(p, before, {0, 1, 2, 4});
      vary.template operator()<attr_list>(p, before, {numbers_of(1), numbers_of(0, 1), numbers_of(1, 0, 2)});
    }
  std::vector<handle<const object>> boxed;
  for (const A& a : all) boxed.push_back(koila::detail::box_attributes<Op>(a));
  return boxed;
}

/// Returns "kMean" for choice::mean.
auto name_of(choice c) -> std::string {
  std::string found;
  const auto compare = [&]<choice C>() {
    if (C != c) return;
    const std::string_view all = __PRETTY_FUNCTION__;  // "... [with author::choice C = author::choice::batch_mean; ..."
    const std::size_t start = all.find("choice::", all.find("C = ")) + 8;
    bool upper = true;
    found = "k";
    for (const char letter : all.substr(start, all.find_first_of(";], ", start) - start)) {
      if (letter != '_') found += upper ? static_cast<char>(std::toupper(letter)) : letter;
      upper = letter == '_';
    }
  };
  [&]<int... C>(std::integer_sequence<int, C...>) {
    (compare.template operator()<static_cast<choice>(C)>(), ...);
  }(std::make_integer_sequence<int, static_cast<int>(choice::floor) + 1>{});
  return found;
}

/// Converts the default of an attribute to text.
struct text_of_value {
  std::ostringstream text;
  void put(std::string_view s) { text << s; }
  void put(char c) { text << c; }
  void put(bool v) { text << (v ? "true" : "false"); }
  void put(choice c) { text << name_of(c); }
  void put(dtype t) { text << (t == dtype::unknown ? "?" : to_string(t)); }
  void put(const std::integral auto& n) {  // the smallest integer means that there is no default
    if (const auto v = static_cast<std::int64_t>(n); v == std::numeric_limits<std::int64_t>::min()) text << '?';
    else text << v;
  }
  void put(double v) { text << v; }
  void put(const auto&) { text << '?'; }
};

/// Returns the names of an op's attributes with their defaults.
template <class Op>
auto settings_of() -> std::string {
  using A = attributes_t<Op>;
  std::string all;
  if constexpr (!std::is_same_v<A, no_attributes>)
    for_each_attribute_name([&]<class Name>() {
      if constexpr (requires(A& a, text_of_value& w) { Name::member(a).write(w); }) {
        A a{};
        text_of_value value;
        Name::member(a).write(value);
        const std::string name = c10::demangle(typeid(Name).name()), written = value.text.str();
        all += (all.empty() ? "" : ", ") + name.substr(name.rfind(':') + 1);
        if (written != "()" && written.find('?') == std::string::npos) all += " = " + written;
      }
    });
  return all;
}

}  // namespace

auto all_ops() -> const std::vector<described>& {
  static const std::vector<described> list = [] {
    std::vector<described> all;
    for_each_op([&]<class Op>(const char* header, const char* doc) {
      if constexpr (requires { Op::name; }) {  // chunk and split have no name: they call another op several times
        const auto plain = koila::detail::box_attributes<Op>(attributes_t<Op>{});
        all.push_back({std::string(Op::name), header, doc, &op_table<Op>::info[0], plain, settings_of<Op>(),
                       variants_of<Op>(false), variants_of<Op>(true)});
      }
    });
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return all;
  }();
  return list;
}

auto is_of_each_element(const op_info& op, std::size_t operands, const object* attributes, dtype t) -> bool {
  if (op.rule == nullptr || op.flow == nullptr || op.view != nullptr || op.operators.draw != nullptr || operands == 0)
    return false;
  const auto sizes = [&](const dims& d) { return op.rule(std::vector<dims>(operands, d).data(), attributes); };
  if (const verdict v = sizes(scalar(t)); !v.accepted() || v.out.rank != 0) return false;
  const dims d({extent{3}, extent{4}, extent{5}}, t);
  const verdict v = sizes(d);
  if (!v.accepted() || v.out.type == dtype::unknown || rules::same_shape(v.out, d) != tristate::yes) return false;
  for (int axis = 0; axis < d.rank; ++axis) {
    const std::vector<value> in(operands, value{d, samples_along(axis)});
    const relations f = op.flow(in.data(), v.out, attributes);
    if (!f.out.sampled() || f.out.axis != axis || f.resliced) return false;
  }
  return true;
}

auto accepted_operands(const op_info& op, std::size_t n, const object* attributes, std::size_t most)
    -> std::vector<std::vector<dims>> {
  constexpr int ranks = 5;
  constexpr index_t gates[] = {1, 3, 4};
  constexpr dtype others[] = {int64, boolean};
  std::vector<std::vector<dims>> all;
  std::size_t codes = 1;
  for (std::size_t k = 0; k < n; ++k) codes *= ranks;
  std::vector<std::size_t> in_order;
  for (std::size_t c = 0; c < codes; ++c) in_order.push_back(c);
  const auto dims_in = [&](std::size_t code) {
    std::size_t sum = 0;
    for (; code != 0; code /= ranks) sum += code % ranks;
    return sum;
  };
  std::stable_sort(in_order.begin(), in_order.end(),
                   [&](std::size_t a, std::size_t b) { return dims_in(a) < dims_in(b); });
  const std::size_t types = 1 + n * std::size(others), scaled_from = std::min<std::size_t>(n, 5);
  for (const std::size_t code : in_order)
    for (std::size_t t = 0; t < types; ++t)
      for (std::size_t from = 2; from <= std::max<std::size_t>(2, scaled_from); ++from)
        for (const index_t factor : gates) {
          if (all.size() == most) return all;
          if (factor > 1 && from >= n) continue;
          if (factor == 1 && from > 2) continue;
          std::vector<dims> operands;
          std::size_t rest = code;
          for (std::size_t k = 0; k < n; ++k, rest /= ranks) {
            const bool other = t > 0 && (t - 1) / std::size(others) == k;
            operands.push_back(
                open_dims(static_cast<int>(rest % ranks), other ? others[(t - 1) % std::size(others)] : float32));
            for (int i = 0; i < operands.back().rank; ++i)
              operands.back().e[i] = {i == 0 && k >= from ? 4 * factor : 4, {}, true};
          }
          if (op.rule(operands.data(), attributes).accepted()) all.push_back(operands);
        }
  return all;
}

}  // namespace koila::test
