#pragma once
// Shared by optimisers: one pass over a parameter, its gradient and its state.
#include <koila/run/optimizer.hpp>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace koila::detail {

/// The bytes of the tensors that are defined.
inline auto bytes_kept(std::initializer_list<at::Tensor> ts) -> std::int64_t {
  std::int64_t n = 0;
  for (const at::Tensor& t : ts) n += t.defined() ? static_cast<std::int64_t>(t.nbytes()) : 0;
  return n;
}

/// Throws std::invalid_argument: "koila: adam: lr is -0.1, not a finite number ...".
[[noreturn]] inline void refuse_setting(std::string_view optimizer, std::string_view name, double value,
                                        std::string_view must_be) {
  std::ostringstream number;
  number << value;
  throw std::invalid_argument("koila: " + std::string(optimizer) + ": " + std::string(name) + " is " + number.str() +
                              ", not " + std::string(must_be));
}
/// True if a setting is finite in float32, the precision of most updates.
inline auto is_finite_float32(double value) -> bool { return std::abs(value) <= std::numeric_limits<float>::max(); }
/// Throws std::invalid_argument if a setting is negative or not finite in float32.
inline void require_at_least_0(std::string_view optimizer, std::string_view name, double value) {
  if (!(is_finite_float32(value) && value >= 0))
    refuse_setting(optimizer, name, value, "a finite number of at least 0 in float32");
}
inline void require_finite(std::string_view optimizer, std::string_view name, double value) {
  if (!is_finite_float32(value)) refuse_setting(optimizer, name, value, "a finite number in float32");
}
/// Throws std::invalid_argument if a divisor is not above 0: if the gradient is 0, the update would
/// be 0/0. The value must be a normal number of float32, because processors may treat smaller ones
/// as 0.
inline void require_above_0(std::string_view optimizer, std::string_view name, double value) {
  if (!(is_finite_float32(value) && value >= std::numeric_limits<float>::min()))
    refuse_setting(optimizer, name, value, "a finite number above 0 that float32 has");
}
/// Throws std::invalid_argument if the factor of a running mean is not in [0, 1).
inline void require_below_1(std::string_view optimizer, std::string_view name, double value) {
  if (!(value >= 0 && value < 1)) refuse_setting(optimizer, name, value, "in [0, 1)");
}

/// Throws std::invalid_argument if an optimiser's state lacks memory that its settings need.
inline void check_kept(bool all) {
  if (!all)
    throw std::invalid_argument(
        "koila: a setting of an optimiser was changed that needs memory which it had not from its first step");
}

}  // namespace koila::detail

#if defined(KOILA_DEFINITIONS)
#include <koila/ops/family/instructions.ipp>
#include <koila/ops/family/parallel.hpp>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/ops/zeros_like_ops.h>

#include <array>
#include <type_traits>

namespace koila::detail {

/// Zeros for the state of a parameter.
inline auto kept_for(const at::Tensor& parameter) -> at::Tensor {
  return at::_ops::zeros_like::call(parameter, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
}

/// The memory layout of several tensors of one shape, from the innermost dim to the outermost. Dims
/// that are contiguous in all tensors are merged.
template <std::size_t M>
struct strided_elements {
  static constexpr int most = dims::capacity;
  int rank = 0;
  std::int64_t extent[most + 1] = {1}, stride[M][most + 1] = {};

  explicit strided_elements(const std::array<const at::Tensor*, M>& ts) {
    const at::IntArrayRef sizes = ts[0]->sizes();
    // Follows the memory order of the first tensor, so that tensors of the same layout form one
    // run.
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
  /// Calls f(offsets, n) for each run of n elements along the innermost dim.
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

/// Calls f(p, g, kept...) for n elements that are contiguous in all tensors, as for_each_element
/// does.
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
  /// The vectorised loop for float32 and float64, else `run`.
  static auto best() -> void (*)(const std::array<T*, N + 2>&, index_t, const F&) {
    if constexpr (std::is_same_v<Wide, T>)
      return functions_of<updated_elements, const std::array<T*, N + 2>&, index_t, const F&>::best();
    else return run;
  }
};

/// Calls f(p, g, kept...) for every element, with references to values of LibTorch's op-math type.
/// Changes of p and of kept are written back; changes of g are not. The tensors have one shape and
/// any strides. Allocates nothing, because an update that has begun must not fail. `f` must hold
/// what it needs by value.
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
    const auto from = [&](const std::array<std::int64_t, all>& at) {
      std::array<scalar_t*, all> here = data;
      for (std::size_t k = 0; k < all; ++k) here[k] += at[k];
      return here;
    };
    if (alike) {
      const auto kernel = elements::best();
      parallel_for(0, p.numel(), 1 << 15, [&](std::int64_t begin, std::int64_t end) {
        std::array<std::int64_t, all> at;
        at.fill(begin);
        kernel(from(at), end - begin, f);
      });
    } else {
      const strided_elements<all> lie(ts);
      lie.for_each_run([&](std::array<std::int64_t, all> at, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) {
          elements::run(from(at), 1, f);
          for (std::size_t k = 0; k < all; ++k) at[k] += lie.stride[k][0];
        }
      });
    }
  });
}

}  // namespace koila::detail
#endif
