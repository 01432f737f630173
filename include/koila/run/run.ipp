// Definitions of run.hpp.
#include <koila/device/planned.hpp>
#include <koila/ops/family/definitions.hpp>

#include <ATen/core/Formatting.h>

namespace koila::detail {

KOILA_INLINE auto bindings_of(const bound_tensors& bound) -> bindings {
  bindings out;
  for (const auto& b : bound) {
    (void)shared_state(b.leaf);
    for (const auto& other : out.leaves)
      if (other.leaf == b.leaf.get()) throw shape_error(std::string("koila: ") + b.leaf->name + " is bound twice");
    out.leaves.push_back({b.leaf.get(), checked(*b.leaf, b.tensor), layout_of(b.tensor), asked_for_gradient(b.tensor)});
  }
  return out;
}

KOILA_INLINE auto is_trained(const leaf_state& parameter) -> bool { return tensor_of(parameter).requires_grad(); }

KOILA_COLD KOILA_INLINE auto device_for(const builder& g, const bound_tensors& bound) -> at::Device {
  const leaf_state* first = nullptr;
  at::Device device = at::kCPU;
  for (const gnode& x : g.nodes) {
    if (x.is != kind::leaf) continue;
    const at::Tensor* t = nullptr;
    for (const auto& b : bound)
      if (b.leaf.get() == x.leaf.get()) t = &b.tensor;
    const at::Device here = (t != nullptr ? *t : tensor_of(*x.leaf)).device();
    if (first == nullptr) first = x.leaf.get(), device = here;
    if (here == device) continue;
    const auto name = [](const leaf_state& l) { return std::string(*l.name == '\0' ? "an input" : l.name); };
    throw shape_error("koila: " + name(*first) + " is on " + device.str() + " and " + name(*x.leaf) + " on " + here.str() +
                      ": all must be on one device; to(net, device) moves a model");
  }
  return device;
}

KOILA_COLD KOILA_INLINE auto plan_on(at::Device where, builder graph, request want, const options& o, index_t budget)
    -> memory_plan {
  const device::backend* const there = device::backend_of(where);
  if (there == nullptr || budget < 0) return make_plan(std::move(graph), std::move(want), o, budget);
  const device::caching_rules rules = there->rules();
  for (index_t allowed = budget;;) {  // what rounding takes too much is left out of the next budget: each plan is smaller
    memory_plan p = make_plan(graph, want, o, allowed);
    const index_t over = device::taken_by(p, rules).allocated - budget;
    p.allowed = budget;
    if (over <= 0) return p;
    allowed = std::max<index_t>(0, p.peak_bytes() - over);
  }
}

KOILA_COLD KOILA_INLINE auto plan_for(lowered_expression l, const options& o, bool external_gradients,
                                      const bound_tensors& bound) -> memory_plan {
  const at::Device where = device_for(l.graph, bound);
  request want;
  want.outputs.push_back(l.value);
  want.external.push_back(1);
  for (const int g : l.gradients) {
    if (g < 0) continue;
    want.outputs.push_back(g);
    want.external.push_back(static_cast<char>(external_gradients));
  }
  const index_t budget = o.memory >= 0 ? o.memory : device::budget_of(device::free_memory(where));
  return plan_on(where, std::move(l.graph), std::move(want), o, budget);
}

KOILA_COLD KOILA_INLINE auto plan_of(const lowering& e, bool with_gradients, const options& o, const bound_tensors& bound)
    -> memory_plan {
  return plan_for(lower_with(e, bindings_of(bound), with_gradients, is_trained), o, true, bound);
}

KOILA_COLD KOILA_INLINE auto run_value(const lowering& e, const options& o, const bound_tensors& bound) -> at::Tensor {
  lowered_expression l = lower_with(e, bindings_of(bound), false, is_trained);
  for (const gnode& x : l.graph.nodes)  // parameters are resident: they are made before free memory is read
    if (x.is == kind::leaf && (x.leaf->is == leaf_state::parameter || x.leaf->is == leaf_state::buffer))
      (void)tensor_of(*x.leaf);
  program p(plan_for(std::move(l), o, true, bound), bound);
  p.run(bound);
  return p.output(0);
}

KOILA_COLD KOILA_INLINE void print(std::ostream& os, const at::Tensor& t) { at::print(os, t, 80); }

}  // namespace koila::detail
