// SPDX-License-Identifier: MIT
// The matrix products of a linear layer: y = x * w^T, dx = dy * w and dw = dy^T * x. Each product
// is computed by the kernel that koila chooses, by koila's block kernels, by eager LibTorch, by
// oneDNN's linear operator (only y), and by BLAS. BLAS writes into existing memory and is the lower
// bound. Arguments: the number of rows, of outputs and of inputs of the layer.
#include <koila/kernels/cpu/packed_product.ipp>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>

#include "models.hpp"

namespace {

using namespace koila;
using namespace koila::detail;

enum class which { y, dx, dw };

struct operands {
  at::Tensor a, b, c;  // c = a * b, a matrix product
  operands(const benchmark::State& s, which made) {
    const std::int64_t m = s.range(0), n = s.range(1), k = s.range(2);
    const at::Tensor x = at::rand({m, k}), w = at::rand({n, k}), dy = at::rand({m, n});
    switch (made) {
      case which::y: a = x, b = w.t(), c = at::empty({m, n}); break;
      case which::dx: a = dy, b = w, c = at::empty({m, k}); break;
      case which::dw: a = dy.t(), b = x, c = at::empty({n, k}); break;
    }
  }
};
void note(benchmark::State& state, const char* memory) {
  state.counters["flops"] =
      benchmark::Counter(2. * static_cast<double>(state.range(0) * state.range(1) * state.range(2)),
                         benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(memory);
}

template <which Of>
void koilas(benchmark::State& state) {
  const operands all(state, Of);
  const auto a = lazy(all.a), b = lazy(all.b);
  bench::run_kept(state, lower_expression(matmul(a, b), {}, false), true);
  note(state, "memory reused");
}
template <which Of>
void blocks(benchmark::State& state) {
  operands all(state, Of);
  if (!koila::detail::has_brgemm()) return state.SkipWithError("there are no kernels for blocks");
  const koila::detail::any_matrix a(all.a), b(all.b);
  auto* const to = all.c.mutable_data_ptr<float>();
  for (auto _ : state)
    koila::detail::multiply_packed(a, b, {to, all.c.size(1)}, all.c.size(0), all.c.size(1), all.a.size(1), false);
  note(state, "memory reused");
}
template <which Of>
void eager(benchmark::State& state) {
  const operands all(state, Of);
  const at::NoGradGuard no_grad;
  for (auto _ : state)
    if constexpr (Of == which::y) benchmark::DoNotOptimize(at::linear(all.a, all.b.t()).const_data_ptr());
    else benchmark::DoNotOptimize(at::mm(all.a, all.b).const_data_ptr());
  note(state, bench::eagers_memory());
}
template <which Of>
void blas(benchmark::State& state) {
  operands all(state, Of);
  const at::NoGradGuard no_grad;
  for (auto _ : state) at::mm_out(all.c, all.a, all.b);
  note(state, "memory reused");
}
/// Calls the linear operator that torch.compile uses. The operator allocates its result and its
/// packed operands.
void onednn_linear(benchmark::State& state) {
  const operands all(state, which::y);
  const at::NoGradGuard no_grad;
  const auto found = c10::Dispatcher::singleton().findSchema({"mkldnn::_linear_pointwise", ""});
  if (!found) return state.SkipWithError("LibTorch has no mkldnn::_linear_pointwise");
  const auto linear =
      found->typed<at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&, c10::string_view,
                              c10::List<std::optional<at::Scalar>>, std::optional<c10::string_view>)>();
  const at::Tensor w = all.b.t();
  const c10::List<std::optional<at::Scalar>> none;
  for (auto _ : state) benchmark::DoNotOptimize(linear.call(all.a, w, {}, "none", none, "").const_data_ptr());
  note(state, bench::eagers_memory());
}

void add(const std::string& name, void (*f)(benchmark::State&)) {
  auto* const b = benchmark::RegisterBenchmark(name.c_str(), f);
  for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{1, 64, 64},
                                {32, 64, 64},
                                {32, 10, 64},
                                {64, 512, 784},
                                {128, 128, 128},
                                {512, 512, 784},
                                {4096, 512, 512},
                                {1024, 1024, 256},
                                {256, 512, 128},
                                {4096, 512, 784},
                                {8192, 256, 1024},
                                {512, 10, 512}})
    b->Args({m, n, k});
  b->Unit(benchmark::kMicrosecond)->UseRealTime();
}
template <which Of>
void add_all(const std::string& name) {
  add(name + "/koila", koilas<Of>);
  add(name + "/blocks", blocks<Of>);
  add(name + "/eager", eager<Of>);
  add(name + "/floor", blas<Of>);
}

const int registered = [] {
  add_all<which::y>("product");
  add("product/onednn_linear", onednn_linear);
  add_all<which::dx>("product_dx");
  add_all<which::dw>("product_dw");
  return 0;
}();

}  // namespace
