#pragma once
// Stochastic gradient descent with LibTorch's formula (torch/csrc/api/src/optim/sgd.cpp).
#include <koila/optim/update.hpp>

namespace koila {

/// SGD: p -= lr * d, where d is the gradient plus weight_decay * p, with momentum if that is not 0.
/// An aggregate: `sgd{.lr = 0.1, .momentum = 0.9}`.
struct sgd {
  static constexpr std::string_view name = "sgd";
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;

  /// The state of one parameter between steps.
  struct state {
    at::Tensor momentum_buffer;
    at::Tensor factor;  // () momentum as a tensor, which LibTorch would allocate for each update
    bool started = false;
    auto bytes() const -> std::int64_t {
      return momentum_buffer.defined() ? static_cast<std::int64_t>(momentum_buffer.nbytes() + factor.nbytes()) : 0;
    }
    /// `each` calls f(name, part) for each part that a file stores; `complete` adds the others.
    static void each(auto& s, const auto& f) { f("momentum_buffer", s.momentum_buffer), f("started", s.started); }
    void complete(const at::Tensor& parameter);
  };
  detail::kept_states<state, sgd> states = {};  ///< shared by all copies
  /// Allocates all memory that the updates of a parameter will ever need.
  auto state_for(const at::Tensor& parameter) const -> state;
  /// Throws std::invalid_argument if a setting is out of range, or if Nesterov momentum is used
  /// without momentum or with dampening.
  void check_settings() const;
  /// Throws std::invalid_argument if the settings need memory that this state does not have.
  void check(const state& s) const { detail::check_kept(momentum == 0 || s.momentum_buffer.defined()); }
  /// Updates a parameter in place; may overwrite the gradient. Allocates nothing.
  void update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const;
};

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/ops/family/instructions.ipp>
#include <koila/ops/family/parallel.hpp>

#include <ATen/ops/empty_ops.h>
#include <ATen/ops/zeros_like_ops.h>

#include <cmath>

namespace koila {

namespace detail {

/// The factors of one update.
template <class T>
struct sgd_factors {
  T step, decay, momentum, gradient;
};

/// One pass over tensors of the same memory layout. It uses fused multiply-adds, as LibTorch's
/// kernels do if the machine has them, so the results have the same bits. `Kept` is 0 without
/// momentum, 1 with momentum, 2 with Nesterov momentum.
template <class T, bool Decays, int Kept>
struct sgd_elements {
  static void run(T* p, const T* g, T* v, const sgd_factors<T>& factors, std::int64_t begin, std::int64_t end) {
    each_of(end - begin, [=, f = factors](std::int64_t k) {
      const std::int64_t i = begin + k;
      T d = g[i];
      if constexpr (Decays) d = std::fma(p[i], f.decay, d);
      if constexpr (Kept != 0) v[i] = std::fma(d, f.gradient, v[i] * f.momentum);
      if constexpr (Kept == 1) d = v[i];
      if constexpr (Kept == 2) d = std::fma(v[i], f.momentum, d);
      p[i] = std::fma(d, f.step, p[i]);
    });
  }
};

/// Returns the kernel, or null if the machine has no fused multiply-add.
template <class T, bool Decays>
auto sgd_kernel_of(int kept) -> void (*)(T*, const T*, T*, const sgd_factors<T>&, std::int64_t, std::int64_t) {
  const auto with = [](auto n) {
    return functions_of<sgd_elements<T, Decays, n>, T*, const T*, T*, const sgd_factors<T>&, std::int64_t,
                        std::int64_t>::with_fma();
  };
  if (kept == 0) return with(std::integral_constant<int, 0>());
  return kept == 1 ? with(std::integral_constant<int, 1>()) : with(std::integral_constant<int, 2>());
}

/// Returns false, and changes nothing, if the tensors' memory layouts differ or if this machine has
/// no kernel.
template <class T>
auto update_at_once(const sgd& o, const at::Tensor& p, const at::Tensor& g, const at::Tensor& v, bool started) -> bool {
  const int kept = o.momentum == 0 ? 0 : o.nesterov ? 2 : 1;
  const auto kernel = o.weight_decay != 0 ? sgd_kernel_of<T, true>(kept) : sgd_kernel_of<T, false>(kept);
  const auto alike = [&](const at::Tensor& t) { return t.strides() == p.strides() && t.sizes() == p.sizes(); };
  if (kernel == nullptr || !p.is_non_overlapping_and_dense() || !alike(g) || (kept != 0 && !alike(v))) return false;
  const sgd_factors<T> f{static_cast<T>(-o.lr), static_cast<T>(o.weight_decay), static_cast<T>(o.momentum),
                         static_cast<T>(started ? 1 - o.dampening : 1.0)};
  T* const to = static_cast<T*>(p.mutable_data_ptr());
  const T* const from = static_cast<const T*>(g.const_data_ptr());
  T* const velocity = kept == 0 ? nullptr : static_cast<T*>(v.mutable_data_ptr());
  parallel_for(0, p.numel(), 1 << 15,
               [&](std::int64_t begin, std::int64_t end) { kernel(to, from, velocity, f, begin, end); });
  return true;
}

}  // namespace detail

KOILA_INLINE void sgd::check_settings() const {
  detail::require_at_least_0("sgd", "lr", lr);
  detail::require_at_least_0("sgd", "momentum", momentum);
  detail::require_finite("sgd", "dampening", dampening);
  detail::require_at_least_0("sgd", "weight_decay", weight_decay);
  if (nesterov && !(momentum > 0 && dampening == 0))
    throw std::invalid_argument("koila: sgd: Nesterov's momentum requires a momentum above 0 and a dampening of 0");
}

KOILA_INLINE auto sgd::state_for(const at::Tensor& parameter) const -> state {
  if (momentum == 0) return {};
  return {at::_ops::zeros_like::call(parameter, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt),
          at::_ops::empty_memory_format::call({}, parameter.scalar_type(), std::nullopt, parameter.device(),
                                              std::nullopt, std::nullopt)};
}

KOILA_INLINE void sgd::state::complete(const at::Tensor& parameter) {
  if (momentum_buffer.defined() && !factor.defined()) factor = sgd{.momentum = 1}.state_for(parameter).factor;
}

KOILA_INLINE void sgd::update(const at::Tensor& parameter, const at::Tensor& gradient, state& s) const {
  const auto at_once = [&] {
    if (!detail::on_host(parameter) || gradient.scalar_type() != parameter.scalar_type()) return false;
    if (parameter.scalar_type() == at::kFloat)
      return detail::update_at_once<float>(*this, parameter, gradient, s.momentum_buffer, s.started);
    return parameter.scalar_type() == at::kDouble &&
           detail::update_at_once<double>(*this, parameter, gradient, s.momentum_buffer, s.started);
  };
  check(s);
  if (at_once()) {
    s.started = s.started || momentum != 0;
    return;
  }
  if (weight_decay != 0) gradient.add_(parameter, weight_decay);
  if (momentum == 0) {
    parameter.add_(gradient, -lr);
    return;
  }
  s.factor.fill_(momentum);
  s.momentum_buffer.mul_(s.factor).add_(gradient, s.started ? 1 - dampening : 1.0);
  s.started = true;
  if (nesterov) parameter.add_(gradient.add_(s.momentum_buffer, momentum), -lr);
  else parameter.add_(s.momentum_buffer, -lr);
}

}  // namespace koila
#endif
