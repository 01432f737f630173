// SPDX-License-Identifier: MIT
#pragma once
// A node of LibTorch's autograd graph whose gradients koila computes.
#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

namespace torch::autograd {
struct Node;
}

namespace koila::inline v0::detail {

/// Computes the gradients of a gradient_node.
struct gradient_source {
  gradient_source() = default;
  gradient_source(const gradient_source&) = delete;
  auto operator=(const gradient_source&) -> gradient_source& = delete;
  virtual ~gradient_source() = default;
  /// Returns the gradient of each edge. A gradient may be undefined. `cotangents` has the gradient
  /// of each output, which is undefined for outputs that are not differentiated.
  virtual auto gradients(const std::vector<at::Tensor>& cotangents) -> std::vector<at::Tensor> = 0;
  /// Returns true if a gradient flows from the given cotangents to an output.
  virtual auto reaches(std::size_t output, const std::vector<at::Tensor>& cotangents) -> bool = 0;
  /// Called after `gradients` if the program does not keep the autograd graph.
  virtual void release() = 0;
};

/// A reference to a node. Its outputs are tensors with this node as their grad_fn. Its edges lead
/// to the tensors that get gradients.
class gradient_node {
 public:
  gradient_node() = default;
  /// Makes a node. The node keeps its source alive.
  explicit gradient_node(std::shared_ptr<gradient_source> source);
  explicit operator bool() const { return node_ != nullptr; }
  /// Adds an edge to a tensor that requires a gradient, and returns the edge's number. Returns -1
  /// if LibTorch allows no more edges, because other nodes refer to this node already.
  auto add_edge(const at::Tensor& to) -> int;
  /// Makes this node the grad_fn of a tensor, and returns the number of the output.
  auto add_output(const at::Tensor& t) -> int;
  auto use_count() const -> long { return node_.use_count(); }
  /// Returns true if the node is the grad_fn of the tensor.
  auto made(const at::Tensor& t) const -> bool;

 private:
  friend class weak_gradient_node;
  std::shared_ptr<torch::autograd::Node> node_;
};

/// A reference that does not keep the node alive.
class weak_gradient_node {
 public:
  weak_gradient_node() = default;
  weak_gradient_node(const gradient_node& n) : node_(n.node_) {}
  auto lock() const -> gradient_node {
    gradient_node n;
    n.node_ = node_.lock();
    return n;
  }

 private:
  std::weak_ptr<torch::autograd::Node> node_;
};

/// Returns true if a hook, or retain_grad, waits for the gradient of a tensor that is not a leaf.
auto has_hooks(const at::Tensor& t) -> bool;
/// Removes the autograd history of a tensor.
void drop_history(const at::Tensor& t);
/// If `t` is the transpose of a matrix, as LibTorch's t() returns it, returns this matrix.
/// Otherwise returns an undefined tensor.
auto transposed_matrix(const at::Tensor& t) -> at::Tensor;
/// Returns true if `t` is a view whose autograd history follows its base.
auto is_differentiable_view(const at::Tensor& t) -> bool;

}  // namespace koila::inline v0::detail
