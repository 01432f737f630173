// SPDX-License-Identifier: MIT
#pragma once
// The kernels of convolutions. They compute the columns (im2col) in parts that stay in cache. Each
// part is an operand of one matrix product. All tensors are contiguous.
#include <koila/kernels/cpu/as_float32.ipp>
#include <koila/kernels/cpu/brgemm.ipp>
#include <koila/kernels/cpu/direct_conv.ipp>
#include <koila/kernels/cpu/im2col.ipp>
#include <koila/kernels/cpu/scratch.ipp>
#include <koila/ops/common/floating.ipp>
#include <koila/ops/convolution/convolution.hpp>
#include <koila/torch/parallel.hpp>

namespace koila::inline v0::detail {

/// Sets y (samples, channels, positions) to the bias of each channel, or to 0 if b is null.
inline void fill(at::Tensor& y, const at::Tensor* b, index_t samples, index_t channels, index_t positions) {
  with_floating_type(y.scalar_type(), [&](auto zero) {
    using T = decltype(zero);
    T* to = y.mutable_data_ptr<T>();
    if (b == nullptr) return void(std::fill_n(to, samples * channels * positions, zero));
    with_floating_type(b->scalar_type(), [&](auto of_bias) {
      using B = decltype(of_bias);
      if constexpr (std::is_same_v<B, T> || (sizeof(B) == 2 && sizeof(T) == 4))
        for (index_t i = 0; i < samples * channels; ++i)
          to = std::fill_n(to, positions, static_cast<T>(data<B>(*b)[i % channels]));
    });
  });
}

/// Computes a convolution in the parts that convolution.hpp describes, for contiguous x (samples,
/// in, ...), w (out, in / groups, k...) and y (samples, out, ...). Each thread has its own part of
/// `scratch`. convolution.hpp states how many elements `scratch` must have.
template <class T>
class in_parts {
 public:
  in_parts(const convolution& c, T* scratch) : c_(c), free_(scratch), alone_(brgemm_is_blas<T>()) {}

