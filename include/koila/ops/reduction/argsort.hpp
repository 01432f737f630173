#pragma once
// argsort: the indices that sort a dim.
#include <koila/ops/reduction/sorting.hpp>

namespace koila {

/// (..., n, ...) -> int64 (..., n, ...): the indices that sort x along `dim`, the last dim by
/// default. The sort is stable: equal elements keep their order.
inline constexpr struct argsort : op<argsort, 1> {
  static constexpr std::string_view name = "argsort";
  using attributes = sort_attributes;
  static constexpr auto rule(const dims& x, const attributes& a) -> verdict { return rules::ordered(x, a, int64); }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  static constexpr auto flow(const value& x, const dims& out, const attributes& a) -> relations {
    return flows::ordered(x, wrap(a.dim.value, x.dims.rank), out);
  }
  static constexpr auto cost(const dims& x, const dims& out) -> work {
    return {10.0 * static_cast<double>(x.count()), static_cast<double>(x.bytes() + out.bytes()), 0};
  }
  static void evaluate(out y, const at::Tensor& x, const attributes& a);
} argsort;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/axis_loop.ipp>

#include <algorithm>

namespace koila {

// LibTorch's sort is not used: it also writes the values, and allocates temporaries for values and
// indices.
inline void argsort::evaluate(out y, const at::Tensor& x, const attributes& a) {
  if (!detail::on_host(x)) return void(y.copy_(x.argsort(true, a.dim.value, a.descending.value)));
  const std::int64_t n = detail::line_length(x, a.dim.value);
  detail::for_dtype(x.scalar_type(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<std::pair<T, std::int64_t>> line(static_cast<std::size_t>(n));
    const T* const from = detail::data<T>(x);
    auto* const to = y.mutable_data_ptr<std::int64_t>();
    const auto before = [&](const auto& l, const auto& r) {  // NaN counts as larger than any number
      const bool l_odd = l.first != l.first, r_odd = r.first != r.first;
      return a.descending.value ? (l_odd && !r_odd) || l.first > r.first : (!l_odd && r_odd) || l.first < r.first;
    };
    detail::for_each_line(x, a.dim.value, [&](std::int64_t first, std::int64_t step) {
      std::int64_t i = 0;
      for (auto& e : line) e = {from[first + i * step], i}, ++i;
      std::stable_sort(line.begin(), line.end(), before);
      i = 0;
      for (const auto& e : line) to[first + i++ * step] = e.second;
    });
  });
}

}  // namespace koila
#endif
