// SPDX-License-Identifier: MIT
// Definitions of step.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/run/step.hpp>

#include <algorithm>

namespace koila::inline v0::detail {

/// The planner and the program for one set of shapes.
struct step_core::planned {
  planner plans;
  std::vector<handle<const leaf_state>> parameters;  // the parameters that the step trains
  std::vector<std::size_t> state_indices;
  at::Device where;
  std::unique_ptr<program> ready;
  index_t chosen_for = 0;  // the largest budget, in bytes, known to result in this plan
  index_t fastest = -1;  // peak bytes of the plan without a limit on memory

  void use(memory_plan p, const bound_tensors& bound) {
    chosen_for = p.allowed;
    ready = std::make_unique<program>(std::move(p), bound);
  }
};

/// Throws argument_error if a parameter that is to be trained was not `found` in the loss. `name`
/// is the parameter's name, or "a tensor".
inline void require_in_loss(bool found, const char* name) {
  if (!found)
    throw argument_error("koila: step: " + std::string(name) + " is to be trained, and it is no parameter of the loss");
}

void require_group(std::size_t k, std::size_t count) {
  if (k >= count)
    throw argument_error("koila: step: there is no group " + std::to_string(k) + ": the step has " +
                         std::to_string(count) + " groups");
}

void require_groups(const std::vector<parameter_group>& groups) {
  if (groups.empty()) throw argument_error("koila: step: there is nothing to train: the list of groups is empty");
}

step_core::step_core(lower_function lower, const options& o, const std::vector<parameter_group>& groups)
    : lower_(std::move(lower)), options_(o), restricted_(!groups.empty()) {
  require_options(o);
  std::vector<handle<const leaf_state>> of_loss;
  graph_signature notes;
  notes.parameters = &of_loss;
  builder b{bindings()};
  b.notes = &notes;
  (void)lower_(b);
  if (of_loss.empty()) throw argument_error("koila: step: there is nothing to train: the loss has no parameter");
  constexpr auto none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> group(of_loss.size(), groups.empty() ? 0 : none);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].parameters.empty() && groups[g].tensors.empty())
      throw argument_error("koila: step: there is nothing to train in group " + std::to_string(g) +
                           ": it has no parameters");
    const auto add = [&](const char* name, const auto& is_it) {
      const auto at = static_cast<std::size_t>(std::find_if(of_loss.begin(), of_loss.end(), is_it) - of_loss.begin());
      require_in_loss(at < of_loss.size(), name);
      if (group[at] != none && group[at] != g)
        throw argument_error("koila: step: " + std::string(of_loss[at]->name) + " is in group " +
                             std::to_string(group[at]) + " and in group " + std::to_string(g));
      group[at] = g;
    };
    for (const auto& p : groups[g].parameters) add(p->name, [&](const auto& l) { return l == p; });
    for (const at::Tensor& t : groups[g].tensors)
      add("a tensor", [&](const auto& l) { return l->value.published() != nullptr && tensor_of(*l).is_same(t); });
  }
  for (std::size_t k = 0; k < of_loss.size(); ++k)
    if (group[k] != none) trainables_.push_back({of_loss[k], group[k]});
}
step_core::step_core(step_core&& o) noexcept = default;
auto step_core::operator=(step_core&& o) noexcept -> step_core& = default;
step_core::~step_core() = default;
auto step_core::value() const -> at::Tensor { return plans_.front()->ready->output(0); }
auto step_core::count() const -> std::size_t { return plans_.front()->parameters.size(); }
auto step_core::parameter(std::size_t k) const -> const handle<const leaf_state>& {
  return plans_.front()->parameters[k];
}
auto step_core::state_index(std::size_t k) const -> std::size_t { return plans_.front()->state_indices[k]; }
auto step_core::gradient(std::size_t k) const -> at::Tensor { return plans_.front()->ready->output(k + 1); }
auto step_core::draws() const -> bool { return plans_.front()->ready->draws(); }
auto step_core::draws_elsewhere() const -> bool { return plans_.front()->ready->draws_elsewhere(); }
void step_core::commit() { plans_.front()->ready->commit(); }

