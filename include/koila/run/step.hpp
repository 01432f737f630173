// SPDX-License-Identifier: MIT
#pragma once
// step: a training step as one object. A step computes the loss, the gradients and the update, and
// is planned once per shape of the batch.
#include <koila/run/optimizer.hpp>
#include <koila/run/run.hpp>
#include <koila/torch/dispatch.hpp>
#include <koila/torch/tensor.hpp>

#include <optional>
#include <span>

namespace koila::inline v0 {

namespace detail {

/// The maximum number of plans that a step keeps. The step drops the plans of the shapes that
/// were bound least recently.
inline constexpr std::size_t most_plans = 32;

/// The part of a training step that does not depend on the optimiser's type. This part may keep
/// several plans, but only the plan of the last run has memory.
class step_core {
 public:
  using lower_function = std::function<int(builder&)>;
  /// `groups` has the groups of parameters to train. If `groups` is empty, all parameters of the
  /// loss are trained.
  step_core(lower_function lower, const options& o, const std::vector<parameter_group>& groups);
  step_core(step_core&& o) noexcept;
  auto operator=(step_core&& o) noexcept -> step_core&;
  ~step_core();

  /// A `keep_function` returns, for each of the given parameters, the index of this parameter's
  /// state in the step's list of states (`kept_`). The function allocates missing states. A
  /// `kept_function` returns the bytes of all states.
  using keep_function = std::function<std::vector<std::size_t>(const std::vector<handle<const leaf_state>>&)>;
  using kept_function = std::function<index_t()>;
  /// Finds the plan for these tensors, or makes a plan. Replaces a plan that no longer fits the
  /// free memory, or that is no longer the fastest plan that fits.
  void prepare(const bound_tensors& bound, const keep_function& keep, const kept_function& kept);
  /// Runs in the chunks of the plan or, if memory runs out, in the chunks of smaller plans. Nothing
  /// that the caller can see changes before `commit`.
  void run(const bound_tensors& bound, const random_run& random);
  void commit();
  auto draws() const -> bool;
  auto draws_elsewhere() const -> bool;
  auto value() const -> at::Tensor;
  auto count() const -> std::size_t;
  auto parameter(std::size_t k) const -> const handle<const leaf_state>&;
  auto state_index(std::size_t k) const -> std::size_t;
  auto gradient(std::size_t k) const -> at::Tensor;
  auto plan() const -> const memory_plan&;
  auto plans() const -> std::size_t { return plans_.size(); }
  /// A parameter that may be trained, and the index of its group.
  struct trainable {
    handle<const leaf_state> parameter;
    std::size_t group = 0;
  };
  /// All parameters that may be trained, in the order of the loss.
  auto trainables() const -> const std::vector<trainable>& { return trainables_; }
  auto group_of(const handle<const leaf_state>& parameter) const -> std::size_t;

 private:
  struct planned;
  lower_function lower_;
  options options_;
  bool restricted_;  // only `trainables_` are trained, not all parameters
  std::vector<trainable> trainables_;
  std::vector<std::unique_ptr<planned>> plans_;  // the most recently used first
  program* active_ = nullptr;  // the program that has memory
  at::Tensor block_;  // the arena of `active_`
  index_t available_ = 0;  // bytes that a plan may take, as of the last reading of free memory
  std::uint64_t reading_ = 0;
  index_t budget_ = 0;
  // The peak bytes of a plan that ran out of memory although the device reported this much free
  // memory; 0 if there is no such plan. For the next `steps_` steps, plans take fewer bytes than
  // this plan.
  index_t refused_ = 0;
  int wait_ = 0, steps_ = 0;

  auto find_trainable(const leaf_state& p) const -> std::vector<trainable>::const_iterator;
  auto find(const bound_tensors& bound) -> planned*;
  auto lowered(const bound_tensors& bound) const -> lowered_expression;
  void add(const bound_tensors& bound, const keep_function& keep, const kept_function& kept);
  auto read_budget(at::Device where, index_t needed, bool again, const kept_function& kept) -> index_t;
  auto choose(planned& target, const kept_function& kept) -> memory_plan;
  void fit(planned& p, const bound_tensors& bound, const kept_function& kept);
  void acquire();
  void release();
};

/// Throws argument_error if a step with `count` groups has no group k.
void require_group(std::size_t k, std::size_t count);

/// Gives `save` and `load` access to a step.
struct step_access;

}  // namespace detail

/// A training step. A call runs forward, backward and the update, and returns the loss before the
/// update. After an exception, the parameters and the optimiser's state are unchanged. Two threads
/// must not use a step at the same time.
template <Optimizer O>
class training_step {
 public:
  O optimizer;  ///< settings may be changed between steps, for example the learning rate

