#pragma once
// step: a training step as one object: value, gradients, update, planned once per shape.
#include <koila/run/run.hpp>

#include <ATen/core/LegacyTypeDispatch.h>

#include <span>

namespace koila {

/// What `step` needs of an optimiser. One with `before(gradients)` is shown all gradients before the updates.
template <class O>
concept Optimizer = requires(const O& o, const at::Tensor& p, const at::Tensor& g, typename O::state& s) {
  { o.state_for(p) } -> std::same_as<typename O::state>;
  o.update(p, g, s);
  s.bytes();
};

namespace detail {

/// The part of a training step that does not depend on the optimiser's type.
class step_core {
 public:
  using lower_function = std::function<int(builder&)>;
  step_core(lower_function lower, const options& o);
  step_core(step_core&& o) noexcept;
  ~step_core();

  /// Plans for these tensors unless the plan there is fits them. `keep` allocates what the optimiser keeps for the parameters
  /// and returns its bytes.
  using keep_function = std::function<index_t(const std::vector<handle<const leaf_state>>&)>;
  void prepare(const bound_tensors& bound, const keep_function& keep);
  void forget();
  void run(const bound_tensors& bound);
  auto value() const -> at::Tensor { return program_->output(0); }
  auto count() const -> std::size_t { return parameters_.size(); }
  auto parameter(std::size_t k) const -> const handle<const leaf_state>& { return parameters_[k]; }
  auto gradient(std::size_t k) const -> at::Tensor { return program_->output(k + 1); }
  auto plan() const -> const memory_plan&;

 private:
  lower_function lower_;
  options options_;
  std::vector<handle<const leaf_state>> parameters_;
  std::unique_ptr<program> program_;
};

}  // namespace detail

/// A training step. Calling it runs forward, backward and the update, and returns the loss before the update. All or nothing:
/// after an exception parameters and optimiser state are as before. Not for two threads at once.
template <Optimizer O>
class training_step {
 public:
  O optimizer;  ///< its settings may be changed between steps, its learning rate above all

  training_step(detail::step_core::lower_function lower, O o, const options& opt)
      : optimizer(std::move(o)), core_(std::move(lower), opt) {}

  template <detail::Binding... B>
  auto operator()(const B&... bs) -> at::Tensor {
    const bound_tensors bound = detail::bound_of(bs...);
    prepare(bound);
    core_.run(bound);
    const at::AutoDispatchBelowADInplaceOrView below;
    if constexpr (requires(std::span<const at::Tensor> g) { optimizer.before(g); }) {  // of all gradients together: clipping
      std::vector<at::Tensor> all;
      for (std::size_t k = 0; k < core_.count(); ++k) all.push_back(core_.gradient(k));
      optimizer.before(all);
    }
    for (std::size_t k = 0; k < core_.count(); ++k) {
      const at::Tensor gradient = core_.gradient(k);
      const at::Tensor& p = tensor_of(*core_.parameter(k));
      optimizer.update(p, gradient, kept_[kept_of_[k]].state);
      p.unsafeGetTensorImpl()->bump_version();  // a change, to autograd
    }
    return core_.value();
  }
  /// The plan for these tensors; nothing runs.
  template <detail::Binding... B>
    requires(sizeof...(B) > 0)
  auto plan(const B&... bs) -> const memory_plan& {
    prepare(detail::bound_of(bs...));
    return core_.plan();
  }
  /// The plan of the last step. Throws std::logic_error where there was none.
  auto plan() const -> const memory_plan& { return core_.plan(); }
  /// Bytes that the optimiser keeps between steps, all of them from the first step on.
  auto state_bytes() const -> index_t {
    index_t n = 0;
    for (const kept& k : kept_) n += k.state.bytes();
    return n;
  }

 private:
  struct kept {
    handle<const leaf_state> parameter;
    typename O::state state;
  };
  detail::step_core core_;
  std::vector<kept> kept_;  // of all parameters trained so far: one that is frozen for a while keeps its own
  std::vector<std::size_t> kept_of_;  // of each parameter, in the order of the graph

  auto place_of(const handle<const leaf_state>& parameter) -> std::size_t {
    for (std::size_t i = 0; i < kept_.size(); ++i)
      if (kept_[i].parameter == parameter) return i;
    kept_.push_back({parameter, optimizer.state_for(tensor_of(*parameter))});
    return kept_.size() - 1;
  }
  void prepare(const bound_tensors& bound) {
    for (kept& k : kept_) {  // momentum, say, that was 0 at first
      if (k.state.bytes() != 0) continue;
      auto now = optimizer.state_for(tensor_of(*k.parameter));
      if (now.bytes() == 0) continue;
      k.state = std::move(now);
      core_.forget();
    }
    core_.prepare(bound, [&](const auto& parameters) {
      kept_of_.clear();
      for (const auto& p : parameters) kept_of_.push_back(place_of(p));
      return state_bytes();
    });
  }

 public:
#line 1 "koila's step"
  template <class... B, why Reason = why::not_an_input_with_its_tensor, text Says = says<Reason>("step")>
    requires(!(detail::Binding<B> && ...))
  auto operator()(const B&...) -> refused = delete;
};

/// `auto train = step(loss, sgd{.lr = 0.1}, {.memory = 512_MiB}); train(x = images, label = labels);`
template <Expression E, Optimizer O>
auto step(const E& loss, O optimizer, const options& o = {}) -> training_step<O> {
  static_assert(shape_t<E>::value.rank <= 0, "step: a loss is a scalar; reduce the value with sum(...) or mean(...)");
  return {[loss](builder& b) { return lower(b, loss); }, std::move(optimizer), o};
}

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/step.ipp>
#endif

// The refusal, under a name that is no file: see op.hpp.
#line 1 "koila's step"
namespace koila {
template <class S, class O, why Reason = why::not_an_optimiser, text Says = says<Reason>("step")>
  requires(!Optimizer<O>)
auto step(const shaped<S>&, const O&, const options& = {}) -> refused = delete;
template <class S, why Reason = why::not_an_optimiser, text Says = says<Reason>("step")>
auto step(const shaped<S>&) -> refused = delete;
template <class... Ts, why Reason = why::already_a_value, text Says = says<Reason>("step")>
auto step(detail::no_expression, const Ts&...) -> refused = delete;
}  // namespace koila
