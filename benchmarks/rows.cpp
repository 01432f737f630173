// SPDX-License-Identifier: MIT
// Ops along rows, forward, and forward with backward. Compares koila with eager LibTorch.
// Arguments: the number of rows, and the elements per row. koila keeps its memory between runs, as
// a training step does; eager LibTorch returns its memory to malloc after each run.
#include <string>

#include "models.hpp"

namespace {

using namespace koila;
using namespace koila::detail;

/// In each op, the first overload computes tensors with LibTorch; the second one builds a koila
/// expression.
struct rows_softmax {
  static constexpr const char* name = "softmax";
  auto operator()(const at::Tensor& x) const -> at::Tensor { return at::softmax(x, -1); }
  auto operator()(const auto& x) const { return softmax(x, -1_c); }
};
struct rows_log_softmax {
  static constexpr const char* name = "log_softmax";
  auto operator()(const at::Tensor& x) const -> at::Tensor { return at::log_softmax(x, -1); }
  auto operator()(const auto& x) const { return log_softmax(x, -1_c); }
};

auto rows_of(const benchmark::State& state) -> at::Tensor { return at::randn({state.range(0), state.range(1)}); }
auto row_of(const benchmark::State& state) -> at::Tensor { return at::randn({state.range(1)}); }
auto classes_of(const benchmark::State& state) -> at::Tensor {
  return at::randint(state.range(1), {state.range(0)}, at::kLong);
}

void drop(std::initializer_list<at::Tensor> leaves) {
  for (at::Tensor t : leaves) t.mutable_grad().reset();
}

template <class Op>
void koila_rows(benchmark::State& state) {
  const auto x = bench::parameter_of(rows_of(state));
  bench::run_kept(state, lower_expression(Op{}(x), {}, false), true);
}
template <class Op>
void eager_rows(benchmark::State& state) {
  const at::Tensor x = rows_of(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) benchmark::DoNotOptimize(Op{}(x).const_data_ptr());
}
/// Computes a weighted sum of the op's result, and the gradient of this sum with respect to x.
template <class Op>
void koila_rows_backward(benchmark::State& state) {
  const auto x = bench::parameter_of(rows_of(state));
  bench::run_kept(state, lower_expression(sum(Op{}(x)*lazy(rows_of(state))), {}, true), true);
}
template <class Op>
void eager_rows_backward(benchmark::State& state) {
  const at::Tensor x = rows_of(state).requires_grad_(), g = rows_of(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) (Op{}(x)*g).sum().backward(), drop({x});
}

void koila_cross_entropy(benchmark::State& state) {
  const auto x = bench::parameter_of(rows_of(state));
  bench::run_kept(state, lower_expression(cross_entropy(x, lazy(classes_of(state))), {}, false), true);
}
void eager_cross_entropy(benchmark::State& state) {
  const at::Tensor x = rows_of(state), label = classes_of(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) benchmark::DoNotOptimize(at::cross_entropy_loss(x, label).const_data_ptr());
}
void koila_cross_entropy_backward(benchmark::State& state) {
  const auto x = bench::parameter_of(rows_of(state));
  bench::run_kept(state, lower_expression(cross_entropy(x, lazy(classes_of(state))), {}, true), true);
}
void eager_cross_entropy_backward(benchmark::State& state) {
  const at::Tensor x = rows_of(state).requires_grad_(), label = classes_of(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) at::cross_entropy_loss(x, label).backward(), drop({x});
}

void koila_mse_loss(benchmark::State& state) {
  const auto x = bench::parameter_of(rows_of(state));
  bench::run_kept(state, lower_expression(mse_loss(x, lazy(rows_of(state))), {}, false), true);
}
void eager_mse_loss(benchmark::State& state) {
  const at::Tensor x = rows_of(state), target = rows_of(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) benchmark::DoNotOptimize(at::mse_loss(x, target).const_data_ptr());
}
void koila_mse_loss_backward(benchmark::State& state) {
  const auto x = bench::parameter_of(rows_of(state));
  bench::run_kept(state, lower_expression(mse_loss(x, lazy(rows_of(state))), {}, true), true);
}
void eager_mse_loss_backward(benchmark::State& state) {
  const at::Tensor x = rows_of(state).requires_grad_(), target = rows_of(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) at::mse_loss(x, target).backward(), drop({x});
}

void koila_layer_norm(benchmark::State& state) {
  const auto x = bench::parameter_of(rows_of(state));
  const auto w = bench::parameter_of(row_of(state)), b = bench::parameter_of(row_of(state));
  bench::run_kept(state, lower_expression(layer_norm(x, w, b), {}, false), true);
}
void eager_layer_norm(benchmark::State& state) {
  const at::Tensor x = rows_of(state), w = row_of(state), b = row_of(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) benchmark::DoNotOptimize(at::layer_norm(x, w.sizes(), w, b).const_data_ptr());
}
void koila_layer_norm_backward(benchmark::State& state) {
  const auto x = bench::parameter_of(rows_of(state));
  const auto w = bench::parameter_of(row_of(state)), b = bench::parameter_of(row_of(state));
  bench::run_kept(state, lower_expression(sum(layer_norm(x, w, b) * lazy(rows_of(state))), {}, true), true);
}
void eager_layer_norm_backward(benchmark::State& state) {
  const at::Tensor x = rows_of(state).requires_grad_(), w = row_of(state).requires_grad_(),
                   b = row_of(state).requires_grad_();
  const at::Tensor g = rows_of(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) (at::layer_norm(x, w.sizes(), w, b) * g).sum().backward(), drop({x, w, b});
}

/// A normalisation with element-wise ops before and after it, as in layers of models.
struct layer_norm_and_gelu {
  static constexpr const char* name = "layer_norm_gelu";
  auto operator()(const at::Tensor& x, const at::Tensor& r, const at::Tensor& w, const at::Tensor& b) const
      -> at::Tensor {
    return at::gelu(at::layer_norm(x + r, w.sizes(), w, b));
  }
  auto operator()(const auto& x, const auto& r, const auto& w, const auto& b) const {
    return gelu(layer_norm(x + r, w, b));
  }
};
struct rms_norm_and_silu {
  static constexpr const char* name = "rms_norm_silu";
  auto operator()(const at::Tensor& x, const at::Tensor& r, const at::Tensor& w, const at::Tensor& b) const
      -> at::Tensor {
    return at::silu(at::rms_norm(x + r, w.sizes(), w) + b);
  }
  auto operator()(const auto& x, const auto& r, const auto& w, const auto& b) const {
    return silu(rms_norm(x + r, w) + b);
  }
};
template <class F>
void koila_norm(benchmark::State& state) {
  const auto x = bench::parameter_of(rows_of(state));
  const auto w = bench::parameter_of(row_of(state)), b = bench::parameter_of(row_of(state));
  bench::run_kept(state, lower_expression(F{}(x, lazy(rows_of(state)), w, b), {}, false), true);
}
template <class F>
void eager_norm(benchmark::State& state) {
  const at::Tensor x = rows_of(state), r = rows_of(state), w = row_of(state), b = row_of(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) benchmark::DoNotOptimize(F{}(x, r, w, b).const_data_ptr());
}
template <class F>
void koila_norm_backward(benchmark::State& state) {
  const auto x = bench::parameter_of(rows_of(state));
  const auto w = bench::parameter_of(row_of(state)), b = bench::parameter_of(row_of(state));
  const auto y = F{}(x, lazy(rows_of(state)), w, b);
  bench::run_kept(state, lower_expression(sum(y * lazy(rows_of(state))), {}, true), true);
}
template <class F>
void eager_norm_backward(benchmark::State& state) {
  const at::Tensor x = rows_of(state).requires_grad_(), w = row_of(state).requires_grad_(),
                   b = row_of(state).requires_grad_();
  const at::Tensor r = rows_of(state), g = rows_of(state);
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) (F{}(x, r, w, b) * g).sum().backward(), drop({x, w, b});
}

