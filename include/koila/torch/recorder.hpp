// SPDX-License-Identifier: MIT
#pragma once
// The calls of LibTorch's operators on intercepted tensors, as the dispatcher hands them over.
#include <koila/torch/lazy_tensor.hpp>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <string_view>
#include <vector>

namespace koila::inline v0::detail {

/// A value that an operator takes or returns: a tensor, a list, a number, ...
using operator_value = c10::IValue;

/// One call of an operator. The results take the place of the arguments.
class operator_call {
 public:
  operator_call(const c10::OperatorHandle& op, torch::jit::Stack& stack)
      : op_(op), stack_(stack), count_(op.schema().arguments().size()), first_(stack.size() - count_) {}

  /// The name with its namespace, such as "aten::relu_".
  auto name() const -> const std::string& { return op_.schema().name(); }
  auto overload() const -> const std::string& { return op_.schema().overload_name(); }
  /// An address that identifies the operator and its overload.
  auto identity() const -> const void* { return &op_.schema(); }
  auto count() const -> std::size_t { return count_; }
  auto argument(std::size_t k) const -> const operator_value& { return stack_[first_ + k]; }
  auto argument_name(std::size_t k) const -> const std::string& { return op_.schema().arguments()[k].name(); }
  /// Returns true if argument k has the value that it has if it is not given.
  auto is_default(std::size_t k) const -> bool;
  /// Returns true if argument k is a tensor, a list of tensors, or one of these that is not given.
  auto takes_tensors(std::size_t k) const -> bool;
  /// Returns true if argument k is a list of tensors.
  auto takes_tensor_list(std::size_t k) const -> bool;
  /// Returns true if argument k is a number of any type, which LibTorch calls Scalar.
  auto takes_scalar(std::size_t k) const -> bool;
  /// Returns true if the operator writes to argument k.
  auto writes(std::size_t k) const -> bool;
  /// Returns true if the operator writes to one of its arguments.
  auto writes_any() const -> bool;
  /// Returns true if a result may share the memory of an argument.
  auto returns_view() const -> bool;
  /// Returns true if all results are tensors or lists of tensors.
  auto returns_tensors() const -> bool;
  auto result_count() const -> std::size_t { return op_.schema().returns().size(); }
  auto returns_list(std::size_t k) const -> bool;
  /// Returns true if the sizes of the result depend on the values of the operands.
  auto has_sizes_of_values() const -> bool;

  /// Calls f(tensor) for each tensor among the arguments, also in lists.
  template <class F>
  void each_tensor(const F& f) const {
    for (std::size_t k = 0; k < count_; ++k) {
      const operator_value& v = argument(k);
      if (v.isTensor()) {
        f(v.toTensor());
      } else if (v.isList() && takes_tensors(k)) {
        for (const operator_value& e : v.toListRef())
          if (e.isTensor()) f(e.toTensor());
      }
    }
  }
  /// Replaces each tensor among the arguments that the operator does not write to by f(tensor).
  template <class F>
  void replace_operands(const F& f) {
    for (std::size_t k = 0; k < count_; ++k) {
      operator_value& v = stack_[first_ + k];
      if (writes(k) || !takes_tensors(k)) continue;
      if (v.isTensor()) {
        if (v.toTensor().defined()) v = f(v.toTensor());
      } else if (v.isTensorList()) {
        std::vector<at::Tensor> all = v.toTensorVector();
        for (at::Tensor& t : all) t = t.defined() ? f(t) : t;
        v = std::move(all);
      } else if (v.isList()) {
        c10::List<std::optional<at::Tensor>> all;
        for (const operator_value& e : v.toListRef())
          all.push_back(e.isTensor() && e.toTensor().defined() ? std::optional<at::Tensor>(f(e.toTensor()))
                                                               : std::nullopt);
        v = std::move(all);
      }
    }
  }
  /// Calls f(tensor&) for each tensor among the results of `compute`. f may replace the tensor.
  template <class F>
  void each_result(const F& f) {
    for (std::size_t k = stack_.size() - result_count(); k < stack_.size(); ++k) {
      if (stack_[k].isTensor()) {
        at::Tensor t = stack_[k].toTensor();
        if (!t.defined()) continue;
        f(t);
        stack_[k] = t;
      } else if (stack_[k].isTensorList()) {
        std::vector<at::Tensor> all = stack_[k].toTensorVector();
        for (at::Tensor& t : all) f(t);
        stack_[k] = std::move(all);
      }
    }
  }
  /// Replaces the arguments by the results.
  void finish(std::vector<operator_value> results);

  /// Calls the operator's ordinary kernel, with autograd. Intercepted operands must have memory.
  void compute();
  /// Calls the kernels of autocast, which cast the operands and call the operator again. Returns
  /// false if autocast is off or has no kernel for the operator.
  auto autocast() -> bool;
  /// Calls the operator as a sequence of other operators, which go to the recorder in turn. Returns
  /// false if the operator is not such a sequence.
  auto decompose() -> bool;

 private:
  const c10::OperatorHandle& op_;
  torch::jit::Stack& stack_;
  std::size_t count_, first_;
};

/// Sets the function that records the calls on intercepted tensors. Throws usage_error if this
/// version of LibTorch uses the dispatch key for something else. The first call decides.
void set_recorder(void (*record)(operator_call&));

/// While this object exists, operators on this thread do not go to the recorder.
class without_recording {
 public:
  without_recording() : guard_(c10::DispatchKeySet(intercept_key)) {}

 private:
  c10::impl::ExcludeDispatchKeyGuard guard_;
};

}  // namespace koila::inline v0::detail
