// SPDX-License-Identifier: MIT
// Definitions of clip.hpp.
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/row_math.ipp>
#include <koila/optim/clip.hpp>
#include <koila/optim/update.ipp>

#include <cmath>
#include <numeric>

namespace koila::detail {

/// The sum of the squares of all elements of a tensor. It does not depend on the number of threads.
template <class T>
auto squares_of(const at::Tensor& t) -> double {
  constexpr index_t parts = 64;
  double part[parts];
  const auto* const x = data<T>(t);
  const index_t n = t.numel();
  const auto squares_from = [](const T* at, index_t step, index_t many) {
    return sum_of_block(many, [=](index_t i) {
      const auto v = static_cast<double>(at[i * step]);
      return v * v;
    });
  };
  if (!t.is_non_overlapping_and_dense()) {
    const strided_elements<1> lie({&t});
    double sum = 0;
    lie.for_each_run([&](const auto& at, index_t many) { sum += squares_from(x + at[0], lie.stride[0][0], many); });
    return sum;
  }
  parallel_for(0, parts, n < 1 << 16 ? parts : 1, [&](index_t begin, index_t end) {
    for (index_t p = begin; p < end; ++p) {
      const index_t first = n * p / parts;
      part[p] = squares_from(x + first, 1, n * (p + 1) / parts - first);
    }
  });
  return std::accumulate(part, part + parts, 0.0);
}

auto clip_norm(std::span<const at::Tensor> gradients, double max_norm) -> double {
  double squares = 0;
  for (const at::Tensor& g : gradients) {
    if (!on_host(g)) {
      const auto norm = g.norm(2, g.scalar_type() == at::kDouble ? at::kDouble : at::kFloat).item().toDouble();
      squares += norm * norm;
      continue;
    }
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, g.scalar_type(), "clip_grad_norm",
                                    [&] { squares += squares_of<scalar_t>(g); });
  }
  const double norm = std::sqrt(squares), scale = max_norm / (norm + 1e-6);  // 1e-6 as in LibTorch
  if (scale >= 1) return norm;  // a NaN norm makes all gradients NaN, as in LibTorch
  for (const at::Tensor& g : gradients)
    if (!on_host(g)) g.mul_(scale);
    else
      for_each_element(g, g, std::array<at::Tensor, 0>{},
                       [scale]<class T>(T& x, T, std::array<T, 0>&) { x *= static_cast<T>(scale); });
  return norm;
}

void clip_value(std::span<const at::Tensor> gradients, double limit) {
  for (const at::Tensor& g : gradients) {
    if (!on_host(g)) {
      g.clamp_(-limit, limit);
      continue;
    }
    for_each_element(g, g, std::array<at::Tensor, 0>{}, [limit]<class T>(T& x, T, std::array<T, 0>&) {
      const T most = static_cast<T>(limit);
      x = x > most ? most : x < -most ? -most : x;
    });
  }
}

}  // namespace koila::detail
