// SPDX-License-Identifier: MIT
#pragma once
// Shared by kernels that reduce a contiguous value over any dims.
#include <koila/kernels/cpu/axis_loop.ipp>
#include <koila/torch/parallel.hpp>

#include <algorithm>
#include <array>

namespace koila::inline v0::detail {

/// Returns the number of elements in the dims `over` (a bit set) if these dims are the last dims
/// of x, else 0.
inline auto trailing_elements(const at::Tensor& x, unsigned over) -> std::int64_t {
  std::int64_t n = 1;
  for (auto d = x.dim(); d-- > 0 && (over >> static_cast<unsigned>(d) & 1U) != 0; n *= x.size(d))
    over &= ~(1U << static_cast<unsigned>(d));
  return over == 0 ? n : 0;
}

/// Where the elements of each result of a reduction lie in memory. The elements lie either in
/// contiguous runs, or in rows that contain one element of each of several neighbouring results.
class reduction_layout {
 public:
  static constexpr std::int64_t columns_per_block = 64;  ///< the largest number of results that are computed at once
  struct some_results {
    std::int64_t first = 0, n = 0;  ///< n consecutive results, beginning with result `first`
    std::int64_t offset = 0;            ///< position in x of the first result's first element
  };

  /// `over` has the reduced dims, as a bit set.
  reduction_layout(const at::Tensor& x, unsigned over) {
    struct group {
      std::int64_t n, stride;
      bool goes;
    };
    std::array<group, 16> groups{};
    std::size_t n = 0;
    std::int64_t stride = 1;
    for (auto d = x.dim(); d-- > 0;) {  // innermost first; merges adjacent dims that are both reduced or both kept
      const std::int64_t size = x.size(d);
      const bool goes = (over >> static_cast<unsigned>(d) & 1U) != 0;
      (goes ? reduced_ : results_) *= size;
      if (size != 1) {
        if (n > 0 && groups[n - 1].goes == goes) groups[n - 1].n *= size;
        else groups[n++] = {size, stride, goes};
      }
      stride *= size;
    }
    std::size_t first = 0;
    if (n > 0) (groups[0].goes ? run_ : columns_) = groups[0].n, first = 1;
    for (std::size_t k = first; k < n; ++k) (groups[k].goes ? outer_ : kept_).push_back(groups[k].n, groups[k].stride);
    rows_ = run_ > 1 || columns_ == 1 ? reduced_ / std::max<std::int64_t>(run_, 1) : reduced_;
  }
  /// Returns the number of elements that are reduced to one result.
  auto reduced() const -> std::int64_t { return reduced_; }

  /// Calls f(some_results) for disjoint blocks of results, on LibTorch's threads. Together, the
  /// blocks contain all results.
  template <class F>
  void for_each_result(F f) const {
    const std::int64_t blocks = (columns_ + columns_per_block - 1) / columns_per_block,
                       all = columns_ == 0 ? 0 : results_ / columns_ * blocks;
    const std::int64_t each = std::max<std::int64_t>(1, reduced_ * std::min(columns_, columns_per_block));
    parallel_for(0, all, std::max<std::int64_t>(1, (1 << 15) / each), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t outer = k / blocks, column = k % blocks * columns_per_block;
        f(some_results{outer * columns_ + column, std::min(columns_per_block, columns_ - column),
                       kept_.offset(outer) + column});
      }
    });
  }
  /// Calls f(first element, n) for each run of n elements of a result. If results lie side by
  /// side, calls f for each row, which consists of one element of each of n results.
  template <class F>
  void for_each_row(const some_results& r, F f) const {
    const std::int64_t n = columns_ > 1 ? r.n : run_;
    if (reduced_ == 0) return;
    for (std::int64_t k = 0; k < rows_; ++k) f(r.offset + outer_.offset(k), n);
  }
  auto side_by_side() const -> bool { return columns_ > 1; }

  /// The type of the computation in `add_up`, for elements of type T.
  template <class T>
  using computed = std::conditional_t<std::is_same_v<T, double>, double, float>;
  /// Rounds a number to the type of the computation in `add_up`.
  template <class T>
  static auto centre(double about) -> double {
    return static_cast<double>(static_cast<computed<T>>(about));
  }
  /// Adds f(x, about[k]) to sum[k] for each element x of result k. Computes in type C.
  template <class T, class F, class C = computed<T>>
  void add_up(const T* x, const some_results& r, double* sum, F f, const double* about, C = {}) const {
    if (side_by_side()) {
      C centre[columns_per_block];
      for (std::int64_t k = 0; k < r.n; ++k) centre[k] = static_cast<C>(about[k]);
      return for_each_row(r, [&](std::int64_t position, std::int64_t n) {
        for (std::int64_t k = 0; k < n; ++k)
          sum[k] += static_cast<double>(f(static_cast<C>(x[position + k]), centre[k]));
      });
    }
    constexpr std::int64_t lanes = 16, block = 64 * lanes;
    const C centre = static_cast<C>(about[0]);
    double total = 0;
    for_each_row(r, [&](std::int64_t position, std::int64_t n) {
      for (std::int64_t i = 0; i < n; i += block) {  // few terms in each lane, so that float32 loses little precision
        const std::int64_t here = std::min(block, n - i), even = here / lanes * lanes;
        const T* const from = x + position + i;
        C lane[lanes] = {};
        for (std::int64_t j = 0; j < even; j += lanes)
          for (std::int64_t l = 0; l < lanes; ++l) lane[l] += f(static_cast<C>(from[j + l]), centre);
        for (std::int64_t j = even; j < here; ++j) total += static_cast<double>(f(static_cast<C>(from[j]), centre));
        for (const C v : lane) total += static_cast<double>(v);
      }
    });
    sum[0] += total;
  }

 private:
  /// Converts the number of an element, counted over some dims, to the element's offset in memory.
  struct odometer {
    std::array<std::int64_t, 8> n{}, stride{};
    std::size_t dims = 0;
    void push_back(std::int64_t size, std::int64_t step) { n[dims] = size, stride[dims++] = step; }
    auto offset(std::int64_t k) const -> std::int64_t {
      std::int64_t at = 0;
      for (std::size_t d = 0; d < dims; k /= n[d++]) at += k % n[d] * stride[d];
      return at;
    }
  };
  odometer kept_, outer_;
  std::int64_t run_ = 1, columns_ = 1, rows_ = 1, results_ = 1, reduced_ = 1;
};

}  // namespace koila::inline v0::detail