  training_step(detail::step_core::lower_function lower, O o, const options& opt,
                std::vector<parameter_group> target = {})
      : optimizer(std::move(o)), core_(std::move(lower), opt, target), table_(table_of(optimizer)) {
    for (const parameter_group& g : target) groups_.push_back({g.settings, {}});
    settle_settings();
    table_->drop_unused();
  }
  /// Follows the optimiser `other`. Each call of the step copies the settings that have changed
  /// in `other`, and takes the states of `other` if they have been replaced. The step stops
  /// following when `other` is destroyed.
  void follow(O& other)
    requires detail::SharesStates<O>
  {
    followed_ = detail::link_of(other).location(other);
    seen_ = other;
    own_seen_ = optimizer;
  }

  /// Runs one step on a batch, `train(x = images, label = labels)`, and returns the loss before the
  /// update, a tensor without dims. Throws shape_error or memory_error before anything runs.
  template <detail::Binding... B>
  auto operator()(const B&... bs) -> at::Tensor {
    const detail::bound_tensors bound = detail::bound_of(bs...);
    prepare(bound);
    const detail::random_run random(core_.draws(), core_.draws_elsewhere());
    core_.run(bound, random);
    const detail::below_autograd below;
    // Gradient clipping needs all gradients at once.
    if constexpr (requires(std::span<const at::Tensor> g) { optimizer.before(g); }) {
      std::vector<at::Tensor> gradients;
      for (std::size_t k = 0; k < core_.count(); ++k) gradients.push_back(core_.gradient(k));
      optimizer.before(gradients);
    }
    at::Tensor value = core_.value();
    for (std::size_t k = 0; k < core_.count(); ++k) {  // from here on nothing allocates
      const at::Tensor g = core_.gradient(k);
      const at::Tensor& trained = tensor_of(*core_.parameter(k));
      const kept& own = kept_[core_.state_index(k)];
      settings_of(own.group).update(trained, g, *own.state->state);
      detail::bump_version(trained);  // tells autograd that the parameter has changed
    }
    core_.commit();
    ++table_->steps;
    return value;
  }
  /// Returns the plan for these tensors. Nothing runs.
  template <detail::Binding... B>
    requires(sizeof...(B) > 0)
  auto plan(const B&... bs) -> const memory_plan& {
    prepare(detail::bound_of(bs...));
    return core_.plan();
  }
  /// Returns the plan of the last step. Throws usage_error if there was none.
  auto plan() const -> const memory_plan& { return core_.plan(); }
  /// Returns the number of plans that are kept: one for each set of input shapes, and at most 32.
  /// Only one plan has memory at a time.
  auto plans() const -> std::size_t { return core_.plans(); }
  /// Returns the bytes of the states that the optimiser keeps for the parameters of this step. The
  /// states are created by the first step or by the first call of `plan` for a batch.
  auto state_bytes() const -> index_t {
    (void)table_now();
    index_t n = 0;
    for (const kept& k : kept_) n += k.state->state ? k.state->state->bytes() : 0;
    return n;
  }
  /// Returns the number of updates that were made with the optimiser. This includes the updates by
  /// other training steps that share the optimiser and, after `load`, the updates before `save`.
  auto steps() const -> std::int64_t { return states_now()->steps; }
  /// Returns the settings of group k of `groups(...)`, which may be changed:
  /// `train.group(1).lr = schedule(t)`. The settings of `optimizer` apply where the group does not
  /// set a value. Throws argument_error if there is no group k.
  auto group(std::size_t k) -> group_settings& {
    detail::require_group(k, groups_.size());
    return groups_[k].own;
  }
  auto group(std::size_t k) const -> const group_settings& {
    detail::require_group(k, groups_.size());
    return groups_[k].own;
  }
  auto group_count() const -> std::size_t { return groups_.size(); }

