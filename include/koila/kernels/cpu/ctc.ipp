// SPDX-License-Identifier: MIT
#pragma once
// Shared by the kernels of connectionist temporal classification (CTC).
#include <koila/kernels/cpu/scratch.ipp>
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/loss/ctc_base.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace koila::inline v0::detail {

/// One sample of the batch. The states of its alignment are the labels of the target, with blanks
/// before, between and after the labels. log_prob(t, s) is the log-probability of state s at time
/// t.
template <class T>
struct ctc_sample {
  static constexpr T none = -std::numeric_limits<T>::infinity();

  const T* logp;  ///< the sample's log-probabilities at time 0
  std::int64_t step, times, classes;
  const std::int64_t* target;
  std::int64_t length, blank;

  ctc_sample(const at::Tensor& all, const at::Tensor& targets, const at::Tensor& all_times, const at::Tensor& lengths,
             const ctc_attributes& a, std::int64_t n)
      : logp(all.numel() == 0 ? nullptr : data<T>(all) + n * all.size(2)), step(all.size(1) * all.size(2)),
        times(data<std::int64_t>(all_times)[n]), classes(all.size(2)),
        target(targets.numel() == 0 ? nullptr : data<std::int64_t>(targets) + n * targets.size(1)),
        length(data<std::int64_t>(lengths)[n]), blank(a.blank.value) {
    TORCH_CHECK(blank >= 0 && blank < classes, "ctc: blank ", blank, " is not in [0, ", classes, ")");
    TORCH_CHECK(times >= 0 && times <= all.size(0), "ctc: an input length is not in [0, ", all.size(0), "]");
    TORCH_CHECK(length >= 0 && length <= targets.size(1), "ctc: a target length is not in [0, ", targets.size(1), "]");
    for (std::int64_t i = 0; i < length; ++i)
      TORCH_CHECK_INDEX(target[i] >= 0 && target[i] < classes, "label ", target[i], " is not in [0, ", classes, ")");
  }
  auto states() const -> std::int64_t { return 2 * length + 1; }
  auto label(std::int64_t s) const -> std::int64_t { return s % 2 == 0 ? blank : target[s / 2]; }
  auto log_prob(std::int64_t t, std::int64_t s) const -> T { return logp[t * step + label(s)]; }
  /// Returns true if state s may follow state s - 2. In that case both states are labels, and the
  /// two labels differ.
  auto skips(std::int64_t s) const -> bool {
    return s >= 2 && s < states() && s % 2 == 1 && target[s / 2] != target[s / 2 - 1];
  }

  static auto log_sum(T a, T b) -> T {
    const T most = std::max(a, b);
    return most == none ? none : most + std::log(std::exp(a - most) + std::exp(b - most));
  }
  static auto log_sum(T a, T b, T c) -> T {
    const T most = std::max(a, std::max(b, c));
    return most == none ? none : most + std::log(std::exp(a - most) + std::exp(b - most) + std::exp(c - most));
  }
  /// Computes now[s], the log-probability of all paths that reach state s at time t. `before` holds
  /// these log-probabilities for time t - 1.
  void forward(std::int64_t t, const T* before, T* now) const {
    for (std::int64_t s = 0; s < states(); ++s)
      if (t == 0) now[s] = s < 2 ? log_prob(t, s) : none;
      else now[s] = log_prob(t, s) + log_sum(before[s], s > 0 ? before[s - 1] : none, skips(s) ? before[s - 2] : none);
  }
  /// Computes now[s], the log-probability of all paths from state s at time t to the end. `after`
  /// holds these log-probabilities for time t + 1.
  void backward(std::int64_t t, const T* after, T* now) const {
    const std::int64_t n = states();
    for (std::int64_t s = 0; s < n; ++s)
      if (t == times - 1) now[s] = s >= n - 2 ? log_prob(t, s) : none;
      else
        now[s] =
            log_prob(t, s) + log_sum(after[s], s + 1 < n ? after[s + 1] : none, skips(s + 2) ? after[s + 2] : none);
  }
  /// Returns the negative log-likelihood. `last` holds what `forward` computed for the last time.
  auto loss(const T* last) const -> T {
    if (times == 0) return length == 0 ? T(0) : -none;
    return -(length == 0 ? last[0] : log_sum(last[states() - 1], last[states() - 2]));
  }
};

}  // namespace koila::inline v0::detail
