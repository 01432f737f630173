// SPDX-License-Identifier: MIT
#pragma once
// The batch algebra: how a value depends on the samples, in which form an op needs its operands,
// and how the op's result depends on the samples.
#include <koila/shape/dims.hpp>

namespace koila::inline v0 {

namespace author {

/// The operation that combines the partial results of the chunks into one value.
enum class monoid : signed char { none, sum, concat, prod, max, min, moments };

/// How a value depends on the samples of the batch. If the value is `whole`, all chunks see the
/// same complete value. If it is `per_sample`, row i depends only on sample i. The rows lie on
/// `axis`, whose extent is outer x batch x inner. If it is `partial`, each chunk computes a part
/// of the value. Readers see the finished value, which is whole.
struct batch_relation {
  enum relation_kind : signed char { whole, per_sample, partial } kind = whole;
  monoid combine = monoid::none;
  int axis = 0;
  index_t outer = 1, inner = 1;

  constexpr auto sampled() const -> bool { return kind == per_sample; }
  /// Returns the relation that readers see. For them, a partial value is whole.
  constexpr auto as_read() const -> batch_relation { return kind == partial ? batch_relation{} : *this; }
  friend constexpr auto operator==(const batch_relation&, const batch_relation&) -> bool = default;
};

/// Returns the relation of a per-sample value whose samples lie along dim `axis`. The extent of
/// that dim is outer x batch x inner.
constexpr auto samples_along(int axis, index_t outer = 1, index_t inner = 1) -> batch_relation {
  return {batch_relation::per_sample, monoid::none, axis, outer, inner};
}
/// Returns the relation of a partial value. `m` combines the parts that the chunks compute.
constexpr auto partial(monoid m) -> batch_relation { return {batch_relation::partial, m}; }

/// An operand as flow rules see it.
struct value {
  author::dims dims;
  author::batch_relation batch_relation;
};

/// The form in which an op needs one operand: unchanged, whole, or as rows along one axis.
struct need {
  enum need_kind : signed char { as_is, whole, rows } kind = as_is;
  batch_relation along{};
};

/// Result of a flow rule: the relation of the op's result, and the form in which the op needs each
/// operand. If `resliced` is true, the op computes the whole value, and its readers get the rows
/// along `again`.
struct relations {
  static constexpr int capacity = 8;
  batch_relation out{};
  need operand[capacity]{};
  bool resliced = false;
  batch_relation again{};
};

}  // namespace author

namespace detail {

/// The chunk of a value that an op computes. Random ops need to know the chunk, because each
/// random number depends on its sample and position.
struct portion {
  author::batch_relation batch_relation{};  ///< how the value lies along the batch
  index_t first = 0;       ///< the first sample of the chunk
  std::uint64_t seed = 0;  ///< the seed of this run
};

/// A range of consecutive indices along one dim. `length` is -1 if the indices are not
/// consecutive. `drops` is true if the range has one index and its dim is removed, as by select.
struct dim_part {
  int dim;
  index_t start, length;
  bool drops;
};

}  // namespace detail

namespace author {

/// Memory layout of a value: dense (contiguous), a matrix that BLAS accepts, or arbitrary strides.
enum class layout : signed char { dense, matrix, strided };

}  // namespace author

namespace flows {

/// Flow of an op that needs every operand whole. If an operand is per sample and the result has a
/// batch axis, the result is computed whole and then sliced along this axis.
constexpr auto gather(const value* operands, int n, const dims& out) -> relations {
  relations f;
  bool sampled = false;
  for (int i = 0; i < n; ++i) {
    f.operand[i].kind = need::whole;
    sampled = sampled || operands[i].batch_relation.sampled();
  }
  if (const int axis = out.find(axis_name<struct batch>); sampled && axis >= 0) {
    f.resliced = true;
    f.again = samples_along(axis);
  }
  return f;
}

/// Flow of an element-wise op with broadcasting. The first per-sample operand determines the batch
/// axis. Each operand is read as rows along this axis, or whole if it broadcasts along this axis.
constexpr auto elementwise(const value* operands, int n, const dims& out) -> relations {
  relations f;
  for (int i = 0; i < n && !f.out.sampled(); ++i)
    if (operands[i].batch_relation.sampled())
      f.out = samples_along(operands[i].batch_relation.axis + out.rank - operands[i].dims.rank,
                            operands[i].batch_relation.outer, operands[i].batch_relation.inner);
  if (!f.out.sampled()) return f;
  for (int i = 0; i < n; ++i) {
    const int axis = f.out.axis - (out.rank - operands[i].dims.rank);
    if (axis < 0 || operands[i].dims.e[axis].is_one()) f.operand[i].kind = need::whole;
    else f.operand[i] = {need::rows, samples_along(axis, f.out.outer, f.out.inner)};
  }
  return f;
}

/// Flow of a reduction of one operand over the dims in `which` (bit d: dim d). If `keep` is true,
/// the reduced dims stay, with extent 1. If the batch axis is reduced, the result is partial, and
/// `m` combines its parts.
constexpr auto reduced(const value& x, unsigned which, bool keep, monoid m) -> relations {
  relations f;
  if (!x.batch_relation.sampled()) return f;
  f.out = x.batch_relation;
  for (int d = 0; d <= x.batch_relation.axis; ++d) {
    if ((which >> static_cast<unsigned>(d) & 1U) == 0) continue;
    if (d == x.batch_relation.axis) f.out = partial(m);
    else if (!keep) --f.out.axis;
  }
  return f;
}

/// Flow of a reduction over one dim, or over all dims if dim < 0.
constexpr auto reduction(const value& x, int dim, bool keep, monoid m) -> relations {
  return reduced(x, dim < 0 ? ~0U : 1U << static_cast<unsigned>(dim), keep, m);
}

/// Flow of an op along `dim` whose result has its operands' shape, such as softmax. The op is
/// computed per sample, unless `dim` is the batch axis. In that case the op needs all samples.
constexpr auto along(const value* operands, int n, int dim, const dims& out) -> relations {
  for (int i = 0; i < n; ++i)
    if (operands[i].batch_relation.sampled() && operands[i].batch_relation.axis == dim) return gather(operands, n, out);
  return elementwise(operands, n, out);
}

/// Flow of a reshape. The result is per sample if each sample's elements still form rows along one
/// dim; otherwise all rows are gathered.
constexpr auto reshape(const value& x, const dims& out) -> relations {
  relations f;
  if (!x.batch_relation.sampled()) return f;
  const index_t before = x.dims.count(0, x.batch_relation.axis) * x.batch_relation.outer;
  const index_t after = x.dims.count(x.batch_relation.axis + 1, x.dims.rank) * x.batch_relation.inner;
  const index_t samples = x.batch_relation.outer * x.batch_relation.inner == 0
                              ? 0
                              : x.dims.e[x.batch_relation.axis].n / (x.batch_relation.outer * x.batch_relation.inner);
  // If the result names the batch axis, only that dim may hold the rows. Otherwise the rows lie on
  // the first dim k for which `left` divides `before` and `right` divides `after`. In both cases,
  // the extent of dim k must be the product of the two quotients and `samples`.
  const int named = out.find(axis_name<struct batch>);
  index_t left = 1;
  for (int k = 0; k < out.rank; left *= out.e[k].n, ++k) {
    if (named >= 0 && k != named) continue;
    const index_t right = out.count(k + 1, out.rank);
    if (left == 0 || right == 0 || before % left != 0 || after % right != 0) continue;
    if (out.e[k].n != (before / left) * (after / right) * samples) continue;
    f.out = samples_along(k, before / left, after / right);
    return f;
  }
  return gather(&x, 1, out);
}

}  // namespace flows
}  // namespace koila::inline v0