 private:
  friend struct detail::step_access;
  using table = detail::state_table<typename O::state>;
  struct kept {
    detail::handle<detail::kept_state<typename O::state>> state;
    std::size_t group;
  };
  struct grouped {
    group_settings own;
    std::optional<O> settings;  // the optimiser with the settings of the group
  };
  detail::step_core core_;
  detail::handle<table> table_;
  std::vector<kept> kept_;  // of all parameters trained so far, even if they are frozen now
  std::int64_t entered_ = -1;  // `loads` of the table when this step last added its parameters
  std::vector<detail::handle<detail::kept_state<typename O::state>>>
      begun_;  // entries that got a state during `prepare`
  std::vector<grouped> groups_;
  detail::handle<detail::optimizer_location> followed_;  // of the optimiser that this step follows
  std::optional<O> seen_, own_seen_;  // the followed optimiser, and `optimizer`, as last read
  std::optional<O> completed_for_;  // `optimizer` when all states last had the memory that its settings need

  /// Returns the table that copies of the optimiser share. If copies do not share a table,
  /// returns `own` or, if `own` is null, a new table.
  static auto table_of(const O& o, const detail::handle<table>& own = {}) -> detail::handle<table> {
    if constexpr (detail::SharesStates<O>) return o.states.table();
    else return own ? own : detail::make_handle<table>();
  }
  /// Returns true if the optimiser's table of states has been replaced since the last call.
  auto has_other_states() const -> bool {
    if constexpr (detail::SharesStates<O>) return optimizer.states.table() != table_;
    else return false;
  }
  auto table_now() const -> const detail::handle<table>& {
    if (!table_) throw usage_error("koila: step: it was moved: call the step that it became");
    return table_;
  }
  auto settings_of(std::size_t group) const -> const O& {
    return groups_.empty() ? optimizer : *groups_[group].settings;
  }

  /// Copies to `own` the settings that have changed in `now` since `seen`, unless they have also
  /// changed in `own` since `own_seen`. Updates `seen`.
  template <class From, class To>
  static void follow_changes(const From& now, From& seen, const To& own_seen, To& own) {
    detail::each_setting(
        [](const char*, const auto& n, auto& s, const auto& was, auto& o) {
          if (detail::same_setting(n, s)) return;
          s = n;
          if (detail::same_setting(o, was)) o = n;
        },
        now, seen, own_seen, own);
  }
  /// Calls f(optimiser) with the followed optimiser, if it still exists. A move may have changed
  /// the optimiser's class, so in this case f gets only the base class that has the link.
  template <class F>
  void with_followed(const F& f) const {
    if constexpr (detail::SharesStates<O>) {
      using part = typename std::remove_cvref_t<decltype(detail::link_of(std::declval<O&>()))>::optimizer;
      const detail::optimizer_location* location = followed_.get();
      while (location != nullptr && location->next) location = location->next.get();
      if (location == nullptr || location->address == nullptr) return;
      auto* const other = static_cast<part*>(location->address);
      if (location->moved) f(*other);
      else f(static_cast<O&>(*other));
    }
  }
  /// Copies to `own` the settings and states that have changed in the followed optimiser since
  /// `seen`.
  void follow_changes(O& seen, O& own) const {
    if constexpr (detail::SharesStates<O>)
      with_followed([&]<class Other>(const Other& other) {
        follow_changes(other, static_cast<Other&>(seen), *own_seen_, own);
        if (other.states.table() != seen.states.table()) own.states = seen.states = other.states;
      });
  }
  void look_at_followed() {
    if (!followed_) return;
    follow_changes(*seen_, optimizer);
    detail::copy_settings(optimizer, *own_seen_);
  }
  /// Returns the optimiser as the next call will use it.
  auto as_followed() const -> O {
    O own = optimizer;
    if (followed_) {
      O seen = *seen_;
      follow_changes(seen, own);
    }
    return own;
  }
  auto states_now() const -> detail::handle<table> { return table_of(as_followed(), table_now()); }
  /// Returns the followed optimiser's settings as they are now, or as last seen if the optimiser
  /// has been destroyed.
  auto followed_now() const -> std::optional<O> {
    if (!followed_) return {};
    O own = optimizer, seen = *seen_;
    follow_changes(seen, own);
    return seen;
  }
  /// Takes settings from a file. `own` has the settings for this step, and `followed` has the
  /// settings for the optimiser that the step follows. Both optimisers must take the settings, so
  /// that the step notices if a setting of the followed optimiser is later changed back.
  void take_settings(const O& own, const O& followed) {
    look_at_followed();
    detail::copy_settings(own, optimizer);
    if (!followed_) return;
    detail::copy_settings(followed, *seen_);
    detail::copy_settings(own, *own_seen_);
    with_followed(
        [&]<class Other>(Other& other) { detail::copy_settings(static_cast<const Other&>(followed), other); });
  }
  /// Brings all settings up to date. Throws argument_error if a setting is invalid.
  void settle_settings() {
    look_at_followed();
    detail::check_settings(optimizer);
    for (grouped& g : groups_) {
      g.settings.emplace(optimizer);
      g.own.apply_to(*g.settings);
      detail::check_settings(*g.settings);
    }
  }

