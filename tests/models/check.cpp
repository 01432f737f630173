// SPDX-License-Identifier: MIT
#include "models/check.hpp"

#include "float32_bound.hpp"

#include <c10/core/GradMode.h>

namespace test {

namespace {

/// Returns LibTorch's results, with gradients by autograd.
auto results_of(const twin_function& twin, const subject& s, at::ScalarType t) -> results {
  std::vector<at::Tensor> parameters, inputs;
  for (const at::Tensor& p : s.parameters()) parameters.push_back(p.detach().to(t, false, true).requires_grad_());
  for (const auto& b : s.bound()) inputs.push_back(b.tensor.is_floating_point() ? b.tensor.to(t) : b.tensor);
  const auto [output, loss] = twin(parameters, inputs);
  loss.backward();
  results out{output.detach(), loss.detach(), {}, {}};
  for (const at::Tensor& p : parameters) out.gradients.push_back(p.grad());
  return out;
}

/// Checks that each error of `got` is within float32_bound. `own`: the errors of the float32
/// reference, which is LibTorch's result or koila's result for the whole batch. `terms`: the number
/// of terms of the longest sums. If `each`, checks every gradient separately, otherwise all
/// gradients as one vector.
void check_as_good(const errors& got, const errors& own, double terms, bool each) {
  const auto good = [terms](double e, double made) { return e <= float32_bound(terms, made); };
  CAPTURE(got.output, own.output, got.loss, own.loss);
  CHECK(good(got.output, own.output));
  CHECK(good(got.loss, own.loss));
  CHECK(good(got.buffers, own.buffers));
  if (!each) {
    CAPTURE(got.all, own.all);
    CHECK(good(got.all, own.all));
    return;
  }
  for (std::size_t k = 0; k < own.gradients.size(); ++k) {
    CAPTURE(k, got.gradients[k], own.gradients[k]);
    CHECK(good(got.gradients[k], own.gradients[k]));
  }
}
/// Returns the number of terms of a model's longest sums. A sum adds up the elements of a sample,
/// the elements along the longest dims of a parameter, or all samples.
auto terms_of(const subject& s, index_t samples) -> double {
  index_t most = samples;
  for (const auto& b : s.bound())
    if (b.tensor.dim() > 0 && b.tensor.numel() > 0) most = std::max(most, b.tensor.numel() / b.tensor.size(-1));
  for (const at::Tensor& p : s.parameters())
    if (p.dim() > 1 && p.numel() > 0) most = std::max(most, p.numel() / std::min(p.size(0), p.size(1)));
  return static_cast<double>(most);
}
/// Checks that each error is within a bound.
void check_within(const errors& got, double bound) {
  CHECK(got.output <= bound);
  CHECK(got.loss <= bound);
  CHECK(got.buffers <= bound);
  for (std::size_t k = 0; k < got.gradients.size(); ++k) {
    CAPTURE(k);
    CHECK(got.gradients[k] <= bound);
  }
}

}  // namespace

subject::subject(const models::entry& e, dtype t, index_t samples)
    : model_([&] {
        manual_seed(3);  // so that all dtypes draw the same numbers
        at::manual_seed(5);
        return e.make(t);
      }()),
      samples_(samples), bound_(model_.bind(samples, 11)) {
  for (auto& b : bound_)
    if (b.tensor.is_floating_point()) b.tensor = b.tensor.to(at::kFloat).to(b.tensor.scalar_type());
  for (const auto& p : model_.parameters) (void)tensor_of(*p);
  for (const auto& b : model_.buffers) buffers_.push_back(tensor_of(*b).clone());
}

void subject::copy_from(const subject& o) {
  const c10::AutoGradMode without(false);
  for (std::size_t i = 0; i < model_.parameters.size(); ++i)
    tensor_of(*model_.parameters[i]).copy_(tensor_of(*o.model_.parameters[i]));
}

auto subject::parameters() const -> std::vector<at::Tensor> {
  std::vector<at::Tensor> out;
  for (const auto& p : model_.parameters) out.push_back(tensor_of(*p));
  return out;
}

void subject::begin() const {
  manual_seed(7);
  const c10::AutoGradMode without(false);
  for (std::size_t i = 0; i < buffers_.size(); ++i) tensor_of(*model_.buffers[i]).copy_(buffers_[i]);
  for (const at::Tensor& p : parameters()) p.mutable_grad() = at::Tensor();
}

void subject::run_gradients(const options& o, results& into) const {
  begin();
  into.loss =
      koila::detail::run_backward(koila::detail::lowering_of(model_.loss), o, models::bound_in(model_.loss, bound_));
  for (const auto& b : model_.buffers) into.buffers.push_back(tensor_of(*b).clone());
  for (const at::Tensor& p : parameters()) into.gradients.push_back(p.grad());
}

auto subject::run(index_t chunk) const -> results {
  const options o{.memory = 1_GiB, .chunk = chunk};
  results out;
  begin();
  out.output =
      koila::detail::run_value(koila::detail::lowering_of(model_.output), o, models::bound_in(model_.output, bound_));
  for (const auto& b : model_.buffers) out.buffers.push_back(tensor_of(*b).clone());
  run_gradients(o, out);
  return out;
}

auto subject::run_within(index_t budget) const -> results {
  results out;
  run_gradients({.memory = budget}, out);
  return out;
}

auto subject::budgets() const -> std::vector<index_t> {
  const auto peak = [&](const options& o) {
    return koila::detail::plan_of(koila::detail::lowering_of(model_.loss), true, o,
                                  models::bound_in(model_.loss, bound_))
        .peak_bytes();
  };
  index_t least = 0;
  try {
    least = peak({.memory = 0});
  } catch (const memory_error& e) { least = e.needed; }
  const index_t most = peak({.memory = 1_GiB});
  return {least, least + (most - least) / 3, most};
}

auto errors_of(const results& got, const results& want) -> errors {
  errors out;
  out.output = relative_error(got.output, want.output);
  out.loss = relative_error(got.loss, want.loss);
  for (std::size_t k = 0; k < got.buffers.size() && k < want.buffers.size(); ++k)
    out.buffers = std::max(out.buffers, relative_error(got.buffers[k], want.buffers[k]));
  double all = 0;
  for (const at::Tensor& g : want.gradients)
    if (g.defined()) all = std::hypot(all, g.to(at::kDouble).norm().item<double>());
  for (std::size_t k = 0; k < want.gradients.size(); ++k) {
    const at::Tensor &g = got.gradients[k], &w = want.gradients[k];
    REQUIRE(g.defined() == w.defined());
    if (!g.defined()) continue;
    REQUIRE(g.sizes() == w.sizes());
    const double own = w.to(at::kDouble).norm().item<double>();
    const double difference = (g.to(at::kDouble) - w.to(at::kDouble)).norm().item<double>();
    const double scale = own > 1e-9 * all ? own : all;
    out.all = std::hypot(out.all, all == 0 ? difference : difference / all);
    out.gradients.push_back(scale == 0 ? difference : difference / scale);
  }
  return out;
}

auto chunks_to_try(index_t samples) -> std::vector<index_t> {
  std::vector<index_t> out = chunks_of(samples);
  for (const index_t ragged : {3, 5, 7, 20})
    if (ragged < samples) out.push_back(ragged);
  return out;
}

void check_model(const models::entry& e) {
  CAPTURE(e.name);
  constexpr index_t samples = 23;
  const subject single(e, dtype::float32, samples);
  const results own = single.run(samples);
  CHECK(own.loss.isfinite().all().item<bool>());
  const std::vector<index_t> chunks = chunks_to_try(samples);
  const auto within = [&](const subject& s, const results& whole, double bound) {
    for (const index_t chunk : chunks) {
      CAPTURE(chunk);
      check_within(errors_of(s.run(chunk), whole), bound);
    }
  };
  // This model has no float64 version, so the bound is float32's precision.
  if (e.single) return within(single, own, 4e-6);
  subject twice(e, dtype::float64, samples);
  twice.copy_from(single);
  const results exact = twice.run(samples);
  within(twice, exact, twice.model().deep_norm ? 1e-10 : 1e-12);
  for (const index_t budget : twice.budgets()) {  // recomputed values have the same bits
    CAPTURE(budget);
    results got = twice.run_within(budget), gradients_alone = exact;
    got.output = exact.output;
    gradients_alone.buffers.erase(
        gradients_alone.buffers.begin(),
        gradients_alone.buffers.begin() + static_cast<std::ptrdiff_t>(exact.buffers.size() / 2));
    check_within(errors_of(got, gradients_alone), twice.model().deep_norm ? 1e-10 : 1e-12);
  }
  if (single.model().own_numbers) return within(single, own, 4e-6);
  const errors whole = errors_of(own, exact);
  check_within(whole, single.model().deep_norm ? 1e-2 : 1e-3);  // a larger error would mean that the two models differ
  for (const index_t chunk : chunks) {
    CAPTURE(chunk);
    check_as_good(errors_of(single.run(chunk), exact), whole, terms_of(single, samples), false);
  }
}

void check_models(void (*list)(std::vector<models::entry>&)) {
  std::vector<models::entry> all;
  list(all);
  REQUIRE(!all.empty());
  for (const models::entry& e : all) check_model(e);
}

void check_twin(const models::entry& e, const twin_function& twin) {
  CAPTURE(e.name);
  constexpr index_t samples = 37;
  const subject single(e, dtype::float32, samples);
  const results exact = results_of(twin, single, at::kDouble);
  const errors own = errors_of(results_of(twin, single, at::kFloat), exact);
  for (const index_t chunk : chunks_to_try(samples)) {
    CAPTURE(chunk);
    check_as_good(errors_of(single.run(chunk), exact), own, terms_of(single, samples), true);
  }
  if (e.single) return;
  subject twice(e, dtype::float64, samples);
  twice.copy_from(single);
  for (const index_t chunk : chunks_to_try(samples)) {
    CAPTURE(chunk);
    check_within(errors_of(twice.run(chunk), exact), 1e-12);
  }
}

}  // namespace test
