// SPDX-License-Identifier: MIT
#pragma once
// Records which autograd leaves a user's callable reads.
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>

#include <unordered_set>
#include <vector>

namespace koila::inline v0::detail {

using weak_leaf = c10::weak_intrusive_ptr<c10::TensorImpl>;

/// While this object exists, records the leaves that are read on this thread and require a
/// gradient. Reads by koila, which autograd does not record, are included.
class leaf_recorder {
 public:
  leaf_recorder() : outer_(here()) { here() = this; }
  leaf_recorder(const leaf_recorder&) = delete;
  auto operator=(const leaf_recorder&) -> leaf_recorder& = delete;
  ~leaf_recorder() { here() = outer_; }

  std::vector<weak_leaf> leaves;
  /// The leaves of the expressions whose values `run` returned. These values have no autograd
  /// history, so no gradient reaches the leaves.
  std::vector<weak_leaf> of_runs;

  /// Adds the leaves in the autograd graph of y.
  void add(const at::Tensor& y) { add_to(leaves, y); }

  /// Returns true if a recorder exists on this thread and grad mode is enabled.
  static auto active() -> bool { return here() != nullptr && at::GradMode::is_enabled(); }
  /// If grad mode is enabled, adds to the innermost recorder the leaves of a tensor that koila
  /// reads.
  static void record_read(const at::Tensor& t) {
    if (active()) here()->add(t);
  }
  /// Does the same as record_read for a tensor that an expression reads when `run` computes the
  /// expression's value, but adds the leaves to `of_runs`.
  static void record_run(const at::Tensor& t) {
    if (active()) add_to(here()->of_runs, t);
  }

 private:
  leaf_recorder* outer_;

  static auto here() -> leaf_recorder*& {
    static thread_local leaf_recorder* innermost = nullptr;
    return innermost;
  }

  static void add_to(std::vector<weak_leaf>& leaves, const at::Tensor& y) {
    if (!y.defined() || !y.requires_grad()) return;
    if (y.is_leaf()) {
      leaves.emplace_back(y.getIntrusivePtr());
      return;
    }
    std::vector<torch::autograd::Node*> todo{y.grad_fn().get()};
    std::unordered_set<torch::autograd::Node*> seen{todo[0]};
    while (!todo.empty()) {
      torch::autograd::Node* const n = todo.back();
      todo.pop_back();
      if (const auto* leaf = dynamic_cast<torch::autograd::AccumulateGrad*>(n))
        leaves.emplace_back(leaf->variable.getIntrusivePtr());
      for (const auto& e : n->next_edges())
        if (e.function && seen.insert(e.function.get()).second) todo.push_back(e.function.get());
    }
  }
};

}  // namespace koila::inline v0::detail
