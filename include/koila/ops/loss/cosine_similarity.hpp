// SPDX-License-Identifier: MIT
#pragma once
// cosine_similarity: the cosine of the angle between vectors.
#include <koila/ops/internal/broadcast_to.hpp>
#include <koila/ops/internal/hinge.hpp>
#include <koila/ops/pointwise/add.hpp>
#include <koila/ops/pointwise/detach.hpp>
#include <koila/ops/pointwise/div.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/pointwise/precision.hpp>
#include <koila/ops/pointwise/sub.hpp>
#include <koila/ops/reduction/norm.hpp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0 {

/// (..., n, ...) x (..., n, ...) -> (..., ...), broadcast: the dot product of x and y along `dim`,
/// divided by |x| * |y|. `dim` is 1 by default. A length below `eps` (1e-8) counts as eps. A vector
/// of zeros gets no gradient through its length.
inline constexpr struct cosine_similarity : author::op<cosine_similarity, 2> {
  static constexpr std::string_view name = "cosine_similarity";
  struct attributes {
    static constexpr std::size_t positional = 2;
    attr<index_t> dim = 1;
    attr<double> eps = 1e-8;
    constexpr void set(std::size_t i, const auto& v) { detail::assign_at(i, v, dim, eps); }
    constexpr void write(auto& w) const { w.put(", dim "), dim.write(w); }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr auto rule(const dims& x, const dims& y, const attributes& a) -> verdict {
    if (x.number || y.number) return reason::no_rule_for_these_ranks;
    const verdict both = rules::broadcast(x, y, promote(x.type, y.type));
    if (!both.accepted()) return both;
    const dims& d = both.out;
    if (a.eps.known && !(a.eps.value >= 0)) return reason::size_out_of_range;  // refuses NaN too
    if (!rules::holds(detail::accumulator_of(d.type), a.eps)) return reason::number_out_of_range;
    if (d.type != dtype::unknown && !is_floating(d.type)) return reason::not_a_floating_type;
    if (!d.ranked()) return d;
    if (!a.dim.known) return detail::open_dims(d.rank == 0 ? 0 : d.rank - 1, d.type);
    const int k = detail::wrap(a.dim.value, d.rank == 0 ? 1 : d.rank);
    if (k < 0) return reason::dimension_out_of_range;
    return d.rank == 0 ? d : rules::drop(d, k, false);
  }
  static constexpr auto expand(const auto& x, const auto& y, const attributes& a) {
    const dims d = rules::broadcast(dims_of(x), dims_of(y), promote(dims_of(x).type, dims_of(y).type)).out;
    return detail::rounded_once(d.type, [&] {
      const auto u = stretched(x, d, a), v = stretched(y, d, a);
      const auto length = [&](const auto& z) {  // at least eps; the gradient ignores this bound, as in LibTorch
        const auto n = norm(z, ops::p = 2.0, koila::dim = a.dim, keepdim = true);
        return add(n, detach(internal::hinge(sub(a.eps.value, n))));
      };
      return sum(mul(ops::div(u, length(u)), ops::div(v, length(v))), koila::dim = a.dim);
    });
  }

 private:
  /// Converts x to the accumulator dtype and broadcasts x to `d` if the ranks differ, else only
  /// along `dim`. So the lengths are those of the vectors that are compared.
  static constexpr auto stretched(const auto& x, const dims& d, const attributes& a) {
    dims to = dims_of(x);
    if (to.rank != d.rank) to = d;
    else if (d.rank > 0) to[detail::wrap(a.dim.value, d.rank)] = d[detail::wrap(a.dim.value, d.rank)];
    const dtype wide = detail::accumulator_of(d.type);
    return internal::broadcast_to(dims_of(x).type == wide ? x : detail::call_with<struct internal::to_dtype>({wide}, x),
                                  to);
  }
} cosine_similarity;

}  // namespace koila::inline v0
