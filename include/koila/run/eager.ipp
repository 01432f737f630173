// SPDX-License-Identifier: MIT
// Definitions of eager.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/run/agreement.ipp>
#include <koila/run/eager.hpp>
#include <koila/run/storage.ipp>
#include <koila/torch/dispatch.hpp>
#include <koila/torch/leaf_recorder.hpp>
#include <koila/torch/tensor.hpp>

#include <ATen/ops/_unsafe_view_ops.h>

#include <algorithm>

namespace koila::inline v0::detail {

/// Converts the numbers among the operands to 0-dim tensors, for an op whose kernel does not take
/// numbers.
inline void make_scalars(const op_info& op, const at::Tensor* const* operands, const dims& result, int n,
                         const object* attributes, at::Tensor* scalars) {
  dims d[most_operands];
  const dims* all[most_operands] = {};
  for (int k = 0; k < n; ++k) {
    d[k] = shape_of(*operands[k]);
    d[k].number = is_wrapped_number(*operands[k]);
    all[k] = &d[k];
  }
  const dtype computed = result.type == dtype::boolean && op.view == nullptr ? result_type(all, n) : result.type;
  for (int k = 0; k < n; ++k) {
    if (!d[k].number) continue;
    const double number = operands[k]->item().toDouble();
    const dtype type = number_operand(op, d, k, number, computed, attributes).type;
    if (op.view != nullptr && type != result.type) op.refuse(reason::number_out_of_range, d, attributes);
    scalars[k] = empty({}, scalar_type(type), at::kCPU);
    if (type == d[k].type) scalars[k].copy_(*operands[k]);
    else fill_with(scalars[k], number);
  }
}

auto run_eagerly(const op_info& op, const at::Tensor* const* inputs, const dims& result, int n,
                 const object* attributes) -> at::Tensor {
  const detail::below_autograd below;
  at::Tensor laid_out[most_operands];
  std::array<const at::Tensor*, most_operands> operands{};
  at::Device device = at::kCPU;
  if (!result.known() || result.type == dtype::unknown) disagree(op.name, "its rule does not say what comes out");
  bool scalars = false;  // numbers must become 0-dim tensors of the computed dtype, as in a graph
  for (int k = 0; k < n; ++k) scalars = scalars || (!op.takes_numbers && is_wrapped_number(*inputs[k]));
  if (scalars) make_scalars(op, inputs, result, n, attributes, laid_out);
  for (int k = 0; k < n; ++k) {
    operands[static_cast<std::size_t>(k)] = laid_out[k].defined() ? &laid_out[k] : inputs[k];
    if (laid_out[k].defined()) continue;
    if (!is_wrapped_number(*inputs[k])) device = inputs[k]->device();
    if (op.required_layout == nullptr || layout_of(*inputs[k]) <= op.required_layout(k, shape_of(*inputs[k]))) continue;
    laid_out[k] = inputs[k]->contiguous();
    operands[static_cast<std::size_t>(k)] = &laid_out[k];
  }
  require_kernel(op, device);
  if (op.view != nullptr) {
    at::Tensor y;
    op.view(y, *operands[0], result, attributes);
    require_view(op.name, y, *operands[0], result);
    return y;
  }
  const kernel_functions kernel = kernel_for(op, device);
  at::Tensor y = empty(sizes(result), scalar_type(result.type), device);
  if (op.operators.draw != nullptr) {  // an eager call is a run with one random op
    const handle<const object> numbered = op.call != nullptr ? op.as_call(attributes, 1) : handle<const object>();
    const random_run random(true);
    draw(op, kernel, y, operands.data(), numbered ? numbered.get() : attributes, {{}, 0, random.seed});
  } else {
    bool exchanged = false;  // as in a program, a kernel must not replace its result tensor
    {
      const result_watch unchanged(y, exchanged, true);
      kernel.evaluate(y, operands.data(), attributes);
    }
    if (exchanged) refuse_exchanged(op.name);
  }
  require_dims(op.name, y, result);
  return y;
}

auto wrapped(double v, const dims& d) -> at::Tensor {
  at::Tensor t = empty({}, scalar_type(d.type), at::kCPU);
  t.fill_(v);
  set_wrapped_number(t, true);
  return t;
}

void refuse_autograd(std::string_view op, const at::Tensor& t) {
  if (!asked_for_gradient(t) || !t.is_leaf()) return;  // for other tensors, computed_at_once makes backward throw
  throw shape_error(
      std::string(op) +
      ": the tensor requires a gradient, which koila records for expressions only: use lazy(tensor) or LibTorch's " +
      std::string(op));
}

auto computed_at_once(std::string_view op, const at::Tensor* const* operands, int n, const at::Tensor& y)
    -> at::Tensor {
  std::for_each(operands, operands + n, [](const at::Tensor* t) { leaf_recorder::record_read(*t); });
  const bool asked = std::any_of(operands, operands + n, [](const at::Tensor* t) { return asked_for_gradient(*t); });
  if (!asked || !(y.is_floating_point() || y.is_complex())) return y;
  const at::Tensor own = y.detach();
  own.set_requires_grad(true);
  const at::Tensor out =
      at::_ops::_unsafe_view::call(own, own.sym_sizes());  // shares memory, but autograd does not treat it as a view
  out.register_hook([op](const at::Tensor&) -> at::Tensor {
    throw usage_error(
        "koila: " + std::string(op) +
        " of plain tensors was computed at once and has no gradient: call it with lazy(tensor), and take the "
        "gradient of the expression by backward, gradient or step");
  });
  return out;
}

}  // namespace koila::inline v0::detail
