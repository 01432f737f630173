#pragma once
// The kernels of attention: by blocks of queries, along blocks of keys, so that scores stay in cache. As in FlashAttention-2 (Dao 2023).
#include <koila/ops/family/attention.hpp>
#include <koila/ops/family/blocks.ipp>
#include <koila/ops/family/columns.ipp>
#include <koila/ops/family/elements.ipp>
#include <koila/ops/family/matrices.ipp>
#include <koila/ops/family/parallel.hpp>
#include <koila/ops/family/scratch.ipp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

namespace koila::detail {

/// exp(-x) for x from 0 on, 0 where it is less than the smallest normal number; NaN where x is. Selected by bits: of a clamped x
/// compilers make a branch.
[[gnu::always_inline]] inline auto weight_of(float x) -> float {
  const reduced_exp e = reduce_exp(-x);
  return float_of(bits_of(e.of_r * e.power()) & (x > 87.0F ? 0U : ~0U));
}
[[gnu::always_inline]] inline auto weight_of(double x) -> double { return __builtin_exp(-x); }

/// f(i) for the queries of a block, whose number is a multiple of 16: as a loop of 16 g++ vectorises it with -O2 too, clang not at all.
template <class F>
[[gnu::always_inline]] inline void each_query(index_t queries, F f) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
  for (index_t i = 0; i < queries; ++i) f(i);
#else
  constexpr index_t side_by_side = 16;
  for (index_t first = 0; first < queries; first += side_by_side)
#pragma GCC ivdep
    for (index_t i = first; i < first + side_by_side; ++i) f(i);
#endif
}

/// What is known of each query of a block after some keys: the largest score, and the sum of exp(score - largest). From finite numbers
/// on, so that keys whose scores are all minus infinity change nothing.
template <class T>
struct attention_sums {
  alignas(64) T largest[attention_blocks::most_queries], total[attention_blocks::most_queries];
  attention_sums() {
    std::fill_n(largest, attention_blocks::most_queries, std::numeric_limits<T>::lowest());
    std::fill_n(total, attention_blocks::most_queries, T(0));
  }
};

/// Scores (n, queries), from then on exp(score - largest). `hidden`: of key k the first k + hidden queries do not see it.
/// `change`: what weights and sums of keys before are multiplied with.
template <class T>
struct attention_weights {
  [[gnu::always_inline]] static void run(T* scores, index_t n, index_t queries, index_t hidden, attention_sums<T>* sums,
                                         T* change) {
    alignas(64) T largest[attention_blocks::most_queries], total[attention_blocks::most_queries];
    each_query(queries, [&](index_t i) { largest[i] = sums->largest[i], total[i] = 0; });
    for (index_t k = 0; k < n; ++k) {
      T* const row = scores + k * queries;
      const index_t none = k + hidden < queries ? k + hidden : queries;
      for (index_t i = 0; i < none; ++i) row[i] = -std::numeric_limits<T>::infinity();
      each_query(queries, [&](index_t i) { largest[i] = largest[i] > row[i] ? largest[i] : row[i]; });
    }
    each_query(queries, [&](index_t i) { change[i] = weight_of(largest[i] - sums->largest[i]); });
    for (index_t k = 0; k < n; ++k) {
      T* const row = scores + k * queries;
      each_query(queries, [&](index_t i) {
        const T w = weight_of(largest[i] - row[i]);
        row[i] = w;
        total[i] += w;
      });
    }
    each_query(queries, [&](index_t i) {
      sums->total[i] = sums->total[i] * change[i] + total[i];
      sums->largest[i] = largest[i];
    });
  }
};

/// Weights (n, queries) times `factor` of each query; t (n, queries) = weights (t - off).
template <class T>
struct attention_slopes {
  [[gnu::always_inline]] static void run(T* weights, T* t, index_t n, index_t queries, const T* factor, const T* off) {
    for (index_t k = 0; k < n; ++k) {
      T *const p = weights + k * queries, *const to = t + k * queries;
      each_query(queries, [=](index_t i) {
        const T w = p[i] * factor[i];
        p[i] = w;
        to[i] = w * (to[i] - off[i]);
      });
    }
  }
};

/// off (queries) = the sums of the columns of a b, both (n, queries).
template <class T>
struct attention_products {
  [[gnu::always_inline]] static void run(const T* a, const T* b, index_t n, index_t queries, T* off) {
    std::fill_n(off, queries, T(0));
    for (index_t c = 0; c < n; ++c) {
      const T *const x = a + c * queries, *const y = b + c * queries;
      each_query(queries, [=](index_t i) { off[i] += x[i] * y[i]; });
    }
  }
};

