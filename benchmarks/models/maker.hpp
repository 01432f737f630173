// SPDX-License-Identifier: MIT
#pragma once
// Leaves and layers of models whose dtype is known at run time.
#include <koila/nn/module.hpp>

#include "models/model.hpp"

namespace models {

using namespace koila::detail;

/// The sizes of one sample, or of a parameter.
using sizes = std::vector<index_t>;

struct conv_settings {
  index_t stride = 1, padding = 0, groups = 1;
  bool bias = true;
};

/// Collects the inputs, parameters and buffers of a model while the model is built.
class maker {
 public:
  explicit maker(dtype t) : type_(t) {}

  auto type() const -> dtype { return type_; }

  /// Adds an input of standard normal numbers; `axis` is the position of the batch dim.
  auto normal(const char* name, const sizes& sample, int axis = 0) -> tensor_leaf;
  /// Adds an input of numbers that are uniform in [0, 1).
  auto uniform(const char* name, const sizes& sample) -> tensor_leaf;
  /// Adds an int64 input with values in [first, last]. If `ignored` is not 0, a fifth of the
  /// elements are `ignored`.
  auto classes(const char* name, index_t first, index_t last, const sizes& sample = {}, index_t ignored = 0)
      -> tensor_leaf;
  auto parameter(const char* name, const sizes& extents, const initial& first = {}) -> tensor_leaf;
  auto buffer(const char* name, const sizes& extents, double value) -> tensor_leaf;

  /// Adds an input that the caller has created, for models that are structs of their own. `draw`
  /// returns a tensor for the input.
  void own(const handle<leaf_state>& leaf, std::function<at::Tensor(index_t, const at::Generator&)> draw);
  /// Adds an input of standard normal numbers, or (`own_classes`) of classes 0 to n - 1.
  template <Expression L>
  void own(const L& leaf, const sizes& sample) {
    own(leaf.state, normal_source(sample, 0));
  }
  template <Expression L>
  void own_classes(const L& leaf, index_t n, const sizes& sample = {}) {
    own(leaf.state, class_source(0, n - 1, sample, 0));
  }
  /// Adds the parameters and buffers of a model that is a struct of its own.
  template <class M>
  void own(const M& net) {
    for (const auto& p : named_parameters(net)) parameters_.push_back(p.leaf);
    for (const auto& b : named_buffers(net)) buffers_.push_back(b.leaf);
  }

  // Layers, named after LibTorch's layers.
  auto linear(const dynamic& x, index_t in_features, index_t out, bool bias = true) -> dynamic;
  auto conv1d(const dynamic& x, index_t in_features, index_t out, index_t kernel, const conv_settings& s = {},
              index_t dilation = 1) -> dynamic;
  auto conv2d(const dynamic& x, index_t in_features, index_t out, index_t kernel, const conv_settings& s = {})
      -> dynamic;
  auto conv3d(const dynamic& x, index_t in_features, index_t out, index_t kernel, const conv_settings& s = {})
      -> dynamic;
  auto conv_transpose2d(const dynamic& x, index_t in_features, index_t out, index_t kernel, index_t stride) -> dynamic;
  auto batch_norm(const dynamic& x, index_t channels) -> dynamic;
  auto layer_norm(const dynamic& x, index_t width) -> dynamic;
  auto group_norm(const dynamic& x, index_t groups, index_t channels) -> dynamic;
  auto embedding(const dynamic& index, index_t count, index_t width) -> dynamic;
  /// (batch, l, width) x (batch, s, width) -> (batch, l, width): attention with `heads` heads.
  auto attention(const dynamic& x, const dynamic& memory, index_t width, index_t heads, bool causal) -> dynamic;
  /// (batch, l, width) -> (batch, l, width): a pre-norm encoder layer.
  auto transformer_layer(const dynamic& x, index_t width, index_t heads, bool causal) -> dynamic;
  /// (time, batch, in) -> (time, batch, hidden), with a zero initial state.
  auto lstm(const dynamic& x, index_t in_features, index_t hidden, bool reverse = false) -> dynamic;
  auto gru(const dynamic& x, index_t in_features, index_t hidden, bool reverse = false) -> dynamic;
  auto rnn(const dynamic& x, index_t in_features, index_t hidden) -> dynamic;

  /// Returns the finished model, with an output and a scalar loss.
  auto finish(const char* name, const dynamic& output, const dynamic& loss) -> model;

 private:
  using drawing = std::function<at::Tensor(index_t, const at::Generator&)>;
  auto normal_source(const sizes& sample, int axis) const -> drawing;
  static auto class_source(index_t first, index_t last, const sizes& sample, index_t ignored) -> drawing;
  auto zero_state(const dynamic& x, index_t hidden) -> dynamic;

  dtype type_;
  std::vector<source> inputs_;
  std::vector<handle<leaf_state>> parameters_, buffers_;
};

}  // namespace models
