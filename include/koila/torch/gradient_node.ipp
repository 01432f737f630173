// SPDX-License-Identifier: MIT
// Definitions of gradient_node.hpp.
#include <koila/base/error.hpp>
#include <koila/torch/gradient_node.hpp>
#include <koila/torch/tensor.hpp>

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/cpp_hook.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <string_view>
#include <typeinfo>

namespace koila::inline v0::detail {

struct koila_backward final : torch::autograd::Node {
  std::shared_ptr<gradient_source> source;
  explicit koila_backward(std::shared_ptr<gradient_source> s) : source(std::move(s)) {}
  auto name() const -> std::string override { return "KoilaBackward"; }
  void release_variables() override { source->release(); }
  auto apply(torch::autograd::variable_list&& cotangents) -> torch::autograd::variable_list override {
    if (at::GradMode::is_enabled())
      throw usage_error(
          "koila: intercept: gradients of gradients (create_graph) are not recorded: compute the value "
          "first, for example by h.data_ptr(), or leave the input as it is");
    refuse_hooks(cotangents);
    return source->gradients(cotangents);
  }

 private:
  /// Throws usage_error if a hook waits for the gradient of a value inside of the region, because
  /// this gradient does not pass through autograd.
  void refuse_hooks(const torch::autograd::variable_list& cotangents) {
    const auto check = [&](std::size_t output) {
      if (cotangents[output].defined() || !source->reaches(output, cotangents)) return;
      throw usage_error(
          "koila: intercept: a hook, or retain_grad, waits for the gradient of a value inside of what was "
          "recorded: compute the value first, for example by h.data_ptr()");
    };
    for (const auto& [output, hook] : retains_grad_hooks()) check(output);
    for (const auto& hook : tensor_pre_hooks()) {
      // LibTorch does not export the type's typeinfo, so dynamic_cast does not work.
      const auto& h = *hook;
      if (std::string_view(typeid(h).name()).find("CppFunctionTensorPreHook") == std::string_view::npos) continue;
      check(static_cast<const torch::autograd::CppFunctionTensorPreHook&>(h).value_idx_);
    }
  }
};

gradient_node::gradient_node(std::shared_ptr<gradient_source> source)
    : node_(new koila_backward(std::move(source)), torch::autograd::deleteNode) {}

auto gradient_node::add_edge(const at::Tensor& to) -> int {
  const auto number = static_cast<int>(node_->num_outputs());
  try {
    node_->add_next_edge(torch::autograd::impl::gradient_edge(to));
  } catch (const c10::Error&) {  // an internal assertion: the node has a parent
    return -1;
  }
  return number;
}

auto gradient_node::add_output(const at::Tensor& t) -> int {
  const auto number = static_cast<int>(node_->add_input_metadata(t));
  torch::autograd::impl::set_gradient_edge(t, {node_, static_cast<std::uint32_t>(number)});
  return number;
}

auto gradient_node::made(const at::Tensor& t) const -> bool { return node_ != nullptr && t.grad_fn() == node_; }

auto has_hooks(const at::Tensor& t) -> bool {
  const auto& made_by = t.grad_fn();
  if (!made_by) return false;
  const auto output = static_cast<std::size_t>(t.output_nr());
  for (const auto& [of_output, hook] : made_by->retains_grad_hooks())
    if (of_output == output) return true;
  return !torch::autograd::impl::hooks(t).empty();
}

void drop_history(const at::Tensor& t) {
  if (!t.requires_grad()) return;
  torch::autograd::AutogradMeta* const meta = torch::autograd::impl::get_autograd_meta(t);
  meta->grad_fn_.reset();
  meta->output_nr_ = 0;
  meta->requires_grad_ = false;
}

auto is_differentiable_view(const at::Tensor& t) -> bool { return t.defined() && t.is_view(); }

auto transposed_matrix(const at::Tensor& t) -> at::Tensor {
  if (t.dim() != 2 || !is_differentiable_view(t)) return {};
  at::Tensor base = at::Tensor(t._base());
  const bool is_transpose = base.defined() && base.dim() == 2 && t.scalar_type() == base.scalar_type() &&
                            t.size(0) == base.size(1) && t.size(1) == base.size(0) && t.stride(0) == base.stride(1) &&
                            t.stride(1) == base.stride(0) && t.storage_offset() == base.storage_offset();
  return is_transpose ? base : at::Tensor();
}

}  // namespace koila::inline v0::detail
