// SPDX-License-Identifier: MIT
#include "call.hpp"

#include "ops/list.hpp"

#include <limits>
#include <sstream>

namespace koila::test {

namespace {

constexpr index_t largest = std::numeric_limits<index_t>::max(), smallest = std::numeric_limits<index_t>::min();

auto some_index(dice& d, bool hostile) -> index_t {
  constexpr index_t usual[] = {0, 1, 2, 3, -1, 1, 2}, other[] = {-2,
                                                                 -3,
                                                                 4,
                                                                 8,
                                                                 9,
                                                                 100,
                                                                 -100,
                                                                 -1000,
                                                                 1L << 31,
                                                                 (1L << 31) - 1,
                                                                 1L << 32,
                                                                 1L << 40,
                                                                 (1L << 62) + 1,
                                                                 largest,
                                                                 largest - 1,
                                                                 smallest,
                                                                 smallest + 1};
  return hostile && !d.one_in(3) ? d.among(other) : d.among(usual);
}
auto some_number(dice& d, bool hostile) -> double {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double usual[] = {1, 0.5, 0.25, 2, 0.5},
                   other[] = {0, -1, nan, inf, -inf, 1e300, -1e300, 300, -0.5, 1e-300, 70000, 1e19};
  return hostile && !d.one_in(3) ? d.among(other) : d.among(usual);
}
auto some_choice(dice& d) -> choice {
  return static_cast<choice>(d.below(static_cast<std::size_t>(choice::floor) + 1));
}
auto some_dtype(dice& d, bool hostile) -> dtype {
  constexpr dtype usual[] = {float32, float64, float16, bfloat16, int32, int64, boolean, uint8};
  return hostile && d.one_in(4) ? dtype::unknown : d.among(usual);
}

// Overloads of `vary`, one for each type of attribute.
template <class A>
void vary_all(A& a, dice& d, bool hostile);

void vary(attr<index_t>& a, dice& d, bool hostile) { a = some_index(d, hostile); }
void vary(dim_or_all& a, dice& d, bool hostile) { a.assign(some_index(d, hostile)); }
void vary(attr<double>& a, dice& d, bool hostile) { a = some_number(d, hostile); }
void vary(attr<bool>& a, dice& d, bool) { a = d.one_in(2); }
void vary(attr<choice>& a, dice& d, bool) { a = some_choice(d); }
void vary(attr<dtype>& a, dice& d, bool hostile) { a = some_dtype(d, hostile); }
void vary(attr_list& a, dice& d, bool hostile) {
  a.n = 0;
  const std::size_t n = hostile && d.one_in(4) ? d.below(dims::capacity + 1) : 1 + d.below(3);
  for (std::size_t i = 0; i < n; ++i) a.e[a.n++] = some_index(d, hostile);
}
void vary(paddings& a, dice& d, bool hostile) {
  if (!d.one_in(3)) return vary(static_cast<attr_list&>(a), d, hostile);
  a.assign(kSame);
  a.mode = d.one_in(2) ? choice::same : d.one_in(2) ? choice::valid : some_choice(d);
}
void vary(given_list& a, dice& d, bool hostile) {
  a.given = true;
  vary(static_cast<attr_list&>(a), d, hostile);
}
void vary(scale_factors& a, dice& d, bool hostile) {
  a.n = static_cast<int>(d.below(windows::capacity + 1));
  for (int i = 0; i < a.n; ++i) a.e[i] = some_number(d, hostile);
}
void vary(image_sizes& a, dice& d, bool hostile) {  // mostly 4 or 5 sizes, the first of them an axis
  attr_list l;
  l.n = static_cast<int>(hostile && d.one_in(4) ? d.below(dims::capacity + 1) : 4 + d.below(2));
  for (int i = 0; i < l.n; ++i) l.e[i] = some_index(d, hostile);
  a.assign(l);
  if (!d.one_in(4)) a.e[0] = {-1, axis_name<struct batch>};
}
void vary(detail::filling& a, dice& d, bool hostile) {
  if (d.one_in(2)) a.assign(attr<double>(some_number(d, hostile)));
  else if (d.one_in(2)) a.assign(attr<index_t>(some_index(d, hostile)));
  else a.assign(d.one_in(2));
}
void vary(detail::random_identity&, dice&, bool) {}
void vary(detail::opaque_attribute&, dice&, bool) {}
void vary(equation& e, dice& d, bool) {
  constexpr std::string_view some[] = {"ij,jk->ik", "i,i->", "...i,ij", "ij->ji",   "ii->i", "i,j->ij",
                                       "bij,bjk",   "ij",    "i->",     "ab,cd,ef", "->",    "",
                                       "..",        "i..j",  "ij->k",   "ij,ij->",  "i,ij",  "...,...->..."};
  e = equation(d.among(some));
}
void vary(pool_of& p, dice& d, bool hostile) {
  vary_all(p, d, hostile);
  p.n = hostile && d.one_in(4) ? static_cast<int>(some_index(d, false)) : 1 + static_cast<int>(d.below(3));
  if (d.one_in(2)) p.output_size = attr_list();
}
template <class A>
void vary(A& nested, dice& d, bool hostile) {
  vary_all(nested, d, hostile);
}

/// Sets some of the attributes, by name and by position, as a call may do.
template <class A>
void vary_all(A& a, dice& d, bool hostile) {
  for_each_attribute_name([&]<class Name>() {
    if constexpr (requires { Name::member(a); })
      if (!d.one_in(3)) vary(Name::member(a), d, hostile);
  });
  if constexpr (requires { A::positional; }) {
    const std::size_t many = d.below(std::min<std::size_t>(A::positional, 5) + 1);
    for (std::size_t i = 0; i < many; ++i) {
      const auto set = [&](const auto& v) {
        try {
          detail::set_positional(a, i, v);
        } catch (const std::logic_error&) {}  // the value has a different kind than the attribute
      };
      attr_list l;
      switch (d.below(4)) {
        case 0: set(some_number(d, hostile)); break;
        case 1: vary(l, d, hostile), set(l); break;
        default: set(static_cast<long long>(some_index(d, hostile)));
      }
    }
  }
  if constexpr (requires {
                  { a.type } -> std::same_as<attr<dtype>&>;
                })
    vary(a.type, d, hostile);
  if constexpr (requires {
                  { a.equation } -> std::same_as<equation&>;
                })
    vary(a.equation, d, hostile);
  if constexpr (requires {
                  { a.to } -> std::same_as<dims&>;
                }) {
    a.to = open_dims(static_cast<int>(d.below(4)), float32);
    for (int i = 0; i < a.to.rank; ++i) a.to.e[i].n = some_index(d, hostile);
  }
  if constexpr (requires {
                  { a.wanted } -> std::same_as<int&>;
                })
    a.wanted = static_cast<int>(some_index(d, false));
}

auto described(const attr<index_t>& a) -> std::optional<attribute_value> {
  return attribute_value{attribute_value::whole, {}, a.value};
}
auto described(const attr<double>& a) -> std::optional<attribute_value> {
  return attribute_value{attribute_value::real, {}, 0, a.value};
}
auto described(const attr<bool>& a) -> std::optional<attribute_value> {
  return attribute_value{attribute_value::truth, {}, a.value};
}
auto described(const attr<choice>& a) -> std::optional<attribute_value> {
  return attribute_value{attribute_value::named, {}, 0, 0, a.value};
}
auto described(const attr_list& a) -> std::optional<attribute_value> {
  attribute_value v{attribute_value::list, {}};
  for (int i = 0; i < a.n; ++i) v.several.push_back(a.e[i].value);
  return v;
}
auto described(const paddings& a) -> std::optional<attribute_value> {
  return a.mode == choice::none ? described(static_cast<const attr_list&>(a)) : std::nullopt;
}
auto described(const dim_or_all& a) -> std::optional<attribute_value> {
  return a.all() ? attribute_value{attribute_value::list} : attribute_value{attribute_value::whole, {}, a.value};
}
auto described(const auto&) -> std::optional<attribute_value> { return std::nullopt; }

/// Returns the named attributes, and an attribute of kind `other` if an unnamed attribute differs
/// from its default.
template <class A>
auto values_of(const A& a) -> std::vector<attribute_value> {
  std::vector<attribute_value> all;
  const A usual{};
  A named = usual;
  for_each_attribute_name([&]<class Name>() {
    if constexpr (requires { Name::member(a); }) {
      auto v = described(Name::member(a));
      if (!v) v = attribute_value{attribute_value::other};
      if constexpr (requires { Name::member(named) = Name::member(a); }) Name::member(named) = Name::member(a);
      v->name = type_name<Name>().substr(type_name<Name>().rfind(':') + 1);
      if constexpr (requires { Name::member(a) == Name::member(usual); })
        v->usual = Name::member(a) == Name::member(usual);
      all.push_back(*v);
    }
  });
  if constexpr (requires { named == a; })
    if (!(named == a)) all.push_back({attribute_value::other});
  return all;
}

/// False for chunk and split, which call a different op once for each part.
template <class Op>
constexpr bool has_name = requires { Op::name; };
template <class Op>
constexpr bool takes_numbers = !requires { Op::numbers_are_attributes; };

constexpr dtype all_dtypes[] = {float32, float64, float16, bfloat16, int32, int64, boolean, uint8, int16, int8};

auto number_of(dtype t) -> dims {
  dims d = scalar(t);
  d.number = true;
  return d;
}

/// Fixes the dims of the operands step by step, each time with a choice that the rule accepts.
/// Returns false if the rule accepts no choice.
auto completed(const callable_op& op, call& c, dice& d) -> bool {
  const auto n = static_cast<std::size_t>(op.operands);
  const auto accepted = [&] { return c.verdict().accepted(); };
  c.operands.assign(n, dims());
  if (n == 0) return accepted();
  const auto settle = [&](const auto& candidates, const auto& put) {
    for (const auto& x : candidates) {
      put(x);
      if (accepted()) return true;
    }
    return false;
  };
  const dtype base = d.one_in(3) ? d.among(all_dtypes) : float32;
  bool tensors = false;
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < n; ++k) order.push_back(k);
  if (d.one_in(2)) d.shuffle(order);
  for (std::size_t i = 0; i < n; ++i) {
    dims& x = c.operands[order[i]];
    if (op.takes_numbers && d.one_in(8) && (tensors || i + 1 < n)) {
      constexpr dtype numbers[] = {int64, float64, boolean};
      x = number_of(d.among(numbers));
      if (accepted()) continue;
      x = dims();
    }
    tensors = true;
    std::vector<dtype> types(std::begin(all_dtypes), std::end(all_dtypes));
    d.shuffle(types);
    if (!d.one_in(4)) types.insert(types.begin(), base);
    if (!settle(types, [&](dtype t) { x.type = t; })) return false;
    std::vector<int> ranks{0, 1, 2, 3, 4, 5};
    d.shuffle(ranks);
    if (d.one_in(2)) ranks.insert(ranks.begin(), {2, 3});
    if (d.one_in(16)) ranks.insert(ranks.begin(), dims::capacity);
    if (!settle(ranks, [&](int r) { x = open_dims(r, x.type); })) return false;
    for (int e = 0; e < x.rank; ++e) {
      std::vector<index_t> extents{1, 2, 3, 4, 6, 8, 12};
      d.shuffle(extents);
      extents.insert(d.one_in(6) ? extents.begin() : extents.end(), 0);
      extents.insert(extents.begin(), d.among<index_t>({1, 2, 2, 3, 3}));
      if (!settle(extents, [&](index_t many) { x.e[e] = {many, {}, true}; })) return false;
    }
  }
  return tensors;
}

}  // namespace

