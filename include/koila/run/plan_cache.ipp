// SPDX-License-Identifier: MIT
// Definitions of plan_cache.hpp.
#include <koila/base/of_this_thread.hpp>
#include <koila/device/backend.hpp>
#include <koila/kernels/capabilities.hpp>
#include <koila/ops/common/elements.ipp>
#include <koila/torch/parallel.hpp>
#include <koila/torch/thread_state.hpp>

#include <mutex>

namespace koila::inline v0 {

namespace detail {

auto cache_key::operator==(const cache_key& o) const -> bool {
  return tensors == o.tensors && gradients == o.gradients && by_operators == o.by_operators &&
         inference == o.inference && threads == o.threads && instructions == o.instructions && options == o.options &&
         calls == o.calls && given == o.given;
}

/// The cached programs, none of which is running. The most recently used programs are at the end.
struct program_store {
  std::mutex changing;
  std::vector<std::unique_ptr<kept_program>> all;
};
inline auto program_shelf() -> program_store& {
  static auto* const store = new program_store;  // never deleted: LibTorch's own globals may be destroyed first
  return *store;
}

/// Fills in the key of a call. Returns false if the call cannot use the cache.
inline auto describe(cache_key& key, const program_source& source, bool gradients, const options& o,
                     const bound_tensors& bound) -> bool {
  key.calls.clear();
  key.given.clear();
  key.tensors.clear();
  key.options = o;
  key.gradients = gradients;
  key.by_operators = by_operators_only.load(std::memory_order_relaxed);
  key.inference = in_inference_mode();
  key.threads = at::get_num_threads();
  key.instructions = static_cast<int>(instructions_to_use());
  const auto tensor_is = [&](std::size_t index, const at::Tensor& t) {
    if (!is_plain(t) || !kernels::capabilities_of(t.device()).keeps_programs) return false;
    key.tensors.push_back(static_cast<std::int64_t>(index));
    key.tensors.push_back(static_cast<std::int64_t>(t.scalar_type()) << 8 | t.dim());
    for (const std::int64_t n : t.sizes()) key.tensors.push_back(n);
    for (const std::int64_t n : t.strides()) key.tensors.push_back(n);
    return true;
  };
  builder b{bindings()};
  b.notes = &key.calls;
  source.record(b);
  if (key.calls.owns) return false;
  for (const auto& x : bound) {
    if (!x.leaf || asked_for_gradient(x.tensor)) return false;
    for (const auto& other : bound)
      if (&other != &x && other.leaf == x.leaf) return false;  // bound twice: will be refused
    if (!tensor_is(key.calls.index_of(*x.leaf), x.tensor)) return false;
  }
  for (const leaf_state* leaf : key.calls.given) {
    key.given.push_back({leaf->name, leaf->declared, leaf->layout, leaf->requires_grad});
    if (leaf->kind == leaf_state::tensor && !tensor_is(key.given.size() - 1, tensor_of(*leaf))) return false;
  }
  return true;
}

/// The most cached programs that draw random numbers and that no later call has used.
inline constexpr std::ptrdiff_t most_unproven = 8;

/// Takes the program with this key out of the cache. Returns null if the cache has no such
/// program.
inline auto take_kept(const cache_key& key) -> std::unique_ptr<kept_program> {
  program_store& store = program_shelf();
  const std::lock_guard lock(store.changing);
  for (auto p = store.all.rbegin(); p != store.all.rend(); ++p) {
    if (!((*p)->key == key)) continue;
    std::unique_ptr<kept_program> found = std::move(*p);
    store.all.erase(std::next(p).base());
    return found;
  }
  return nullptr;
}

void kept_program::stand_for(const graph_signature& calls) {
  for (placeholder& leaf : leaves)
    if (leaf.own->kind == leaf_state::input || leaf.own->kind == leaf_state::tensor)
      leaf.stands_for = calls.given[leaf.index];
}

auto kept_program::bind(const bound_tensors& bound) -> bool {
  for (placeholder& leaf : leaves) {
    const at::Tensor* t = nullptr;
    for (const auto& b : bound)
      if (b.leaf.get() == leaf.stands_for) t = &b.tensor;
    if (t != nullptr) {
      if (!leaf.bound) leaf.bound = make_handle<tensor_box>(at::Tensor());
      leaf.bound->tensor = *t;
      leaf.own->value = leaf.bound;
    } else {
      const at::Tensor& own = tensor_of(*leaf.stands_for);  // creates the tensor if needed
      if (!is_plain(own)) return false;
      leaf.own->value = leaf.stands_for->value;
    }
  }
  return ready == nullptr || ready->fits({});
}

void kept_program::unbind() {
  for (placeholder& leaf : leaves) {
    leaf.own->value = {};
    if (leaf.bound) leaf.bound->tensor = at::Tensor();
  }
}

auto kept_program::is_right_now() -> bool {
  if (key.options.memory >= 0) return true;
  const memory_plan& p = ready->plan();
  allowed = device::budget_of(device::free_memory_now(ready->device(), age_with_plenty).free);
  if (short_of_memory(p.peak_bytes(), allowed)) return false;  // a new plan reads the free memory again
  if (!fastest) {
    const memory_plan best = plans->choose(-1);
    fastest = best.peak_bytes() == p.peak_bytes() && best.chunks == p.chunks;
  }
  return *fastest;
}

/// Lowers and plans what a program computes.
auto made(const program_source& source, const options& o, const bound_tensors& bound) -> std::unique_ptr<kept_program> {
  lowered_expression l = source.lower(bindings_of(bound));
  std::vector<kept_program::placeholder> leaves;
  std::vector<std::size_t> index(l.graph.nodes.size());
  for (std::size_t i = 0; i < l.graph.nodes.size(); ++i) {
    graph_node& x = l.graph.nodes[i];
    if (x.kind != node_kind::leaf) continue;
    const leaf_state& of = *x.leaf;
    // The tensors of parameters and buffers stay in memory, so they are made before the free memory
    // is read.
    if (of.kind == leaf_state::parameter || of.kind == leaf_state::buffer) (void)tensor_of(of);
    auto own = make_handle<leaf_state>(of.name, of.declared, of.kind);
    own->layout = of.layout;
    own->serial = of.serial;  // so that messages about an expression are not repeated
    own->requires_grad = of.requires_grad;
    for (buffer_update& u : l.graph.updates)
      if (u.leaf.get() == &of) u.leaf = own;
    for (auto& b : l.graph.bound.leaves)
      if (b.leaf == &of) b.leaf = own.get();
    index[i] = leaves.size();
    leaves.push_back({&of, own, {}, 0});
    x.leaf = std::move(own);
  }
  l.graph.forget();
  auto p = std::make_unique<kept_program>();
  for (std::size_t k = 0; k < l.parameters.size(); ++k)
    if (l.gradients[k] >= 0) p->trained.push_back(index[static_cast<std::size_t>(l.parameters[k])]);
  p->leaves = std::move(leaves);
  (void)p->bind(bound);
  const at::Device where = device_for(l.graph, {});
  p->plans.emplace(planner_of(std::move(l), o, true, where));
  p->ready = std::make_unique<program>(choose_now(*p->plans, o, where), bound_tensors());
  p->allowed = p->ready->plan().allowed;
  p->again = kernels::capabilities_of(where).keeps_programs && p->ready->plan().graph.nodes.size() <= most_nodes_of_one;
  return p;
}

/// An expression, with the gradients of its parameters if `gradients` is true.
struct expression_source final : program_source {
  const lowering& e;
  bool gradients;
  expression_source(const lowering& l, bool with_gradients) : e(l), gradients(with_gradients) {}
  void record(builder& b) const override { (void)e(b); }
  auto lower(bindings bound) const -> lowered_expression override {
    return lower_with(e, std::move(bound), gradients, is_trained);
  }
};

auto prepared(const lowering& e, bool gradients, const options& o, const bound_tensors& bound)
    -> std::unique_ptr<kept_program> {
  return prepared(expression_source(e, gradients), gradients, o, bound);
}

auto prepared(const program_source& source, bool gradients, const options& o, const bound_tensors& bound)
    -> std::unique_ptr<kept_program> {
  cache_key& scratch = of_this_thread<cache_key>();  // reuses its memory
  const struct forgetting {
    graph_signature& calls;
    ~forgetting() { calls.attributes.clear(), calls.given.clear(); }
  } at_the_end{scratch.calls};
  const bool may_be_kept = describe(scratch, source, gradients, o, bound);
  if (may_be_kept)
    if (auto p = take_kept(scratch); p != nullptr) {
      p->found = true;
      p->stand_for(scratch.calls);
      if (p->bind(bound) && p->is_right_now()) return p;
    }
  cache_key key = scratch;
  auto p = made(source, o, bound);
  p->again = p->again && may_be_kept;
  for (auto& leaf : p->leaves) {
    if (leaf.own->kind != leaf_state::input && leaf.own->kind != leaf_state::tensor) continue;
    leaf.index = key.calls.index_of(*leaf.stands_for);
    p->again = p->again && leaf.index < key.calls.given.size();
  }
  key.calls.given.clear();
  p->key = std::move(key);
  return p;
}

/// Puts a program into the cache for the next call. Drops the least recently used programs if there
/// are too many.
inline void keep(std::unique_ptr<kept_program> p) {
  std::vector<std::unique_ptr<kept_program>> dropped;
  program_store& store = program_shelf();
  const auto nodes = [](const auto& k) { return k->ready->plan().graph.nodes.size(); };
  const std::lock_guard lock(store.changing);
  store.all.reserve(most_kept + 1);
  dropped.reserve(most_kept + 1);
  store.all.push_back(std::move(p));
  // An expression with dropout that is built again for each call has a new key each time, because
  // it draws new random numbers. Its cached programs are never used again. So the cache keeps
  // only a few programs that may be of this kind.
  const auto unproven = [](const auto& k) { return !k->found && k->ready->draws(); };
  if (std::count_if(store.all.begin(), store.all.end(), unproven) > most_unproven) {
    const auto oldest = std::find_if(store.all.begin(), store.all.end(), unproven);
    dropped.push_back(std::move(*oldest));
    store.all.erase(oldest);
  }
  std::size_t all = 0, first = store.all.size();
  while (first > 0 && store.all.size() - first < most_kept && (all += nodes(store.all[first - 1])) <= most_nodes_kept)
    --first;
  if (first == 0) return;
  const auto end = store.all.begin() + static_cast<std::ptrdiff_t>(first);
  dropped.insert(dropped.end(), std::move_iterator(store.all.begin()), std::move_iterator(end));
  store.all.erase(store.all.begin(), end);
}

void run_prepared(std::unique_ptr<kept_program> p, const std::function<void(program&)>& use,
                  std::optional<std::uint64_t>* seed) {
  const bool is_drawn = seed != nullptr && seed->has_value();  // by an earlier run
  const random_run random(p->ready->draws() && !is_drawn, p->ready->draws_elsewhere());
  if (seed != nullptr && !is_drawn && p->ready->draws()) *seed = random.seed;
  const std::uint64_t with_seed = is_drawn ? **seed : random.seed;
  allocation_watch watch(!p->used || p->ready->plan().buffers.workspace() > 0);
  const auto run = [&] {
    p->ready->acquire();
    p->ready->run({}, with_seed, watch);
  };
  while (!attempt(watch, run)) {
    p->again = false;
    p->ready->release();
    device::return_freed_memory();
    p->ready = std::make_unique<program>(next_smaller(*p->plans, p->ready->plan(), p->allowed), bound_tensors());
    random.again();
  }
  use(*p->ready);
  if (!p->again) return;
  p->used = true;
  p->ready->release();
  p->unbind();
  try {
    keep(std::move(p));
  } catch (const std::bad_alloc&) {}  // the result is valid, and the next call makes the program again
}

}  // namespace detail

void drop_kept_programs() {
  std::vector<std::unique_ptr<detail::kept_program>> dropped;
  detail::program_store& store = detail::program_shelf();
  const std::lock_guard lock(store.changing);
  dropped.swap(store.all);
}
auto kept_programs() -> std::size_t {
  const std::lock_guard lock(detail::program_shelf().changing);
  return detail::program_shelf().all.size();
}

}  // namespace koila::inline v0