auto step_core::find_trainable(const leaf_state& p) const -> std::vector<trainable>::const_iterator {
  return std::find_if(trainables_.begin(), trainables_.end(),
                      [&](const trainable& t) { return t.parameter.get() == &p; });
}
auto step_core::group_of(const handle<const leaf_state>& parameter) const -> std::size_t {
  return restricted_ ? find_trainable(*parameter)->group : 0;
}

/// Finds the plan that fits these tensors, moves this plan to the front and returns it. Returns
/// null if there is no such plan.
auto step_core::find(const bound_tensors& bound) -> planned* {
  for (auto p = plans_.begin(); p != plans_.end(); ++p) {
    if (!(*p)->ready->fits(bound)) continue;
    std::rotate(plans_.begin(), p, p + 1);
    return plans_.front().get();
  }
  return nullptr;
}

/// Returns the bytes that a plan may take. Reads the free memory again if the last reading is too
/// old. The maximum age is smaller if `needed` bytes are a large part of the free memory. If
/// `again` is true, always reads the free memory.
auto step_core::read_budget(at::Device where, index_t needed, bool again, const kept_function& kept) -> index_t {
  if (options_.memory >= 0) return std::max<index_t>(0, options_.memory - kept());
  const index_t held = active_ == nullptr ? 0
                                          : static_cast<index_t>(block_.nbytes()) + active_->plan().output_bytes +
                                                active_->scratch_bytes();
  const auto with_held = [&](index_t free) {
    return device::budget_of(free + std::min(held, std::numeric_limits<index_t>::max() - free));
  };
  const bool look = short_of_memory(needed, available_);
  const device::memory_reading now = device::free_memory_now(where, again  ? 0
                                                                    : look ? age_when_short
                                                                           : age_with_plenty);
  if (now.number == reading_) return available_;
  reading_ = now.number;
  return available_ = with_held(now.free);
}

/// Returns a plan for the budget. If a plan has run out of memory, returns a smaller plan.
auto step_core::choose(planned& target, const kept_function& kept) -> memory_plan {
  const auto with = [&](memory_plan p) {
    p.optimizer_bytes = kept();
    return p;
  };
  if (refused_ > 0 && refused_ <= budget_) try {
      return with(target.plans.choose(refused_ - 1));
    } catch (const memory_error&) {}
  try {
    return with(choose_on(target.plans, target.where, budget_));
  } catch (const memory_error& e) {  // `.memory` includes the optimiser's states
    const index_t of_optimiser = options_.memory >= 0 ? kept() : 0;
    if (of_optimiser == 0) throw;
    throw memory_error(std::string(e.what()) + "; besides, the optimiser keeps " + std::to_string(of_optimiser) +
                           " of the " + std::to_string(options_.memory) + " bytes",
                       e.needed + of_optimiser, options_.memory);
  }
}

auto step_core::lowered(const bound_tensors& bound) const -> lowered_expression {
  const auto trained = [&](const leaf_state& p) {
    return (!restricted_ || find_trainable(p) != trainables_.end()) && is_trained(p);
  };
  return lower_with(lower_, bindings_of(bound), true, trained);
}

void step_core::add(const bound_tensors& bound, const keep_function& keep, const kept_function& kept) {
  lowered_expression l = lowered(bound);
  std::vector<handle<const leaf_state>> parameters;
  for (std::size_t k = 0; k < l.parameters.size(); ++k)
    if (l.gradients[k] >= 0) parameters.push_back(l.graph.node(l.parameters[k]).leaf);
  if (parameters.empty())
    throw argument_error(
        "koila: step: there is nothing to train: no parameter that the loss depends on requires a gradient");
  std::vector<std::size_t> state_indices = keep(parameters);
  const at::Device where = device_for(l.graph, bound);
  budget_ = read_budget(where, 0, true, kept);
  auto p = std::make_unique<planned>(planned{planner_of(std::move(l), options_, false, where), std::move(parameters),
                                             std::move(state_indices), where, nullptr});
  p->use(choose(*p, kept), bound);
  // `fastest` is computed now. Otherwise, the first step that finds more free memory would have to
  // plan.
  if (options_.memory < 0) p->fastest = p->plans.choose(-1).peak_bytes();
  plans_.insert(plans_.begin(), std::move(p));
  if (plans_.size() <= most_plans) return;
  if (plans_.back()->ready.get() == active_) release();
  plans_.pop_back();
}

