// SPDX-License-Identifier: MIT
#pragma once
// How an einsum of two operands is computed: element by element, or by matrix products.
#include <koila/ops/indexing/permute.hpp>
#include <koila/ops/indexing/reshape.hpp>
#include <koila/ops/indexing/transpose.hpp>
#include <koila/ops/linalg/bmm.hpp>
#include <koila/ops/linalg/equation.hpp>
#include <koila/ops/linalg/mm.hpp>
#include <koila/ops/pointwise/mul.hpp>
#include <koila/ops/reduction/sum.hpp>

namespace koila::inline v0 {

namespace detail {

/// A value whose dims have the labels of an einsum.
template <class X>
struct labelled {
  X x;
  author::dims dims;
  labels names;

  constexpr auto extent_of(int label) const -> extent { return dims.e[names.find(label)]; }
  constexpr void drop(int i) {
    dims = rules::drop(dims, i, false);
    for (int k = i; k + 1 < names.n; ++k) names.letter[k] = names.letter[k + 1];
    --names.n;
  }
  /// Sums over the labels that are missing in both the other operand and the result.
  constexpr void sum_alone(const labels& other, const labels& result) {
    attr_list over;
    for (int i = names.n - 1; i >= 0; --i)
      if (!other.has(names.letter[i]) && !result.has(names.letter[i])) over.e[over.n++] = attr<index_t>(i);
    if (over.n == 0) return;
    x = sum(x, koila::dim = over);
    for (int i = 0; i < over.n; ++i) drop(static_cast<int>(over.e[i].value));
  }
  /// Removes dims of extent 1 if the other operand has a larger extent for the same label.
  constexpr void squeeze_beside(const labelled& o) {
    for (int i = names.n - 1; i >= 0; --i)
      if (dims.e[i].is_one() && o.names.has(names.letter[i]) && !o.extent_of(names.letter[i]).is_one()) drop(i);
    x = reshape_to(x, dims);
  }
  /// Permutes the dims into the order `want`, which must contain each label once.
  constexpr void order(const labels& want) {
    attributes_t<struct permute> a;
    const author::dims before = dims;
    for (int i = 0; i < want.n; ++i) {
      const int j = names.find(want.letter[i]);
      a.order.e[a.order.n++] = attr<index_t>(j);
      dims.e[i] = before.e[j];
    }
    x = call_with<struct permute>(a, x);
    names = want;
  }
  /// Returns the extent of the dims [first, last), merged into one dim.
  constexpr auto merged(int first, int last) const -> extent {
    return last == first + 1 ? dims.e[first] : extent{dims.count(first, last), {}, true};
  }
  /// Reshapes the value to a stack of matrices (lead, a, b), where each list of labels is merged
  /// into one dim. If the dims already lie in the order lead, b, a, the dims are merged in this
  /// order, and the matrices are transposed afterwards.
  constexpr auto stack(const labels& lead, const labels& a, const labels& b) -> X {
    const bool transposed = lies(lead, b, a);
    order(transposed ? joined_labels(lead, b, a) : joined_labels(lead, a, b));
    const int middle = lead.n + (transposed ? b.n : a.n);
    author::dims to({merged(lead.n, middle), merged(middle, names.n)});
    if (lead.n > 0) to = author::dims({merged(0, lead.n), to[0], to[1]});
    const X y = reshape_to(x, to);
    return transposed ? transpose(y, koila::dim0 = -2, koila::dim1 = -1) : y;
  }
  static constexpr auto joined_labels(const labels& a, const labels& b, const labels& c) -> labels {
    labels out;
    for (const labels* l : {&a, &b, &c})
      for (int i = 0; i < l->n; ++i) out.push(l->letter[i]);
    return out;
  }

 private:
  constexpr auto lies(const labels& a, const labels& b, const labels& c) const -> bool {
    const labels want = joined_labels(a, b, c);
    for (int i = 0; i < names.n; ++i)
      if (names.letter[i] != want.letter[i]) return false;
    return true;
  }
};

/// Returns the labels of `l` for which `which(label)` is true.
constexpr auto those(const labels& l, const auto& which) -> labels {
  labels out;
  for (int i = 0; i < l.n; ++i)
    if (which(l.letter[i])) out.push(l.letter[i]);
  return out;
}

/// Returns the extent of a label. At least one of the operands must have the label.
template <class X>
constexpr auto joint_extent(const labelled<X>& a, const labelled<X>& b, int label) -> extent {
  if (!b.names.has(label)) return a.extent_of(label);
  return a.names.has(label) ? either(a.extent_of(label), b.extent_of(label)) : b.extent_of(label);
}

/// Returns the element-wise product. Each operand is first reshaped to have a dim for each label of
/// the result. If the operand does not have a label, the dim of this label has extent 1.
template <class X>
constexpr auto spread_product(labelled<X> a, labelled<X> b, const labels& result) -> labelled<X> {
  const auto spread = [&](labelled<X>& v) {
    v.order(those(result, [&](int c) { return v.names.has(c); }));
    dims to = open_dims(result.n, v.dims.type);
    for (int i = 0; i < result.n; ++i)
      to.e[i] = v.names.has(result.letter[i]) ? v.extent_of(result.letter[i]) : extent{1};
    return reshape_to(v.x, to);
  };
  const X x = spread(a), y = spread(b);
  labelled<X> out{mul(x, y), open_dims(result.n, a.dims.type), result};
  for (int i = 0; i < result.n; ++i) out.dims.e[i] = joint_extent(a, b, result.letter[i]);
  return out;
}

/// Returns the product, computed by bmm or mm. Labels that both operands and the result have are
/// batch dims. Labels that both operands have and the result does not have are summed over.
template <class X>
constexpr auto contracted(labelled<X> a, labelled<X> b, const labels& result) -> labelled<X> {
  const labels lead = those(result, [&](int c) { return a.names.has(c) && b.names.has(c); });
  const labels left = those(result, [&](int c) { return a.names.has(c) && !b.names.has(c); });
  const labels right = those(result, [&](int c) { return !a.names.has(c) && b.names.has(c); });
  const labels over = those(a.names, [&](int c) { return b.names.has(c) && !result.has(c); });
  labelled<X> y{lead.n > 0 ? bmm(a.stack(lead, left, over), b.stack(lead, over, right))
                           : mm(a.stack(lead, left, over), b.stack(lead, over, right)),
                open_dims(result.n, a.dims.type), labelled<X>::joined_labels(lead, left, right)};
  for (int i = 0; i < result.n; ++i) y.dims.e[i] = joint_extent(a, b, y.names.letter[i]);
  y.x = reshape_to(y.x, y.dims);
  y.order(result);
  return y;
}

/// Returns the product of two operands. The labels of the product are `result`, in this order. If
/// only one operand has a label, and the result does not have it, this label is summed over first.
template <class X>
constexpr auto product(labelled<X> l, labelled<X> r, const labels& result) -> labelled<X> {
  const labelled<X> before = l;
  l.squeeze_beside(r);
  r.squeeze_beside(before);
  l.sum_alone(r.names, result);
  r.sum_alone(l.names, result);
  for (int i = 0; i < l.names.n; ++i)
    if (!result.has(l.names.letter[i])) return contracted(l, r, result);
  return spread_product(l, r, result);
}

}  // namespace detail

}  // namespace koila::inline v0
