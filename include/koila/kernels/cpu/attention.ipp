// SPDX-License-Identifier: MIT
#pragma once
// The kernels of attention. For each block of queries, a kernel processes the keys block by block,
// so that the scores stay in cache, as in FlashAttention-2 (Dao 2023).
#include <koila/kernels/cpu/attention_changes.ipp>
#include <koila/kernels/cpu/attention_vectors.ipp>
#include <koila/kernels/cpu/brgemm.ipp>
#include <koila/kernels/cpu/matrices.ipp>
#include <koila/kernels/cpu/scratch.ipp>
#include <koila/ops/attention/attention_op.hpp>
#include <koila/ops/common/attention_operators.ipp>
#include <koila/ops/common/elements.ipp>
#include <koila/torch/parallel.hpp>

#include <cmath>
#include <optional>

namespace koila::inline v0::detail {

/// One matrix of a stack (..., rows, columns) with any strides.
template <class T>
struct matrix_of_stack {
  const T* elements;
  index_t row_stride, column_stride;

  matrix_of_stack(const at::Tensor& t, index_t number)
      : elements(data<T>(t)), row_stride(t.stride(-2)), column_stride(t.stride(-1)) {
    for (std::int64_t d = t.dim() - 3; d >= 0; number /= t.size(d), --d) elements += number % t.size(d) * t.stride(d);
  }
  /// Returns n rows, beginning with row `first`. Rows whose elements are not contiguous are
  /// copied to the buffer `own`.
  auto rows(index_t first, index_t n, index_t columns, T* own) const -> block<const T> {
    const T* const from = elements + first * row_stride;
    if (column_stride == 1 && row_stride >= columns) return {from, row_stride};
    for (index_t r = 0; r < n; ++r)
      for (index_t c = 0; c < columns; ++c) own[r * columns + c] = from[r * row_stride + c * column_stride];
    return {own, columns};
  }
  /// Transposes n rows, beginning with row `first`, multiplies the elements by `by`, and writes
  /// the result to `to` (columns, width). Elements [n, width) of each row of `to` become 0.
  void transposed(index_t first, index_t n, index_t columns, index_t width, T by, T* to) const {
    const T* const from = elements + first * row_stride;
    if (column_stride == 1) transpose_block<T>(n, columns, {from, row_stride}, {to, width});
    else
      for (index_t c = 0; c < columns; ++c)
        for (index_t r = 0; r < n; ++r) to[c * width + r] = from[r * row_stride + c * column_stride];
    for (index_t c = 0; c < columns; ++c) {
      if (by != 1)
        for (index_t r = 0; r < n; ++r) to[c * width + r] *= by;
      std::fill_n(to + c * width + n, width - n, T(0));
    }
  }
};

template <class T>
class attention_kernel {
 public:
  /// `mask` and `kept` may be null.
  attention_kernel(const attention_blocks& b, bool causal, double scale, const at::Tensor* mask,
                   const kept_weights<T>* kept, T* scratch)
      : b_(b), causal_(causal), scale_(static_cast<T>(scale)), mask_(mask), kept_(kept), scratch_(scratch) {}

  void forward(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, T* y) const {
    side_by_side(b_.stacks * b_.query_blocks(), b_.forward_parts(), [&](index_t task, index_t thread) {
      const index_t stack = task / b_.query_blocks(), first = task % b_.query_blocks() * attention_blocks::most_queries;
      forward_block(stack, {q, stack}, {k, stack}, {v, stack}, masks(q, stack), y + stack * b_.l * b_.v, first,
                    scratch_ + thread * b_.forward_part());
    });
  }
  void backward(const at::Tensor& dy, const at::Tensor& y, const at::Tensor& q, const at::Tensor& k,
                const at::Tensor& v, T* to) const {
    const index_t size = (b_.l + 2 * b_.s) * width_;
    side_by_side(b_.stacks, b_.backward_parts(), [&](index_t stack, index_t thread) {
      T* const all = to + stack * size;
      std::fill_n(all, size, T(0));
      for (index_t first = 0; first < b_.l; first += attention_blocks::most_queries)
        backward_block(stack, {dy, stack}, {y, stack}, {q, stack}, {k, stack}, {v, stack}, masks(q, stack), all, first,
                       scratch_ + thread * b_.backward_part());
    });
  }

