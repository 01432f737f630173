// SPDX-License-Identifier: MIT
#pragma once
// Element-wise updates in place, in one pass over tensors of the same shape, such as a parameter,
// its optimiser state and its gradient.
#include <koila/ops/common/instructions.ipp>
#include <koila/torch/parallel.hpp>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>

#include <array>
#include <type_traits>

namespace koila::inline v0::detail {

/// The memory layout of several tensors of the same shape. Dims are in order from the innermost to
/// the outermost. Dims that are contiguous in all tensors are merged.
template <std::size_t M>
struct strided_elements {
  static constexpr int most = dims::capacity;
  int rank = 0;
  std::int64_t extent[most + 1] = {1}, stride[M][most + 1] = {};

  explicit strided_elements(const std::array<const at::Tensor*, M>& ts) {
    const at::IntArrayRef sizes = ts[0]->sizes();
    // The dims are in the memory order of the first tensor, so that tensors of the same dense
    // layout form one run.
    int order[most] = {};
    const int n = static_cast<int>(sizes.size());
    for (int i = n - 1; i >= 0; --i) {
      int k = n - 1 - i;
      for (; k > 0 && ts[0]->stride(order[k - 1]) > ts[0]->stride(i); --k) order[k] = order[k - 1];
      order[k] = i;
    }
    for (int k = 0; k < n; ++k) {
      const int i = order[k];
      const std::int64_t e = sizes[static_cast<std::size_t>(i)];
      if (e == 1) continue;
      bool joins = rank > 0;
      for (std::size_t t = 0; t < M; ++t) joins = joins && ts[t]->stride(i) == stride[t][rank - 1] * extent[rank - 1];
      if (joins) {
        extent[rank - 1] *= e;
        continue;
      }
      extent[rank] = e;
      for (std::size_t t = 0; t < M; ++t) stride[t][rank] = ts[t]->stride(i);
      ++rank;
    }
    if (rank > 0) return;
    rank = 1;
    for (std::size_t t = 0; t < M; ++t) stride[t][0] = 1;
  }
  /// Calls f(offsets, n) for each run of n elements along the innermost dim. `offsets` has the
  /// offset of the run's first element in each tensor.
  template <class F>
  void for_each_run(const F& f) const {
    std::array<std::int64_t, M> at{};
    std::array<std::int64_t, most + 1> index{};
    for (int i = 0; i < rank; ++i)
      if (extent[i] == 0) return;
    while (true) {
      f(at, extent[0]);
      int i = 1;
      for (; i < rank; ++i) {
        for (std::size_t t = 0; t < M; ++t) at[t] += stride[t][i];
        if (++index[static_cast<std::size_t>(i)] < extent[i]) break;
        for (std::size_t t = 0; t < M; ++t) at[t] -= stride[t][i] * extent[i];
        index[static_cast<std::size_t>(i)] = 0;
      }
      if (i >= rank) return;
    }
  }
};

/// Calls f(p, g, kept) for n elements that are contiguous in all tensors, see for_each_element.
template <class Wide, class T, std::size_t N, class F>
struct updated_elements {
  static void run(const std::array<T*, N + 2>& data, index_t n, const F& f) {
    const std::array<T*, N + 2> at = data;
    const F update = f;
    each_of(n, [=](index_t i) {
      Wide parameter = static_cast<Wide>(at[0][i]);
      std::array<Wide, N> values;
      for (std::size_t k = 0; k < N; ++k) values[k] = static_cast<Wide>(at[k + 1][i]);
      update(parameter, static_cast<Wide>(at[N + 1][i]), values);
      for (std::size_t k = 0; k < N; ++k) at[k + 1][i] = static_cast<T>(values[k]);
      at[0][i] = static_cast<T>(parameter);
    });
  }
  /// Returns the vectorised loop for float32 and float64, and `run` for 16-bit dtypes.
  static auto best() -> void (*)(const std::array<T*, N + 2>&, index_t, const F&) {
    if constexpr (std::is_same_v<Wide, T>)
      return functions_of<updated_elements, const std::array<T*, N + 2>&, index_t, const F&>::best();
    else return run;
  }
};

/// Calls f(p, g, kept) for every element, where p, g and the array `kept` have values of LibTorch's
/// op-math type. Changes of p and `kept` are written back; changes of g are not. The tensors must
/// have the same shape and may have any strides. Does not allocate memory, because an update must
/// not fail halfway. `f` must capture by value.
template <std::size_t N, class F>
void for_each_element(const at::Tensor& p, const at::Tensor& g, const std::array<at::Tensor, N>& kept, const F& f) {
  constexpr std::size_t all = N + 2;
  std::array<const at::Tensor*, all> ts{};
  ts[0] = &p;
  for (std::size_t k = 0; k < N; ++k) ts[k + 1] = &kept[k];
  ts[N + 1] = &g;
  bool alike = true;  // each element has the same offset in all tensors
  for (const at::Tensor* t : ts) alike = alike && t->strides() == p.strides() && t->is_non_overlapping_and_dense();
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, p.scalar_type(), "optimiser", [&] {
    using elements = updated_elements<at::opmath_type<scalar_t>, scalar_t, N, F>;
    std::array<scalar_t*, all> data{};
    for (std::size_t k = 0; k <= N; ++k) data[k] = static_cast<scalar_t*>(ts[k]->mutable_data_ptr());
    data[N + 1] = const_cast<scalar_t*>(static_cast<const scalar_t*>(g.const_data_ptr()));  // never written
    const auto from = [&](const std::array<std::int64_t, all>& offset) {
      std::array<scalar_t*, all> here = data;
      for (std::size_t k = 0; k < all; ++k) here[k] += offset[k];
      return here;
    };
    if (alike) {
      const auto kernel = elements::best();
      parallel_for(0, p.numel(), 1 << 15, [&](std::int64_t begin, std::int64_t end) {
        std::array<std::int64_t, all> offset;
        offset.fill(begin);
        kernel(from(offset), end - begin, f);
      });
    } else {
      const strided_elements<all> lie(ts);
      lie.for_each_run([&](std::array<std::int64_t, all> offset, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) {
          elements::run(from(offset), 1, f);
          for (std::size_t k = 0; k < all; ++k) offset[k] += lie.stride[k][0];
        }
      });
    }
  });
}

}  // namespace koila::inline v0::detail
