// SPDX-License-Identifier: MIT
// Definitions of spellings.hpp and translation.hpp.
#include <koila/intercept/spellings.hpp>
#include <koila/intercept/translation.hpp>
#include <koila/run/tensor.hpp>

#include <algorithm>
#include <unordered_set>

namespace koila::inline v0::detail {

auto attribute_value_of(const operator_value& v) -> std::optional<attribute_value> {
  attribute_value a;
  if (v.isNone()) {
    a.kind = attribute_value::none;
  } else if (v.isBool()) {
    a.kind = attribute_value::boolean;
    a.n = v.toBool() ? 1 : 0;
  } else if (v.isInt()) {
    a.kind = attribute_value::integer;
    a.n = v.toInt();
  } else if (v.isDouble()) {
    a.kind = attribute_value::real;
    a.x = v.toDouble();
  } else if (v.isIntList()) {
    const std::vector<std::int64_t> all = v.toIntVector();
    if (all.size() > dims::capacity) return std::nullopt;
    a.kind = attribute_value::list;
    for (const std::int64_t n : all) a.l.e[a.l.n++] = n;
  } else if (v.isString()) {
    constexpr std::pair<std::string_view, choice> words[] = {
        {"none", choice::none},           {"mean", choice::mean},         {"sum", choice::sum},
        {"same", choice::same},           {"valid", choice::valid},       {"zeros", choice::zeros},
        {"constant", choice::constant},   {"reflect", choice::reflect},   {"replicate", choice::replicate},
        {"circular", choice::circular},   {"border", choice::border},     {"nearest", choice::nearest},
        {"linear", choice::linear},       {"bilinear", choice::bilinear}, {"bicubic", choice::bicubic},
        {"trilinear", choice::trilinear}, {"area", choice::area},         {"tanh", choice::tanh},
        {"trunc", choice::trunc},         {"floor", choice::floor}};
    a.kind = attribute_value::word;
    const auto* const word =
        std::find_if(std::begin(words), std::end(words), [&](const auto& w) { return w.first == v.toStringRef(); });
    if (word == std::end(words)) return std::nullopt;
    a.c = word->second;
  } else {
    return std::nullopt;
  }
  return a;
}

auto has_no_effect(std::string_view argument) -> bool {
  static const std::unordered_set<std::string_view> all{
      "cudnn_enabled", "cudnn_enable", "benchmark",          "deterministic", "allow_tf32", "memory_format",
      "sparse",        "sparse_grad",  "scale_grad_by_freq", "implicit",      "stable"};
  return all.contains(argument);
}

auto record_number(region& r, const operator_value& v) -> int {
  if (v.isBool()) return r.number(v.toBool() ? 1 : 0, number_shape<bool>::value);
  if (v.isInt()) return r.number(static_cast<double>(v.toInt()), number_shape<index_t>::value);
  if (v.isDouble()) return r.number(v.toDouble(), number_shape<double>::value);
  return -1;
}

namespace spelled {

inline auto tensor(const operator_call& c, std::size_t k) -> at::Tensor {
  return c.argument(k).isTensor() ? c.argument(k).toTensor() : at::Tensor();
}
inline auto value(const operator_call& c, region& r, std::size_t k) -> int { return r.value_of(tensor(c, k)); }
inline auto single(int v, call_results& out) -> bool {
  out.values = {{v}};
  return v >= 0;
}
inline auto sizes_of(const operator_value& v) -> std::vector<std::int64_t> { return v.toIntVector(); }

inline auto reshaped(region& r, int x, const std::vector<extent>& to) -> int {
  if (x < 0 || to.size() > dims::capacity) return -1;
  attributes_t<struct reshape> a;
  for (const extent& e : to) a.to.put(e);
  return record_op<struct reshape>(r, a, x);
}
/// A new value with the same elements.
inline auto same(region& r, int x) -> int {
  if (x < 0) return -1;
  const dims d = r.dims_of_value(x);
  return reshaped(r, x, {d.e, d.e + d.rank});
}
inline auto converted(region& r, int x, dtype to) -> int {
  if (x < 0 || r.dims_of_value(x).type == to) return x;
  attributes_t<struct internal::to_dtype> a;
  a.type = to;
  return record_op<struct internal::to_dtype>(r, a, x);
}
inline auto expanded(region& r, int x, const std::vector<std::int64_t>& to) -> int {
  if (x < 0 || to.size() > dims::capacity) return -1;
  const dims d = r.dims_of_value(x);
  const auto lead = static_cast<int>(to.size()) - d.rank;
  attributes_t<struct internal::expand_op> a;
  for (int i = 0; i < static_cast<int>(to.size()); ++i) {
    const std::int64_t n = to[static_cast<std::size_t>(i)];
    a.to.put(attr<index_t>(i >= lead && d.e[i - lead].n == n ? -1 : n));  // -1 keeps the axis
  }
  return record_op<struct internal::expand_op>(r, a, x);
}
inline auto part(region& r, int x, index_t dim, index_t start, index_t length) -> int {
  attributes_t<struct narrow> a;
  a.dim = dim;
  a.start = start;
  a.length = length;
  return record_op<struct narrow>(r, a, x);
}
inline auto selected(region& r, int x, index_t dim, index_t i) -> int {
  attributes_t<struct ops::select> a;
  a.dim = dim;
  a.index = i;
  return record_op<struct ops::select>(r, a, x);
}
inline auto with_dim(region& r, int x, index_t dim) -> int {
  attributes_t<struct unsqueeze> a;
  a.dim = dim;
  return record_op<struct unsqueeze>(r, a, x);
}
inline auto joined(region& r, std::vector<int> all, index_t dim) -> int {
  attributes_t<struct cat> a;
  a.dim = dim;
  return all.size() == 1 ? all[0] : record_joined<struct cat>(r, std::move(all), a);
}
inline auto swapped(region& r, int x, index_t dim0, index_t dim1) -> int {
  attributes_t<struct transpose> a;
  a.dim0 = dim0;
  a.dim1 = dim1;
  return record_op<struct transpose>(r, a, x);
}

inline auto operand_itself(const operator_call&, region&, call_results& out) -> bool { return out.is_operand = true; }
inline auto alias(const operator_call& c, region& r, call_results& out) -> bool { return single(value(c, r, 0), out); }
inline auto copied(const operator_call& c, region& r, call_results& out) -> bool {
  return single(same(r, value(c, r, 0)), out);
}

/// view, reshape: the sizes are resolved, and the dim with the samples keeps its axis.
inline auto viewed(const operator_call& c, region& r, call_results& out) -> bool {
  if (!c.argument(1).isIntList()) return false;
  const int x = value(c, r, 0);
  if (x < 0) return false;
  const dims d = r.dims_of_value(x);
  std::vector<std::int64_t> to = sizes_of(c.argument(1));
  std::int64_t others = 1;
  for (const std::int64_t n : to) others *= n == -1 ? 1 : n;
  for (std::int64_t& n : to)
    if (n == -1) n = others == 0 ? 0 : d.count() / others;
  const int batch = d.find(axis_name<struct batch>);
  std::vector<extent> extents;
  index_t before = 1;
  for (const std::int64_t n : to) {
    const bool is_batch = batch >= 0 && n == d.e[batch].n && before == d.count(0, batch);
    extents.push_back(is_batch ? d.e[batch] : extent{n, {}, true});
    before *= n;
  }
  return single(reshaped(r, x, extents), out);
}
inline auto repeated(const operator_call& c, region& r, call_results& out) -> bool {
  return c.argument(1).isIntList() && single(expanded(r, value(c, r, 0), sizes_of(c.argument(1))), out);
}
inline auto squeezed(const operator_call& c, region& r, call_results& out) -> bool {
  if (c.count() < 2 || !c.argument(1).isIntList()) return false;
  int x = value(c, r, 0);
  if (x < 0) return false;
  const int rank = r.dims_of_value(x).rank;
  std::vector<int> which;
  for (const std::int64_t d : sizes_of(c.argument(1))) which.push_back(wrap(d, rank));
  std::sort(which.rbegin(), which.rend());
  for (const int d : which) {
    attributes_t<struct squeeze> a;
    a.dim = attr<index_t>(d);
    x = record_op<struct squeeze>(r, a, x);
  }
  return single(x, out);
}
inline auto cast(const operator_call& c, region& r, call_results& out) -> bool {
  const int x = value(c, r, 0);
  if (x < 0) return false;
  for (std::size_t k = 1; k < c.count(); ++k) {
    const operator_value& v = c.argument(k);
    if (v.isNone() || has_no_effect(c.argument_name(k)) || c.is_default(k)) continue;
    if (v.isDevice() && v.toDevice() == tensor(c, 0).device()) continue;
    if (c.argument_name(k) != "dtype" && c.argument_name(k) != "layout" && c.argument_name(k) != "pin_memory")
      return false;
  }
  if (c.argument(1).isNone()) return single(same(r, x), out);
  const std::optional<dtype> to = dtype_of(c.argument(1).toScalarType());
  if (!to) return false;
  return single(*to == r.dims_of_value(x).type ? same(r, x) : converted(r, x, *to), out);
}

/// x + alpha y and x - alpha y, with a factor that is not 1.
template <class Op, bool Reversed>
inline auto sum(const operator_call& c, region& r, call_results& out) -> bool {
  const bool scaled = !c.is_default(2);
  if (!Reversed && !scaled) return false;  // the default translation
  const int x = value(c, r, 0);
  int y = c.takes_scalar(1) ? record_number(r, c.argument(1)) : value(c, r, 1);
  if (x < 0 || y < 0) return false;
  int from = x;
  int& factor_of = Reversed ? from : y;
  if (scaled) factor_of = record_op<struct mul>(r, {}, factor_of, record_number(r, c.argument(2)));
  return single(Reversed ? record_op<Op>(r, {}, y, from) : record_op<Op>(r, {}, x, y), out);
}

/// Products with w.t(), as F::linear calls them.
inline auto linear_weight(const operator_call& c, region& r, std::size_t k) -> int {
  const at::Tensor t = tensor(c, k);
  if (!t.defined() || (as_lazy_tensor(t) != nullptr && as_lazy_tensor(t)->is_lazy())) return -1;
  const at::Tensor w = transposed_matrix(t);
  return w.defined() ? r.value_of(w) : -1;
}
inline auto product_and_bias(const operator_call& c, region& r, call_results& out) -> bool {
  if (!c.is_default(3) || !c.is_default(4)) return false;
  const int w = linear_weight(c, r, 2), b = value(c, r, 0);
  if (w < 0 || b < 0 || r.dims_of_value(b).rank != 1) return false;
  return single(record_op<struct linear>(r, {}, value(c, r, 1), w, b), out);
}
inline auto product(const operator_call& c, region& r, call_results& out) -> bool {
  const int w = linear_weight(c, r, 1);
  return w >= 0 && single(record_op<struct linear>(r, {}, value(c, r, 0), w), out);
}

inline auto parts(region& r, int x, index_t dim, const std::vector<index_t>& lengths, call_results& out) -> bool {
  out.values = {{}};
  index_t start = 0;
  for (const index_t n : lengths) {
    out.values[0].push_back(part(r, x, dim, start, n));
    if (out.values[0].back() < 0) return false;
    start += n;
  }
  return !lengths.empty();
}
inline auto extent_along(const operator_call& c, region& r, int x, std::size_t argument) -> index_t {
  const int d =
      x < 0 || !c.argument(argument).isInt() ? -1 : wrap(c.argument(argument).toInt(), r.dims_of_value(x).rank);
  return d < 0 ? -1 : r.dims_of_value(x).e[d].n;
}
inline auto split_evenly(region& r, int x, index_t dim, index_t n, index_t each, call_results& out) -> bool {
  if (n < 1 || each < 1) return false;
  std::vector<index_t> lengths;
  for (index_t start = 0; start < n; start += each) lengths.push_back(std::min(each, n - start));
  return parts(r, x, dim, lengths, out);
}
inline auto chunked(const operator_call& c, region& r, call_results& out) -> bool {
  const int x = value(c, r, 0);
  const index_t n = extent_along(c, r, x, 2), count = c.argument(1).toInt();
  return count > 0 && split_evenly(r, x, c.argument(2).toInt(), n, (n + count - 1) / count, out);
}
inline auto split(const operator_call& c, region& r, call_results& out) -> bool {
  const int x = value(c, r, 0);
  const index_t n = extent_along(c, r, x, 2);
  if (n < 0) return false;
  if (c.argument(1).isInt()) return split_evenly(r, x, c.argument(2).toInt(), n, c.argument(1).toInt(), out);
  return c.argument(1).isIntList() && parts(r, x, c.argument(2).toInt(), sizes_of(c.argument(1)), out);
}
inline auto unbound(const operator_call& c, region& r, call_results& out) -> bool {
  const int x = value(c, r, 0);
  const index_t n = extent_along(c, r, x, 1);
  if (n < 1) return false;
  out.values = {{}};
  for (index_t i = 0; i < n; ++i) {
    out.values[0].push_back(selected(r, x, c.argument(1).toInt(), i));
    if (out.values[0].back() < 0) return false;
  }
  return true;
}
inline auto stacked(const operator_call& c, region& r, call_results& out) -> bool {
  std::vector<int> all;
  for (const at::Tensor& t : c.argument(0).toTensorVector()) {
    const int x = r.value_of(t);
    if (x < 0) return false;
    const int wider = with_dim(r, x, c.argument(1).toInt());
    if (wider < 0) return false;
    all.push_back(wider);
  }
  return !all.empty() && single(joined(r, std::move(all), c.argument(1).toInt()), out);
}

/// An operator that returns two values, each of which one op computes.
template <class Values, class Indices>
inline auto values_and_indices(const operator_call& c, region& r, call_results& out) -> bool {
  if (c.result_count() != 2) return false;
  const int v = translate_by_order<Values>(c, r), i = v < 0 ? -1 : translate_by_order<Indices>(c, r);
  out.values = {{v}, {i}};
  return i >= 0;
}

inline auto limited(const operator_call& c, region& r, call_results& out) -> bool {
  const auto bound = [&](std::size_t k) {
    const operator_value& v = c.argument(k);
    return v.isTensor() ? r.value_of(v.toTensor()) : record_number(r, v);
  };
  const int x = value(c, r, 0);
  if (c.argument(1).isNone()) return single(record_op<struct clamp_max>(r, {}, x, bound(2)), out);
  if (c.argument(2).isNone()) return single(record_op<struct clamp_min>(r, {}, x, bound(1)), out);
  return single(record_op<struct clamp>(r, {}, x, bound(1), bound(2)), out);
}

template <choice Mode>
inline auto padded(const operator_call& c, region& r, call_results& out) -> bool {
  if (!c.argument(1).isIntList() || c.argument(1).toIntVector().size() > dims::capacity) return false;
  attributes_t<struct pad> a;
  a.mode = Mode;
  a.padding = attribute_value_of(c.argument(1))->l;
  if (a.padding.n == 0) return false;
  if (Mode == choice::constant && c.count() > 2 && !c.argument(2).isNone()) {
    const operator_value& fill = c.argument(2);
    a.fill_value = fill.isInt() ? static_cast<double>(fill.toInt()) : fill.toDouble();
  }
  return single(record_op<struct pad>(r, a, value(c, r, 0)), out);
}

/// upsample_nearest2d and its kind. The factors, if they are given, decide where values are read.
template <choice Mode>
inline auto resized(const operator_call& c, region& r, call_results& out) -> bool {
  attributes_t<struct interpolate> a;
  a.mode = Mode;
  const auto add_factor = [&](double factor) {
    if (a.scale_factor.n < windows::capacity) a.scale_factor.e[a.scale_factor.n++] = factor;
  };
  for (std::size_t k = 2; k < c.count(); ++k) {
    const operator_value& v = c.argument(k);
    if (v.isBool()) a.align_corners = v.toBool();
    else if (v.isDouble()) add_factor(v.toDouble());
    else if (v.isDoubleList())
      for (const double factor : v.toDoubleVector()) add_factor(factor);
  }
  if (a.scale_factor.n == 0) {
    const std::optional<attribute_value> sizes = attribute_value_of(c.argument(1));
    if (!sizes || sizes->kind != attribute_value::list) return false;
    a.size = sizes->l;
  }
  return single(record_op<struct interpolate>(r, a, value(c, r, 0)), out);
}

/// x[i, j, ...] with tensors of integers along the first dims.
inline auto indexed(const operator_call& c, region& r, call_results& out) -> bool {
  int in[most_operands] = {value(c, r, 0)};
  int n = 1;
  for (const operator_value& e : c.argument(1).toListRef()) {
    if (!e.isTensor() || !e.toTensor().defined() || n == most_operands) return false;
    const at::Tensor t = e.toTensor();
    if (t.scalar_type() == at::kBool || t.scalar_type() == at::kByte) return false;  // the sizes depend on the values
    in[n++] = converted(r, r.value_of(t), dtype::int64);
  }
  return n > 1 && single(record_op<struct ops::index>(r, in, n, {}), out);
}

/// The operator takes -1 for "no padding", where koila's op counts from the end.
inline auto embedded(const operator_call& c, region& r, call_results& out) -> bool {
  attributes_t<struct embedding> a;
  if (const index_t row = c.argument(2).toInt(); row >= 0) a.padding_idx = row;
  return single(record_op<struct embedding>(r, a, value(c, r, 1), value(c, r, 0)), out);
}

// ---- operators in place

/// copy_: the new elements, with the dtype and the dims of the tensor that is written to.
inline auto overwritten(const operator_call& c, region& r, call_results& out) -> bool {
  const int self = value(c, r, 0), from = value(c, r, 1);
  if (self < 0 || from < 0) return false;
  const dims d = r.dims_of_value(self);
  std::vector<std::int64_t> to;
  for (int i = 0; i < d.rank; ++i) to.push_back(d.e[i].n);
  const int x = converted(r, from, d.type);
  if (x < 0) return false;
  return single(same_extents(r.dims_of_value(x), d) ? same(r, x) : expanded(r, x, to), out);
}
inline auto filled_with(region& r, int like, double number, call_results& out) -> bool {
  attributes_t<struct full_like> a;
  detail::assign_member(a.fill_value, attr<double>(number));
  return single(record_op<struct full_like>(r, a, like), out);
}
/// The elements of a new tensor may be any. Operators in place on it are recorded then.
inline auto uninitialised(const operator_call& c, region& r, call_results& out) -> bool {
  if (!c.argument(1).isNone() && c.argument(1).toScalarType() != tensor(c, 0).scalar_type()) return false;
  return filled_with(r, value(c, r, 0), 0, out);
}
inline auto filled(const operator_call& c, region& r, call_results& out) -> bool {
  const operator_value& v = c.argument(1);
  if (v.isTensor() || !c.writes_any()) return false;
  return filled_with(r, value(c, r, 0),
                     v.isDouble() ? v.toDouble()
                     : v.isBool() ? v.toBool()
                                  : static_cast<double>(v.toInt()),
                     out);
}
inline auto zeroed(const operator_call& c, region& r, call_results& out) -> bool {
  return c.writes_any() && filled_with(r, value(c, r, 0), 0, out);
}

}  // namespace spelled

}  // namespace koila::inline v0::detail