/// Rows of n elements times one number each.
template <class T>
struct attention_rows {
  [[gnu::always_inline]] static void run(T* y, index_t rows, index_t step, index_t n, const T* by) {
    for (index_t r = 0; r < rows; ++r)
      for (index_t i = 0; i < n; ++i) y[r * step + i] *= by[r];
  }
};

/// One of a stack of matrices, wherever its elements lie.
template <class T>
struct matrix_of_stack {
  const T* at;
  index_t row, column;

  matrix_of_stack(const at::Tensor& t, index_t number) : at(data<T>(t)), row(t.stride(-2)), column(t.stride(-1)) {
    for (std::int64_t d = t.dim() - 3; d >= 0; number /= t.size(d), --d) at += number % t.size(d) * t.stride(d);
  }
  /// Rows from `first` on; where their elements do not lie together, copied to `own`.
  auto rows(index_t first, index_t n, index_t columns, T* own) const -> block<const T> {
    const T* const from = at + first * row;
    if (column == 1 && row >= columns) return {from, row};
    for (index_t r = 0; r < n; ++r)
      for (index_t c = 0; c < columns; ++c) own[r * columns + c] = from[r * row + c * column];
    return {own, columns};
  }
  /// The same turned and scaled: to (columns, width), from n on zeros.
  void turned(index_t first, index_t n, index_t columns, index_t width, T by, T* to) const {
    const T* const from = at + first * row;
    if (column == 1) transpose_block<T>(n, columns, {from, row}, {to, width});
    else
      for (index_t c = 0; c < columns; ++c)
        for (index_t r = 0; r < n; ++r) to[c * width + r] = from[r * row + c * column];
    for (index_t c = 0; c < columns; ++c) {
      if (by != 1)
        for (index_t r = 0; r < n; ++r) to[c * width + r] *= by;
      std::fill_n(to + c * width + n, width - n, T(0));
    }
  }
};

/// Scores (n, queries) plus a block of a mask; where it hides, minus infinity is in place of what is no number, too.
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

/// Rows of a boolean mask as what is added to scores: 0, or minus infinity. By the bits of bytes, 1 or 0, that booleans are: what is selected
/// g++ vectorises in pieces of 8 bytes.
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

/// The part of a mask that is for one of a stack of matrices: it broadcasts with (..., l, s), whose leading dims are those of q.
template <class T>
class mask_of_stack {
 public:
  const bool hides;  ///< boolean; else it is added

  mask_of_stack(const at::Tensor& mask, const at::Tensor& q, index_t number)
      : hides(mask.scalar_type() == at::kBool), row_(step(mask, 2)), column_(step(mask, 1)) {
    index_t offset = 0;
    for (std::int64_t d = 3; d <= q.dim(); number /= q.size(-d), ++d) offset += number % q.size(-d) * step(mask, d);
    if (hides) hidden_ = data<bool>(mask) + offset;
    else added_ = data<T>(mask) + offset;
  }
  /// What is added to the scores of `n` keys from `key` on for `rows` queries from `first` on: to (n, queries), from `rows` on zeros.
  /// `own`: as many elements.
  void block_of(index_t first, index_t rows, index_t key, index_t n, index_t queries, T* own, T* to) const {
    const index_t from = first * row_ + key * column_;
    if (row_ == 0) {
      for (index_t k = 0; k < n; ++k) std::fill_n(to + k * queries, queries, at(from + k * column_));
      return;
    }
    if (!hides && column_ == 1) {
      transpose_block<T>(rows, n, {added_ + from, row_}, {to, queries});
    } else {
      if (hides && column_ == 1)
        functions_of<attention_hidden<T>, const bool*, index_t, index_t, index_t, T*>::best()(hidden_ + from, row_, rows, n,
                                                                                              own);
      else
        for (index_t r = 0; r < rows; ++r)
          for (index_t k = 0; k < n; ++k) own[r * n + k] = at(from + r * row_ + k * column_);
      transpose_block<T>(rows, n, {own, n}, {to, queries});
    }
    for (index_t k = 0; k < n; ++k) std::fill_n(to + k * queries + rows, queries - rows, T(0));
  }

