// SPDX-License-Identifier: MIT
#pragma once
// tensordot: the sum of products over pairs of dims.
#include <koila/ops/internal/to_dtype.hpp>
#include <koila/ops/linalg/contraction.hpp>

#include <limits>

namespace koila::inline v0 {

namespace detail {

/// A list of dims. `given` distinguishes an empty list from no list.
struct given_list : attr_list {
  bool given = false;
  template <class V>
    requires requires(attr_list& l, const V& v) { l.assign(v); }
  constexpr void assign(const V& v) {
    attr_list::assign(v);
    given = true;
  }
  friend constexpr auto operator==(const given_list&, const given_list&) -> bool = default;
};

}  // namespace detail

/// (..., k...) x (k..., ...) -> (..., ...): tensordot(a, b, list_of(1, 0), list_of(0, 1)) pairs dim
/// 1 of a with dim 0 of b, and dim 0 of a with dim 1 of b, and sums products over the paired dims.
/// The result has the other dims of a, and then those of b. tensordot(a, b, n) pairs the last n
/// dims of a with the first n dims of b. One of two paired dims may have extent 1.
inline constexpr struct tensordot : author::op<tensordot> {
  static constexpr std::string_view name = "tensordot";
  struct attributes {
    static constexpr std::size_t positional = 2;
    static constexpr index_t none = std::numeric_limits<index_t>::min();
    attr<index_t> number = none;  // the number of dims, if the dims are not listed
    detail::given_list dims_self, dims_other;
    constexpr void set(std::size_t i, const auto& v) {
      if constexpr (requires { number = detail::as_attr<index_t>(v); }) {
        if (i == 0) return void(number = detail::as_attr<index_t>(v));
      }
      if (i == 1 && has_number()) dims_self.assign(number), number = none;
      detail::assign_at(i, v, dims_self, dims_other);
    }
    constexpr auto has_number() const -> bool { return number != attr<index_t>(none); }
    constexpr void write(auto& w) const {
      if (has_number()) w.put(", dims "), number.write(w);
      if (!dims_self.given && !dims_other.given) return;
      w.put(", dims "), dims_self.write(w);
      w.put(" and "), dims_other.write(w);
    }
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };

  static constexpr auto rule(const dims& a, const dims& b, const attributes& f) -> verdict {
    if (a.number || b.number) return reason::no_rule_for_these_dtypes;
    if (!rules::same_type(a, b)) return reason::dtypes_differ;
    const dtype type = a.type == dtype::unknown ? b.type : a.type;
    if (type == dtype::boolean) return reason::no_rule_for_booleans;
    const bool lists = f.dims_self.given || f.dims_other.given;
    if (!lists && !f.has_number()) return reason::no_dim_given;
    if (lists && (f.has_number() || f.dims_self.n != f.dims_other.n || !f.dims_self.given || !f.dims_other.given))
      return reason::dims_are_not_all_given;
    if (f.number.known && f.has_number() &&
        (f.number.value < 0 || f.number.value > dims::capacity || (a.ranked() && f.number.value > a.rank) ||
         (b.ranked() && f.number.value > b.rank)))
      return reason::dimension_out_of_range;
    if (!a.ranked() || !b.ranked() || !f.number.known) return dims(type);
    const int n = lists ? f.dims_self.n : static_cast<int>(f.number.value), rank = a.rank + b.rank - 2 * n;
    if (!f.dims_self.known() || !f.dims_other.known()) return dims(type);
    const named_dims s = names(a.rank, b.rank, f);
    if (s.reason != reason::accepted) return s.reason;
    for (int i = 0; i < a.rank; ++i) {
      const int j = s.b.find(s.a.letter[i]);
      if (j < 0 || a.e[i].is_one() || b.e[j].is_one()) continue;
      if (detail::compare_extents(a.e[i], b.e[j]) == detail::tristate::no) return reason::inner_dimensions_differ;
    }
    if (rank > dims::capacity) return reason::too_many_dimensions;
    dims out = detail::open_dims(rank, type);
    for (int i = 0; i < rank; ++i) {
      const int k = s.a.find(s.result.letter[i]);
      out.e[i] = k >= 0 ? a.e[k] : b.e[s.b.find(s.result.letter[i])];
    }
    return out;
  }
  /// A product of matrices. A dim is summed over beforehand if the other operand has the extent 1
  /// there.
  static constexpr auto expand(const auto& a, const auto& b, const attributes& f) {
    const dims x = dims_of(a), y = dims_of(b);
    const auto s = names(x.rank, y.rank, f);
    using value_type = std::remove_cvref_t<decltype(a)>;
    detail::labelled<value_type> l{a, x, s.a}, r{b, y, s.b};
    const auto before = l;
    l.squeeze_beside(r);
    r.squeeze_beside(before);
    l.sum_alone(r.names, s.result);
    r.sum_alone(l.names, s.result);
    for (auto* v : {&l, &r})  // a sum of integers is int64
      v->x = detail::call_with<struct internal::to_dtype>({x.type}, v->x);
    return detail::contracted(l, r, s.result).x;
  }

 private:
  /// The labels of the dims, as in an einsum. Paired dims have the same label.
  struct named_dims {
    detail::labels a, b, result;
    author::reason reason = author::reason::accepted;
  };
  static constexpr auto names(int rank_a, int rank_b, const attributes& f) -> named_dims {
    named_dims s;
    const int n = f.has_number() ? static_cast<int>(f.number.value) : f.dims_self.n;
    int pair_of[dims::capacity] = {};
    bool paired[dims::capacity] = {};
    for (int j = 0; j < rank_b; ++j) pair_of[j] = -1;
    for (int k = 0; k < n; ++k) {
      const int i = f.has_number() ? rank_a - n + k : detail::wrap(f.dims_self.e[k].value, rank_a);
      const int j = f.has_number() ? k : detail::wrap(f.dims_other.e[k].value, rank_b);
      if (i < 0 || j < 0) {
        s.reason = reason::dimension_out_of_range;
        return s;
      }
      if (paired[i] || pair_of[j] >= 0) s.reason = reason::dim_given_twice;
      paired[i] = true;
      pair_of[j] = i;
    }
    for (int i = 0; i < rank_a; ++i) {
      s.a.push(i);
      if (!paired[i]) s.result.push(i);
    }
    for (int j = 0; j < rank_b; ++j) {
      const int label = pair_of[j] >= 0 ? pair_of[j] : dims::capacity + j;
      s.b.push(label);
      if (pair_of[j] < 0) s.result.push(label);
    }
    return s;
  }
} tensordot;

}  // namespace koila::inline v0