auto callable_ops() -> const std::vector<callable_op>& {
  static const auto all = [] {
    std::vector<callable_op> list;
    for_each_op([&]<class Op>(const char* header, const char*) {
      if constexpr (has_name<Op>)
        for (std::size_t n = 0; n <= most_operands; ++n) {
          if (op_table<Op>::info[n].rule == nullptr) continue;
          const auto attributes = [](dice& d, bool hostile) {
            attributes_t<Op> a{};
            if (!d.one_in(4)) vary_all(a, d, hostile);
            return detail::box_attributes<Op>(a);
          };
          const auto attribute_values = [](const object* attributes) {
            return values_of(detail::attributes_in<Op>(attributes));
          };
          list.push_back({std::string(Op::name), header, type_name<Op>(), &op_table<Op>::info[n], static_cast<int>(n),
                          attributes, attribute_values, takes_numbers<Op>});
        }
    });
    return list;
  }();
  return all;
}

auto call::to_string() const -> std::string {
  std::ostringstream os;
  os << op->name << "/" << op->operands << " seed " << seed
     << (hostile_values   ? " hostile values: "
         : special_values ? " special values: "
                          : ": ");
  try {
    op->info->refuse(reason::accepted, operands.data(), attributes.get());
  } catch (const shape_error& e) { os << e.what(); }
  for (const dims& x : operands) os << " " << (x.number ? "number " : "") << koila::to_string(x.type);
  for (const attribute_value& a : op->attribute_values(attributes.get())) {
    if (a.usual) continue;
    os << ", " << a.name << " ";
    switch (a.what) {
      case attribute_value::whole:
      case attribute_value::truth: os << a.number; break;
      case attribute_value::real: os << a.real_number; break;
      case attribute_value::named: os << "choice " << static_cast<int>(a.chosen); break;
      case attribute_value::list:
        for (const std::int64_t v : a.several) os << v << " ";
        break;
      case attribute_value::other: os << "(not spelt)";
    }
  }
  return os.str();
}

