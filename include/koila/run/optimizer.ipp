// SPDX-License-Identifier: MIT
#pragma once
// Definitions of optimizer.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/run/optimizer.hpp>

#include <ATen/ops/zeros_like_ops.h>

#include <cstdio>

namespace koila::inline v0::detail {

/// Returns a tensor's dtype and dims as a list of numbers.
inline auto description_of(const at::Tensor& t) -> std::vector<std::int64_t> {
  std::vector<std::int64_t> out{static_cast<std::int64_t>(t.scalar_type())};
  for (const std::int64_t n : t.sizes()) out.push_back(n);
  return out;
}
inline auto written(const std::vector<std::int64_t>& like) -> std::string {
  std::string s = like.empty() ? "?" : std::string(c10::toString(static_cast<at::ScalarType>(like[0]))) + "[";
  for (std::size_t k = 1; k < like.size(); ++k) s += (k > 1 ? ", " : "") + std::to_string(like[k]);
  return s + "]";
}

inline auto has_name(const parameter_record& r, const leaf_state& parameter) -> bool {
  const std::string_view own = parameter.name, name = r.name;
  return !parameter.named() || name == own ||
         (name.ends_with(own) && name.substr(0, name.size() - own.size()).ends_with('.'));
}
inline auto has_dims(const parameter_record& r, const at::Tensor& t) -> bool {
  return !r.like.empty() && r.like[0] == static_cast<std::int64_t>(t.scalar_type()) &&
         std::equal(r.like.begin() + 1, r.like.end(), t.sizes().begin(), t.sizes().end());
}
auto may_be_of(const parameter_record& r, const leaf_state& parameter) -> bool {
  return has_name(r, parameter) && has_dims(r, tensor_of(parameter));
}
void require_name(const parameter_record& r, const leaf_state& parameter) {
  if (!has_name(r, parameter))
    throw shape_error("koila: load: the file has an optimiser's state of " + r.name + " where " + parameter.name +
                      " is trained");
}
void require_like(const parameter_record& r, const leaf_state& parameter) {
  if (!has_dims(r, tensor_of(parameter)))
    throw shape_error("koila: load: the optimiser's state of " + r.name + " is of " + written(r.like) +
                      " in the file, and " + parameter.name + " is " + written(description_of(tensor_of(parameter))));
}

auto part_for(const parameter_record& r, const std::string& part, const at::Tensor& saved, const at::Tensor& parameter)
    -> at::Tensor {
  if (saved.sizes() != parameter.sizes() || saved.scalar_type() != parameter.scalar_type())
    throw shape_error("koila: load: " + part + " of " + r.name + " is " + written(description_of(saved)) +
                      " in the file, not " + written(description_of(parameter)));
  at::Tensor t = at::_ops::zeros_like::call(parameter.detach(), std::nullopt, std::nullopt, std::nullopt, std::nullopt,
                                            std::nullopt);
  t.copy_(saved);
  return t;
}

void tell_of_awaited(const std::vector<parameter_record>& awaited) {
  if (!has_states(awaited)) return;
  std::fprintf(
      stderr,
      "koila: an optimiser was loaded from a file that has the state of %zu more parameters than this step trains; "
      "they go to the next steps that share it, in their order. To go by names, load it with its model: "
      "load(net, optimiser, file)\n",
      static_cast<std::size_t>(
          std::count_if(awaited.begin(), awaited.end(), [](const parameter_record& r) { return r.trained; })));
}

auto part_from(const at::Tensor& saved) -> std::int64_t { return saved.item<std::int64_t>(); }

}  // namespace koila::inline v0::detail