#include <koila/intercept/recurrent_networks.ipp>

namespace koila::inline v0::detail {

auto spellings() -> std::vector<spelling> {
  using namespace internal;
  return {{"contiguous", &spelled::operand_itself},
          {"lift_fresh", &spelled::operand_itself},
          {"resolve_conj", &spelled::operand_itself},
          {"resolve_neg", &spelled::operand_itself},
          {"alias", &spelled::alias},
          {"clone", &spelled::copied},
          {"view", &spelled::viewed},
          {"reshape", &spelled::viewed},
          {"_unsafe_view", &spelled::viewed},
          {"expand", &spelled::repeated},
          {"squeeze", &spelled::squeezed},
          {"_to_copy", &spelled::cast},
          {"add", &spelled::sum<struct add, false>},
          {"sub", &spelled::sum<struct sub, false>},
          {"rsub", &spelled::sum<struct sub, true>},
          {"addmm", &spelled::product_and_bias},
          {"mm", &spelled::product},
          {"matmul", &spelled::product},
          {"chunk", &spelled::chunked},
          {"split", &spelled::split},
          {"split_with_sizes", &spelled::split},
          {"unbind", &spelled::unbound},
          {"stack", &spelled::stacked},
          {"max", &spelled::values_and_indices<struct max_values, struct max_indices>},
          {"min", &spelled::values_and_indices<struct min_values, struct min_indices>},
          {"median", &spelled::values_and_indices<struct median_values, struct median_indices>},
          {"topk", &spelled::values_and_indices<struct topk_values, struct topk_indices>},
          {"sort", &spelled::values_and_indices<struct sort_values, struct koila::argsort>},
          {"var_mean", &spelled::values_and_indices<struct var_mean_variance, struct var_mean_mean>},
          {"std_mean", &spelled::values_and_indices<struct std_mean_deviation, struct std_mean_mean>},
          {"clamp", &spelled::limited},
          {"constant_pad_nd", &spelled::padded<choice::constant>},
          {"reflection_pad1d", &spelled::padded<choice::reflect>},
          {"reflection_pad2d", &spelled::padded<choice::reflect>},
          {"reflection_pad3d", &spelled::padded<choice::reflect>},
          {"replication_pad1d", &spelled::padded<choice::replicate>},
          {"replication_pad2d", &spelled::padded<choice::replicate>},
          {"replication_pad3d", &spelled::padded<choice::replicate>},
          {"_pad_circular", &spelled::padded<choice::circular>},
          {"upsample_nearest1d", &spelled::resized<choice::nearest>},
          {"upsample_nearest2d", &spelled::resized<choice::nearest>},
          {"upsample_nearest3d", &spelled::resized<choice::nearest>},
          {"upsample_linear1d", &spelled::resized<choice::linear>},
          {"upsample_bilinear2d", &spelled::resized<choice::bilinear>},
          {"upsample_trilinear3d", &spelled::resized<choice::trilinear>},
          {"upsample_bicubic2d", &spelled::resized<choice::bicubic>},
          {"index", &spelled::indexed},
          {"embedding", &spelled::embedded},
          {"copy", &spelled::overwritten},
          {"fill", &spelled::filled},
          {"empty_like", &spelled::uninitialised},
          {"zero", &spelled::zeroed},
          {"lstm", &spelled::long_short_term_memory},
          {"gru", &spelled::recurrent_network<struct koila::gru, true>},
          {"rnn_tanh", &spelled::recurrent_network<struct koila::rnn_tanh, false>},
          {"rnn_relu", &spelled::recurrent_network<struct koila::rnn_relu, false>}};
}

auto stays_whole(std::string_view aten) -> bool {
  static const std::unordered_set<std::string_view> all{"lstm",     "gru",        "rnn_tanh",
                                                        "rnn_relu", "batch_norm", "instance_norm"};
  return all.contains(aten);
}

auto answer_now(operator_call& c, std::string_view aten) -> bool {
  // C++'s multi_head_attention asks whether query, key and value are the same tensor.
  if (aten != "equal" || !c.argument(0).isTensor() || !c.argument(1).isTensor()) return false;
  const at::Tensor a = c.argument(0).toTensor(), b = c.argument(1).toTensor();
  const auto same_value = [](const at::Tensor& x, const at::Tensor& y) {
    const lazy_tensor *const l = as_lazy_tensor(x), *const m = as_lazy_tensor(y);
    return l != nullptr && m != nullptr && l->is_lazy() && m->is_lazy() && l->source() == m->source() &&
           l->value() == m->value();
  };
  if (a.sizes() == b.sizes() && !a.is_same(b) && !same_value(a, b)) return false;
  c.finish({operator_value(a.sizes() == b.sizes())});
  return true;
}

}  // namespace koila::inline v0::detail