  /// Creates the optimiser's state of a parameter if there is none. Replaces a state without memory
  /// if a changed setting needs memory, such as the momentum buffer when momentum is no longer 0.
  void complete(const kept& k) {
    auto& state = k.state->state;
    if (state && state->bytes() != 0) return;
    auto now = settings_of(k.group).state_for(tensor_of(*k.state->parameter));
    if (state && now.bytes() == 0) return;
    if (!state) begun_.push_back(k.state);
    state = std::move(now);
  }
  /// Returns true if a setting may have changed since the states were completed. Also returns
  /// true if there are groups, or if copies of the optimiser do not share states, because
  /// settings are not compared in these cases.
  auto may_be_incomplete() const -> bool {
    if (!detail::SharesStates<O> || !groups_.empty() || !completed_for_) return true;
    bool same = true;
    detail::each_setting(
        [&](const char*, const auto& now, const auto& then) { same = same && detail::same_setting(now, then); },
        optimizer, *completed_for_);
    return !same;
  }
  auto entry_of(const detail::handle<const detail::leaf_state>& parameter)
      -> detail::handle<detail::kept_state<typename O::state>> {
    const auto known =
        std::find_if(table_->all.begin(), table_->all.end(), [&](const auto& k) { return k->parameter == parameter; });
    if (known != table_->all.end()) return *known;
    table_->all.push_back(detail::make_handle<detail::kept_state<typename O::state>>(parameter));
    return table_->all.back();
  }
  /// Adds to the table, in the order of the loss, the parameters that this step may train. New
  /// parameters get their states from the records of a loaded file. Returns the number of records
  /// that were used.
  auto enter_parameters() -> std::size_t {
    std::size_t used = 0;
    for (const auto& [parameter, group] : core_.trainables()) {
      const std::size_t known = table_->all.size();
      const auto entry = entry_of(parameter);
      if (table_->all.size() > known && used < table_->awaited.size()) {
        const detail::parameter_record& saved = table_->awaited[used++];
        detail::require_name(saved, *parameter);
        detail::require_like(saved, *parameter);
        if (saved.trained) entry->state = detail::state_from(settings_of(group), &saved, *parameter);
      }
      const bool is_kept = std::any_of(kept_.begin(), kept_.end(), [&](const kept& k) { return k.state == entry; });
      if (entry->state && !is_kept) kept_.push_back({entry, group});
    }
    return used;
  }
  /// Returns the index in `kept_` of a parameter's state. Makes the state if there is none.
  auto state_index_of(const detail::handle<const detail::leaf_state>& parameter) -> std::size_t {
    for (std::size_t i = 0; i < kept_.size(); ++i)
      if (kept_[i].state->parameter == parameter) return i;
    kept_.push_back({entry_of(parameter), core_.group_of(parameter)});
    complete(kept_.back());
    return kept_.size() - 1;
  }
  void prepare(const detail::bound_tensors& bound) {
    (void)table_now();
    settle_settings();
    detail::handle<table> was_table;
    std::vector<kept> was_kept;
    const bool exchanged = has_other_states(), enters = exchanged || entered_ != table_->loads;
    if (exchanged) {
      was_table = std::exchange(table_, table_of(optimizer, table_));
      std::swap(kept_, was_kept);
    }
    const bool incomplete = enters || may_be_incomplete();
    const std::size_t before = kept_.size(), known = table_->all.size();
    std::size_t used = 0;  // records of a file
    begun_.clear();
    try {
      if (enters) used = enter_parameters();
      for (const kept& k : was_kept) (void)state_index_of(k.state->parameter);
      if (incomplete)
        for (const kept& k : kept_) complete(k);
      core_.prepare(
          bound,
          [&](const auto& parameters) {
            std::vector<std::size_t> state_indices;
            for (const auto& leaf : parameters) state_indices.push_back(state_index_of(leaf));
            return state_indices;
          },
          [&] { return state_bytes(); });
    } catch (...) {
      for (const auto& entry : begun_) entry->state.reset();
      table_->all.erase(table_->all.begin() + static_cast<std::ptrdiff_t>(known), table_->all.end());
      kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(before), kept_.end());
      if (exchanged) {
        std::swap(kept_, was_kept);
        table_ = was_table;
      }
      throw;
    }
    entered_ = table_->loads;
    table_->awaited.erase(table_->awaited.begin(), table_->awaited.begin() + static_cast<std::ptrdiff_t>(used));
    if (enters) detail::tell_of_awaited(table_->awaited);
    if (!incomplete && kept_.size() == before) return;
    completed_for_.reset();  // so that the next call checks again if this check throws
    if constexpr (requires(const typename O::state& s) { optimizer.check(s); })
      for (std::size_t k = 0; k < core_.count(); ++k) {
        const kept& own = kept_[core_.state_index(k)];
        settings_of(own.group).check(*own.state->state);
      }
    completed_for_ = optimizer;
  }

