// SPDX-License-Identifier: MIT
#pragma once
// The kernel of direct convolutions, see direct_conv.hpp.
#include <koila/kernels/cpu/brgemm.ipp>
#include <koila/ops/convolution/direct_conv.hpp>

#include <algorithm>
#include <utility>

namespace koila::inline v0::detail {

/// The arguments of one call of the kernel. For each result channel m and each position j < n, the
/// kernel sums w[c][h][k][m] * packed_lines[c * plane + h * down + k * across + j] over all input
/// channels c and all kernel elements (h, k).
struct direct_conv_sum {
  const float* packed_lines;
  index_t plane, down, across, channels, high, wide;
  const float* w;
  float* to;  // (channels, step)
  index_t step, n;
};

/// Computes the sums of M result channels. The sums stay in registers: up to three vectors of
/// `Bytes` bytes for each channel.
template <int Bytes, int M>
struct direct_conv_sums {
  static constexpr index_t lanes = Bytes / sizeof(float);
  using vector [[gnu::vector_size(Bytes)]] = float;
  using loose_vector [[gnu::vector_size(Bytes), gnu::aligned(alignof(float)), gnu::may_alias]] = float;

  [[gnu::always_inline]] static inline void run(const direct_conv_sum& s) {
    index_t j = 0;
    for (; s.n - j > 2 * lanes; j += 3 * lanes)
      some(s, j, std::make_index_sequence<M>(), std::make_index_sequence<3>());
    if (s.n - j > lanes) some(s, j, std::make_index_sequence<M>(), std::make_index_sequence<2>());
    else if (s.n > j) some(s, j, std::make_index_sequence<M>(), std::make_index_sequence<1>());
  }

 private:
  template <std::size_t... I, std::size_t... V>
  [[gnu::always_inline]] static inline void some(const direct_conv_sum& s, index_t j, std::index_sequence<I...>,
                                                 std::index_sequence<V...>) {
    vector sums[M][sizeof...(V)] = {};
    const float* w = s.w;
    for (index_t c = 0; c < s.channels; ++c)
      for (index_t h = 0; h < s.high; ++h) {
        const float* from = s.packed_lines + c * s.plane + h * s.down + j;
        for (index_t k = 0; k < s.wide; ++k, from += s.across, w += M) {
          const vector x[] = {*reinterpret_cast<const loose_vector*>(from + V * lanes)...};
          (add(sums[I], w[I], x, std::index_sequence<V...>()), ...);
        }
      }
    (put(sums[I], s.to + static_cast<index_t>(I) * s.step + j, std::index_sequence<V...>()), ...);
  }
  template <std::size_t... V>
  [[gnu::always_inline]] static inline void add(vector* sums, float w, const vector* x, std::index_sequence<V...>) {
    ((sums[V] += w * x[V]), ...);
  }
  template <std::size_t... V>
  [[gnu::always_inline]] static inline void put(const vector* sums, float* to, std::index_sequence<V...>) {
    ((*reinterpret_cast<loose_vector*>(to + V * lanes) = sums[V]), ...);
  }
};

/// The kernel for this machine. `run` computes `rows` result channels at once, with vectors of
/// `lanes` elements. `run` is null on processors without AVX2 and AVX-512. There, the convolution
/// is computed from columns (im2col) by matrix products.
struct direct_conv_kernel {
  void (*run)(const direct_conv_sum&) = nullptr;
  index_t rows = 1, lanes = 1;

