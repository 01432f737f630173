#pragma once
// The kernels of convolutions: of one sample after the other, columns and one product. All tensors are contiguous.
#include <koila/ops/family/columns.ipp>
#include <koila/ops/family/convolution.hpp>

#include <ATen/ops/addmm_ops.h>
#include <ATen/ops/baddbmm_ops.h>
#include <ATen/ops/bmm_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/mm_ops.h>

namespace koila::detail {

/// One sample of a tensor as a matrix, or as one for each group, moved from sample to sample.
class sample_matrix {
 public:
  sample_matrix(const at::Tensor& all, index_t groups, index_t rows, index_t cols, bool moves = true)
      : step_(moves ? groups * rows * cols : 0), start_(all.storage_offset()) {
    if (groups == 1) t_ = all.as_strided({rows, cols}, {cols, 1}, start_);
    else t_ = all.as_strided({groups, rows, cols}, {rows * cols, cols, 1}, start_);
  }
  auto transposed() const -> sample_matrix {
    sample_matrix m = *this;
    m.t_ = t_.transpose(-2, -1);
    return m;
  }
  auto at(index_t sample) -> at::Tensor& {
    if (step_ != 0) t_.unsafeGetTensorImpl()->set_storage_offset(start_ + sample * step_);
    return t_;
  }

 private:
  at::Tensor t_;
  index_t step_, start_;
};

/// y = a b, or y += a b.
inline void product(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, bool add) {
  if (y.dim() == 2) add ? at::_ops::addmm_out::call(y, a, b, 1, 1, y) : at::_ops::mm_out::call(a, b, y);
  else add ? at::_ops::baddbmm_out::call(y, a, b, 1, 1, y) : at::_ops::bmm_out::call(a, b, y);
}

/// Sets a sample (channels, positions) to its bias, or to 0.
inline void fill(at::Tensor& y, index_t sample, const at::Tensor* b, index_t channels, index_t positions) {
  by_floating(y.scalar_type(), [&](auto zero) {
    using T = decltype(zero);
    T* to = y.mutable_data_ptr<T>() + sample * channels * positions;
    for (index_t c = 0; c < channels; ++c) to = std::fill_n(to, positions, b != nullptr ? data<T>(*b)[c] : zero);
  });
}

/// The columns of one sample after the other: x itself where windows are single elements.
class sample_columns {
 public:
  sample_columns(const convolution& c, const at::Tensor& x)
      : c_(c), x_(x), own_(c.columns() != 0),
        scratch_(own_ ? at::_ops::empty_memory_format::call({c.columns()}, x.scalar_type(), std::nullopt, std::nullopt,
                                                            std::nullopt, std::nullopt)
                      : x),
        matrix_(scratch_, c.groups, c.rows(), c.at.positions(), !own_) {}
  auto matrix() const -> const sample_matrix& { return matrix_; }
  auto own() const -> bool { return own_; }
  void read(index_t sample) {
    if (!own_) return;
    by_floating(x_.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      to_columns(c_.at, c_.in, data<T>(x_) + sample * c_.in * c_.at.inputs(), scratch_.mutable_data_ptr<T>());
    });
  }
  /// Adds the columns to a sample of x.
  void write(index_t sample) {
    if (!own_) return;
    by_floating(x_.scalar_type(), [&](auto zero) {
      using T = decltype(zero);
      add_columns(c_.at, c_.in, data<T>(scratch_), x_.mutable_data_ptr<T>() + sample * c_.in * c_.at.inputs());
    });
  }

 private:
  const convolution& c_;
  at::Tensor x_;
  bool own_;
  at::Tensor scratch_;
  sample_matrix matrix_;
};

KOILA_INLINE void convolve(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor* b,
                           const conv_attributes& a) {
  if (y.numel() == 0) return;
  const convolution c(dims_of_sizes(x), dims_of_sizes(w), dims_of_sizes(y), a);
  if (c.rows() == 0) {
    for (index_t i = 0; i < c.samples; ++i) fill(y, i, b, c.out, c.at.positions());
    return;
  }
  sample_columns columns(c, x);
  sample_matrix from = columns.matrix(), to(y, c.groups, c.out / c.groups, c.at.positions());
  sample_matrix weight(w, c.groups, c.out / c.groups, c.rows(), false);
  for (index_t i = 0; i < c.samples; ++i) {
    if (b != nullptr) fill(y, i, b, c.out, c.at.positions());
    columns.read(i);
    product(to.at(i), weight.at(0), from.at(i), b != nullptr);
  }
}

KOILA_INLINE void convolve_transposed(at::Tensor& x, const at::Tensor& y, const at::Tensor& w, const at::Tensor* b,
                                      const conv_attributes& a) {
  const convolution c(dims_of_sizes(x), dims_of_sizes(w), dims_of_sizes(y), a);
  if (c.samples == 0 || c.out == 0 || c.at.positions() == 0 || c.rows() == 0) {
    for (index_t i = 0; i < c.samples; ++i) fill(x, i, b, c.in, c.at.inputs());
    return;
  }
  sample_columns columns(c, x);
  sample_matrix from(y, c.groups, c.out / c.groups, c.at.positions()), to = columns.matrix();
  sample_matrix weight = sample_matrix(w, c.groups, c.out / c.groups, c.rows(), false).transposed();
  for (index_t i = 0; i < c.samples; ++i) {
    if (b != nullptr || columns.own()) fill(x, i, b, c.in, c.at.inputs());
    product(to.at(i), weight.at(0), from.at(i), b != nullptr && !columns.own());
    columns.write(i);
  }
}

KOILA_INLINE void convolve_weight(at::Tensor& w, const at::Tensor& y, const at::Tensor& x, const conv_attributes& a, bool add) {
  if (w.numel() == 0) return;
  if (y.numel() == 0) {
    if (!add) w.zero_();
    return;
  }
  const convolution c(dims_of_sizes(x), dims_of_sizes(w), dims_of_sizes(y), a);
  sample_columns columns(c, x);
  sample_matrix left(y, c.groups, c.out / c.groups, c.at.positions()), right = columns.matrix().transposed();
  sample_matrix to(w, c.groups, c.out / c.groups, c.rows(), false);
  for (index_t i = 0; i < c.samples; ++i) {
    columns.read(i);
    product(to.at(0), left.at(i), right.at(i), add || i > 0);
  }
}

}  // namespace koila::detail
