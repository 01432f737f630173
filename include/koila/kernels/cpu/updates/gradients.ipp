// SPDX-License-Identifier: MIT
// Operations on gradients on the host: sums of squares, scaling, clamping and addition.
#include <koila/kernels/cpu/elementwise_update.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/row_math.ipp>
#include <koila/kernels/updates.hpp>
#include <koila/torch/tensor.hpp>

#include <numeric>

namespace koila::inline v0::kernels::cpu {

template <class T>
auto squares_of(const at::Tensor& t) -> double {
  constexpr index_t parts = 64;
  double part[parts];
  const auto* const x = detail::data<T>(t);
  const index_t n = t.numel();
  const auto squares_from = [](const T* from, index_t step, index_t many) {
    return detail::sum_of_block(many, [=](index_t i) {
      const auto v = static_cast<double>(from[i * step]);
      return v * v;
    });
  };
  if (!t.is_non_overlapping_and_dense()) {
    const detail::strided_elements<1> lie({&t});
    double sum = 0;
    lie.for_each_run(
        [&](const auto& offset, index_t many) { sum += squares_from(x + offset[0], lie.stride[0][0], many); });
    return sum;
  }
  detail::parallel_for(0, parts, n < 1 << 16 ? parts : 1, [&](index_t begin, index_t end) {
    for (index_t p = begin; p < end; ++p) {
      const index_t first = n * p / parts;
      part[p] = squares_from(x + first, 1, n * (p + 1) / parts - first);
    }
  });
  return std::accumulate(part, part + parts, 0.0);
}

inline auto sum_of_squares(const at::Tensor& t) -> double {
  double sum = 0;
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, t.scalar_type(), "sum_of_squares",
                                  [&] { sum = squares_of<scalar_t>(t); });
  return sum;
}
inline void scale(const at::Tensor& t, double by) {
  detail::for_each_element(t, t, std::array<at::Tensor, 0>{},
                           [by]<class T>(T& x, T, std::array<T, 0>&) { x *= static_cast<T>(by); });
}
inline void clamp(const at::Tensor& t, double limit) {
  detail::for_each_element(t, t, std::array<at::Tensor, 0>{}, [limit]<class T>(T& x, T, std::array<T, 0>&) {
    const T most = static_cast<T>(limit);
    x = x > most ? most : x < -most ? -most : x;
  });
}
inline void add(const at::Tensor& t, const at::Tensor& by) {
  detail::for_each_element(t, by, std::array<at::Tensor, 0>{}, []<class T>(T& x, T g, std::array<T, 0>&) { x += g; });
  detail::bump_version(t);
}
[[gnu::init_priority(
    registered_first)]] inline const host_routine<kernels::sum_of_squares, sum_of_squares> sum_of_squares_registered;
[[gnu::init_priority(registered_first)]] inline const host_routine<kernels::scale, scale> scale_registered;
[[gnu::init_priority(registered_first)]] inline const host_routine<kernels::clamp, clamp> clamp_registered;
[[gnu::init_priority(registered_first)]] inline const host_routine<kernels::add, add> add_registered;

}  // namespace koila::inline v0::kernels::cpu
