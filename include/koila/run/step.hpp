#pragma once
// step: a training step as one object: value, gradients, update, planned once per shape.
#include <koila/run/run.hpp>

#include <ATen/core/LegacyTypeDispatch.h>

#include <span>

namespace koila {

/// What `step` needs of an optimiser. One with `before(gradients)` is shown all gradients before the updates; one with `check(state)` may refuse
/// the settings it now has for a state that it made before, by an exception, before anything is computed.
template <class O>
concept Optimizer = requires(const O& o, const at::Tensor& p, const at::Tensor& g, typename O::state& s) {
  { o.state_for(p) } -> std::same_as<typename O::state>;
  o.update(p, g, s);
  s.bytes();
};

namespace detail {

/// Plans that a step keeps, of the shapes bound last.
inline constexpr std::size_t most_plans = 32;

/// The part of a training step that does not depend on the optimiser's type. Of its plans only the last one's has memory.
class step_core {
 public:
  using lower_function = std::function<int(builder&)>;
  step_core(lower_function lower, const options& o);
  step_core(step_core&& o) noexcept;
  ~step_core();

  /// Where what the optimiser keeps for each parameter is found; allocates it.
  using keep_function = std::function<std::vector<std::size_t>(const std::vector<handle<const leaf_state>>&)>;
  using kept_function = std::function<index_t()>;
  /// Plans for these tensors, or finds the plan that there is; with less memory now, or more, another one. `kept`: the bytes that
  /// the optimiser keeps.
  void prepare(const bound_tensors& bound, const keep_function& keep, const kept_function& kept);
  /// Runs in the chunks of that plan, or of smaller ones where memory runs out. Nothing of the caller's changes before `commit`.
  void run(const bound_tensors& bound, const random_run& random);
  void commit();
  auto draws() const -> bool;
  auto draws_elsewhere() const -> bool;
  auto value() const -> at::Tensor;
  auto count() const -> std::size_t;
  auto parameter(std::size_t k) const -> const handle<const leaf_state>&;
  auto place(std::size_t k) const -> std::size_t;
  auto gradient(std::size_t k) const -> at::Tensor;
  auto plan() const -> const memory_plan&;
  auto plans() const -> std::size_t { return plans_.size(); }

 private:
  struct planned;
  lower_function lower_;
  options options_;
  std::vector<std::unique_ptr<planned>> plans_;  // the last first
  program* active_ = nullptr;  // which has the memory
  at::Tensor block_;  // that its values lie in
  index_t available_ = 0;  // bytes free when they were read last, those of this step included
  std::uint64_t reading_ = 0;
  index_t budget_ = 0;
  // Memory that ran out although it was said to be free: so many bytes, or 0. For some steps plans stay below.
  index_t refused_ = 0;
  int wait_ = 0, steps_ = 0;

  auto find(const bound_tensors& bound) -> planned*;
  void add(bindings b, const bound_tensors& bound, const keep_function& keep, const kept_function& kept);
  auto read_budget(at::Device where, index_t needed, bool anew, const kept_function& kept) -> index_t;
  auto choose(planned& of, const kept_function& kept) -> memory_plan;
  void fit(planned& p, const bound_tensors& bound, const kept_function& kept);
  void take();
  void let_go();
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
    const detail::random_run random(core_.draws(), core_.draws_elsewhere());
    core_.run(bound, random);
    const at::AutoDispatchBelowADInplaceOrView below;
    if constexpr (requires(std::span<const at::Tensor> g) { optimizer.before(g); }) {  // of all gradients together: clipping
      std::vector<at::Tensor> all;
      for (std::size_t k = 0; k < core_.count(); ++k) all.push_back(core_.gradient(k));
      optimizer.before(all);
    }
    at::Tensor value = core_.value();
    for (std::size_t k = 0; k < core_.count(); ++k) {  // from here on nothing allocates
      const at::Tensor gradient = core_.gradient(k);
      const at::Tensor& p = tensor_of(*core_.parameter(k));
      optimizer.update(p, gradient, kept_[core_.place(k)].state);
      p.unsafeGetTensorImpl()->bump_version();  // a change, to autograd
    }
    core_.commit();
    return value;
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
  /// Plans that are kept, of different shapes: 32 at most. One of them at a time has memory.
  auto plans() const -> std::size_t { return core_.plans(); }
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
      if (now.bytes() != 0) k.state = std::move(now);
    }
    const std::size_t before = kept_.size();
    try {
      core_.prepare(
          bound,
          [&](const auto& parameters) {
            std::vector<std::size_t> places;
            for (const auto& p : parameters) places.push_back(place_of(p));
            return places;
          },
          [&] { return state_bytes(); });
    } catch (...) {
      kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(before), kept_.end());
      throw;
    }
    if constexpr (requires(const typename O::state& s) { optimizer.check(s); })
      for (std::size_t k = 0; k < core_.count(); ++k) optimizer.check(kept_[core_.place(k)].state);
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
  return {[loss](builder& b) { return lower_root(b, loss); }, std::move(optimizer), o};
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
