#pragma once
// The batch algebra: how a value depends on the samples, what an op needs of its operands, what it
// gives.
#include <koila/shape/dims.hpp>

namespace koila {

/// How the values that chunks compute of one result combine.
enum class monoid : signed char { none, sum, concat, prod, max, min, moments };

/// A value's relation to the batch. Per sample: row i depends on sample i alone, the rows lie on
/// `axis`, whose extent is outer x batch x inner. Partial: every chunk has a part; who reads it
/// reads the finished, whole value.
struct relation {
  enum kind : signed char { whole, per_sample, partial } is = whole;
  monoid combine = monoid::none;
  int axis = 0;
  index_t outer = 1, inner = 1;

  constexpr auto sampled() const -> bool { return is == per_sample; }
  friend constexpr auto operator==(const relation&, const relation&) -> bool = default;
};

constexpr auto rows(int axis, index_t outer = 1, index_t inner = 1) -> relation {
  return {relation::per_sample, monoid::none, axis, outer, inner};
}
constexpr auto partial(monoid m) -> relation { return {relation::partial, m}; }

/// What flow rules see of an operand.
struct value {
  dims d;
  relation r;
};

/// What an op needs of one operand: as it is, the whole of it, or its rows along one axis.
struct need {
  enum kind : signed char { as_is, whole, rows } is = as_is;
  relation along{};
};

/// The answer of a flow rule. `resliced`: the op computes the whole value, of which the rows along
/// `again` are used on.
struct relations {
  static constexpr int capacity = 8;
  relation out{};
  need operand[capacity]{};
  bool resliced = false;
  relation again{};
};

/// Which part of a value an op computes, for ops that draw random numbers by sample and position.
struct portion {
  relation r{};            ///< how the value lies along the batch
  index_t first = 0;       ///< the first sample of the chunk
  std::uint64_t seed = 0;  ///< of this run
};

/// Elements of one dim that lie together; `drops`: there is one, and its dim goes. Of others
/// `length` is -1.
struct dim_part {
  int dim;
  index_t start, length;
  bool drops;
};

/// How the elements of a value lie: dense (contiguous), as a matrix that BLAS takes, or with any
/// strides.
enum class layout : signed char { dense, matrix, strided };

namespace flows {

/// The whole of every operand; if one had rows, the result is stored whole and sliced along its own
/// batch axis again.
constexpr auto gather(const value* in, int n, const dims& out) -> relations {
  relations f;
  bool sampled = false;
  for (int i = 0; i < n; ++i) {
    f.operand[i].is = need::whole;
    sampled = sampled || in[i].r.sampled();
  }
  if (const int axis = out.find(axis_name<struct batch>); sampled && axis >= 0) {
    f.resliced = true;
    f.again = rows(axis);
  }
  return f;
}

/// Element-wise with broadcasting: the first operand with rows fixes the axis; others bring theirs
/// along it or are used whole.
constexpr auto elementwise(const value* in, int n, const dims& out) -> relations {
  relations f;
  for (int i = 0; i < n && !f.out.sampled(); ++i)
    if (in[i].r.sampled()) f.out = rows(in[i].r.axis + out.rank - in[i].d.rank, in[i].r.outer, in[i].r.inner);
  if (!f.out.sampled()) return f;
  for (int i = 0; i < n; ++i) {
    const int axis = f.out.axis - (out.rank - in[i].d.rank);
    if (axis < 0 || in[i].d.e[axis].is_one()) f.operand[i].is = need::whole;
    else f.operand[i] = {need::rows, rows(axis, f.out.outer, f.out.inner)};
  }
  return f;
}

/// One operand, whose dims `which` (as bits) are summed away, or computed over and kept as 1.
constexpr auto reduced(const value& x, unsigned which, bool keep, monoid m) -> relations {
  relations f;
  if (!x.r.sampled()) return f;
  f.out = x.r;
  for (int d = 0; d <= x.r.axis; ++d) {
    if ((which >> static_cast<unsigned>(d) & 1U) == 0) continue;
    if (d == x.r.axis) f.out = partial(m);
    else if (!keep) --f.out.axis;
  }
  return f;
}

/// The same of one dim (dim < 0: all dims).
constexpr auto reduction(const value& x, int dim, bool keep, monoid m) -> relations {
  return reduced(x, dim < 0 ? ~0U : 1U << static_cast<unsigned>(dim), keep, m);
}

/// An op along `dim` whose result has its operands' shape (softmax): per sample unless it is the
/// samples that are mixed.
constexpr auto along(const value* in, int n, int dim, const dims& out) -> relations {
  for (int i = 0; i < n; ++i)
    if (in[i].r.sampled() && in[i].r.axis == dim) return gather(in, n, out);
  return elementwise(in, n, out);
}

/// The rows of `x` seen through another shape with the same elements, or a gather where they do not
/// stay rows.
constexpr auto reshape(const value& x, const dims& out) -> relations {
  relations f;
  if (!x.r.sampled()) return f;
  const index_t before = x.d.count(0, x.r.axis) * x.r.outer;
  const index_t after = x.d.count(x.r.axis + 1, x.d.rank) * x.r.inner;
  const index_t samples = x.r.outer * x.r.inner == 0 ? 0 : x.d.e[x.r.axis].n / (x.r.outer * x.r.inner);
  // Decided by identity where the batch axis is named in the result, else by what factors; extents
  // alone never decide.
  const int named = out.find(axis_name<struct batch>);
  index_t left = 1;
  for (int k = 0; k < out.rank; left *= out.e[k].n, ++k) {
    if (named >= 0 && k != named) continue;
    const index_t right = out.count(k + 1, out.rank);
    if (left == 0 || right == 0 || before % left != 0 || after % right != 0) continue;
    if (out.e[k].n != (before / left) * (after / right) * samples) continue;
    f.out = rows(k, before / left, after / right);
    return f;
  }
  return gather(&x, 1, out);
}

}  // namespace flows
}  // namespace koila
