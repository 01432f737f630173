// SPDX-License-Identifier: MIT
// Definitions of kernel_for.hpp.
#include <koila/kernels/table.hpp>
#include <koila/run/kernel_for.hpp>

namespace koila::inline v0::detail {

/// Draws random numbers, which are a function of the seed, the op's call, the sample and the
/// position in the sample.
void draw(const op_info& op, const kernel_functions& kernel, at::Tensor& y, const at::Tensor* const* inputs,
          const object* attributes, const portion& where) {
  if (!kernel.draws_on_host) return kernel.draw(y, inputs, attributes, where);
  at::Tensor own[most_operands];
  const at::Tensor* operands[most_operands] = {};
  for (std::size_t k = 0; k < most_operands; ++k) {
    if (inputs[k] != nullptr && inputs[k]->defined())
      own[k] = (op.shape_only >> k & 1U) != 0 ? *inputs[k] : inputs[k]->to(at::kCPU);
    operands[k] = &own[k];
  }
  at::Tensor drawn = y.new_empty(y.sizes(), y.options().device(at::kCPU));
  kernel.draw(drawn, operands, attributes, where);
  y.copy_(drawn);
}

auto kernel_for(const op_info& op, at::Device device) -> kernel_functions {
  return kernels::functions_for(op, device.type());
}

void require_kernel(const op_info& op, at::Device device) {
  if (!op.is_computed() || op.view != nullptr || op.operators.draw != nullptr) return;
  if (kernels::functions_for(op, device.type()).evaluate != nullptr) return;
  throw shape_error(std::string(op.name) + ": has no kernel for tensors on " + device.str() + ", only on the host");
}

}  // namespace koila::inline v0::detail