  static auto best() -> direct_conv_kernel {
#ifdef __x86_64__
    if (instructions_to_use() == instructions::avx512)
      return {functions_of<direct_conv_sums<64, 8>, const direct_conv_sum&>::avx512, 8, 16};
    if (instructions_to_use() == instructions::avx2)
      return {functions_of<direct_conv_sums<32, 4>, const direct_conv_sum&>::avx2, 4, 8};
#endif
    return {};
  }
};

/// The weight and the bias. w is (groups * out, in, k...). If `transposed`, w is (groups * in,
/// out, k...), that is, the weight of the convolution of which this convolution is the transpose.
/// The bias has groups * out elements, or is null.
struct direct_conv_weight {
  const float* w;
  bool transposed;
  const float* bias;
};

/// Computes y (samples, groups * out, ...), the convolution of x (samples, groups * in, ...) with
/// w, task by task. A task computes a tile of lines of one group of one sample.
class direct_convolution {
 public:
  direct_convolution(const direct_conv& s, const direct_conv_kernel& k, const direct_conv_weight& source, float* packed)
      : s_(s), k_(k), bias_(source.bias), packed_(packed) {
    for (index_t g = 0; g < s.groups; ++g)
      for (index_t m = 0; m < s.out_channels; m += k.rows, packed += k.rows * s.in_channels * s.window.elements())
        pack(source, g, m, packed);
    weights_ = (packed - packed_) / s.groups;
  }
  /// Computes one task's part of y: y = sum + bias, or y += sum if `add`. `own` is a buffer of
  /// direct_conv::part_elements() elements for the gathered lines and the sums.
  void run(index_t task, const float* x, float* y, bool add, float* own) const {
    const index_t first = task % s_.tiles() * s_.line_count(), group = task / s_.tiles(),
                  lines = std::min(s_.line_count(), s_.window.output_size[1] - first);
    const index_t width = s_.width(), plane = (lines + s_.more()) * width,
                  n = (lines - 1) * width + s_.window.output_size[2];
    gather_lines(x + group * s_.in_channels * s_.window.inputs(), first, lines + s_.more(), own);
    float* const sums = own + s_.part_of_lines();
    const index_t step = (n + k_.lanes - 1) / k_.lanes * k_.lanes;
    const float* w = packed_ + group % s_.groups * weights_;
    for (index_t m = 0; m < s_.out_channels; m += k_.rows, w += k_.rows * s_.in_channels * s_.window.elements()) {
      k_.run({own, plane, s_.window.dilation[1] * width, s_.window.dilation[2], s_.in_channels, s_.window.kernel[1],
              s_.window.kernel[2], w, sums, step, n});
      for (index_t i = 0; i < std::min(k_.rows, s_.out_channels - m); ++i) {
        const float bias = bias_ != nullptr ? bias_[group % s_.groups * s_.out_channels + m + i] : 0;
        for (index_t l = 0; l < lines; ++l) {
          const float* const from = sums + i * step + l * width;
          float* const to =
              y + ((group * s_.out_channels + m + i) * s_.window.output_size[1] + first + l) * s_.window.output_size[2];
          if (add)
            for (index_t j = 0; j < s_.window.output_size[2]; ++j) to[j] += from[j];
          else
            for (index_t j = 0; j < s_.window.output_size[2]; ++j) to[j] = from[j] + bias;
        }
      }
    }
  }

 private:
  const direct_conv& s_;
  direct_conv_kernel k_;
  const float* bias_;
  float* packed_;
  index_t weights_ = 0;  // elements of a group's packed weight

  /// Copies the weights of the result channels [m, m + k_.rows) to `to`, in the layout (in, k...,
  /// k_.rows).
  void pack(const direct_conv_weight& source, index_t group, index_t m, float* to) const {
    const index_t elements = s_.window.elements(), rows = std::min(k_.rows, s_.out_channels - m);
    if (source.transposed) {  // kernel elements in reverse order
      for (index_t c = 0; c < s_.in_channels; ++c)
        transpose_block<float>(rows, elements,
                               {source.w + ((group * s_.in_channels + c) * s_.out_channels + m) * elements, elements},
                               {to + ((c + 1) * elements - 1) * k_.rows, -k_.rows});
    } else {
      const index_t row = s_.in_channels * elements;
      transpose_block<float>(rows, row, {source.w + (group * s_.out_channels + m) * row, row}, {to, k_.rows});
    }
    if (rows == k_.rows) return;
    for (index_t e = 0; e < s_.in_channels * elements;
         ++e)  // repeats the last channel, because fewer than k_.rows are left
      std::fill(to + e * k_.rows + rows, to + (e + 1) * k_.rows, to[e * k_.rows + rows - 1]);
  }
  /// Copies lines [first, first + lines) of each input channel to `to`. Lines are counted from the
  /// start of the padding. Elements outside the grid become 0.
  void gather_lines(const float* x, index_t first, index_t lines, float* to) const {
    const index_t width = s_.width(), high = s_.window.input_size[1], wide = s_.window.input_size[2];
    const index_t begin = std::clamp<index_t>(s_.window.padding[2], 0, width);
    const index_t end = std::clamp<index_t>(s_.window.padding[2] + wide, begin, width);
    for (index_t c = 0; c < s_.in_channels; ++c)
      for (index_t l = 0; l < lines; ++l, to += width) {
        const index_t line = first + l - s_.window.padding[1];
        if (line < 0 || line >= high) {
          std::fill_n(to, width, 0.0F);
          continue;
        }
        const float* const from = x + (c * high + line) * wide - s_.window.padding[2];
        for (index_t j = 0; j < begin; ++j) to[j] = 0;
        for (index_t j = begin; j < end; ++j) to[j] = from[j];
        for (index_t j = end; j < width; ++j) to[j] = 0;
      }
  }
};

}  // namespace koila::inline v0::detail