auto accepted_call(const callable_op& op, dice& d) -> std::optional<call> {
  for (int trial = 0; trial < 2000; ++trial) {
    const bool hostile = d.one_in(6);
    call c{&op, {}, op.attributes(d, hostile)};
    c.hostile_attributes = hostile;
    if (!completed(op, c, d)) continue;
    c.seed = d.below(1'000'000'000);
    return c;
  }
  return std::nullopt;
}

auto changed(const call& from, dice& d) -> call {
  call c = from;
  c.seed = d.below(1'000'000'000);
  c.hostile_values = d.one_in(8);
  c.special_values = !c.hostile_values && d.one_in(8);
  constexpr index_t extents[] = {0, 1, 2, 3, 4, 5, 7};
  if (c.operands.empty() || d.one_in(4)) {
    c.hostile_attributes = !d.one_in(3);
    c.attributes = c.op->attributes(d, c.hostile_attributes);
    return c;
  }
  dims& x = c.operands[d.below(c.operands.size())];
  switch (d.below(6)) {
    case 0:
      if (!x.number && x.rank < dims::capacity) {
        const int position = static_cast<int>(d.below(static_cast<std::size_t>(x.rank) + 1));
        for (int i = x.rank++; i > position; --i) x.e[i] = x.e[i - 1];
        x.e[position] = {d.among(extents), {}, true};
      }
      break;
    case 1:
      if (x.rank > 0) x = rules::drop(x, static_cast<int>(d.below(static_cast<std::size_t>(x.rank))), false);
      break;
    case 2:
    case 3:
      if (x.rank > 0) x.e[d.below(static_cast<std::size_t>(x.rank))].n = d.among(extents);
      break;
    case 4: x.type = x.number ? (x.type == int64 ? float64 : int64) : d.among(all_dtypes); break;
    default: std::swap(x, c.operands[d.below(c.operands.size())]);
  }
  bool tensor = false;
  for (const dims& o : c.operands) tensor = tensor || !o.number;
  return tensor ? c : from;
}

}  // namespace koila::test