 private:
  index_t row_, column_;
  const bool* hidden_ = nullptr;
  const T* added_ = nullptr;

  /// From one element to the next along a dim counted from the last, which is 1; 0 where the mask is broadcast.
  static auto step(const at::Tensor& mask, std::int64_t dim) -> index_t {
    return dim > mask.dim() || mask.size(-dim) == 1 ? 0 : mask.stride(-dim);
  }
  auto at(index_t i) const -> T {
    if (hides) return hidden_[i] ? T(0) : -std::numeric_limits<T>::infinity();
    return added_[i];
  }
};

template <class T>
class attention_kernel {
 public:
  /// `mask`: or null.
  attention_kernel(const attention_blocks& b, bool causal, double scale, const at::Tensor* mask, T* scratch)
      : b_(b), causal_(causal), scale_(static_cast<T>(scale)), mask_(mask), scratch_(scratch) {}

  void forward(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, T* y) const {
    side_by_side(b_.stacks * b_.query_blocks(), b_.forward_parts(), [&](index_t task, index_t thread) {
      const index_t stack = task / b_.query_blocks(), first = task % b_.query_blocks() * attention_blocks::most_queries;
      forward_block({q, stack}, {k, stack}, {v, stack}, masks(q, stack), y + stack * b_.l * b_.v, first,
                    scratch_ + thread * b_.forward_part());
    });
  }
  void backward(const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                T* to) const {
    const index_t size = (b_.l + 2 * b_.s) * width_;
    side_by_side(b_.stacks, b_.backward_parts(), [&](index_t stack, index_t thread) {
      T* const all = to + stack * size;
      std::fill_n(all, size, T(0));
      for (index_t first = 0; first < b_.l; first += attention_blocks::most_queries)
        backward_block({dy, stack}, {y, stack}, {q, stack}, {k, stack}, {v, stack}, masks(q, stack), all, first,
                       scratch_ + thread * b_.backward_part());
    });
  }

 private:
  const attention_blocks& b_;
  bool causal_;
  T scale_;
  const at::Tensor* mask_;
  T* scratch_;
  index_t queries_ = b_.queries(), width_ = std::max(b_.e, b_.v);
  void (*weights_)(T*, index_t, index_t, index_t, attention_sums<T>*,
                   T*) = functions_of<attention_weights<T>, T*, index_t, index_t, index_t, attention_sums<T>*, T*>::best();
  void (*masked_)(T*, const T*, index_t, index_t,
                  bool) = functions_of<attention_masked<T>, T*, const T*, index_t, index_t, bool>::best();
  void (*slopes_)(T*, T*, index_t, index_t, const T*,
                  const T*) = functions_of<attention_slopes<T>, T*, T*, index_t, index_t, const T*, const T*>::best();
  void (*products_)(const T*, const T*, index_t, index_t,
                    T*) = functions_of<attention_products<T>, const T*, const T*, index_t, index_t, T*>::best();
  void (*rows_)(T*, index_t, index_t, index_t,
                const T*) = functions_of<attention_rows<T>, T*, index_t, index_t, index_t, const T*>::best();

  using matrix = matrix_of_stack<T>;
  using mask = std::optional<mask_of_stack<T>>;
  static constexpr index_t most_queries = attention_blocks::most_queries, most_keys = attention_blocks::most_keys;

  /// c = a b or c += a b, of no elements too.
  static void multiply(index_t m, index_t n, index_t k, block<const T> a, block<const T> b, block<T> c, bool add) {
    if (k > 0 && n > 0) return multiply_blocks<T>(m, n, k, a, b, c, add);
    for (index_t i = 0; i < m && !add; ++i) std::fill_n(c.at + i * c.step, n, T(0));
  }
  template <class F>
  void side_by_side(index_t tasks, index_t parts, const F& f) const {
    for_tasks(tasks, blocks_are_for_blas<T>() ? 1 : parts, b_.flops(2, causal_), f);
  }
  /// Calls f(first key, how many) for the blocks of keys that some of `rows` queries from `first` on see.
  template <class F>
  void for_keys(index_t first, index_t rows, const F& f) const {
    const index_t end = causal_ ? std::min(b_.s, first + rows) : b_.s;
    for (index_t at = 0; at < end; at += most_keys) f(at, std::min(most_keys, end - at));
  }
  /// Of so many keys from `key` on the first query that sees it.
  auto hidden(index_t first, index_t key) const -> index_t { return causal_ ? key - first : -most_keys; }