using benchmarked = void(benchmark::State&);
void register_rows(const std::string& name, benchmarked* by_koila, benchmarked* by_eager,
                   std::initializer_list<std::vector<std::int64_t>> sizes) {
  for (const auto& size : sizes)
    for (const auto& [who, f] : {std::pair{"/koila", by_koila}, std::pair{"/eager", by_eager}})
      benchmark::RegisterBenchmark((name + who).c_str(), f)->Args(size)->Unit(benchmark::kMicrosecond)->UseRealTime();
}
template <class Op>
void register_op() {
  register_rows(Op::name, koila_rows<Op>, eager_rows<Op>, {{4096, 64}, {1024, 1000}, {8192, 256}});
  register_rows(std::string(Op::name) + "_backward", koila_rows_backward<Op>, eager_rows_backward<Op>,
                {{4096, 64}, {1024, 1000}, {8192, 256}});
}

const int rows_registered = [] {
  const std::initializer_list<std::vector<std::int64_t>> logits = {{4096, 10}, {1024, 1000}, {64, 32000}};
  const std::initializer_list<std::vector<std::int64_t>> features = {{32, 256}, {8192, 256}, {8192, 1024}};
  register_rows("cross_entropy", koila_cross_entropy, eager_cross_entropy, logits);
  register_rows("cross_entropy_backward", koila_cross_entropy_backward, eager_cross_entropy_backward, logits);
  register_rows("mse_loss", koila_mse_loss, eager_mse_loss, features);
  register_rows("mse_loss_backward", koila_mse_loss_backward, eager_mse_loss_backward, features);
  register_op<rows_softmax>();
  register_op<rows_log_softmax>();
  register_rows("layer_norm", koila_layer_norm, eager_layer_norm, features);
  register_rows("layer_norm_backward", koila_layer_norm_backward, eager_layer_norm_backward, features);
  register_rows(layer_norm_and_gelu::name, koila_norm<layer_norm_and_gelu>, eager_norm<layer_norm_and_gelu>, features);
  register_rows("layer_norm_gelu_backward", koila_norm_backward<layer_norm_and_gelu>,
                eager_norm_backward<layer_norm_and_gelu>, features);
  register_rows(rms_norm_and_silu::name, koila_norm<rms_norm_and_silu>, eager_norm<rms_norm_and_silu>, features);
  register_rows("rms_norm_silu_backward", koila_norm_backward<rms_norm_and_silu>,
                eager_norm_backward<rms_norm_and_silu>, features);
  return 0;
}();

}  // namespace
