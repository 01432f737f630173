#pragma once
// The kernels of convolutions: of one sample after the other, columns and one product. All tensors are contiguous.
#include <koila/ops/family/columns.ipp>
#include <koila/ops/family/convolution.hpp>
#include <koila/ops/family/convolution_operators.ipp>
#include <koila/ops/family/matrices.ipp>

#include <ATen/ops/empty_ops.h>

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
inline void add_product(at::Tensor& y, const at::Tensor& a, const at::Tensor& b, bool add) {
  multiply(y, a, b, add ? &y : nullptr);
}

/// Sets a sample (channels, positions) to its bias, or to 0.
inline void fill(at::Tensor& y, index_t sample, const at::Tensor* b, index_t channels, index_t positions) {
  by_floating(y.scalar_type(), [&](auto zero) {
    using T = decltype(zero);
    T* to = y.mutable_data_ptr<T>() + sample * channels * positions;
    if (b == nullptr) return void(std::fill_n(to, channels * positions, zero));
    by_floating(b->scalar_type(), [&](auto of_bias) {
      using B = decltype(of_bias);
      if constexpr (std::is_same_v<B, T> || (sizeof(B) == 2 && sizeof(T) == 4))
        for (index_t c = 0; c < channels; ++c) to = std::fill_n(to, positions, static_cast<T>(data<B>(*b)[c]));
    });
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
  if (!on_host(y)) return convolution_operators(w, a).forward(y, x, w, b);
  if (y.numel() == 0) return;
  const convolution c(dims_of_sizes(x), dims_of_sizes(w), dims_of_sizes(y), a);
  if (c.rows() == 0) {
    for (index_t i = 0; i < c.samples; ++i) fill(y, i, b, c.out, c.at.positions());
    return;
  }
  const at::Tensor in = as_float(x), filter = as_float(w);
  at::Tensor wide = float_like(y);
  sample_columns columns(c, in);
  sample_matrix from = columns.matrix(), to(wide, c.groups, c.out / c.groups, c.at.positions());
  sample_matrix weight(filter, c.groups, c.out / c.groups, c.rows(), false);
  for (index_t i = 0; i < c.samples; ++i) {
    if (b != nullptr) fill(wide, i, b, c.out, c.at.positions());
    columns.read(i);
    add_product(to.at(i), weight.at(0), from.at(i), b != nullptr);
  }
  if (!wide.is_same(y)) y.copy_(wide);
}

KOILA_INLINE void convolve_transposed(at::Tensor& x, const at::Tensor& y, const at::Tensor& w, const at::Tensor* b,
                                      const conv_attributes& a) {
  if (!on_host(x)) return convolution_operators(w, a).transposed(x, y, w, b);
  const convolution c(dims_of_sizes(x), dims_of_sizes(w), dims_of_sizes(y), a);
  if (c.samples == 0 || c.out == 0 || c.at.positions() == 0 || c.rows() == 0) {
    for (index_t i = 0; i < c.samples; ++i) fill(x, i, b, c.in, c.at.inputs());
    return;
  }
  const at::Tensor in = as_float(y), filter = as_float(w);
  at::Tensor wide = float_like(x);
  sample_columns columns(c, wide);
  sample_matrix from(in, c.groups, c.out / c.groups, c.at.positions()), to = columns.matrix();
  sample_matrix weight = sample_matrix(filter, c.groups, c.out / c.groups, c.rows(), false).transposed();
  for (index_t i = 0; i < c.samples; ++i) {
    if (b != nullptr || columns.own()) fill(wide, i, b, c.in, c.at.inputs());
    add_product(to.at(i), weight.at(0), from.at(i), b != nullptr && !columns.own());
    columns.write(i);
  }
  if (!wide.is_same(x)) x.copy_(wide);
}

KOILA_INLINE void convolve_weight(at::Tensor& w, const at::Tensor& y, const at::Tensor& x, const conv_attributes& a, bool add) {
  if (!on_host(w)) return convolution_operators(w, a).weight(w, y, x, add);
  if (w.numel() == 0) return;
  if (y.numel() == 0) {
    if (!add) w.zero_();
    return;
  }
  const convolution c(dims_of_sizes(x), dims_of_sizes(w), dims_of_sizes(y), a);
  const at::Tensor in = as_float(x), out = as_float(y);
  at::Tensor wide = add ? as_float(w) : float_like(w);
  sample_columns columns(c, in);
  sample_matrix left(out, c.groups, c.out / c.groups, c.at.positions()), right = columns.matrix().transposed();
  sample_matrix to(wide, c.groups, c.out / c.groups, c.rows(), false);
  for (index_t i = 0; i < c.samples; ++i) {
    columns.read(i);
    add_product(to.at(0), left.at(i), right.at(i), add || i > 0);
  }
  if (!wide.is_same(w)) w.copy_(wide);
}

}  // namespace koila::detail
