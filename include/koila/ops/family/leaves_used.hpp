#pragma once
// The leaves of autograd of which a callable of the user's computes, by LibTorch or by koila.
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>

#include <unordered_set>
#include <vector>

namespace koila::detail {

using weak_leaf = c10::weak_intrusive_ptr<c10::TensorImpl>;

/// Notes leaves that require a gradient, and while it lives also those of which koila computes on this thread: at once, or by `run`, of
/// which autograd records nothing.
class noting_leaves {
 public:
  noting_leaves() : outer_(here()) { here() = this; }
  noting_leaves(const noting_leaves&) = delete;
  auto operator=(const noting_leaves&) -> noting_leaves& = delete;
  ~noting_leaves() { here() = outer_; }

  std::vector<weak_leaf> leaves;

  /// Notes the leaves of which autograd has recorded that y is computed.
  void add(const at::Tensor& y) {
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

  /// koila computes of this tensor: to be noted where a callable runs and asks autograd to record.
  static void used(const at::Tensor& t) {
    if (here() != nullptr && at::GradMode::is_enabled()) here()->add(t);
  }

 private:
  noting_leaves* outer_;

  static auto here() -> noting_leaves*& {
    static thread_local noting_leaves* innermost = nullptr;
    return innermost;
  }
};

}  // namespace koila::detail
