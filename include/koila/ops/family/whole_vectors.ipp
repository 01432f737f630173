#pragma once
// LibTorch's operators on elements, in parts whose ends do not depend on the number of threads.
//
// LibTorch computes whole vectors of elements by one function, and the few that are left at the end of each thread's part by another one, which
// rounds some results differently (pow, atan2, softplus, ...). Here parts end where vectors do.
#include <koila/ops/family/definitions.hpp>
#include <koila/ops/family/parallel.hpp>

#include <ATen/core/LegacyTypeDispatch.h>

namespace koila::detail {

/// Whether elements lie a constant distance apart, from the first to the last.
inline auto has_one_stride(const at::Tensor& t) -> bool {
  std::int64_t inner = -1;  // the distance of the next dim's neighbours, or -1 before the last dim that is longer than 1
  for (std::int64_t d = t.dim(); d-- > 0;) {
    if (t.size(d) == 1) continue;
    if (inner >= 0 && t.stride(d) != inner) return false;
    inner = t.stride(d) * t.size(d);
  }
  return true;
}

/// f(x..., y), an operator on elements of broadcast operands, with the same bits for any number of threads.
template <class F, class... X>
void in_whole_vectors(at::Tensor& y, const F& f, const X&... x) {
  constexpr std::int64_t vectors = 256, worth_a_thread = 32768;  // elements; LibTorch's least part (at::internal::GRAIN_SIZE)
  const std::int64_t n = y.numel();
  if (n <= least_part(worth_a_thread) || !on_host(y) || !y.is_contiguous() || at::get_num_threads() == 1 ||
      at::in_parallel_region())
    return void(f(x..., y));
  const bool one_line = ((x.numel() == 1 || (x.sizes() == y.sizes() && has_one_stride(x))) && ...);
  if (one_line) {
    const auto part_of = [n](const at::Tensor& t, std::int64_t first, std::int64_t here) {
      if (t.numel() == n) return t.view({n}).narrow(0, first, here);
      return t.dim() == 0 ? t : t.view({1});  // a tensor without dims is promoted otherwise
    };
    return parallel_for(0, (n + vectors - 1) / vectors, worth_a_thread / vectors, [&](index_t begin, index_t end) {
      const at::AutoDispatchBelowADInplaceOrView below;  // also on other threads
      const std::int64_t first = begin * vectors, here = std::min(end * vectors, n) - first;
      at::Tensor to = part_of(y, first, here);
      f(part_of(x, first, here)..., to);
    });
  }
  // Rows end with vectors.
  std::int64_t d = 0;
  while (y.size(d) == 1) ++d;
  const auto part_of = [&](const at::Tensor& t, std::int64_t first, std::int64_t here) {
    const std::int64_t own = d - (y.dim() - t.dim());
    return own < 0 || t.size(own) == 1 ? t : t.narrow(own, first, here);
  };
  parallel_for(0, y.size(d), std::max<std::int64_t>(1, worth_a_thread / (n / y.size(d))), [&](index_t begin, index_t end) {
    const at::AutoDispatchBelowADInplaceOrView below;
    at::Tensor to = part_of(y, begin, end - begin);
    f(part_of(x, begin, end - begin)..., to);
  });
}

}  // namespace koila::detail
