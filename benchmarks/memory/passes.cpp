// SPDX-License-Identifier: MIT
#include "memory/passes.hpp"

#include <ctime>
#include <limits>

namespace memory {

using namespace koila::detail;

namespace {

const sgd optimizer{.lr = 1e-4, .momentum = 0.9};

/// Calls a step with the bound inputs as separate arguments, as programs do.
template <std::size_t... I>
auto call(auto& train, const std::vector<binding<at::Tensor>>& b, std::index_sequence<I...>) -> at::Tensor {
  return train(b[I]...);
}
auto call(auto& train, const std::vector<binding<at::Tensor>>& b) -> at::Tensor {
  switch (b.size()) {
    case 1: return call(train, b, std::make_index_sequence<1>());
    case 2: return call(train, b, std::make_index_sequence<2>());
    case 3: return call(train, b, std::make_index_sequence<3>());
    case 4: return call(train, b, std::make_index_sequence<4>());
    default: throw std::logic_error("a model of more than four inputs");
  }
}

}  // namespace

auto seconds_of_thread() -> double {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bound_model::bound_model(const models::model& m, index_t samples) : model_(m), bound_(m.bind(samples, 1)) {
  for (std::size_t i = 0; i < m.inputs.size(); ++i) inputs_.push_back({m.inputs[i].leaf, bound_[i].tensor});
  for (const auto& p : m.parameters) (void)tensor_of(*p);
  for (const auto& b : m.buffers) (void)tensor_of(*b);
  // The optimiser's state covers the parameters that the loss depends on.
  const lowered_expression l = lowered(pass::step);
  for (std::size_t k = 0; k < l.parameters.size(); ++k) {
    if (l.gradients[k] < 0) continue;
    state_bytes_ += optimizer.state_for(tensor_of(*l.graph.node(l.parameters[k]).leaf)).bytes();
  }
}

auto bound_model::lowered(pass p) const -> lowered_expression {
  const auto& e = p == pass::forward ? model_.output : model_.loss;
  const auto bindings = koila::detail::bindings_of(models::bound_in(e, bound_));
  return koila::detail::lower_with(koila::detail::lowering_of(e), bindings, p != pass::forward,
                                   koila::detail::is_trained);
}

auto bound_model::plan(pass p, const options& o) const -> planned {
  const double start = seconds_of_thread();
  const index_t kept = this->kept(p);
  const std::tuple asked(p, o.chunk, o.policy);
  auto plans = planners_.find(asked);
  const bool again = plans != planners_.end();
  if (!again) plans = planners_.emplace(asked, koila::detail::planner_of(lowered(p), o, p != pass::step)).first;
  const auto took = [&] { return seconds_of_thread() - start; };
  try {
    const memory_plan plan = plans->second.choose(o.memory < 0 ? -1 : std::max<index_t>(0, o.memory - kept));
    return {true, plan.peak_bytes() + kept, plan.chunk(), took(), again, plan.predicted_seconds};
  } catch (const memory_error& e) { return {false, e.needed + kept, 0, took(), again, 0}; }
}

auto bound_model::whole_peak(pass p, bool fused) const -> index_t {
  lowered_expression l = lowered(p);
  l.graph.fuses = fused;
  request want{{l.value}, {1}};
  for (const int g : l.gradients)
    if (g >= 0) want.outputs.push_back(g), want.external.push_back(static_cast<char>(p != pass::step));
  return planner(std::move(l.graph), std::move(want), {.chunk = std::numeric_limits<index_t>::max()})
             .choose(-1)
             .peak_bytes() +
         kept(p);
}

auto bound_model::run(pass p, const options& o) const -> index_t {
  for (const auto& leaf : model_.parameters) tensor_of(*leaf).mutable_grad() = at::Tensor();
  const bench::measure m;
  switch (p) {
    case pass::forward: {
      const bound_tensors read = models::bound_in(model_.output, bound_);
      (void)koila::detail::run_value(koila::detail::lowering_of(model_.output), o, read);
      break;
    }
    case pass::backward: (void)koila::detail::run_backward(koila::detail::lowering_of(model_.loss), o, bound_); break;
    case pass::step: {
      auto train = koila::step(model_.loss, optimizer, o);
      for (int i = 0; i < 2; ++i) (void)call(train, inputs_);
      break;
    }
  }
  return m.peak();
}

}  // namespace memory
