// SPDX-License-Identifier: MIT
// Definitions of backward.hpp.
#include <koila/kernels/updates.hpp>
#include <koila/ops/common/definitions.hpp>
#include <koila/run/backward.hpp>
#include <koila/torch/dispatch.hpp>

namespace koila::inline v0::detail {

void add_gradient(const at::Tensor& to, const at::Tensor& gradient) {
  kernels::add.for_device(to.device())(to, gradient);
}

auto run_backward(const lowering& e, const options& o, const bound_tensors& bound) -> at::Tensor {
  std::unique_ptr<kept_program> ready = prepared(e, true, o, bound);
  if (ready->trained.empty())
    throw argument_error(
        "koila: backward: there is nothing to differentiate by: no parameter that the loss depends on requires a gradient");
  std::vector<const leaf_state*> parameters;
  for (std::size_t k = 0; k < ready->trained.size(); ++k) parameters.push_back(&ready->parameter(k));
  for (const leaf_state* p : parameters) {  // checked before anything runs, because the updates of .grad() rely on it
    const at::Tensor& t = tensor_of(*p);
    const at::Tensor& g = t.grad();
    if (!g.defined()) continue;
    if (g.layout() != at::kStrided || g.sizes() != t.sizes() || g.scalar_type() != t.scalar_type() ||
        g.device() != t.device() || !g.is_non_overlapping_and_dense() || g.is_neg()) {
      throw shape_error(std::string("backward: ") + p->name +
                        "'s .grad() is not a dense tensor of its sizes, dtype and device");
    }
  }
  record_run(e, bound);
  at::Tensor value;
  run_prepared(std::move(ready), [&](program& run) {
    const detail::below_autograd below;
    value = run.output(0);
    std::vector<at::Tensor*> gradients;
    for (const leaf_state* p : parameters) gradients.push_back(&tensor_of(*p).mutable_grad());
    run.commit();  // after this line nothing allocates
    for (std::size_t k = 0; k < gradients.size(); ++k) {
      at::Tensor& g = *gradients[k];
      if (g.defined()) add_gradient(g, run.output(k + 1));
      else g = run.output(k + 1);
    }
  });
  return value;
}

}  // namespace koila::inline v0::detail
