// SPDX-License-Identifier: MIT
#pragma once
// cat: concatenates values along a dim.
#include <koila/ops/indexing/narrow.hpp>
#include <koila/ops/indexing/operands.hpp>
#include <koila/ops/internal/sum_to.hpp>

namespace koila::inline v0 {

/// (..., n, ...) x (..., m, ...) x ... -> (..., n + m + ..., ...): cat(a, b, dim = -1) concatenates
/// up to 6 operands, or the elements of a std::tuple, std::array or std::vector of any length.
/// Dtypes are promoted.
inline constexpr struct cat : detail::joining<cat> {
  static constexpr std::string_view name = "cat";

  static constexpr auto rule_of(const dims* x, int n, const attributes& a) -> verdict {
    const dtype type = common_type(x, n);
    int rank = -1;
    for (int k = 0; k < n; ++k) {
      if (!x[k].ranked()) continue;
      if (x[k].rank == 0 || (rank >= 0 && rank != x[k].rank)) return reason::no_rule_for_these_ranks;
      rank = x[k].rank;
    }
    if (rank < 0) return dims(type);
    if (!a.dim.known) return detail::open_dims(rank, type);
    const int d = detail::wrap(a.dim.value, rank);
    if (d < 0) return reason::dimension_out_of_range;
    dims out = detail::open_dims(rank, type);
    extent total{0};
    for (int k = 0; k < n; ++k) {
      if (!x[k].ranked()) {
        total = {};
        continue;
      }
      for (int i = 0; i < rank; ++i) {
        if (i == d) continue;
        if (detail::compare_extents(out.e[i], x[k].e[i]) == detail::tristate::no) return reason::shapes_differ;
        out.e[i] = detail::either(out.e[i], x[k].e[i]);
      }
      const extent part = rules::part_extent(x[k].e[d], x[k].e[d].n);
      total = total.known() && part.known() ? extent{total.n + part.n, {}, total.open || part.open} : extent{};
    }
    out.e[d] = n == 1 && x[0].ranked() ? x[0].e[d] : total;
    return out;
  }
  static constexpr auto is_noop(const auto&... t) -> bool { return sizeof...(t) == 2; }
  static constexpr auto concat_dim(const dims& out, const attributes& a) -> int {
    return detail::wrap(a.dim.value, out.rank);
  }
  /// If `dim` is the batch axis, all operands are gathered. Otherwise the result is per sample.
  static constexpr auto flow(const auto&... t) -> relations {
    value in[sizeof...(t)];
    dims out;
    attributes a;
    int n = 0;
    const auto assign = [&]<class T>(const T& x) {
      if constexpr (std::same_as<T, value>) in[n++] = x;
      else if constexpr (std::same_as<T, dims>) out = x;
      else a = x;
    };
    (assign(t), ...);
    return flows::along(in, n, detail::wrap(a.dim.value, out.rank), out);
  }
  static constexpr auto cost(const std::same_as<dims> auto&... d) -> op_cost {
    return {0, (static_cast<double>(d.bytes()) + ...), 0};
  }
  static void evaluate(at::Tensor& y, const auto&... t) {
    with_operands([&](const auto& x, int n, const attributes& a) { join(y, x, n, a); }, t...);
  }
  /// Calls f(pointers to the operands, their number, attributes).
  static void with_operands(const auto& f, const auto&... t) {
    const at::Tensor* x[sizeof...(t)];
    attributes a;
    int n = 0;
    const auto assign = [&]<class T>(const T& one) {
      if constexpr (std::same_as<T, attributes>) a = one;
      else x[n++] = &one;
    };
    (assign(t), ...);
    f(x, n, a);
  }
  template <class... Ts>
    requires(std::same_as<Ts, attributes> || ...)
  static constexpr auto gradient(const auto& dy, const auto&, const Ts&... t) {
    const auto all = std::tie(t...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const dims d[] = {dims_of(std::get<I>(all))...};
      return gradients(internal::sum_to(slice_of_gradient(dy, d, I, std::get<sizeof...(I)>(all)), std::get<I>(all))...);
    }(std::make_index_sequence<sizeof...(Ts) - 1>{});
  }

 private:
  /// The gradient of operand k, which is a slice of dy.
  static constexpr auto slice_of_gradient(const auto& dy, const dims* x, std::size_t k, const attributes& a) {
    index_t start = 0, n = 0;
    for (std::size_t i = 0; i <= k && x[i].ranked(); ++i) {
      start += n;
      n = x[i].e[detail::wrap(a.dim.value, x[i].rank)].n;
    }
    return narrow(dy, a.dim, attr<index_t>(start), attr<index_t>(n));
  }
  static void join(at::Tensor& y, const at::Tensor* const* x, int n, const attributes& a);
} cat;

}  // namespace koila::inline v0
