#pragma once
// Models in LibTorch, of the parameters that koila's have.
#include <ATen/ATen.h>

#include <cmath>
#include <vector>

namespace models {

/// Takes parameters in the order in which a model made them.
class taker {
 public:
  explicit taker(const std::vector<at::Tensor>& all) : all_(all) {}
  auto operator()() -> const at::Tensor& { return all_.at(next_++); }
  auto linear(const at::Tensor& x) -> at::Tensor {
    const at::Tensor &w = (*this)(), &b = (*this)();
    return at::linear(x, w, b);
  }
  auto layer_norm(const at::Tensor& x) -> at::Tensor {
    const at::Tensor &w = (*this)(), &b = (*this)();
    return at::layer_norm(x, {w.size(0)}, w, b);
  }
  auto attention(const at::Tensor& x, std::int64_t heads, bool causal) -> at::Tensor {
    const auto split = [&](const at::Tensor& v) { return v.unflatten(-1, {heads, -1}).transpose(1, 2); };
    const at::Tensor q = split(linear(x)), k = split(linear(x)), v = split(linear(x));
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
    const at::Tensor zero = at::zeros({1, x.size(1), u.size(1)}, x.options());
    return std::get<0>(at::lstm(x, {zero, zero}, {w, u, b, at::zeros_like(b)}, true, 1, 0, false, false, false));
  }
  auto conv2d(const at::Tensor& x, std::int64_t stride, std::int64_t padding) -> at::Tensor {
    const at::Tensor &w = (*this)(), &b = (*this)();
    return at::conv2d(x, w, b, stride, padding);
  }
  auto conv_transpose2d(const at::Tensor& x, std::int64_t stride) -> at::Tensor {
    const at::Tensor &w = (*this)(), &b = (*this)();
    return at::conv_transpose2d(x, w, b, stride);
  }
  /// In training, without running statistics.
  auto batch_norm(const at::Tensor& x) -> at::Tensor {
    const at::Tensor &w = (*this)(), &b = (*this)();
    return at::batch_norm(x, w, b, {}, {}, true, 0.1, 1e-5, false);
  }
  auto done() const -> bool { return next_ == all_.size(); }

 private:
  const std::vector<at::Tensor>& all_;
  std::size_t next_ = 0;
};

}  // namespace models
