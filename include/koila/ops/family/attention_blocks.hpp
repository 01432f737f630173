#pragma once
// How the kernels of attention go, and what they take.
#include <koila/shape/dims.hpp>
#include <koila/shape/work.hpp>

#include <algorithm>

namespace koila::detail {

/// How the kernels go: by blocks of queries, for each of which they go along blocks of keys. Of a
/// block's scores the keys are the
/// rows: (keys, queries). Threads have parts of their own; what is computed does not depend on how
/// many there are. In float64, or without kernels for blocks, products have BLAS's threads instead,
/// and one thread has the parts of all: of more stacks it goes along more keys.
struct attention_blocks {
  static constexpr index_t most_queries = 64, most_parts = 8;
  index_t most_keys = 128;  ///< at a time
  index_t stacks, l, s, e, v;
  dtype type;
  bool changed;  ///< scores are masked, or weights dropped

  constexpr attention_blocks(const dims& q, const dims& k, const dims& values, bool masked_or_dropped)
      : stacks(q.count(0, q.rank - 2)), l(q[-2].n), s(k[-2].n), e(q[-1].n), v(values[-1].n), type(q.type),
        changed(masked_or_dropped) {}

  /// Queries of a block, a multiple of 16 so that there are whole vectors of them, and few shapes.
  constexpr auto queries() const -> index_t { return std::min(most_queries, (l + 15) / 16 * 16); }
  constexpr auto keys() const -> index_t { return std::min(most_keys, s); }
  constexpr auto query_blocks() const -> index_t { return (l + most_queries - 1) / most_queries; }
  constexpr auto key_blocks() const -> index_t { return (s + most_keys - 1) / most_keys; }

  // Elements of a part. Queries turned; scores, and the same turned; keys and values whose elements
  // lie apart; a block of the mask or of what is kept.
  constexpr auto forward_part() const -> index_t {
    return queries() * e + (changed ? 3 : 2) * keys() * queries() + keys() * std::max(e, v);
  }
  /// The weights of all keys, and what they were made with; queries, turned and not, the same of
  /// dy; two blocks of scores; keys or values; a block of the mask or of what is kept.
  constexpr auto backward_part() const -> index_t {
    return (s + key_blocks()) * queries() + 2 * queries() * (e + v) + (changed ? 3 : 2) * keys() * queries() +
           keys() * std::max(e, v);
  }
  constexpr auto forward_parts() const -> index_t { return std::min(most_parts, stacks * query_blocks()); }
  constexpr auto backward_parts() const -> index_t { return std::min(most_parts, stacks); }
  /// Of one thread, which has so many elements: along more keys at a time, as BLAS is faster, if
  /// `part` then has room.
  constexpr auto along_more_keys(index_t (attention_blocks::*part)() const, index_t elements) const
      -> attention_blocks {
    attention_blocks best = *this, more = *this;
    for (more.most_keys *= 2; more.most_keys <= 4 * most_keys && (more.*part)() <= elements; more.most_keys *= 2)
      best = more;
    return best;
  }
  constexpr auto empty() const -> bool { return stacks * l * s == 0; }

  /// Multiplications and additions of `products` products of (l, s) by e or v, and as much as
  /// exponentials take.
  constexpr auto flops(double products, bool causal) const -> double {
    const double all =
        static_cast<double>(stacks * l) * static_cast<double>(s) * (products * static_cast<double>(e + v) + 20);
    return causal ? all / 2 : all;
  }
  /// Bytes: scratch, and in float32 what has 16 bits.
  constexpr auto workspace(index_t scratch, index_t elements) const -> index_t {
    if (empty()) return 0;
    return (scratch + (accumulator_of(type) == type ? 0 : elements)) * bytes_of(accumulator_of(type));
  }
};

}  // namespace koila::detail