  auto masks(const at::Tensor& q, index_t stack) const -> mask {
    return mask_ == nullptr ? mask() : mask(std::in_place, *mask_, q, stack);
  }
  /// One over the sum of the weights; of a query whose keys are all masked 0.
  auto share(T total) const -> T { return mask_ != nullptr && total == 0 ? T(0) : 1 / total; }

  void forward_block(const matrix& q, const matrix& k, const matrix& v, const mask& m, T* y, index_t first, T* own) const {
    const index_t rows = std::min(most_queries, b_.l - first), e = b_.e;
    T *const turned_q = own, *const scores = turned_q + e * queries_, *const weights = scores + b_.keys() * queries_,
             *const keys = weights + b_.keys() * queries_, *const lines = keys + b_.keys() * width_,
             *const out = y + first * b_.v;
    q.turned(first, rows, e, queries_, scale_, turned_q);
    attention_sums<T> sums;
    alignas(64) T change[most_queries];
    for_keys(first, rows, [&](index_t key, index_t n) {
      multiply(n, queries_, e, k.rows(key, n, e, keys), {turned_q, queries_}, {scores, queries_}, false);
      if (m) {
        m->block_of(first, rows, key, n, queries_, lines, weights);
        masked_(scores, weights, n, queries_, m->hides);
      }
      weights_(scores, n, queries_, hidden(first, key), &sums, change);
      transpose_block<T>(n, queries_, {scores, queries_}, {weights, n});
      if (key > 0) rows_(out, rows, b_.v, b_.v, change);
      multiply(rows, b_.v, n, {weights, n}, v.rows(key, n, b_.v, keys), {out, b_.v}, key > 0);
    });
    for (index_t i = 0; i < rows; ++i) change[i] = share(sums.total[i]);
    rows_(out, rows, b_.v, b_.v, change);
  }

  /// The scores of all keys are kept for the queries of the block, so that they are made once.
  void backward_block(const matrix& dy, const matrix& y, const matrix& q, const matrix& k, const matrix& v, const mask& m,
                      T* all, index_t first, T* own) const {
    const index_t rows = std::min(most_queries, b_.l - first), e = b_.e, w = b_.v;
    T *const turned_q = own, *const turned_dy = turned_q + e * queries_, *const own_q = turned_dy + w * queries_,
             *const own_dy = own_q + e * queries_, *const slopes = own_dy + w * queries_,
             *const turned_slopes = slopes + b_.keys() * queries_, *const keys = turned_slopes + b_.keys() * queries_,
             *const largest = keys + b_.keys() * width_, *const weights = largest + b_.key_blocks() * queries_,
             *const lines = weights + b_.s * queries_;
    T *const dq = all + first * width_, *const dk = all + b_.l * width_, *const dv = dk + b_.s * width_;

    q.turned(first, rows, e, queries_, scale_, turned_q);
    transpose_block<T>(e, rows, {turned_q, queries_}, {own_q, e});
    dy.turned(first, rows, w, queries_, 1, turned_dy);
    attention_sums<T> sums;
    alignas(64) T factor[most_queries], off[most_queries];
    y.turned(first, rows, w, queries_, 1, own_dy);  // until dy may need the place
    products_(turned_dy, own_dy, w, queries_, off);
    const block<const T> slope = dy.rows(first, rows, w, own_dy);

    for_keys(first, rows, [&](index_t key, index_t n) {
      T* const scores = weights + key * queries_;
      multiply(n, queries_, e, k.rows(key, n, e, keys), {turned_q, queries_}, {scores, queries_}, false);
      if (m) {
        m->block_of(first, rows, key, n, queries_, lines, turned_slopes);
        masked_(scores, turned_slopes, n, queries_, m->hides);
      }
      weights_(scores, n, queries_, hidden(first, key), &sums, factor);
      std::copy_n(sums.largest, queries_, largest + key / most_keys * queries_);
    });
    for_keys(first, rows, [&](index_t key, index_t n) {
      T* const p = weights + key * queries_;
      const T* const then = largest + key / most_keys * queries_;
      for (index_t i = 0; i < queries_; ++i) factor[i] = std::exp(then[i] - sums.largest[i]) * share(sums.total[i]);
      multiply(n, queries_, w, v.rows(key, n, w, keys), {turned_dy, queries_}, {slopes, queries_}, false);
      slopes_(p, slopes, n, queries_, factor, off);
      multiply(n, w, rows, {p, queries_}, slope, {dv + key * width_, width_}, true);
      multiply(n, e, rows, {slopes, queries_}, {own_q, e}, {dk + key * width_, width_}, true);
      transpose_block<T>(n, queries_, {slopes, queries_}, {turned_slopes, n});
      multiply(rows, e, n, {turned_slopes, n}, k.rows(key, n, e, keys), {dq, width_}, key > 0);
    });
    std::fill_n(factor, rows, scale_);
    rows_(dq, rows, width_, e, factor);
  }
};

