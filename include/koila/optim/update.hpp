#pragma once
// What optimisers share: one pass over a parameter, its gradient and what is kept for it.
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <initializer_list>

namespace koila::detail {

/// Bytes of the tensors that there are.
inline auto bytes_kept(std::initializer_list<at::Tensor> ts) -> std::int64_t {
  std::int64_t n = 0;
  for (const at::Tensor& t : ts) n += t.defined() ? static_cast<std::int64_t>(t.nbytes()) : 0;
  return n;
}

}  // namespace koila::detail

#if defined(KOILA_DEFINITIONS)
#include <koila/ops/family/definitions.hpp>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/ops/zeros_like_ops.h>

#include <array>

namespace koila::detail {

/// Zeros for what is kept of a parameter.
inline auto kept_for(const at::Tensor& parameter) -> at::Tensor {
  return at::_ops::zeros_like::call(parameter, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
}

/// Calls f(p, g, kept...) for every element, as references to numbers of the type that LibTorch computes in; what f changes is
/// written back, but g is not. Tensors of one shape, however they lie; undefined ones are left out. Allocates no tensor memory.
template <std::size_t N, class F>
void for_each_element(const at::Tensor& p, const at::Tensor& g, const std::array<at::Tensor, N>& kept, const F& f) {
  at::TensorIteratorConfig config;
  config.check_all_same_dtype(true).resize_outputs(false).set_check_mem_overlap(false);
  config.add_output(p);
  for (const at::Tensor& t : kept) config.add_output(t.defined() ? t : p);
  config.add_const_input(g);
  at::TensorIterator each;
  each.build(config);
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, p.scalar_type(), "optimiser", [&] {
    using wide = at::opmath_type<scalar_t>;
    constexpr std::size_t all = N + 2;
    each.for_each([&](char** data, const std::int64_t* strides, std::int64_t inner, std::int64_t outer) {
      for (std::int64_t j = 0; j < outer; ++j)
        for (std::int64_t i = 0; i < inner; ++i) {
          const auto at = [&](std::size_t k) {
            return reinterpret_cast<scalar_t*>(data[k] + i * strides[k] + j * strides[all + k]);
          };
          const wide gradient = static_cast<wide>(*at(N + 1));
          wide parameter = static_cast<wide>(*at(0));
          std::array<wide, N> values;
          for (std::size_t k = 0; k < N; ++k) values[k] = static_cast<wide>(*at(k + 1));
          f(parameter, gradient, values);
          for (std::size_t k = 0; k < N; ++k)
            if (kept[k].defined()) *at(k + 1) = static_cast<scalar_t>(values[k]);
          *at(0) = static_cast<scalar_t>(parameter);
        }
    });
  });
}

}  // namespace koila::detail
#endif