 private:
  const attention_blocks& b_;
  bool causal_;
  T scale_;
  const at::Tensor* mask_;
  const kept_weights<T>* kept_;
  T* scratch_;
  index_t queries_ = b_.queries(), width_ = std::max(b_.e, b_.v);
  void (*weights_)(T*, index_t, index_t, index_t, attention_sums<T>*, T*) =
      functions_of<attention_weights<T>, T*, index_t, index_t, index_t, attention_sums<T>*, T*>::best();
  void (*transposed_weights_)(T*, index_t, index_t, index_t, attention_sums<T>*, T*, T*) =
      functions_of<attention_transposed_weights<T>, T*, index_t, index_t, index_t, attention_sums<T>*, T*, T*>::best();
  void (*masked_)(T*, const T*, index_t, index_t,
                  bool) = functions_of<attention_masked<T>, T*, const T*, index_t, index_t, bool>::best();
  void (*keep_)(T*, const T*, index_t) = functions_of<attention_kept<T>, T*, const T*, index_t>::best();
  void (*slopes_)(T*, T*, index_t, index_t, const T*,
                  const T*) = functions_of<attention_slopes<T>, T*, T*, index_t, index_t, const T*, const T*>::best();
  void (*products_)(const T*, const T*, index_t, index_t,
                    T*) = functions_of<attention_products<T>, const T*, const T*, index_t, index_t, T*>::best();
  void (*rows_)(T*, index_t, index_t, index_t,
                const T*) = functions_of<attention_rows<T>, T*, index_t, index_t, index_t, const T*>::best();

  using matrix = matrix_of_stack<T>;
  using mask = std::optional<mask_of_stack<T>>;
  static constexpr index_t most_queries = attention_blocks::most_queries;

  /// Computes c = a b, or c += a b if `add`, for matrices a (m, k), b (k, n) and c (m, n). m, n and
  /// k may be 0.
  static void multiply(index_t m, index_t n, index_t k, block<const T> a, block<const T> b, block<T> c, bool add) {
    if (k > 0 && n > 0) return brgemm<T>(m, n, k, a, b, c, add);
    for (index_t i = 0; i < m && !add; ++i) std::fill_n(c.elements + i * c.step, n, T(0));
  }
  template <class F>
  void side_by_side(index_t tasks, index_t parts, const F& f) const {
    for_tasks(tasks, brgemm_is_blas<T>() ? 1 : parts, b_.flops(2, causal_), f);
  }
  /// Collects the keys to which at least one of the queries [first, first + rows) attends. Splits
  /// these keys into blocks, and calls f(first key, number of keys) for each block.
  template <class F>
  void for_keys(index_t first, index_t rows, const F& f) const {
    const index_t end = causal_ ? std::min(b_.s, first + rows) : b_.s;
    for (index_t at = 0; at < end; at += b_.most_keys) f(at, std::min(b_.most_keys, end - at));
  }
  /// Returns the parameter `hidden` of `attention_weights` for a block of queries that starts at
  /// `first` and a block of keys that starts at `key`. Without a causal mask, `hidden` is so small
  /// that every query attends to every key.
  auto hidden(index_t first, index_t key) const -> index_t { return causal_ ? key - first : -b_.most_keys; }

  auto masks(const at::Tensor& q, index_t stack) const -> mask {
    return mask_ == nullptr ? mask() : mask(std::in_place, *mask_, q, stack);
  }
  /// Returns 1 / `total`, where `total` is the sum of a query's weights. Returns 0 if a mask hides
  /// all keys from the query.
  auto share(T total) const -> T { return mask_ != nullptr && total == 0 ? T(0) : 1 / total; }