  /// Computes y = conv(x, w) + b. b may be null.
  void forward(const T* x, const T* w, at::Tensor& result, const at::Tensor* b) {
    if (by_direct_conv(c_.direct(), false, x, w, result, b)) return;
    if (b != nullptr) fill(result, b, c_.samples, c_.out_channels, positions_);
    T* const y = result.mutable_data_ptr<T>();
    const tiling tiles = tiles_for(c_.parts_of_y());
    side_by_side(c_.samples * tiles.count(), c_.parts_of_y(), [&](index_t task, index_t thread) {
      const index_t sample = task / tiles.count();
      const positions_tile t = tiles.tile(task % tiles.count());
      T* const own = free_ + thread * c_.part_elements();
      for_each_block([&](index_t g, index_t first, index_t channels) {
        const block<const T> columns = columns_of(x, sample, g, first, channels, t, own);
        brgemm<T>(out_, t.count(), channels * elements_, {w + g * out_ * rows_ + first * elements_, rows_}, columns,
                  tile_of(y, sample, g, t), b != nullptr || first > 0);
      });
    });
  }
  /// Computes x = transposed_conv(y, w) + b. b may be null.
  void transposed(at::Tensor& result, const T* w, const T* y, const at::Tensor* b) {
    if (by_direct_conv(c_.direct().transposed(), true, y, w, result, b)) return;
    if (b != nullptr || !c_.window.trivial())
      fill(result, b, c_.samples, c_.in_channels, c_.window.inputs());  // col2im adds the columns to these values
    T* const x = result.mutable_data_ptr<T>();
    T* const transposed = free_;  // (rows, out) for each group
    for (index_t g = 0; g < c_.groups; ++g)
      transpose_block<T>(out_, rows_, {w + g * out_ * rows_, rows_}, {transposed + g * out_ * rows_, out_});
    const tiling tiles = tiles_for(c_.parts_of_x());
    side_by_side(c_.samples * c_.groups * c_.channel_blocks(), c_.parts_of_x(), [&](index_t task, index_t thread) {
      const index_t sample = task / (c_.groups * c_.channel_blocks());
      T* const own = free_ + c_.weights() + thread * c_.part_elements();
      with_block(task % (c_.groups * c_.channel_blocks()), [&](index_t g, index_t first, index_t channels) {
        const block<const T> left{transposed + (g * rows_ + first * elements_) * out_, out_};
        T* const image = x + image_of(sample, g, first);
        for (index_t k = 0; k < tiles.count(); ++k) {
          const positions_tile t = tiles.tile(k);
          const block<const T> right = tile_of(y, sample, g, t);
          if (c_.window.trivial()) {
            brgemm<T>(channels, t.count(), out_, left, right, {image + t.first, positions_}, b != nullptr);
            continue;
          }
          brgemm<T>(channels * elements_, t.count(), out_, left, right, {own, t.count()}, false);
          add_col2im(c_.window, channels, t, own, image);
        }
      });
    });
  }
  /// Computes the sum over all samples of the matrix products y columns(x)^T. Writes the sum to w,
  /// or adds it to w if `add`.
  void weight(T* w, const T* y, const T* x, bool add) {
    T *const some = free_, *const all =
                               free_ + c_.weights();  // (rows, out) for each group: sums over some or all tiles
    T* const parts = all + c_.weights();
    const tiling tiles = tiles_for(c_.parts_of_weight());
    side_by_side(c_.groups * c_.channel_blocks(), c_.parts_of_weight(), [&](index_t task, index_t thread) {
      T* const own = parts + thread * c_.part_elements();
      T* const transposed_y = parts + c_.parts_of_weight() * c_.part_elements() + thread * c_.part_of_y();
      with_block(task, [&](index_t g, index_t first, index_t channels) {
        const index_t begin = (g * rows_ + first * elements_) * out_, size = channels * elements_ * out_;
        const index_t last = c_.samples * tiles.count() - 1;
        for (index_t k = 0; k <= last; ++k) {
          const index_t sample = k / tiles.count(), tiles_of_sum = convolution::tiles_per_sum;
          const positions_tile t = tiles.tile(k % tiles.count());
          transpose_block<T>(out_, t.count(), tile_of(y, sample, g, t), {transposed_y, out_});
          const block<const T> columns = columns_of(x, sample, g, first, channels, t, own);
          brgemm<T>(channels * elements_, out_, t.count(), columns, {transposed_y, out_}, {some + begin, out_},
                    k % tiles_of_sum > 0);
          if ((k + 1) % tiles_of_sum != 0 && k < last) continue;
          if (k < tiles_of_sum) std::copy_n(some + begin, size, all + begin);
          else
            for (index_t i = begin; i < begin + size; ++i) all[i] += some[i];
        }
      });
    });
    for (index_t g = 0; g < c_.groups; ++g)
      transpose_block<T>(rows_, out_, {all + g * out_ * rows_, out_}, {w + g * out_ * rows_, rows_}, add);
  }

 private:
  const convolution& c_;
  T* free_;
  bool alone_;  // true if BLAS multiplies, on its own threads: one thread then uses all parts
  index_t rows_ = c_.rows(), out_ = c_.out_channels / c_.groups, elements_ = c_.window.elements(),
          positions_ = c_.window.positions();

