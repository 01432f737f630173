// Definitions of eager.hpp.
#include <koila/ops/family/definitions.hpp>

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>

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
  if (op.view != nullptr) {
    at::Tensor y;
    op.view(y, *operands[0], result, at);
    return y;
  }
  at::Tensor y = empty(sizes(result), scalar_type(result.type), device);
  if (op.draw != nullptr) op.draw(y, operands.data(), at, {{}, 0, random_run(true).seed});
  else op.evaluate(y, operands.data(), at);
  return y;
}

KOILA_INLINE auto wrapped(double v, const dims& d) -> at::Tensor {
  at::Tensor t = empty({}, scalar_type(d.type), at::kCPU);
  t.fill_(v);
  t.unsafeGetTensorImpl()->set_wrapped_number(true);
  return t;
}

KOILA_INLINE void refuse_autograd(std::string_view op, const at::Tensor& t) {
  if (!t.requires_grad() || !at::GradMode::is_enabled()) return;
  throw shape_error(
      std::string(op) +
      ": the tensor requires a gradient, which koila records for expressions only: use lazy(tensor) or LibTorch's " +
      std::string(op));
}

}  // namespace koila::detail
