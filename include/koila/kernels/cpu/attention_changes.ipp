// SPDX-License-Identifier: MIT
#pragma once
// Masks and dropout of attention, applied to scores and weights block by block.
#include <koila/kernels/cpu/attention_vectors.ipp>
#include <koila/kernels/cpu/brgemm.ipp>
#include <koila/ops/attention/attention_base.hpp>
#include <koila/ops/common/elements.ipp>
#include <koila/ops/common/random_elements.ipp>
#include <koila/ops/random/dropout_base.hpp>

#include <array>
#include <bit>
#include <cstdint>

namespace koila::inline v0::detail {

/// Adds a block of a mask to the scores (n, queries). If the mask is boolean (`hides`), masked
/// scores become minus infinity, even NaN scores.
template <class T>
struct attention_masked {
  [[gnu::always_inline]] static void run(T* scores, const T* mask, index_t n, index_t queries, bool hides) {
    constexpr T none = -std::numeric_limits<T>::infinity();
    for (index_t k = 0; k < n; ++k) {
      T* const row = scores + k * queries;
      const T* const by = mask + k * queries;
      if (hides) each_query(queries, [=](index_t i) { row[i] = by[i] < 0 ? none : row[i]; });
      else each_query(queries, [=](index_t i) { row[i] += by[i]; });
    }
  }
};

/// Converts rows of a boolean mask to numbers: true becomes 0, and false becomes minus infinity.
/// The numbers are computed from the booleans' bytes (1 or 0), because g++ would vectorise a
/// selection with vectors of only 8 bytes.
template <class T>
struct attention_hidden {
  [[gnu::always_inline]] static void run(const bool* mask, index_t step, index_t rows, index_t n, T* to) {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr bits none = std::bit_cast<bits>(-std::numeric_limits<T>::infinity());
    for (index_t r = 0; r < rows; ++r) {
      const auto* const shown = reinterpret_cast<const unsigned char*>(mask + r * step);
      T* const line = to + r * n;
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
      for (index_t k = 0; k < n; ++k) line[k] = std::bit_cast<T>((bits{shown[k]} - 1) & none);
    }
  }
};

/// Writes the transpose of from (rows, n) to `to` (n, queries). Columns [rows, queries) of `to`
/// become 0.
template <class T>
void turn_block(index_t rows, index_t n, block<const T> from, index_t queries, T* to) {
  transpose_block<T>(rows, n, from, {to, queries});
  for (index_t k = 0; k < n; ++k) std::fill_n(to + k * queries + rows, queries - rows, T(0));
}

/// Multiplies weights, or their gradients, by the dropout mask.
template <class T>
struct attention_kept {
  [[gnu::always_inline]] static void run(T* x, const T* kept, index_t n) {
    each_of(n, [=](index_t i) { x[i] *= kept[i]; });
  }
};

/// The part of a mask for one matrix of a stack. The mask broadcasts to (..., l, s), and the
/// leading dims of (..., l, s) are those of q.
template <class T>
class mask_of_stack {
 public:
  const bool hides;  ///< true for a boolean mask, false for a mask that is added to the scores

  mask_of_stack(const at::Tensor& mask, const at::Tensor& q, index_t number)
      : hides(mask.scalar_type() == at::kBool), row_(step(mask, 2)), column_(step(mask, 1)) {
    index_t offset = 0;
    for (std::int64_t d = 3; d <= q.dim(); number /= q.size(-d), ++d) offset += number % q.size(-d) * step(mask, d);
    if (hides) hidden_ = data<bool>(mask) + offset;
    else added_ = data<T>(mask) + offset;
  }
  /// Writes the mask for keys [key, key + n) and queries [first, first + rows) to `to` (n,
  /// queries). Columns [rows, queries) of `to` are padding. In a boolean mask, true becomes 0 and
  /// false becomes minus infinity. The buffer `own` must have room for rows * n elements.
  void block_of(index_t first, index_t rows, index_t key, index_t n, index_t queries, T* own, T* to) const {
    const index_t from = first * row_ + key * column_;
    if (row_ == 0) {
      for (index_t k = 0; k < n; ++k) std::fill_n(to + k * queries, queries, element(from + k * column_));
      return;
    }
    if (!hides && column_ == 1) return turn_block<T>(rows, n, {added_ + from, row_}, queries, to);
    if (hides && column_ == 1)
      functions_of<attention_hidden<T>, const bool*, index_t, index_t, index_t, T*>::best()(hidden_ + from, row_, rows,
                                                                                            n, own);
    else
      for (index_t r = 0; r < rows; ++r)
        for (index_t k = 0; k < n; ++k) own[r * n + k] = element(from + r * row_ + k * column_);
    turn_block<T>(rows, n, {own, n}, queries, to);
  }

 private:
  index_t row_, column_;
  const bool* hidden_ = nullptr;
  const T* added_ = nullptr;

  /// Returns the stride along a dim, or 0 if the mask is broadcast along the dim. Dims are counted
  /// from the last dim, which is dim 1.
  static auto step(const at::Tensor& mask, std::int64_t dim) -> index_t {
    return dim > mask.dim() || mask.size(-dim) == 1 ? 0 : mask.stride(-dim);
  }
  auto element(index_t i) const -> T {
    if (hides) return hidden_[i] ? T(0) : -std::numeric_limits<T>::infinity();
    return added_[i];
  }
};

/// The dropout mask of the attention weights. The random number of a weight depends only on the
/// seed, the call, and the weight's sample and position. The numbers are the same as those that
/// `bernoulli_like` draws for the tensor of all weights.
template <class T>
class kept_weights {
 public:
  /// The weights are (..., l, s), where the leading dims are those of q.
  kept_weights(const dropout_attention_attributes& a, const portion& where, const at::Tensor& q, index_t s)
      : call_(a.call.id), seed_(where.seed), l_(q.size(-2)), s_(s),
        at_(sizes(q, s).data(), static_cast<int>(q.dim()), where), events_(1 - a.dropout_p.value),
        kept_(events_.any ? static_cast<T>(factor_of_kept(1 - a.dropout_p.value)) : T(0)) {}
  /// Writes the dropout mask of one query of matrix number `stack`, for keys [key, key + n).
  void line(index_t stack, index_t query, index_t key, index_t n, T* to) const {
    for (index_t element = (stack * l_ + query) * s_ + key; n > 0;) {
      const index_t position = at_.position(element), block = position / 4;
      const index_t length = std::min(n, (block / blocks_per_call + 1) * blocks_per_call * 4 - position);
      random_words words;
      blocks_(words,
              random_counter(call_, static_cast<std::uint64_t>(at_.sample(element)), static_cast<std::uint64_t>(block)),
              low_bits(seed_), high_bits(seed_), (position % 4 + length + 3) / 4);
      choose_(to, words.words + position % 4, length, events_.last, kept_);
      element += length, to += length, n -= length;
    }
  }

 private:
  std::uint64_t call_, seed_;
  index_t l_, s_;
  sample_positions at_;
  events events_;
  T kept_;
  random_blocks_function blocks_ = best_random_blocks();
  void (*choose_)(T*, const std::uint32_t*, index_t, std::uint32_t,
                  T) = functions_of<kept_elements<T>, T*, const std::uint32_t*, index_t, std::uint32_t, T>::best();

  static auto sizes(const at::Tensor& q, index_t s) -> std::array<index_t, dims::capacity> {
    std::array<index_t, dims::capacity> all{};
    std::copy(q.sizes().begin(), q.sizes().end(), all.begin());
    all[static_cast<std::size_t>(q.dim()) - 1] = s;
    return all;
  }
};

}  // namespace koila::inline v0::detail
