// SPDX-License-Identifier: MIT
// Attention with 8 heads of width 64, in four forms: plain, causal, with a boolean mask (queries,
// keys), and with dropout of a tenth of the weights. Each form is measured forward, and forward
// with backward. Compares koila with eager LibTorch. Argument: the number of queries, which is also
// the number of keys.
#include <string>

#include "models.hpp"

namespace {

using namespace koila;
using namespace koila::detail;

constexpr std::int64_t heads = 8, width = 64;

struct operands {
  at::Tensor q, k, v;
  explicit operands(std::int64_t n) : q(at::randn({heads, n, width})), k(at::randn_like(q)), v(at::randn_like(q)) {}
};

enum class form { plain, causal, masked, dropout };

/// Returns a mask in which every query sees the first key and a random 90 % of the other keys.
auto some_mask(std::int64_t n) -> at::Tensor {
  at::Tensor mask = at::rand({n, n}) < 0.9;
  mask.select(1, 0).fill_(true);
  return mask;
}
void with(const auto& q, const auto& k, const auto& v, form f, const at::Tensor& mask, const auto& use) {
  if (f == form::masked) use(scaled_dot_product_attention(q, k, v, lazy(mask)));
  else
    use(scaled_dot_product_attention(q, k, v, dropout_p = f == form::dropout ? 0.1 : 0.0,
                                     is_causal = f == form::causal));
}
auto of_eager(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, form f, const at::Tensor& mask)
    -> at::Tensor {
  if (f == form::masked) return at::scaled_dot_product_attention(q, k, v, mask);
  return at::scaled_dot_product_attention(q, k, v, {}, f == form::dropout ? 0.1 : 0, f == form::causal);
}

void koila_forward(benchmark::State& state, form f) {
  const operands o(state.range(0));
  with(lazy(o.q), lazy(o.k), lazy(o.v), f, some_mask(state.range(0)),
       [&](const auto& y) { bench::run_kept(state, lower_expression(y, {}, false), true); });
}

void eager_forward(benchmark::State& state, form f) {
  const operands o(state.range(0));
  const at::Tensor mask = some_mask(state.range(0));
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state)
    benchmark::DoNotOptimize(of_eager(o.q.unsqueeze(0), o.k.unsqueeze(0), o.v.unsqueeze(0), f, mask));
}

/// Computes the sum of the result, and the gradients of this sum with respect to q, k and v.
template <index_t N>
void koila_backward(benchmark::State& state, form f) {
  const parameter<heads, N, width> q{"q"}, k{"k"}, v{"v"};
  for (const auto& p : {q, k, v}) set(p, at::randn({heads, N, width}));
  with(q, k, v, f, some_mask(N),
       [&](const auto& y) { bench::run_kept(state, lower_expression(sum(y), {}, true), false); });
}

void eager_backward(benchmark::State& state, form f) {
  operands o(state.range(0));
  const at::Tensor mask = some_mask(state.range(0));
  for (auto* t : {&o.q, &o.k, &o.v}) *t = t->unsqueeze(0).requires_grad_();
  state.SetLabel(bench::eagers_memory());
  for (auto _ : state) {
    of_eager(o.q, o.k, o.v, f, mask).sum().backward();
    for (auto* t : {&o.q, &o.k, &o.v}) t->mutable_grad().reset();
  }
}

constexpr std::int64_t sizes[] = {128, 512, 1024, 4096};

void add(const std::string& name, std::int64_t n, void (*f)(benchmark::State&, form), form which) {
  benchmark::RegisterBenchmark(name.c_str(), f, which)->Arg(n)->Unit(benchmark::kMillisecond)->UseRealTime();
}

const int registered = [] {
  for (const auto& [name, f] : {std::pair<std::string, form>{"attention", form::plain},
                                {"attention_causal", form::causal},
                                {"attention_masked", form::masked},
                                {"attention_dropout", form::dropout}}) {
    for (const std::int64_t n : sizes) {
      add(name + "/koila", n, koila_forward, f);
      add(name + "/eager", n, eager_forward, f);
    }
    add(name + "_backward/koila", sizes[0], koila_backward<sizes[0]>, f);
    add(name + "_backward/koila", sizes[1], koila_backward<sizes[1]>, f);
    add(name + "_backward/koila", sizes[2], koila_backward<sizes[2]>, f);
    add(name + "_backward/koila", sizes[3], koila_backward<sizes[3]>, f);
    for (const std::int64_t n : sizes) add(name + "_backward/eager", n, eager_backward, f);
  }
  return 0;
}();

}  // namespace
