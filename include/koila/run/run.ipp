// SPDX-License-Identifier: MIT
// Definitions of run.hpp.
#include <koila/device/planned.hpp>
#include <koila/kernels/capabilities.hpp>
#include <koila/ops/common/definitions.hpp>
#include <koila/run/run.hpp>
#include <koila/torch/leaf_recorder.hpp>

#include <cstdio>
#include <mutex>
#include <optional>
#include <set>

namespace koila::inline v0::detail {

auto check_bound(const bound_tensors& bound) -> bool {
  bool asked = false;
  for (const auto& b : bound) {
    const leaf_state& leaf = shared_state(b.leaf);
    if (leaf.kind != leaf_state::input)
      throw shape_error(std::string("koila: ") + leaf.name +
                        " is no input: set(leaf, tensor) changes a parameter or a buffer");
    for (const auto* other = bound.begin(); other != &b; ++other)
      if (other->leaf == b.leaf) throw shape_error(std::string("koila: ") + b.leaf->name + " is bound twice");
    (void)checked(*b.leaf, b.tensor);
    asked = asked || asked_for_gradient(b.tensor);
  }
  return asked;
}

auto bindings_of(const bound_tensors& bound) -> bindings {
  (void)check_bound(bound);
  bindings out;
  for (const auto& b : bound)
    out.leaves.push_back({b.leaf.get(), checked(*b.leaf, b.tensor), layout_of(b.tensor), asked_for_gradient(b.tensor)});
  return out;
}

auto is_trained(const leaf_state& parameter) -> bool { return tensor_of(parameter).requires_grad(); }

/// Throws shape_error if the dims, dtype or strides of a leaf's tensor have changed since the
/// tensor was set. `t_()` and `set_data` change them without koila's knowledge.
inline void require_as_known(const graph_node& leaf, const at::Tensor& t) {
  bool known = t.defined() && t.dim() == leaf.dims.rank && t.scalar_type() == scalar_type(leaf.dims.type) &&
               layout_of(t) <= leaf.layout;
  for (int i = 0; known && i < leaf.dims.rank; ++i) known = t.size(i) == leaf.dims.e[i].n;
  if (!known)
    throw shape_error("koila: the tensor of " + std::string(*leaf.leaf->name == '\0' ? "a leaf" : leaf.leaf->name) +
                      " has other dims, another dtype or other strides than when it was set: set it again");
}

auto device_for(const builder& g, const bound_tensors& bound) -> at::Device {
  const leaf_state* first = nullptr;
  at::Device device = at::kCPU;
  for (const graph_node& x : g.nodes) {
    if (x.kind != node_kind::leaf) continue;
    const at::Tensor* t = nullptr;
    for (const auto& b : bound)
      if (b.leaf.get() == x.leaf.get()) t = &b.tensor;
    if (t == nullptr) require_as_known(x, *(t = &tensor_of(*x.leaf)));
    const at::Device here = t->device();
    if (first == nullptr) first = x.leaf.get(), device = here;
    if (here == device) continue;
    const auto name = [](const leaf_state& l) { return std::string(*l.name == '\0' ? "an input" : l.name); };
    throw shape_error("koila: " + name(*first) + " is on " + device.str() + " and " + name(*x.leaf) + " on " +
                      here.str() + ": all must be on one device; to(net, device) moves a model");
  }
  return device;
}

auto choose_on(planner& plans, at::Device where, index_t budget) -> memory_plan {
  const device::backend* const there = device::backend_of(where);
  if (there == nullptr || budget < 0) return plans.choose(budget);
  const device::caching_rules rules = there->rules();
  // If the rounded sizes exceed the budget, plans again with a budget that is smaller by the
  // excess. Each plan is smaller than the previous plan.
  for (index_t allowed = budget;;) {
    memory_plan p = plans.choose(allowed);
    const index_t over = device::taken_by(p, rules).allocated - budget;
    p.allowed = budget;
    if (over <= 0) return p;
    allowed = std::max<index_t>(0, p.peak_bytes() - over);
  }
}

/// Prints on stderr which options have no effect, once per expression, however often the expression
/// is planned.
inline void tell_without_effect(const planner& plans, const options& o, std::size_t expression) {
  const std::string lines = plans.without_effect();
  if (lines.empty()) return;
  static std::mutex telling;
  static std::set<std::size_t> told;
  constexpr std::size_t most = 4096;
  const std::lock_guard lock(telling);
  if (told.size() >= most) told.clear();
  if (!told.insert(mix(mix(expression, static_cast<std::size_t>(o.chunk)), static_cast<std::size_t>(o.policy))).second)
    return;
  for (std::size_t at = 0, end = 0; (end = lines.find('\n', at)) != std::string::npos; at = end + 1)
    std::fprintf(stderr, "koila: %s\n", lines.substr(at, end - at).c_str());
}

auto planner_of(lowered_expression l, const options& o, bool external_gradients, at::Device where) -> planner {
  l.graph.fuses = kernels::capabilities_of(where).fuses;
  request want;
  want.outputs.push_back(l.value);
  want.external.push_back(1);
  for (const int g : l.gradients) {
    if (g < 0) continue;
    want.outputs.push_back(g);
    want.external.push_back(static_cast<char>(external_gradients));
  }
  for (const int v : l.more) {
    want.outputs.push_back(v);
    want.external.push_back(1);
  }
  options with = o;
  if (!o.machine) with.machine = machine_for(where);
  std::size_t expression = want.outputs.size();
  for (const graph_node& x : l.graph.nodes) {
    expression = mix(expression, reinterpret_cast<std::size_t>(x.op));
    // Each call of lazy(tensor) makes a new leaf, but the expression is the same.
    if (x.kind == node_kind::leaf && x.leaf->kind != leaf_state::tensor)
      expression = mix(expression, static_cast<std::size_t>(x.leaf->serial));
  }
  planner plans(std::move(l.graph), std::move(want), with);
  tell_without_effect(plans, o, expression);
  return plans;
}

auto next_smaller(planner& plans, const memory_plan& refused, index_t allowed) -> memory_plan {
  try {
    return plans.choose(refused.peak_bytes() - 1);
  } catch (const memory_error&) {}
  const index_t needed = refused.peak_bytes();
  throw memory_error("koila: memory ran out within the budget of " + std::to_string(allowed) +
                         " bytes: the smallest plan takes " + std::to_string(needed) +
                         " bytes, and the system refused them",
                     needed, allowed);
}

auto choose_now(planner& plans, const options& o, at::Device where) -> memory_plan {
  if (o.memory >= 0) return choose_on(plans, where, o.memory);
  const index_t known = device::budget_of(device::free_memory_now(where, age_with_plenty).free);
  std::optional<memory_plan> plan;
  try {
    plan = choose_on(plans, where, known);
  } catch (const memory_error&) {}
  if (plan && !short_of_memory(plan->peak_bytes(), known)) return *std::move(plan);
  const index_t now = device::budget_of(device::free_memory_now(where, 0).free);
  if (plan && now == known) return *std::move(plan);
  plan.reset();
  return choose_on(plans, where, now);
}

auto plan_for(lowered_expression l, const options& o, bool external_gradients, const bound_tensors& bound)
    -> memory_plan {
  const at::Device where = device_for(l.graph, bound);
  planner plans = planner_of(std::move(l), o, external_gradients, where);
  return choose_now(plans, o, where);
}

auto plan_of(const lowering& e, std::optional<bool> with_gradients, const options& o, const bound_tensors& bound)
    -> memory_plan {
  const auto lowered = [&] {
    try {
      return lower_with(e, bindings_of(bound), with_gradients, is_trained);
    } catch (const gradient_is_absent&) {
      if (with_gradients) throw;
      return lower_with(e, bindings_of(bound), false, is_trained);
    }
  };
  return plan_for(lowered(), o, true, bound);
}

void record_run(const lowering& e, const bound_tensors& bound) {
  if (!leaf_recorder::active()) return;
  const lowered_expression l = lower_with(e, bindings_of(bound), false, is_trained);
  const std::vector<char> reached = below(l.graph, l.value);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const graph_node& x = l.graph.nodes[i];
    if (reached[i] == 0 || x.kind != node_kind::leaf) continue;
    const at::Tensor* t = nullptr;
    for (const auto& b : bound)
      if (b.leaf.get() == x.leaf.get()) t = &b.tensor;
    leaf_recorder::record_run(t != nullptr ? *t : tensor_of(*x.leaf));
  }
}

auto run_value(const lowering& e, const options& o, const bound_tensors& bound) -> at::Tensor {
  at::Tensor value;
  std::unique_ptr<kept_program> ready = prepared(e, false, o, bound);
  record_run(e, bound);
  run_prepared(std::move(ready), [&](program& p) {
    value = p.output(0);
    p.commit();
  });
  return value;
}

}  // namespace koila::inline v0::detail

#include <koila/run/plan_cache.ipp>
