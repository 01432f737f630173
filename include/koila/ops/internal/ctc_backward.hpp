#pragma once
// ctc_backward: the gradient of ctc.
#include <koila/ops/loss/ctc_base.hpp>

namespace koila {

/// (samples) x (time, samples, classes) x int64 (samples, most) x int64 (samples) x int64 (samples)
/// -> (time, samples, classes): dy (e^logp - p), where p is the probability of a class at a time
/// step given the target. As in LibTorch, this gradient assumes that log_softmax computed logp.
inline constexpr struct ctc_backward : op<ctc_backward, 5> {
  static constexpr std::string_view name = "ctc_backward";
  static constexpr bool host_only = true;
  using attributes = ctc_attributes;
  static constexpr auto rule(const dims& dy, const dims& logp, const dims& target, const dims& times,
                             const dims& lengths, const attributes& a) -> verdict {
    const verdict of_each = rules::ctc(logp, target, times, lengths, a);
    if (!of_each.accepted()) return of_each;
    if (rules::same_shape(dy, of_each.out) == tristate::no) return reason::labels_are_not_one_per_sample;
    if (dy.type != dtype::unknown && logp.type != dtype::unknown && dy.type != logp.type) return reason::dtypes_differ;
    return logp;
  }
  static constexpr auto flow(const value& dy, const value& logp, const value& target, const value& times,
                             const value& lengths, const dims& out, const attributes&) -> relations {
    const value in[] = {dy, logp, target, times, lengths};
    return flows::ctc(in, 5, out);
  }
  static constexpr auto required_layout(int, const dims&) -> layout { return layout::dense; }
  /// The workspace holds the states of all time steps of one sample, and of two more steps.
  static constexpr auto cost(const dims& dy, const dims& logp, const dims& target, const dims&, const dims&,
                             const dims& out) -> work {
    const index_t states = 2 * target[1].n + 1;
    return {20.0 * static_cast<double>(logp[0].n * dy.count() * states),
            static_cast<double>(logp.bytes() + 2 * out.bytes()), (logp[0].n + 2) * states * bytes_of(logp.type), true};
  }
  static void evaluate(out dlogp, const at::Tensor& dy, const at::Tensor& logp, const at::Tensor& target,
                       const at::Tensor& times, const at::Tensor& lengths, const attributes& a);
} ctc_backward;

}  // namespace koila

#ifdef KOILA_DEFINE_OPS
#include <koila/ops/family/ctc.ipp>

namespace koila {

inline void ctc_backward::evaluate(out dlogp, const at::Tensor& dy, const at::Tensor& logp, const at::Tensor& target,
                                   const at::Tensor& times, const at::Tensor& lengths, const attributes& a) {
  const std::int64_t states = 2 * target.size(1) + 1, classes = logp.size(2);
  dlogp.zero_();
  const auto all = [&](auto zero) {
    using T = decltype(zero);
    const detail::scratch<T> own((logp.size(0) + 2) * states);
    for (std::int64_t n = 0; n < dy.numel(); ++n) {
      const detail::ctc_sample<T> x(logp, target, times, lengths, a, n);
      T *now = own.data(), *after = now + states, *const ways = after + states;  // (time, states)
      for (std::int64_t t = 0; t < x.times; ++t) x.forward(t, ways + (t - 1) * states, ways + t * states);
      const T loss = x.loss(ways + (x.times - 1) * states), g = detail::data<T>(dy)[n];
      if (a.zero_infinity.value && std::isinf(loss)) continue;
      for (std::int64_t t = x.times - 1; t >= 0; --t, std::swap(now, after)) {
        x.backward(t, after, now);
        T* const row = dlogp.mutable_data_ptr<T>() + t * x.step + n * classes;
        std::fill(row, row + classes, x.none);
        for (std::int64_t s = 0; s < x.states(); ++s)
          row[x.label(s)] = x.log_sum(row[x.label(s)], ways[t * states + s] + now[s]);
        for (std::int64_t c = 0; c < classes; ++c) {
          const T lp = x.logp[t * x.step + c];
          row[c] = (std::exp(lp) - std::exp(row[c] + loss - lp)) * g;
        }
      }
    }
  };
  if (logp.scalar_type() == at::kDouble) all(double{});
  else all(float{});
}

}  // namespace koila
#endif
