// SPDX-License-Identifier: MIT
#pragma once
// The gradients of the parts of a value are concatenated. Padding each gradient with zeros and
// adding the results would take longer.
#include <koila/graph/lower.hpp>
#include <koila/ops/indexing/cat.hpp>
#include <koila/ops/indexing/expand_like.hpp>
#include <koila/ops/indexing/narrow.hpp>
#include <koila/ops/indexing/operands.hpp>

#include <algorithm>

namespace koila::inline v0::detail {

/// Gradients of the parts of a value along one dim, such as the steps of a sequence or the gates
/// of an LSTM. Padding each gradient with zeros and adding the results one by one would take time
/// and memory that grow with the square of the number of parts.
class part_gradients {
 public:
  /// If `g`, a gradient of node `x`, is a part padded with zeros and does not overlap a kept
  /// part, keeps `g` and returns true. Otherwise returns false.
  constexpr auto keep(const builder& b, int g, const graph_node& x) -> bool {
    const graph_node& n = b.node(g);
    if (n.op == nullptr || n.op->placed == nullptr) return false;
    const graph_node& dy = b.node(n.operands[0]);
    dims in[most_operands];
    for (int k = 0; k < n.operand_count; ++k) in[k] = b.node(n.operands[static_cast<std::size_t>(k)]).dims;
    const dim_part s = n.op->placed(in, n.attributes.get());
    const int d = s.dim;
    if (s.length < 0 || dy.kind == node_kind::number || dy.dims.type != n.dims.type ||
        (x.batch_relation.sampled() && x.batch_relation.axis == d))
      return false;
    if (!parts_.empty() && dim_ != d) return false;
    const part p{s.start, s.length, n.operands[0], g};
    const auto after = std::lower_bound(parts_.begin(), parts_.end(), p,
                                        [](const part& l, const part& r) { return l.start < r.start; });
    if (after != parts_.end() && after->start < p.start + p.length) return false;
    if (after != parts_.begin() && std::prev(after)->start + std::prev(after)->length > p.start) return false;
    dim_ = d;
    parts_.insert(after, p);
    return true;
  }

  constexpr auto empty() const -> bool { return parts_.empty(); }
  /// Returns the sum of all kept gradients, which is a gradient of node `x`. At least one
  /// gradient must have been kept.
  constexpr auto sum(builder& b, int x) const -> int {
    if (parts_.size() == 1) return parts_[0].padded;
    const dims d = b.node(x).dims;
    call_trace made;
    std::vector<traced_value> all;
    index_t at = 0;
    const auto zeros_until = [&](index_t end) {
      if (at < end)
        all.push_back(narrow(
            expand_like(traced_value{&made, made.record(0, scalar(d.type)), nullptr}, traced_value{&made, x, &d}), dim_,
            at, end - at));
    };
    for (const part& p : parts_) {
      zeros_until(p.start);
      all.push_back({&made, p.value, nullptr});
      at = p.start + p.length;
    }
    zeros_until(d.e[dim_].n);
    return made.lower(b, join_vector<struct cat>(std::move(all), koila::dim = dim_).id);
  }

 private:
  struct part {
    index_t start, length;
    int value, padded;
  };

  int dim_ = -1;
  std::vector<part> parts_;  // in order of their start
};

}  // namespace koila::inline v0::detail
