// SPDX-License-Identifier: MIT
#pragma once
// Convolutions by LibTorch's operators.
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/convolution/convolution.hpp>

#include <ATen/ops/constant_pad_nd_ops.h>
#include <ATen/ops/convolution_backward_ops.h>
#include <ATen/ops/convolution_ops.h>

namespace koila::inline v0::detail {

/// The arguments of LibTorch's convolution operators. The tensors that these operators take must
/// have a dim of samples. The operators take only one padding for both ends of a dim. With kSame,
/// the padding at the end may have to be one element larger. In that case x is padded by this
/// element first.
struct convolution_operators {
  int n;
  index_t groups;
  std::int64_t strides[windows::capacity], paddings[windows::capacity], dilations[windows::capacity],
      none[windows::capacity]{};
  std::int64_t behind[2 * windows::capacity]{};  // in the order of constant_pad_nd: the last dim first
  bool uneven = false;

  convolution_operators(const at::Tensor& w, const conv_attributes& a)
      : n(static_cast<int>(w.dim()) - 2), groups(a.groups.value) {
    for (int i = 0; i < n; ++i) {
      strides[i] = a.stride[i].value, dilations[i] = a.dilation[i].value, paddings[i] = a.padding[i].value;
      if (a.padding.mode != choice::same) continue;
      const std::int64_t both = dilations[i] * (w.size(2 + i) - 1);
      paddings[i] = both / 2;
      behind[2 * (n - 1 - i) + 1] = both % 2;
      uneven = uneven || both % 2 != 0;
    }
  }
  auto list(const std::int64_t* v) const -> c10::SymIntArrayRef {
    return c10::fromIntArrayRefSlow({v, static_cast<std::size_t>(n)});
  }
  /// Returns t as (samples, channels, ...). Adds a dim of one sample if t has no dim of samples.
  auto with_samples(const at::Tensor& t) const -> at::Tensor { return t.dim() == n + 1 ? t.unsqueeze(0) : t; }
  auto padded(const at::Tensor& t, const std::int64_t* by) const -> at::Tensor {
    return at::_ops::constant_pad_nd::call(t, c10::fromIntArrayRefSlow({by, static_cast<std::size_t>(2 * n)}), 0);
  }
  auto larger(const at::Tensor& x) const -> at::Tensor { return uneven ? padded(x, behind) : x; }
  /// Narrows each spatial dim of t to the extent of this dim in `like`. The first elements are
  /// kept.
  auto first_of(at::Tensor t, const at::Tensor& like) const -> at::Tensor {
    for (int i = 2; i < n + 2; ++i)
      if (t.size(i) != like.size(i)) t = t.narrow(i, 0, like.size(i));
    return t;
  }
  /// Pads y with zeros, so that y has one element for each window that fits into x, as LibTorch's
  /// operators require. In koila, y may have fewer elements than there are such windows.
  auto all_windows(const at::Tensor& y, const at::Tensor& x, const at::Tensor& w) const -> at::Tensor {
    std::int64_t more[2 * windows::capacity]{};
    bool fewer = false;
    for (int i = 0; i < n; ++i) {
      const std::int64_t reach = dilations[i] * (w.size(2 + i) - 1) + 1;
      const std::int64_t fit = (x.size(2 + i) + 2 * paddings[i] - reach) / strides[i] + 1;
      more[2 * (n - 1 - i) + 1] = fit - y.size(2 + i);
      fewer = fewer || fit != y.size(2 + i);
    }
    return fewer ? padded(y, more) : y;
  }
  auto per_channel(const at::Tensor& b) const -> at::Tensor {
    std::int64_t sizes[windows::capacity + 1] = {b.size(0), 1, 1, 1};
    return b.view(at::IntArrayRef(sizes, static_cast<std::size_t>(n) + 1));
  }

  void forward(at::Tensor& y, const at::Tensor& x, const at::Tensor& w, const at::Tensor* b) const {
    if (y.numel() == 0) return;
    if (x.numel() == 0 || w.numel() == 0) {
      y.zero_();
      if (b != nullptr) y.add_(per_channel(*b));
      return;
    }
    const at::Tensor to = with_samples(y);
    const at::Tensor all = at::_ops::convolution::call(
        larger(with_samples(x)), w, b != nullptr ? std::optional<at::Tensor>(*b) : std::nullopt, list(strides),
        list(paddings), list(dilations), false, list(none), groups);
    to.copy_(first_of(all, to));
  }
  /// Returns the gradient of the input x if `of_x` is true, else the gradient of the weight w.
  auto backward(const at::Tensor& dy, const at::Tensor& x, const at::Tensor& w, bool of_x) const -> at::Tensor {
    auto [dx, dw, db] = at::_ops::convolution_backward::call(all_windows(with_samples(dy), x, w), x, w, std::nullopt,
                                                             list(strides), list(paddings), list(dilations), false,
                                                             list(none), groups, {of_x, !of_x, false});
    return of_x ? dx : dw;
  }
  void transposed(at::Tensor& x, const at::Tensor& y, const at::Tensor& w, const at::Tensor* b) const {
    if (x.numel() == 0) return;
    if (y.numel() == 0 || w.numel() == 0) {
      x.zero_();
    } else {
      const at::Tensor like = with_samples(x);  // only the sizes of `like` are read
      with_samples(x).copy_(first_of(backward(y, larger(like), w, true), like));
    }
    if (b != nullptr) x.add_(per_channel(*b));
  }
  void weight(at::Tensor& w, const at::Tensor& y, const at::Tensor& x, bool add) const {
    if (w.numel() == 0) return;
    if (y.numel() == 0 || x.numel() == 0) {
      if (!add) w.zero_();
      return;
    }
    const at::Tensor dw = backward(y, larger(with_samples(x)), w, false);
    if (add) w.add_(dw);
    else w.copy_(dw);
  }
};

}  // namespace koila::inline v0::detail
