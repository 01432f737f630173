// SPDX-License-Identifier: MIT
#pragma once
// Views in which the repetition counts of a value are separate dims.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/indexing/repeats.hpp>

namespace koila::inline v0::detail {

/// The sizes of a view of the repeated value, (r, n, s, m, ...), and of a view of the value before
/// repetition, (1, n, 1, m, ...). n, m, ... are the extents before repetition; r, s, ... are the
/// repetition counts.
class repetitions {
 public:
  repetitions(const at::Tensor& one, const at::Tensor& many, const repeat_attributes& a)
      : n_(2 * static_cast<std::size_t>(many.dim())) {
    const auto lead = many.dim() - one.dim();
    for (std::int64_t i = 0; i < many.dim(); ++i) {
      const std::int64_t n = i < lead ? 1 : one.size(i - lead);
      all_[2 * i] = n > 0 ? many.size(i) / n : a.repeats.e[i].value;  // a chunk may have fewer repetitions
      all_[2 * i + 1] = once_[2 * i + 1] = n;
      once_[2 * i] = 1;
      over_[i] = 2 * i;
    }
  }
  auto all() const -> at::IntArrayRef { return {all_, n_}; }
  auto single() const -> at::IntArrayRef { return {once_, n_}; }
  auto over() const -> at::IntArrayRef { return {over_, n_ / 2}; }

 private:
  std::size_t n_;
  std::int64_t all_[2 * dims::capacity], once_[2 * dims::capacity], over_[dims::capacity];
};

}  // namespace koila::inline v0::detail
