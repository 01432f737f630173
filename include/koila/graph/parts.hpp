#pragma once
// Gradients of a value's parts: joined where each would be added to the others with zeros around it.
#include <koila/graph/lower.hpp>
#include <koila/ops/cat.hpp>
#include <koila/ops/expand_like.hpp>
#include <koila/ops/narrow.hpp>

#include <algorithm>

namespace koila::detail {

/// Gradients that come to a value from parts of it along one dim, such as the steps of a sequence or the gates of an LSTM. Adding
/// one by one, each with zeros around it, takes time and bytes in the square of their number.
class part_gradients {
 public:
  /// Keeps gradient `g` of a value if it is a part with zeros around it, which no other overlaps; else says no.
  constexpr auto take(const builder& b, int g, const gnode& x) -> bool {
    const gnode& n = b.at(g);
    if (n.op != &info_of<struct slice_backward, 2>()) return false;
    const auto a = attributes_in<struct slice_backward>(n.attributes.get());
    const gnode& dy = b.at(n.in[0]);
    const int d = wrap(a.dim.value, n.d.rank);
    if (a.step.value != 1 || dy.is == kind::number || dy.d.type != n.d.type || (x.r.sampled() && x.r.axis == d)) return false;
    if (!parts_.empty() && dim_ != d) return false;
    const part p{a.start.value, dy.d.e[d].n, n.in[0], g};
    const auto after =
        std::lower_bound(parts_.begin(), parts_.end(), p, [](const part& l, const part& r) { return l.start < r.start; });
    if (after != parts_.end() && after->start < p.start + p.length) return false;
    if (after != parts_.begin() && std::prev(after)->start + std::prev(after)->length > p.start) return false;
    dim_ = d;
    parts_.insert(after, p);
    return true;
  }

  /// The sum of all that it kept, a gradient of node `x`; -1 where it kept none.
  constexpr auto joined(builder& b, int x) const -> int {
    if (parts_.empty()) return -1;
    if (parts_.size() == 1) return parts_[0].padded;
    const dims d = b.at(x).d;
    std::vector<int> all;
    index_t at = 0;
    for (const part& p : parts_) {
      if (p.start > at) all.push_back(zeros(b, x, at, p.start - at));
      all.push_back(p.value);
      at = p.start + p.length;
    }
    if (at < d.e[dim_].n) all.push_back(zeros(b, x, at, d.e[dim_].n - at));
    return cat_of(b, std::move(all));
  }

 private:
  struct part {
    index_t start, length;
    int value, padded;
  };

  constexpr auto zeros(builder& b, int x, index_t start, index_t length) const -> int {
    const int in[] = {b.number(0, scalar(b.at(x).d.type)), x};
    const int all = b.add(info_of<struct expand_like, 2>(), in, 2, box_attributes<struct expand_like>({}));
    return b.add(info_of<struct narrow, 1>(), &all, 1, box_attributes<struct narrow>({dim_, start, length}));
  }
  constexpr auto cat_of(builder& b, std::vector<int> all) const -> int {
    const op_info* const of[] = {&info_of<struct cat, 2>(), &info_of<struct cat, 3>(), &info_of<struct cat, 4>(),
                                 &info_of<struct cat, 5>(), &info_of<struct cat, 6>()};
    while (all.size() > 1) {
      std::vector<int> groups;
      for (std::size_t i = 0; i < all.size(); i += most_operands) {
        const std::size_t n = std::min<std::size_t>(most_operands, all.size() - i);
        groups.push_back(n == 1 ? all[i] : b.add(*of[n - 2], &all[i], static_cast<int>(n), box_attributes<struct cat>({dim_})));
      }
      all = std::move(groups);
    }
    return all[0];
  }

  int dim_ = -1;
  std::vector<part> parts_;  // in order of their start
};

}  // namespace koila::detail
