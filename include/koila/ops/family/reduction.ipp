#pragma once
// What the kernels of reductions share.
#include <koila/ops/family/definitions.hpp>
#include <koila/ops/family/reduction.hpp>

namespace koila::detail {

/// The dims that a reduction is told, as LibTorch takes them: none stands for all.
struct reduced_dims {
  std::int64_t of[dims::capacity]{};
  std::size_t n = 0;
  reduced_dims(const reduction_attributes& a, const at::Tensor& x) {
    const int rank = static_cast<int>(x.dim());
    for (int d = 0; d < rank && !a.all(); ++d)
      if ((a.bits(rank) >> static_cast<unsigned>(d) & 1U) != 0) of[n++] = d;
  }
  auto list() const -> at::IntArrayRef { return {of, n}; }
  auto given() const -> at::OptionalIntArrayRef { return n == 0 ? at::OptionalIntArrayRef() : at::OptionalIntArrayRef(list()); }
};

/// The one dim that a reduction is told, as LibTorch takes it; none stands for all.
inline auto one_dim(const reduction_attributes& a) -> std::optional<std::int64_t> {
  return a.all() ? std::nullopt : std::optional<std::int64_t>(a.dim[0].value);
}

}  // namespace koila::detail