/// Calls f with the kernel for float32 or float64.
template <class F>
void with_attention_kernel(const attention_blocks& b, const attention_attributes& a, const at::Tensor& q, index_t elements,
                           const at::Tensor* mask, const F& f) {
  const double scale = factor_of_scores(dims_of_sizes(q), a.scale);
  const auto with = [&]<class T>(T zero) {
    const scratch<T> own(elements);
    const auto run = [&](const at::Tensor* m) { f(attention_kernel<T>(b, a.is_causal.value, scale, m, own.data()), zero); };
    if (mask == nullptr) return run(nullptr);
    as_float32 wide(*mask);
    run(&*wide);
  };
  q.scalar_type() == at::kDouble ? with(double{}) : with(float{});
}

/// The weights (..., l, s) by LibTorch's operators.
inline auto attention_by_operators(const at::Tensor& q, const at::Tensor& k, const at::Tensor* mask,
                                   const attention_attributes& a) -> at::Tensor {
  at::Tensor s = q.mul(factor_of_scores(dims_of_sizes(q), a.scale)).matmul(k.transpose(-2, -1));
  if (a.is_causal.value) s.masked_fill_(s.new_ones({s.size(-2), s.size(-1)}, s.options().dtype(at::kBool)).triu(1), -INFINITY);
  if (mask == nullptr) return s.softmax(-1);
  if (mask->scalar_type() == at::kBool) s.masked_fill_(mask->logical_not(), -INFINITY);
  else s.add_(*mask);
  return s.softmax(-1).masked_fill_(s.eq(-INFINITY).all(-1, true), 0);
}

inline void attend(at::Tensor& y, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor* mask,
                   const attention_attributes& a) {
  if (!on_host(y)) return void(y.copy_(attention_by_operators(q, k, mask, a).matmul(v)));
  const attention_blocks b(dims_of_sizes(q), dims_of_sizes(k), dims_of_sizes(v), mask != nullptr);
  if (b.empty()) return void(y.zero_());
  with_attention_kernel(b, a, q, b.forward_parts() * b.forward_part(), mask, [&]<class T>(const auto& kernel, T) {
    as_float32 to(y, false), queries(q), keys(k), values(v);
    kernel.forward(*queries, *keys, *values, (*to).template mutable_data_ptr<T>());
    to.round();
  });
}

inline void attend_back(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q, const at::Tensor& k,
                        const at::Tensor& v, const at::Tensor* mask, const attention_attributes& a) {
  const attention_blocks b(dims_of_sizes(q), dims_of_sizes(k), dims_of_sizes(v), mask != nullptr);
  if (!on_host(all)) {
    const double scale = factor_of_scores(dims_of_sizes(q), a.scale);
    const at::Tensor p = attention_by_operators(q, k, mask, a);
    const at::Tensor t = p.mul(dy.matmul(v.transpose(-2, -1)).sub(dy.mul(y).sum(-1, true))).mul(scale);
    all.zero_();
    all.narrow(-2, 0, b.l).narrow(-1, 0, b.e).copy_(t.matmul(k));
    all.narrow(-2, b.l, b.s).narrow(-1, 0, b.e).copy_(t.transpose(-2, -1).matmul(q));
    all.narrow(-2, b.l + b.s, b.s).narrow(-1, 0, b.v).copy_(p.transpose(-2, -1).matmul(dy));
    return;
  }
  if (b.empty()) return void(all.zero_());
  with_attention_kernel(b, a, q, b.backward_parts() * b.backward_part(), mask, [&]<class T>(const auto& kernel, T) {
    as_float32 to(all, false), slope(dy), value(y), queries(q), keys(k), values(v);
    kernel.backward(*slope, *value, *queries, *keys, *values, (*to).template mutable_data_ptr<T>());
    to.round();
  });
}

}  // namespace koila::detail
