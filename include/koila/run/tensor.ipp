// SPDX-License-Identifier: MIT
#pragma once
// Definitions of tensor.hpp.
#include <koila/device/backend.hpp>
#include <koila/ops/common/definitions.hpp>
#include <koila/run/seed.hpp>
#include <koila/run/tensor.hpp>
#include <koila/torch/tensor.hpp>
#include <koila/torch/thread_state.hpp>

#include <ATen/ops/empty_ops.h>
#include <ATen/ops/linalg_qr_ops.h>

#include <cmath>
#include <mutex>
#include <optional>

namespace koila::inline v0 {

auto dtype_of(at::ScalarType t) -> std::optional<dtype> {
  switch (t) {
    case at::kBool: return dtype::boolean;
    case at::kByte: return dtype::uint8;
    case at::kChar: return dtype::int8;
    case at::kShort: return dtype::int16;
    case at::kInt: return dtype::int32;
    case at::kLong: return dtype::int64;
    case at::kHalf: return dtype::float16;
    case at::kBFloat16: return dtype::bfloat16;
    case at::kFloat: return dtype::float32;
    case at::kDouble: return dtype::float64;
    default: return std::nullopt;
  }
}

auto dtype_of(const at::Tensor& t) -> dtype {
  if (const std::optional<dtype> type = dtype_of(t.scalar_type())) return *type;
  throw shape_error(std::string("koila: tensors of dtype ") + c10::toString(t.scalar_type()) + " are not supported");
}

auto scalar_type(dtype t) -> at::ScalarType {
  constexpr at::ScalarType types[] = {at::ScalarType::Undefined,
                                      at::kBool,
                                      at::kByte,
                                      at::kChar,
                                      at::kShort,
                                      at::kInt,
                                      at::kLong,
                                      at::kHalf,
                                      at::kBFloat16,
                                      at::kFloat,
                                      at::kDouble};
  return types[static_cast<int>(t)];
}

auto shape_of(const at::Tensor& t) -> author::dims {
  if (!t.defined()) throw shape_error("koila: the tensor is undefined");
  if (t.dim() > author::dims::capacity) {
    const author::dims none;
    detail::refuse("tensor", author::reason::too_many_dimensions, &none, 1);
  }
  author::dims d = detail::open_dims(static_cast<int>(t.dim()), dtype_of(t));
  for (int i = 0; i < d.rank; ++i) d.e[i] = {t.size(i), {}, true};
  return d;
}

namespace detail {

auto layout_of(const at::Tensor& t) -> layout {
  if (t.is_contiguous()) return layout::dense;
  const auto d = t.dim();
  if (d != 2) return layout::strided;
  const auto wide = [&](int inner, int outer) {
    return t.stride(inner) == 1 && t.stride(outer) >= std::max<std::int64_t>(1, t.size(inner));
  };
  return wide(0, 1) || wide(1, 0) ? layout::matrix : layout::strided;
}

auto asked_for_gradient(const at::Tensor& t) -> bool { return t.requires_grad() && records_gradients(); }

auto is_plain(const at::Tensor& t) -> bool { return t.defined() && t.layout() == at::kStrided && stores_its_values(t); }
void require_supported(const at::Tensor& t, std::string_view name) {
  const auto refuse_it = [&](const std::string& fault) {
    throw shape_error(std::string(name) + ": the tensor is " + fault);
  };
  if (!t.defined()) refuse_it("undefined");
  if (!device::runs_on(t.device()))
    refuse_it("on " + t.device().str() +
              (t.is_cuda() ? "; this program is not linked with koila::cuda" : "; koila does not run there"));
  if (!is_plain(t)) refuse_it("not a plain strided one");
}

auto checked(const leaf_state& leaf, const at::Tensor& t) -> dims {
  require_supported(t, leaf.name);
  const dims& want = leaf.declared;
  dims have = shape_of(t);
  const bool dtype_differs = want.type != dtype::unknown && want.type != have.type;
  bool fits = !want.ranked() || want.rank == have.rank;
  for (int i = 0; fits && i < want.rank; ++i) fits = !want.e[i].known() || want.e[i].n == have.e[i].n;
  if (!fits || dtype_differs) {
    const dims both[] = {want, have};
    refuse(leaf.name, fits ? reason::dtypes_differ : reason::declared_shape_differs, both, 2);
  }
  for (int i = 0; i < want.rank; ++i)
    have.e[i] = {have.e[i].n, want.e[i].axis, !want.e[i].named() && !want.e[i].known()};
  return have;
}

auto hold_tensor(const at::Tensor& t, const dims& stated, bool all) -> handle<leaf_state> {
  require_supported(t, "lazy");
  dims d = shape_of(t);
  bool fits = all ? stated.rank == d.rank : stated.rank <= d.rank;
  fits = fits && (stated.type == dtype::unknown || stated.type == d.type);
  for (int i = 0; fits && i < stated.rank; ++i) {
    fits = !stated.e[i].known() || stated.e[i].n == d.e[i].n;
    d.e[i] = {d.e[i].n, stated.e[i].axis, !stated.e[i].named() && !stated.e[i].known()};
  }
  if (!fits) {
    const dims both[] = {stated, shape_of(t)};
    refuse("lazy", reason::declared_shape_differs, both, 2);
  }
  auto leaf = make_handle<leaf_state>("tensor", d, leaf_state::tensor, make_handle<tensor_box>(t));
  leaf->layout = layout_of(t);
  leaf->requires_grad = asked_for_gradient(t);
  return leaf;
}

auto hold_tensor(const at::Tensor& t) -> handle<leaf_state> { return detail::hold_tensor(t, dims({}), false); }

}  // namespace detail

void set(const detail::leaf_state& leaf, const at::Tensor& value) {
  (void)detail::checked(leaf, value);
  const detail::outside_inference_mode mode;
  at::Tensor own = value.is_inference() ? value.clone() : value.detach();
  if (!own.is_non_overlapping_and_dense()) own = own.contiguous();  // steps write to it in place
  auto& state = const_cast<detail::leaf_state&>(leaf);
  // A frozen parameter stays frozen.
  own.set_requires_grad(leaf.kind == detail::leaf_state::parameter && is_floating(leaf.declared.type) &&
                        (!state.value || static_cast<detail::tensor_box&>(*state.value).tensor.requires_grad()));
  if (const author::layout how = detail::layout_of(own); how != state.layout)
    state.layout = how;  // written only if it changes: another thread may be reading it
  state.value.publish(detail::make_handle<detail::tensor_box>(std::move(own)));
}

namespace detail {

/// Fills t with a random matrix of orthonormal rows or columns. Draws the same numbers as
/// torch::nn::init::orthogonal_.
inline void orthogonal(at::Tensor& t, double scale) {
  const std::int64_t rows = t.size(0), columns = t.numel() / rows;
  at::Tensor m = at::_ops::empty_memory_format::call(c10::fromIntArrayRefSlow({rows, columns}), at::kFloat,
                                                     std::nullopt, std::nullopt, std::nullopt, std::nullopt);
  m.normal_();
  if (rows < columns) m.t_();
  auto [q, r] = at::_ops::linalg_qr::call(m, "reduced");
  q.mul_(r.diagonal().sign());  // makes all such matrices equally likely
  if (rows < columns) q.t_();
  t.copy_(q.reshape(t.sizes())).mul_(scale);
}

/// Fills a new tensor of a parameter or a buffer with its initial values.
inline void initialise(at::Tensor& t, const leaf_state& leaf) {
  const initial& how = leaf.first;
  const dims& d = leaf.declared;
  // The fan-in. For a bias, this is the fan-in of its layer's weight.
  const auto in =
      static_cast<double>(d.rank >= 2 ? d.count(1, d.rank) : __atomic_load_n(&leaf.fan_in, __ATOMIC_RELAXED));
  const auto out = static_cast<double>(d.rank >= 2 ? d.e[0].n * d.count(2, d.rank) : 0);
  const auto uniform = [&](double bound) { t.uniform_(-bound, bound); };
  const bool of_fans = how.distribution == initial::xavier_uniform || how.distribution == initial::xavier_normal;
  const bool of_fan_in = how.distribution == initial::kaiming_uniform || how.distribution == initial::kaiming_normal;
  if (d.rank < 2 && (of_fans || how.distribution == initial::orthogonal || (of_fan_in && in == 0)))
    throw shape_error(std::string(leaf.name) + ": only a parameter of two dims or more can begin so");
  if (t.numel() == 0) return;
  switch (how.distribution) {
    case initial::fan_in: in > 0 ? uniform(how.scale / std::sqrt(in)) : void(t.zero_()); return;
    case initial::constant: t.fill_(how.scale); return;
    case initial::normal: t.normal_(how.shift, how.scale); return;
    case initial::normal_padded:
      t.normal_(0, how.scale).select(0, static_cast<std::int64_t>(how.shift)).zero_();
      return;
    case initial::uniform: t.uniform_(how.shift, how.shift + how.scale); return;
    case initial::xavier_uniform: uniform(how.scale * std::sqrt(6.0 / (in + out))); return;
    case initial::xavier_normal: t.normal_(0, how.scale * std::sqrt(2.0 / (in + out))); return;
    case initial::kaiming_uniform: uniform(how.scale * std::sqrt(3.0 / in)); return;
    case initial::orthogonal: orthogonal(t, how.scale); return;
    case initial::kaiming_normal: t.normal_(0, how.scale / std::sqrt(in)); return;
  }
}

}  // namespace detail

auto tensor_of(const detail::leaf_state& leaf) -> const at::Tensor& {
  if (const detail::object* made = leaf.value.published()) return static_cast<const detail::tensor_box*>(made)->tensor;
  static std::mutex making;  // parameters are made on first use, perhaps by two threads at once
  const std::lock_guard lock(making);
  if (!leaf.value) {
    const author::dims& d = leaf.declared;
    if (leaf.kind == detail::leaf_state::input) detail::refuse(leaf.name, author::reason::not_bound, &d, 1);
    const detail::outside_inference_mode mode;
    detail::libtorch_random before;
    detail::save_libtorch_random(before);
    try {
      at::Tensor t =
          at::_ops::empty_memory_format::call(c10::fromIntArrayRefSlow(detail::sizes(d)), scalar_type(d.type),
                                              std::nullopt, std::nullopt, std::nullopt, std::nullopt);
      detail::initialise(t, leaf);
      set(leaf, t);
    } catch (...) {
      detail::restore(before);  // so a later call draws the same values as this one
      throw;
    }
  }
  return static_cast<detail::tensor_box&>(*leaf.value).tensor;
}

}  // namespace koila::inline v0
