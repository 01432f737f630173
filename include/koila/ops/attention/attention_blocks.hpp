// SPDX-License-Identifier: MIT
#pragma once
// How the attention kernels split their work, and how much memory they need.
#include <koila/shape/dims.hpp>
#include <koila/shape/op_cost.hpp>

#include <algorithm>

namespace koila::inline v0::detail {

/// The kernels process one block of queries at a time. For each block of queries, they process the
/// blocks of keys one after the other. The scores of a block have the shape (keys, queries). Each
/// thread has its own part of the scratch memory. The result does not depend on the number of
/// threads.
///
/// In float64, and on machines without block kernels, BLAS computes the products on its own
/// threads. Only one thread calls BLAS. This thread uses the scratch memory of all threads to
/// process more keys at a time.
struct attention_blocks {
  static constexpr index_t most_queries = 64, most_parts = 8;
  index_t most_keys = 128;  ///< the largest number of keys in a block
  index_t stacks, l, s, e, v;
  dtype type;
  bool changed;  ///< true if scores are masked or weights are dropped

  constexpr attention_blocks(const dims& q, const dims& k, const dims& values, bool masked_or_dropped)
      : stacks(q.count(0, q.rank - 2)), l(q[-2].n), s(k[-2].n), e(q[-1].n), v(values[-1].n), type(q.type),
        changed(masked_or_dropped) {}

  /// Returns the number of queries in a block. This number is a multiple of 16, so that rows of
  /// scores consist of complete vectors, and so that blocks have few different sizes.
  constexpr auto queries() const -> index_t { return std::min(most_queries, (l + 15) / 16 * 16); }
  constexpr auto keys() const -> index_t { return std::min(most_keys, s); }
  constexpr auto query_blocks() const -> index_t { return (l + most_queries - 1) / most_queries; }
  constexpr auto key_blocks() const -> index_t { return (s + most_keys - 1) / most_keys; }

  // Returns the number of elements of a thread's part of the scratch memory in the forward pass.
  // The part holds: the transposed queries; the scores; the transposed weights; a copy of keys or
  // values that are not contiguous; a block of the mask or of the dropout mask.
  constexpr auto forward_part() const -> index_t {
    return queries() * e + (changed ? 3 : 2) * keys() * queries() + keys() * std::max(e, v);
  }
  /// Returns the number of elements of a thread's part of the scratch memory in the backward pass.
  /// The part holds: the weights of all keys; the largest scores up to each block of keys; two
  /// copies of the queries and two copies of dy (one transposed, one not); two blocks of scores; a
  /// copy of keys or values that are not contiguous; a block of the mask or of the dropout mask.
  constexpr auto backward_part() const -> index_t {
    return (s + key_blocks()) * queries() + 2 * queries() * (e + v) + (changed ? 3 : 2) * keys() * queries() +
           keys() * std::max(e, v);
  }
  constexpr auto forward_parts() const -> index_t { return std::min(most_parts, stacks * query_blocks()); }
  constexpr auto backward_parts() const -> index_t { return std::min(most_parts, stacks); }
  /// Returns the blocks for a single thread that has `elements` elements of scratch memory. `part`
  /// returns the number of elements of a thread's part. The blocks have up to 4 times as many keys
  /// as usual, because BLAS is faster on larger matrices. The number of keys is limited, so that a
  /// part has at most `elements` elements.
  constexpr auto along_more_keys(index_t (attention_blocks::*part)() const, index_t elements) const
      -> attention_blocks {
    attention_blocks best = *this, more = *this;
    for (more.most_keys *= 2; more.most_keys <= 4 * most_keys && (more.*part)() <= elements; more.most_keys *= 2)
      best = more;
    return best;
  }
  constexpr auto empty() const -> bool { return stacks * l * s == 0; }

  /// Returns the number of floating-point operations: those of `products` matrix products, plus 20
  /// for each exponential. For each matrix of q, half of the products have l * s * e
  /// multiplications and as many additions. The other half have l * s * v of each. A causal mask
  /// halves the total.
  constexpr auto flops(double products, bool causal) const -> double {
    const double all =
        static_cast<double>(stacks * l) * static_cast<double>(s) * (products * static_cast<double>(e + v) + 20);
    return causal ? all / 2 : all;
  }
  /// Returns the bytes of workspace. The workspace holds the scratch memory and, for 16-bit dtypes,
  /// float32 copies of the `elements` elements of the operands and the result.
  constexpr auto workspace(index_t scratch, index_t elements) const -> index_t {
    if (empty()) return 0;
    return (scratch + (accumulator_of(type) == type ? 0 : elements)) * bytes_of(accumulator_of(type));
  }
};

}  // namespace koila::inline v0::detail