  void forward_block(index_t stack, const matrix& q, const matrix& k, const matrix& v, const mask& m, T* y,
                     index_t first, T* own) const {
    const index_t rows = std::min(most_queries, b_.l - first), e = b_.e;
    T *const transposed_q = own, *const scores = transposed_q + e * queries_,
             *const weights = scores + b_.keys() * queries_, *const keys = weights + b_.keys() * queries_,
             *const lines = keys + b_.keys() * width_, *const out = y + first * b_.v;
    q.transposed(first, rows, e, queries_, scale_, transposed_q);
    attention_sums<T> sums;
    alignas(64) T change[most_queries];
    for_keys(first, rows, [&](index_t key, index_t n) {
      multiply(n, queries_, e, k.rows(key, n, e, keys), {transposed_q, queries_}, {scores, queries_}, false);
      if (m) {
        m->block_of(first, rows, key, n, queries_, lines, weights);
        masked_(scores, weights, n, queries_, m->hides);
      }
      const block<const T> values = v.rows(key, n, b_.v, keys);
      const bool transposed = kept_ != nullptr || !brgemm_is_blas<T>();
      if (transposed) transposed_weights_(scores, n, queries_, hidden(first, key), &sums, change, weights);
      else weights_(scores, n, queries_, hidden(first, key), &sums, change);
      for (index_t r = 0; kept_ != nullptr && r < rows; ++r) {
        kept_->line(stack, first + r, key, n, lines);
        keep_(weights + r * n, lines, n);
      }
      if (key > 0) rows_(out, rows, b_.v, b_.v, change);
      if (transposed) multiply(rows, b_.v, n, {weights, n}, values, {out, b_.v}, key > 0);
      else multiply_by_blas<T>(rows, b_.v, n, {scores, queries_}, values, {out, b_.v}, key > 0, true);
    });
    for (index_t i = 0; i < rows; ++i) change[i] = share(sums.sum[i]);
    rows_(out, rows, b_.v, b_.v, change);
  }

