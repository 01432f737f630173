// SPDX-License-Identifier: MIT
// The update of sgd on the host.
#include <koila/kernels/cpu/elementwise_update.ipp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/updates.hpp>

#include <cmath>

namespace koila::inline v0::kernels::cpu {

/// The factors of one update.
template <class T>
struct sgd_factors {
  T step, decay, momentum, gradient;
};

/// Pointers to the elements of a parameter, its momentum buffer and its gradient, and the strides
/// of the elements.
template <class T>
struct sgd_data {
  T* p;
  T* v;
  const T* g;
  std::int64_t p_stride = 1, v_stride = 1, g_stride = 1;

  auto from(std::int64_t p_at, std::int64_t v_at, std::int64_t g_at) const -> sgd_data {
    return {p + p_at, v == nullptr ? v : v + v_at, g + g_at, p_stride, v_stride, g_stride};
  }
  auto is_contiguous() const -> bool { return p_stride == 1 && v_stride == 1 && g_stride == 1; }
};

/// The update of n elements. If `Fused`, the update uses fused multiply-adds. LibTorch's kernels
/// use fused multiply-adds on the same machines, so float32 and float64 results have the same
/// bits as LibTorch's. 16-bit elements are computed in float32, and each stored value is rounded
/// once. `Kept` is 0 without momentum, 1 with momentum, 2 with Nesterov momentum.
template <class T, bool Decays, int Kept, bool Fused>
struct sgd_elements {
  using wide = at::opmath_type<T>;

  [[gnu::always_inline]] static auto multiply_add(wide a, wide b, wide c) -> wide {
    if constexpr (Fused) return std::fma(a, b, c);
    else return a * b + c;
  }
  [[gnu::always_inline]] static void update(T& p, T* v, T g, const sgd_factors<wide>& f) {
    wide d = static_cast<wide>(g);
    if constexpr (Decays) d = multiply_add(static_cast<wide>(p), f.decay, d);
    if constexpr (Kept != 0) {
      const wide kept = multiply_add(d, f.gradient, static_cast<wide>(*v) * f.momentum);
      *v = static_cast<T>(kept);
      d = Kept == 1 ? kept : multiply_add(kept, f.momentum, d);
    }
    p = static_cast<T>(multiply_add(d, f.step, static_cast<wide>(p)));
  }
  static void run(const sgd_data<T>& data, const sgd_factors<wide>& factors, std::int64_t n) {
    if (data.is_contiguous())
      detail::each_of(
          n, [d = data, f = factors](std::int64_t i) { update(d.p[i], Kept == 0 ? nullptr : d.v + i, d.g[i], f); });
    else
      detail::each_of(n, [d = data, f = factors](std::int64_t i) {
        update(d.p[i * d.p_stride], Kept == 0 ? nullptr : d.v + i * d.v_stride, d.g[i * d.g_stride], f);
      });
  }
};

template <class T>
using sgd_kernel = void (*)(const sgd_data<T>&, const sgd_factors<at::opmath_type<T>>&, std::int64_t);

/// Returns the vectorised loop for float32 and float64 if the machine has fused multiply-adds, else
/// a plain loop.
template <class T, bool Decays, int Kept>
auto sgd_kernel_of() -> sgd_kernel<T> {
  if constexpr (std::is_same_v<at::opmath_type<T>, T>)
    if (const auto fused = detail::functions_of<sgd_elements<T, Decays, Kept, true>, const sgd_data<T>&,
                                                const sgd_factors<T>&, std::int64_t>::with_fma();
        fused != nullptr)
      return fused;
  return sgd_elements<T, Decays, Kept, false>::run;
}
template <class T, bool Decays>
auto sgd_kernel_of(int kept) -> sgd_kernel<T> {
  if (kept == 0) return sgd_kernel_of<T, Decays, 0>();
  return kept == 1 ? sgd_kernel_of<T, Decays, 1>() : sgd_kernel_of<T, Decays, 2>();
}

template <class T>
void sgd_update_of(const sgd_settings& o, const at::Tensor& p, const at::Tensor& g, const at::Tensor& v) {
  using wide = at::opmath_type<T>;
  const int kept = o.momentum == 0 ? 0 : o.nesterov ? 2 : 1;
  const auto kernel = o.weight_decay != 0 ? sgd_kernel_of<T, true>(kept) : sgd_kernel_of<T, false>(kept);
  const sgd_factors<wide> f{static_cast<wide>(-o.lr), static_cast<wide>(o.weight_decay), static_cast<wide>(o.momentum),
                            static_cast<wide>(o.started ? 1 - o.dampening : 1.0)};
  sgd_data<T> data{static_cast<T*>(p.mutable_data_ptr()), kept == 0 ? nullptr : static_cast<T*>(v.mutable_data_ptr()),
                   static_cast<const T*>(g.const_data_ptr())};
  const at::Tensor& second = kept == 0 ? p : v;
  const auto has_same_strides = [&](const at::Tensor& t) { return t.strides() == p.strides(); };
  if (p.is_non_overlapping_and_dense() && has_same_strides(g) && has_same_strides(second)) {
    detail::parallel_for(0, p.numel(), 1 << 15, [&](std::int64_t begin, std::int64_t end) {
      kernel(data.from(begin, begin, begin), f, end - begin);
    });
    return;
  }
  const detail::strided_elements<3> lie({&p, &second, &g});
  data.p_stride = lie.stride[0][0], data.v_stride = lie.stride[1][0], data.g_stride = lie.stride[2][0];
  lie.for_each_run([&](const std::array<std::int64_t, 3>& offset, std::int64_t n) {
    kernel(data.from(offset[0], offset[1], offset[2]), f, n);
  });
}

inline void sgd_update(const sgd_settings& o, const at::Tensor& parameter, const at::Tensor& gradient,
                       const at::Tensor& momentum_buffer, const at::Tensor&) {
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, parameter.scalar_type(), "sgd",
                                  [&] { sgd_update_of<scalar_t>(o, parameter, gradient, momentum_buffer); });
}
[[gnu::init_priority(registered_first)]] inline const host_routine<kernels::sgd_update, sgd_update> sgd_registered;

}  // namespace koila::inline v0::kernels::cpu