/// Replaces a plan that no longer fits, or that is no longer the fastest that fits.
void step_core::fit(planned& p, const bound_tensors& bound, const kept_function& kept) {
  const memory_plan& now = p.ready->plan();
  const index_t peak = now.peak_bytes();
  budget_ = read_budget(p.where, peak, false, kept);
  if (active_ != nullptr && static_cast<index_t>(block_.nbytes()) - now.arena_bytes + peak > budget_) {
    release();
    device::return_freed_memory();
  }
  const bool capped = refused_ > 0 && refused_ <= budget_;
  if (peak <= budget_ && (capped ? peak < refused_ : budget_ <= p.chosen_for || peak == p.fastest)) return;
  memory_plan next = choose(p, kept);
  if (next.chunks == now.chunks && next.peak_bytes() == peak && next.predicted_seconds == now.predicted_seconds) {
    p.chosen_for = std::max(p.chosen_for, next.allowed);
    return;
  }
  if (active_ == p.ready.get()) {  // the block is kept
    active_->release();
    active_ = nullptr;
  }
  p.use(std::move(next), bound);
}

void step_core::prepare(const bound_tensors& bound, const keep_function& keep, const kept_function& kept) {
  if (refused_ > 0 && steps_-- == 0) refused_ = 0;
  const bool asked = check_bound(bound);
  record_run({&lower_, [](const void* f, builder& b) { return (*static_cast<const lower_function*>(f))(b); }}, bound);
  planned* const p = find(bound);
  if (p == nullptr) return add(bound, keep, kept);
  if (asked) (void)lowered(bound);  // refuses tensors whose gradient would be lost
  fit(*p, bound, kept);
}

/// Gives memory to the program that will run. The program gets the present block if this block is
/// large enough and fits the budget. Otherwise, the program gets a new block.
void step_core::acquire() {
  program& next = *plans_.front()->ready;
  if (active_ == &next) return;
  if (active_ != nullptr) active_->release();
  active_ = nullptr;
  const memory_plan& p = next.plan();
  const index_t there = block_.defined() ? static_cast<index_t>(block_.nbytes()) : 0;
  if (there < p.arena_bytes || there - p.arena_bytes + p.peak_bytes() > budget_) block_ = at::Tensor();
  next.acquire(block_);
  block_ = next.block();
  active_ = &next;
}

void step_core::release() {
  if (active_ != nullptr) active_->release();
  active_ = nullptr;
  block_ = at::Tensor();
}

void step_core::run(const bound_tensors& bound, const random_run& random) {
  planned& p = *plans_.front();
  allocation_watch watch(p.ready->plan().buffers.workspace() > 0);
  const auto run = [&] {
    acquire();
    p.ready->run(bound, random.seed, watch);
  };
  while (!attempt(watch, run)) {
    release();
    device::return_freed_memory();
    random.again();
    const memory_plan& refused = p.ready->plan();
    refused_ = 0;
    memory_plan next = next_smaller(p.plans, refused, budget_);
    next.optimizer_bytes = refused.optimizer_bytes;
    refused_ = refused.peak_bytes();
    steps_ = wait_;
    wait_ = std::min(2 * wait_ + 1, 1023);
    p.use(std::move(next), bound);
  }
  if (refused_ == 0) wait_ = 0;
}

auto step_core::plan() const -> const memory_plan& {
  if (plans_.empty()) throw usage_error("koila: the step has no plan before it has run");
  return plans_.front()->ready->plan();
}

}  // namespace koila::inline v0::detail