  /// Computes the weights of all keys for the block's queries once, and keeps the weights in
  /// scratch memory for the gradients.
  void backward_block(index_t stack, const matrix& dy, const matrix& y, const matrix& q, const matrix& k,
                      const matrix& v, const mask& m, T* all, index_t first, T* own) const {
    const index_t rows = std::min(most_queries, b_.l - first), e = b_.e, w = b_.v;
    T *const transposed_q = own, *const transposed_dy = transposed_q + e * queries_,
             *const own_q = transposed_dy + w * queries_, *const own_dy = own_q + e * queries_,
             *const slopes = own_dy + w * queries_, *const transposed_slopes = slopes + b_.keys() * queries_,
             *const keys = transposed_slopes + b_.keys() * queries_, *const largest = keys + b_.keys() * width_,
             *const weights = largest + b_.key_blocks() * queries_, *const lines = weights + b_.s * queries_;
    T *const dq = all + first * width_, *const dk = all + b_.l * width_, *const dv = dk + b_.s * width_;

    q.transposed(first, rows, e, queries_, scale_, transposed_q);
    transpose_block<T>(e, rows, {transposed_q, queries_}, {own_q, e});
    dy.transposed(first, rows, w, queries_, 1, transposed_dy);
    attention_sums<T> sums;
    alignas(64) T factor[most_queries], off[most_queries];
    y.transposed(first, rows, w, queries_, 1, own_dy);  // own_dy holds y; `dy.rows` may overwrite it below
    products_(transposed_dy, own_dy, w, queries_, off);
    const block<const T> slope = dy.rows(first, rows, w, own_dy);

    for_keys(first, rows, [&](index_t key, index_t n) {
      T* const scores = weights + key * queries_;
      multiply(n, queries_, e, k.rows(key, n, e, keys), {transposed_q, queries_}, {scores, queries_}, false);
      if (m) {
        m->block_of(first, rows, key, n, queries_, lines, transposed_slopes);
        masked_(scores, transposed_slopes, n, queries_, m->hides);
      }
      weights_(scores, n, queries_, hidden(first, key), &sums, factor);
      std::copy_n(sums.largest, queries_, largest + key / b_.most_keys * queries_);
    });
    for_keys(first, rows, [&](index_t key, index_t n) {
      T* const p = weights + key * queries_;
      const T* const then = largest + key / b_.most_keys * queries_;
      for (index_t i = 0; i < queries_; ++i) factor[i] = std::exp(then[i] - sums.largest[i]) * share(sums.sum[i]);
      multiply(n, queries_, w, v.rows(key, n, w, keys), {transposed_dy, queries_}, {slopes, queries_}, false);
      if (kept_ != nullptr) {
        for (index_t r = 0; r < rows; ++r) kept_->line(stack, first + r, key, n, lines + r * n);
        turn_block<T>(rows, n, {lines, n}, queries_, transposed_slopes);
        keep_(slopes, transposed_slopes, n * queries_);
      }
      slopes_(p, slopes, n, queries_, factor, off);
      if (kept_ != nullptr) keep_(p, transposed_slopes, n * queries_);
      multiply(n, w, rows, {p, queries_}, slope, {dv + key * width_, width_}, true);
      multiply(n, e, rows, {slopes, queries_}, {own_q, e}, {dk + key * width_, width_}, true);
      brgemm_transposed<T>(rows, e, n, {slopes, queries_}, k.rows(key, n, e, keys), {dq, width_}, key > 0,
                           transposed_slopes);
    });
    std::fill_n(factor, rows, scale_);
    rows_(dq, rows, width_, e, factor);
  }
};

/// Calls f(kernel, zero) with the float32 or float64 kernel, and with a zero of the same type. The
/// scratch memory of the kernel has (planned.*part)() elements for each of `parts` threads.
template <class A, class F>
void with_attention_kernel(const attention_blocks& planned, const A& a, const attention_operands& operands,
                           index_t parts, index_t (attention_blocks::*part)() const, const portion& where, const F& f) {
  const double scale = factor_of_scores(dims_of_sizes(operands.q), a.scale);
  const auto with = [&]<class T>(T zero) {
    const index_t elements = parts * (planned.*part)();
    const scratch<T> own(elements);
    const attention_blocks b = brgemm_is_blas<T>() ? planned.along_more_keys(part, elements) : planned;
    std::optional<kept_weights<T>> kept;
    if constexpr (drops_weights<A>) kept.emplace(a, where, operands.q, operands.k.size(-2));
    const auto run = [&](const at::Tensor* mask) {
      f(attention_kernel<T>(b, a.is_causal.value, scale, mask, kept ? &*kept : nullptr, own.data()), zero);
    };
    if (operands.mask == nullptr) return run(nullptr);
    as_float32 wide(*operands.mask);
    run(&*wide);
  };
  operands.q.scalar_type() == at::kDouble ? with(double{}) : with(float{});
}

template <class A>
void attend(at::Tensor& y, const attention_operands& operands, const A& a, const portion& where = {}) {
  const attention_blocks b(dims_of_sizes(operands.q), dims_of_sizes(operands.k), dims_of_sizes(operands.v),
                           operands.mask != nullptr || drops_weights<A>);
  if (b.empty()) return void(y.zero_());
  with_attention_kernel(b, a, operands, b.forward_parts(), &attention_blocks::forward_part, where,
                        [&]<class T>(const auto& kernel, T) {
                          as_float32 to(y, false), queries(operands.q), keys(operands.k), values(operands.v);
                          kernel.forward(*queries, *keys, *values, (*to).template mutable_data_ptr<T>());
                          to.round();
                        });
}

template <class A>
void attend_back(at::Tensor& all, const at::Tensor& dy, const at::Tensor& y, const attention_operands& operands,
                 const A& a, const portion& where = {}) {
  const attention_blocks b(dims_of_sizes(operands.q), dims_of_sizes(operands.k), dims_of_sizes(operands.v),
                           operands.mask != nullptr || drops_weights<A>);
  if (b.empty()) return void(all.zero_());
  with_attention_kernel(
      b, a, operands, b.backward_parts(), &attention_blocks::backward_part, where, [&]<class T>(const auto& kernel, T) {
        as_float32 to(all, false), slope(dy), value(y), queries(operands.q), keys(operands.k), values(operands.v);
        kernel.backward(*slope, *value, *queries, *keys, *values, (*to).template mutable_data_ptr<T>());
        to.round();
      });
}

}  // namespace koila::inline v0::detail