  auto tiles_for(index_t parts) const -> tiling { return alone_ ? c_.tiles(parts) : c_.tiles(); }
  /// Computes y = conv(x, w) + b directly, without columns. Returns false, and computes nothing, if
  /// this is impossible or slower than with columns.
  auto by_direct_conv(const direct_conv& s, bool transposed, const T* x, const T* w, at::Tensor& y,
                      const at::Tensor* b) const -> bool {
    if constexpr (std::is_same_v<T, float>) {
      const direct_conv_kernel kernel = direct_conv_kernel::best();
      if (kernel.run == nullptr || !s.worthwhile()) return false;
      const bool add = b != nullptr && b->scalar_type() != at::kFloat;
      if (add) fill(y, b, s.samples, s.groups * s.out_channels, s.window.positions());
      const direct_convolution by(s, kernel, {w, transposed, b != nullptr && !add ? data<float>(*b) : nullptr}, free_);
      float *const to = y.mutable_data_ptr<float>(), *const parts = free_ + s.groups * s.weight();
      for_tasks(s.tasks(), std::min(c_.most_parts, s.tasks()), c_.flops(),
                [&](index_t task, index_t thread) { by.run(task, x, to, add, parts + thread * s.part_elements()); });
      return true;
    }
    return false;
  }
  template <class F>
  void side_by_side(index_t tasks, index_t parts, const F& f) const {
    for_tasks(tasks, alone_ ? 1 : parts, c_.flops(), f);
  }
  /// Calls f(group, first channel in the group, number of channels) for block `number` of the
  /// channels.
  template <class F>
  void with_block(index_t number, const F& f) const {
    const index_t first = number % c_.channel_blocks() * c_.channels();
    f(number / c_.channel_blocks(), first, std::min(c_.channels(), c_.in_channels / c_.groups - first));
  }
  template <class F>
  void for_each_block(const F& f) const {
    for (index_t k = 0; k < c_.groups * c_.channel_blocks(); ++k) with_block(k, f);
  }
  auto image_of(index_t sample, index_t group, index_t channel) const -> index_t {
    return (sample * c_.in_channels + group * (c_.in_channels / c_.groups) + channel) * c_.window.inputs();
  }
  template <class U>
  auto tile_of(U* y, index_t sample, index_t group, const positions_tile& t) const -> block<U> {
    return {y + (sample * c_.out_channels + group * out_) * positions_ + t.first, positions_};
  }
  auto columns_of(const T* x, index_t sample, index_t group, index_t first, index_t channels, const positions_tile& t,
                  T* own) const -> block<const T> {
    const T* const image = x + image_of(sample, group, first);
    if (c_.window.trivial()) return {image + t.first, positions_};
    im2col(c_.window, channels, t, image, own);
    return {own, t.count()};
  }
};

inline auto convolution_of(const at::Tensor& x, const at::Tensor& w, const at::Tensor& y, const conv_attributes& a)
    -> convolution {
  convolution c(dims_of_sizes(x), dims_of_sizes(w), dims_of_sizes(y), a);
  c.type = x.scalar_type() == at::kDouble ? dtype::float64 : dtype::float32;  // the dtype of the computation
  return c;
}

/// Calls f(parts, zero) with an object of in_parts<T> and a zero of type T, where T is the type in
/// which the convolution is computed. The scratch memory of `parts` has `elements` elements.
template <class F>
void by_parts(const convolution& c, index_t elements, const F& f) {
  const auto with = [&]<class T>(T zero) {
    const scratch<T> own(elements);
    f(in_parts<T>(c, own.data()), zero);
  };
  c.type == dtype::float64 ? with(double{}) : with(float{});
}

inline void convolve(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor* b,
                     const conv_attributes& a) {
  if (y.numel() == 0) return;
  const convolution c = convolution_of(x, w, y, a);
  if (c.rows() == 0) return fill(y, b, c.samples, c.out_channels, c.window.positions());
  by_parts(c, c.forward_scratch(), [&](auto&& parts, auto zero) {
    using T = decltype(zero);
    as_float32 to(y, false), in(x), filter(w);
    parts.forward(data<T>(*in), data<T>(*filter), *to, b);
    to.round();
  });
}

inline void convolve_transposed(at::Tensor& x, const at::Tensor& y, const at::Tensor& w, const at::Tensor* b,
                                const conv_attributes& a) {
  const convolution c = convolution_of(x, w, y, a);
  if (c.empty()) return fill(x, b, c.samples, c.in_channels, c.window.inputs());
  by_parts(c, c.transposed_scratch(), [&](auto&& parts, auto zero) {
    using T = decltype(zero);
    as_float32 to(x, false), in(y), filter(w);
    parts.transposed(*to, data<T>(*filter), data<T>(*in), b);
    to.round();
  });
}

inline void convolve_weight(at::Tensor& w, const at::Tensor& y, const at::Tensor& x, const conv_attributes& a,
                            bool add) {
  if (w.numel() == 0) return;
  if (y.numel() == 0) {
    if (!add) w.zero_();
    return;
  }
  const convolution c = convolution_of(x, w, y, a);
  by_parts(c, c.weight_scratch(), [&](auto&& parts, auto zero) {
    using T = decltype(zero);
    as_float32 to(w, add), in(x), out(y);
    parts.weight((*to).template mutable_data_ptr<T>(), data<T>(*out), data<T>(*in), add);
    to.round();
  });
}

}  // namespace koila::inline v0::detail
