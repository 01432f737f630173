#pragma once
// cross_entropy: the mean negative log-likelihood of class indices under softmax.
#include <koila/ops/count_labels.hpp>
#include <koila/ops/div.hpp>
#include <koila/ops/log_softmax.hpp>
#include <koila/ops/nll.hpp>
#include <koila/ops/sum.hpp>

namespace koila {

/// (samples, classes) x int64 (samples) -> (): the mean over the samples whose label is not ignore_index, -100 where not given.
/// The mean is the whole batch's: the labels are counted before anything else runs, however the batch is cut.
inline constexpr struct cross_entropy : op<cross_entropy, 2> {
  static constexpr std::string_view name = "cross_entropy";
  using attributes = label_attributes;
  static constexpr auto rule(const dims& x, const dims& label, const attributes&) -> verdict {
    const verdict v = rules::labelled(x, label, x.type);
    return v.accepted() ? verdict(scalar(x.type)) : v;
  }
  static constexpr auto expand(const auto& x, const auto& label, const attributes& a) {
    return ops::div(sum(nll(log_softmax(x, dim = -1_c), label, koila::ignore_index = a.ignore_index)),
                    count_labels(label, x, koila::ignore_index = a.ignore_index));
  }
} cross_entropy;

}  // namespace koila
