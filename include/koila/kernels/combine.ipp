// SPDX-License-Identifier: MIT
// The functions of combine.hpp, implemented with LibTorch's operators.
#include <koila/kernels/combine.hpp>
#include <koila/ops/common/definitions.hpp>

#include <ATen/ops/maximum_ops.h>
#include <ATen/ops/minimum_ops.h>

namespace koila::inline v0::kernels {

constinit decltype(combine_in_accumulator) combine_in_accumulator{
    [](at::Tensor& accumulator, const at::Tensor& part, monoid m, double share) {
      if (m == monoid::sum) return void(accumulator.add_(part));
      if (m == monoid::prod) return void(accumulator.mul_(part));
      at::Tensor mean = accumulator.select(0, 0), variance = accumulator.select(0, 1);
      const at::Tensor off = part.select(0, 0).sub(mean);
      mean.add_(off, share);
      variance.mul_(1 - share).add_(part.select(0, 1), share).add_(off.square(), share * (1 - share));
    }};
constinit decltype(add_compensated) add_compensated{
    [](at::Tensor& sum, at::Tensor&, const at::Tensor& part) { sum.add_(part); }};
constinit decltype(add_compensation) add_compensation{[](at::Tensor&, const at::Tensor&) {}};

void combine(at::Tensor& y, const at::Tensor& part, monoid m) {
  switch (m) {
    case monoid::sum: y.add_(part); return;
    case monoid::prod: y.mul_(part); return;
    case monoid::max: at::_ops::maximum_out::call(y, part, y); return;
    case monoid::min: at::_ops::minimum_out::call(y, part, y); return;
    default: break;
  }
}

}  // namespace koila::inline v0::kernels
