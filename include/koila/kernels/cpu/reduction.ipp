// SPDX-License-Identifier: MIT
#pragma once
// Shared by the kernels of reductions.
#include <koila/kernels/cpu/indexing.ipp>
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/common/floating.ipp>
#include <koila/ops/common/reduction_operators.ipp>
#include <koila/ops/reduction/reduction.hpp>
#include <koila/torch/parallel.hpp>

#include <ATen/ops/from_blob.h>
#include <ATen/ops/sum_ops.h>

#include <algorithm>
#include <array>

namespace koila::inline v0::detail {

/// LibTorch reduces fewer elements than this on one thread (at::internal::GRAIN_SIZE).
inline constexpr std::int64_t on_one_thread = 32768;
/// Returns true if LibTorch would split the reduction of x to one element among threads. In that
/// case LibTorch would allocate a buffer for the results of the threads, which the memory plan
/// does not count.
inline auto reduces_in_parts(const at::Tensor& y, const at::Tensor& x) -> bool {
  return y.numel() == 1 && x.numel() >= on_one_thread;
}

inline constexpr std::int64_t most_parts = 64;

/// Reduces x to one element in parts. The results of the parts are on the stack. f(to, from, dims)
/// must reduce `from` over `dims` and write the result to `to`, without keepdim. If `dims` has no
/// value, f must reduce over all dims. The result does not depend on the number of threads.
template <class F>
void reduce_in_parts(const at::Tensor& y, const at::Tensor& x, F f) {
  if (x.numel() < on_one_thread) return f(y.view(at::IntArrayRef()), x, at::OptionalIntArrayRef());
  alignas(16) std::array<char, 16 * (most_parts + 1)> results;
  const auto some = [&](std::int64_t n) { return at::from_blob(results.data(), {n}, y.options()); };
  std::int64_t n = 0;
  if (x.is_contiguous()) {
    const std::int64_t length = x.numel() / most_parts, even = most_parts * length;
    const at::Tensor line = x.view({-1});
    const std::int64_t last = 1;
    f(some(most_parts), line.narrow(0, 0, even).view({most_parts, length}),
      at::OptionalIntArrayRef(at::IntArrayRef(last)));
    n = most_parts;
    if (x.numel() > even)
      f(some(n + 1).select(0, n), line.narrow(0, even, x.numel() - even), at::OptionalIntArrayRef()), ++n;
  } else {
    std::int64_t longest = 0;
    for (std::int64_t d = 1; d < x.dim(); ++d)
      if (x.size(d) > x.size(longest)) longest = d;
    const std::int64_t size = x.size(longest), length = (size + most_parts - 1) / most_parts;
    for (std::int64_t at = 0; at < size; at += length, ++n)
      reduce_in_parts(some(n + 1).select(0, n), x.narrow(longest, at, std::min(length, size - at)), f);
  }
  f(y.view(at::IntArrayRef()), some(n), at::OptionalIntArrayRef());
}

/// Writes the position of the best element of x to y. x must be contiguous. The best element is the
/// first one for which no other element is `better`. f(to, from, dim) must write the positions of
/// the best elements of `from` along `dim` to `to`.
template <class F, class Better>
void find_in_parts(const at::Tensor& y, const at::Tensor& x, F f, Better better) {
  std::array<std::int64_t, most_parts + 1> found{};
  const std::int64_t length = x.numel() / most_parts, even = most_parts * length, rest = x.numel() - even;
  const at::Tensor line = x.view({-1}), all = at::from_blob(found.data(), {most_parts + 1}, y.options());
  f(all.narrow(0, 0, most_parts), line.narrow(0, 0, even).view({most_parts, length}), 1);
  if (rest > 0) f(all.select(0, most_parts), line.narrow(0, even, rest), 0);
  for_dtype(x.scalar_type(), [&]<class T>(T) {
    const T* const from = data<T>(x);
    std::int64_t best = found[0];
    for (std::int64_t k = 1; k < most_parts + (rest > 0 ? 1 : 0); ++k)
      if (const std::int64_t at = k * length + found[static_cast<std::size_t>(k)]; better(from[at], from[best]))
        best = at;
    *static_cast<std::int64_t*>(y.mutable_data_ptr()) = best;
  });
}
/// Returns true if a is larger than b. NaN is larger than all numbers, as in LibTorch's argmax.
template <class T>
auto is_larger(const T& a, const T& b) -> bool {
  if constexpr (std::is_integral_v<T>) return a > b;
  else return b == b && (a != a || a > b);
}
/// Returns true if a is smaller than b. NaN is smaller than all numbers, as in LibTorch's argmin.
template <class T>
auto is_smaller(const T& a, const T& b) -> bool {
  if constexpr (std::is_integral_v<T>) return a < b;
  else return b == b && (a != a || a < b);
}

/// Returns the sum of n contiguous elements.
template <class T>
auto sum_of_stretch(const T* from, std::int64_t n) -> double {
  using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
  constexpr std::int64_t lanes = 16, block = 64 * lanes;
  double sum = 0;
  for (std::int64_t i = 0; i < n; i += block) {
    const std::int64_t here = std::min(block, n - i), even = here / lanes * lanes;
    C lane[lanes] = {};  // few terms in each lane, so that float32 loses little precision
    for (std::int64_t j = 0; j < even; j += lanes)
      for (std::int64_t l = 0; l < lanes; ++l) lane[l] += static_cast<C>(from[i + j + l]);
    for (std::int64_t j = even; j < here; ++j) sum += static_cast<double>(static_cast<C>(from[i + j]));
    for (const C v : lane) sum += static_cast<double>(v);
  }
  return sum;
}
/// Returns the sum of all elements of a contiguous floating-point tensor. Large tensors are summed
/// in parts, which do not depend on the number of threads.
template <class T>
auto sum_of_all(const at::Tensor& x) -> double {
  const std::int64_t n = x.numel(), length = (n + most_parts - 1) / most_parts;
  const T* const from = data<T>(x);
  if (n < on_one_thread) return sum_of_stretch(from, n);
  std::array<double, most_parts> sums{};
  parallel_for(0, most_parts, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t part = begin; part < end; ++part)
      sums[static_cast<std::size_t>(part)] =
          sum_of_stretch(from + part * length, std::clamp<std::int64_t>(n - part * length, 0, length));
  });
  double sum = 0;
  for (const double v : sums) sum += v;
  return sum;
}

