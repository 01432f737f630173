// SPDX-License-Identifier: MIT
// Definitions of recorder.hpp.
#include <koila/base/error.hpp>
#include <koila/torch/lazy_tensor.ipp>
#include <koila/torch/recorder.hpp>

#include <ATen/autocast_mode.h>
#include <torch/library.h>

#include <atomic>

namespace koila::inline v0::detail {

inline std::atomic<void (*)(operator_call&)> recorder{nullptr};

inline auto is_tensor_list(const c10::Type& type) -> bool {
  if (type.kind() != c10::TypeKind::ListType) return false;
  const c10::TypePtr element = type.containedType(0);
  if (element->kind() == c10::TypeKind::TensorType) return true;
  return element->kind() == c10::TypeKind::OptionalType &&
         element->containedType(0)->kind() == c10::TypeKind::TensorType;
}
inline auto is_tensor_type(const c10::Type& type) -> bool {
  if (type.kind() == c10::TypeKind::OptionalType) return is_tensor_type(*type.containedType(0));
  return type.kind() == c10::TypeKind::TensorType || is_tensor_list(type);
}

auto operator_call::is_default(std::size_t k) const -> bool {
  const auto& stated = op_.schema().arguments()[k].default_value();
  const operator_value& v = argument(k);
  if (!stated.has_value()) return v.isNone();
  if (stated->isInt() && v.isDouble()) return v.toDouble() == static_cast<double>(stated->toInt());
  return v == *stated;
}
auto operator_call::takes_tensors(std::size_t k) const -> bool {
  return is_tensor_type(*op_.schema().arguments()[k].type());
}
auto operator_call::takes_tensor_list(std::size_t k) const -> bool {
  return is_tensor_list(*op_.schema().arguments()[k].type());
}
auto operator_call::takes_scalar(std::size_t k) const -> bool {
  const c10::Type* type = op_.schema().arguments()[k].type().get();
  const c10::TypePtr inner = type->kind() == c10::TypeKind::OptionalType ? type->containedType(0) : nullptr;
  return (inner ? inner->kind() : type->kind()) == c10::TypeKind::NumberType;
}
auto operator_call::writes(std::size_t k) const -> bool {
  const auto* alias = op_.schema().arguments()[k].alias_info();
  return alias != nullptr && alias->isWrite();
}
auto operator_call::writes_any() const -> bool { return op_.schema().is_mutable(); }
auto operator_call::returns_view() const -> bool {
  for (const auto& r : op_.schema().returns())
    if (r.alias_info() != nullptr && !r.alias_info()->isWrite()) return true;
  return false;
}
auto operator_call::returns_tensors() const -> bool {
  for (const auto& r : op_.schema().returns())
    if (!is_tensor_type(*r.type())) return false;
  return !op_.schema().returns().empty();
}
auto operator_call::returns_list(std::size_t k) const -> bool {
  return is_tensor_list(*op_.schema().returns()[k].type());
}
auto operator_call::has_sizes_of_values() const -> bool {
  return op_.hasTag(at::Tag::dynamic_output_shape) || op_.hasTag(at::Tag::data_dependent_output);
}

void operator_call::finish(std::vector<operator_value> results) {
  torch::jit::drop(stack_, count_);
  for (operator_value& r : results) stack_.push_back(std::move(r));
}
void operator_call::compute() {
  const without_recording ordinary;
  op_.callBoxed(stack_);
}
auto operator_call::autocast() -> bool {
  constexpr auto key = c10::DispatchKey::AutocastCPU;
  if (!at::autocast::is_autocast_enabled(at::kCPU) || !op_.hasKernelForDispatchKey(key)) return false;
  op_.redispatchBoxed(c10::DispatchKeySet(key), &stack_);
  return true;
}
auto operator_call::decompose() -> bool {
  constexpr auto key = c10::DispatchKey::CompositeImplicitAutograd;
  if (!op_.hasKernelForDispatchKey(key)) return false;
  op_.callBoxedForDispatchKey(key, stack_);
  return true;
}

inline void hand_over(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
  operator_call call(op, *stack);
  if (auto* const record = recorder.load(std::memory_order_acquire)) record(call);
  else call.compute();
}

// The fallback is registered when the process starts, because LibTorch's dispatcher does not
// synchronise a registration with calls of operators on other threads.
static_assert(intercept_key == c10::DispatchKey::DeferredInit, "the macro below needs the key's name");
TORCH_LIBRARY_IMPL(_, DeferredInit, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&hand_over>());
}

void set_recorder(void (*record)(operator_call&)) {
  static const bool checked = [] {
    const auto keys =
        c10::DispatchKeySet(intercept_key).add(c10::DispatchKey::AutogradCPU).add(c10::DispatchKey::AutocastCPU);
    if (keys.highestPriorityTypeId() != intercept_key)
      throw usage_error(
          "koila: intercept: this version of LibTorch uses the dispatch key of intercepted tensors for "
          "something else");
    return true;
  }();
  (void)checked;
  recorder.store(record, std::memory_order_release);
}

}  // namespace koila::inline v0::detail
