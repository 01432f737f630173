// SPDX-License-Identifier: MIT
#pragma once
// Helpers for LibTorch models that use the parameters of koila's models.
#include <ATen/ATen.h>

#include <cmath>
#include <vector>

namespace models {

/// A matrix product (m, k) x (k, n), computed `times` times.
struct product {
  std::int64_t m, n, k, times = 1;
};

/// Returns the parameters one after another, in the order in which a model made them.
class taker {
 public:
  /// `products`: if not null, receives the matrix products that a step needs, forward and backward.
  explicit taker(const std::vector<at::Tensor>& all, std::vector<product>* products = nullptr)
      : all_(all), products_(products) {}
  auto operator()() -> const at::Tensor& { return all_.at(next_++); }
  auto linear(const at::Tensor& x) -> at::Tensor {
    const at::Tensor &w = (*this)(), &b = (*this)();
    needs(x, x.numel() / w.size(1), w.size(0), w.size(1));
    return at::linear(x, w, b);
  }
  auto layer_norm(const at::Tensor& x) -> at::Tensor {
    const at::Tensor &w = (*this)(), &b = (*this)();
    return at::layer_norm(x, {w.size(0)}, w, b);
  }
  auto attention(const at::Tensor& x, std::int64_t heads, bool causal) -> at::Tensor {
    const auto split = [&](const at::Tensor& v) { return v.unflatten(-1, {heads, -1}).transpose(1, 2); };
    const at::Tensor q = split(linear(x)), k = split(linear(x)), v = split(linear(x));
    // Each head needs two products forward (the scores, and the weights times the values), and four
    // products backward. Causal attention needs half of the scores.
    const std::int64_t t = q.size(2), width = q.size(3), of_each = q.size(0) * heads;
    add({t, causal ? t / 2 : t, width, 3 * of_each}), add({t, width, causal ? t / 2 : t, 3 * of_each});
    const at::Tensor y = at::scaled_dot_product_attention(q, k, v, {}, 0, causal);
    return linear(y.transpose(1, 2).flatten(2));
  }
  auto transformer_layer(const at::Tensor& x, std::int64_t heads, bool causal) -> at::Tensor {
    const at::Tensor h = x + attention(layer_norm(x), heads, causal);
    const at::Tensor inner = at::gelu(linear(layer_norm(h)));
    return h + linear(inner);
  }
  /// (time, batch, in) -> (time, batch, hidden); LibTorch's second bias is zero.
  auto lstm(const at::Tensor& x) -> at::Tensor {
    const at::Tensor &w = (*this)(), &u = (*this)(), &b = (*this)();
    needs(x, x.size(0) * x.size(1), w.size(0), w.size(1));
    add({x.size(1), u.size(0), u.size(1), x.size(0)}), add({x.size(1), u.size(1), u.size(0), x.size(0)});
    add({u.size(0), u.size(1), x.size(0) * x.size(1)});
    const at::Tensor zero = at::zeros({1, x.size(1), u.size(1)}, x.options());
    return std::get<0>(at::lstm(x, {zero, zero}, {w, u, b, at::zeros_like(b)}, true, 1, 0, false, false, false));
  }
  auto conv2d(const at::Tensor& x, std::int64_t stride, std::int64_t padding) -> at::Tensor {
    const at::Tensor &w = (*this)(), &b = (*this)();
    const at::Tensor y = at::conv2d(x, w, b, stride, padding);
    needs(x, y[0].numel() / y.size(1), w.size(0), w[0].numel(), x.size(0));
    return y;
  }
  auto conv_transpose2d(const at::Tensor& x, std::int64_t stride) -> at::Tensor {
    const at::Tensor &w = (*this)(), &b = (*this)();
    needs(x, x[0].numel() / x.size(1), w[0].numel(), w.size(0), x.size(0));
    return at::conv_transpose2d(x, w, b, stride);
  }
  /// Batch norm in training mode, without running statistics.
  auto batch_norm(const at::Tensor& x) -> at::Tensor {
    const at::Tensor &w = (*this)(), &b = (*this)();
    return at::batch_norm(x, w, b, {}, {}, true, 0.1, 1e-5, false);
  }
  auto done() const -> bool { return next_ == all_.size(); }

 private:
  const std::vector<at::Tensor>& all_;
  std::vector<product>* products_;
  std::size_t next_ = 0;

  void add(const product& p) {
    if (products_ != nullptr) products_->push_back(p);
  }
  /// Adds the products of a linear layer with weights (out, in) on `rows` rows. The layer needs one
  /// product for its value, one for the weights' gradient, and one for x's gradient if x requires a
  /// gradient. Convolutions have one product per sample.
  void needs(const at::Tensor& x, std::int64_t rows, std::int64_t out, std::int64_t in_features,
             std::int64_t samples = 1) {
    add({rows, out, in_features, samples}), add({out, in_features, rows, samples});
    if (x.requires_grad()) add({rows, in_features, out, samples});
  }
};

}  // namespace models
