// Definitions of eager.hpp.
#include <koila/ops/family/definitions.hpp>

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_unsafe_view_ops.h>

#include <algorithm>

namespace koila::detail {

KOILA_INLINE auto run_eagerly(const op_info& op, const at::Tensor* const* in, const dims& result, int n, const object* at)
    -> at::Tensor {
  const at::AutoDispatchBelowADInplaceOrView below;
  at::Tensor laid_out[most_operands];
  std::array<const at::Tensor*, most_operands> operands{};
  at::Device device = at::kCPU;
  for (int k = 0; k < n; ++k) {
    operands[static_cast<std::size_t>(k)] = in[k];
    if (!in[k]->unsafeGetTensorImpl()->is_wrapped_number()) device = in[k]->device();
    if (op.takes == nullptr || layout_of(*in[k]) <= op.takes(k, shape_of(*in[k]))) continue;
    laid_out[k] = in[k]->contiguous();
    operands[static_cast<std::size_t>(k)] = &laid_out[k];
  }
  require_kernel(op, device);
  if (op.view != nullptr) {
    at::Tensor y;
    op.view(y, *operands[0], result, at);
    return y;
  }
  at::Tensor y = empty(sizes(result), scalar_type(result.type), device);
  if (op.draw != nullptr) {  // the one random op of this run
    const handle<const object> numbered = op.call != nullptr ? op.as_call(at, 1) : handle<const object>();
    const random_run random(true);
    draw(op, y, operands.data(), numbered ? numbered.get() : at, {{}, 0, random.seed});
  } else op.evaluate(y, operands.data(), at);
  return y;
}

KOILA_INLINE auto wrapped(double v, const dims& d) -> at::Tensor {
  at::Tensor t = empty({}, scalar_type(d.type), at::kCPU);
  t.fill_(v);
  t.unsafeGetTensorImpl()->set_wrapped_number(true);
  return t;
}

KOILA_INLINE void refuse_autograd(std::string_view op, const at::Tensor& t) {
  if (!asked_for_gradient(t) || !t.is_leaf()) return;  // what is computed of leaves is told in backward: computed_at_once
  throw shape_error(
      std::string(op) +
      ": the tensor requires a gradient, which koila records for expressions only: use lazy(tensor) or LibTorch's " +
      std::string(op));
}

KOILA_INLINE auto computed_at_once(std::string_view op, const at::Tensor* const* in, int n, const at::Tensor& y) -> at::Tensor {
  const bool asked = std::any_of(in, in + n, [](const at::Tensor* t) { return asked_for_gradient(*t); });
  if (!asked || !(y.is_floating_point() || y.is_complex())) return y;
  const at::Tensor own = y.detach();
  own.set_requires_grad(true);
  const at::Tensor out = at::_ops::_unsafe_view::call(own, own.sym_sizes());  // the same memory, and to autograd no view
  out.register_hook([op](const at::Tensor&) -> at::Tensor {
    throw std::logic_error(
        "koila: " + std::string(op) +
        " of plain tensors was computed at once and has no gradient: call it with lazy(tensor), and take the "
        "gradient of the expression by backward, gradient or step");
  });
  return out;
}

}  // namespace koila::detail