/// Returns the number of dims in `over` if these dims are the leading dims of x, else 0.
inline auto leading_dims(const at::Tensor& x, at::OptionalIntArrayRef over) -> std::int64_t {
  if (!over.has_value() || over->empty()) return 0;
  std::uint64_t bits = 0;
  for (const std::int64_t d : *over) bits |= std::uint64_t{1} << static_cast<unsigned>(d < 0 ? d + x.dim() : d);
  const auto n = static_cast<std::int64_t>(over->size());
  return bits + 1 == std::uint64_t{1} << static_cast<unsigned>(n) ? n : 0;
}

/// Computes y (columns), the sum of the rows of x. x must be contiguous and have fewer than
/// `on_one_thread` elements. Groups of 32 rows are summed in x's type; the sums of the groups are
/// added in float64.
template <class T>
void sum_of_rows(const at::Tensor& y, const at::Tensor& x) {
  constexpr std::int64_t rows_per_sum = 32, width = 128;
  const std::int64_t columns = y.numel(), rows = x.numel() / columns;
  const T* const from = data<T>(x);
  T* const to = static_cast<T*>(y.mutable_data_ptr());
  for (std::int64_t j = 0; j < columns; j += width) {
    const std::int64_t n = std::min(width, columns - j);
    double total[width] = {};
    for (std::int64_t i = 0; i < rows; i += rows_per_sum) {
      T part[width] = {};
      for (std::int64_t r = i; r < std::min(rows, i + rows_per_sum); ++r)
        for (std::int64_t c = 0; c < n; ++c) part[c] += from[r * columns + j + c];
      for (std::int64_t c = 0; c < n; ++c) total[c] += static_cast<double>(part[c]);
    }
    for (std::int64_t c = 0; c < n; ++c) to[j + c] = static_cast<T>(total[c]);
  }
}

/// Computes y = the sum of x over leading dims, or over all dims, by koila's own loops if they are
/// faster than LibTorch's operator. Otherwise returns false and computes nothing.
inline auto adds_up_by_loops(const at::Tensor& y, const at::Tensor& x, at::OptionalIntArrayRef over) -> bool {
  if (x.scalar_type() != y.scalar_type() || !x.is_floating_point() || !x.is_contiguous()) return false;
  if (y.numel() == 1) {
    with_floating_type(x, [&]<class T>(T) { *static_cast<T*>(y.mutable_data_ptr()) = rounded<T>(sum_of_all<T>(x)); });
    return true;
  }
  const bool floats = x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble;
  if (!floats || !y.is_contiguous() || x.numel() == 0 || x.numel() >= on_one_thread || leading_dims(x, over) == 0)
    return false;
  x.scalar_type() == at::kFloat ? sum_of_rows<float>(y, x) : sum_of_rows<double>(y, x);
  return true;
}

/// Computes y, the sum of x over the dims `over`, or over all dims if `over` has no value.
inline void add_up(const at::Tensor& y, const at::Tensor& x, at::OptionalIntArrayRef over, bool keepdim) {
  const auto plain = [](at::Tensor to, const at::Tensor& from, at::OptionalIntArrayRef dims, bool keep = false) {
    at::_ops::sum_IntList_out::call(from, dims, keep, to.scalar_type(), to);
  };
  if (adds_up_by_loops(y, x, over)) return;
  if (!reduces_in_parts(y, x)) return plain(y, x, over, keepdim);
  reduce_in_parts(y, x.scalar_type() == y.scalar_type() ? x : x.to(y.scalar_type()), plain);
}

}  // namespace koila::inline v0::detail