 public:
#line 1 "koila's step"
  template <class... B, author::reason Reason = author::reason::not_an_input_with_its_tensor,
            detail::text Message = author::message<Reason>("step")>
    requires(!(detail::Binding<B> && ...))
  auto operator()(const B&...) -> detail::refused = delete;
};

namespace detail {

/// Makes a training step. If `groups` is empty, the step trains all parameters of the loss.
template <Expression E, class O>
auto step_for(const E& loss, O&& optimizer, const std::vector<parameter_group>& groups, const options& o)
    -> training_step<std::remove_cvref_t<O>> {
  static_assert(shape_t<E>::value.rank <= 0, "step: a loss is a scalar; reduce the value with sum(...) or mean(...)");
  using made = training_step<std::remove_cvref_t<O>>;
  made train([loss](builder& b) { return lower_root(b, loss); }, std::remove_cvref_t<O>(optimizer), o, groups);
  if constexpr (std::is_lvalue_reference_v<O> && !std::is_const_v<std::remove_reference_t<O>> &&
                detail::SharesStates<std::remove_cvref_t<O>>)
    train.follow(optimizer);
  return train;
}
void require_groups(const std::vector<parameter_group>& groups);

}  // namespace detail

/// Makes a step that trains only the parameters of these groups, and computes only their gradients.
/// Throws argument_error if the list of groups is empty, if a group has no parameters, if a
/// parameter is in two groups, or if a parameter is not in the loss.
template <Expression E, class O, std::same_as<std::vector<parameter_group>> G>
  requires Optimizer<std::remove_cvref_t<O>>
auto step(const E& loss, O&& optimizer, const G& trained, const options& o = {})
    -> training_step<std::remove_cvref_t<O>> {
  detail::require_groups(trained);
  return detail::step_for(loss, std::forward<O>(optimizer), trained, o);
}

/// Makes a training step: `auto train = step(loss, sgd{.lr = 0.1}, {.memory = 512_MiB});`. Each
/// call, `train(x = images, label = labels);`, is one step.
/// Several steps may be made with one optimiser:
/// `adam opt{.lr = 1e-3}; auto a = step(loss1, opt), b = step(loss2, opt);`. The steps share the
/// optimiser's state of each parameter, and take over changes of its settings. So a step for a new
/// expression continues where the last step stopped. A change of `a.optimizer` applies to `a`
/// alone. The assignment `opt = adam{...}` also replaces the states, so both steps continue with
/// the states of the new optimiser.
/// Throws argument_error if a setting is out of its range, or if the loss has no parameter.
template <Expression E, class O>
  requires Optimizer<std::remove_cvref_t<O>>
auto step(const E& loss, O&& optimizer, const options& o = {}) -> training_step<std::remove_cvref_t<O>> {
  return detail::step_for(loss, std::forward<O>(optimizer), std::vector<parameter_group>(), o);
}

}  // namespace koila::inline v0

// The deleted overloads that refuse wrong calls. The name in `#line` is deliberately not that of
// a file; see op.hpp.
#line 1 "koila's step"
namespace koila::inline v0 {
template <class S, class O, author::reason Reason = author::reason::not_an_optimiser,
          detail::text Message = author::message<Reason>("step")>
  requires(!Optimizer<O>)
auto step(const detail::shaped<S>&, const O&, const options& = {}) -> detail::refused = delete;
template <class S, author::reason Reason = author::reason::not_an_optimiser,
          detail::text Message = author::message<Reason>("step")>
auto step(const detail::shaped<S>&) -> detail::refused = delete;
template <class... Ts, author::reason Reason = author::reason::already_a_value,
          detail::text Message = author::message<Reason>("step")>
auto step(detail::no_expression, const Ts&...) -> detail::refused = delete;
}  // namespace koila::inline v0
