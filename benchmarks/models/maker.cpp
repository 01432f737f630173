// SPDX-License-Identifier: MIT
// Definitions of maker.hpp and model.hpp.
#include "models/maker.hpp"

namespace models {

using namespace koila;
using namespace koila::author;
using namespace koila::detail;

namespace {

auto own_leaf(const char* name, const dims& d, leaf_state::leaf_kind kind, const initial& first = {})
    -> handle<leaf_state> {
  return handle<leaf_state>(new leaf_state(name, d, kind, first));
}

/// Returns the dims of a parameter. If `axis` is given, returns the dims of an input whose batch
/// dim is at the position `axis`.
auto dims_of_sizes(const sizes& s, dtype t, int axis = -1) -> dims {
  dims d = open_dims(static_cast<int>(s.size()) + (axis >= 0 ? 1 : 0), t);
  std::size_t next = 0;
  for (int i = 0; i < d.rank; ++i) {
    if (i == axis) d.e[i] = extent{-1, axis_name<struct koila::batch>};
    else d.e[i] = extent{s[next++]};
  }
  return d;
}

auto with_samples(sizes s, index_t samples, int axis = 0) -> sizes {
  s.insert(s.begin() + axis, samples);
  return s;
}

}  // namespace

auto model::bind(index_t samples, std::uint64_t seed) const -> bound_tensors {
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  bound_tensors out;
  for (const source& s : inputs) out.push_back({s.leaf, s.draw(samples, generator)});
  return out;
}

auto bound_in(const dynamic& e, const bound_tensors& all) -> bound_tensors {
  graph_signature notes;
  builder b{bindings()};
  b.notes = &notes;
  (void)lower_root(b, e);
  bound_tensors out;
  for (const auto& x : all)
    if (notes.index_of(*x.leaf) < notes.given.size()) out.push_back(x);
  return out;
}

auto maker::normal_source(const sizes& sample, int axis) const -> drawing {
  return [=, type = scalar_type(type_)](index_t samples, const at::Generator& g) {
    return at::randn(with_samples(sample, samples, axis), g, at::kDouble).to(type);
  };
}

auto maker::class_source(index_t first, index_t last, const sizes& sample, index_t ignored) -> drawing {
  return [=](index_t samples, const at::Generator& g) {
    const sizes all = with_samples(sample, samples);
    at::Tensor drawn = at::randint(first, last + 1, all, g, at::kLong);
    if (ignored != 0) drawn.masked_fill_(at::rand(all, g, at::kDouble) < 0.2, ignored);
    return drawn;
  };
}

auto maker::normal(const char* name, const sizes& sample, int axis) -> tensor_leaf {
  const auto leaf = own_leaf(name, dims_of_sizes(sample, type_, axis), leaf_state::input);
  own(leaf, normal_source(sample, axis));
  return tensor_leaf(leaf);
}

auto maker::uniform(const char* name, const sizes& sample) -> tensor_leaf {
  const auto leaf = own_leaf(name, dims_of_sizes(sample, type_, 0), leaf_state::input);
  own(leaf, [=, type = scalar_type(type_)](index_t samples, const at::Generator& g) {
    return at::rand(with_samples(sample, samples), g, at::kDouble).to(type);
  });
  return tensor_leaf(leaf);
}

auto maker::classes(const char* name, index_t first, index_t last, const sizes& sample, index_t ignored)
    -> tensor_leaf {
  const auto leaf = own_leaf(name, dims_of_sizes(sample, dtype::int64, 0), leaf_state::input);
  own(leaf, class_source(first, last, sample, ignored));
  return tensor_leaf(leaf);
}

auto maker::parameter(const char* name, const sizes& extents, const initial& first) -> tensor_leaf {
  parameters_.push_back(own_leaf(name, dims_of_sizes(extents, type_), leaf_state::parameter, first));
  return tensor_leaf(parameters_.back());
}

auto maker::buffer(const char* name, const sizes& extents, double value) -> tensor_leaf {
  buffers_.push_back(own_leaf(name, dims_of_sizes(extents, type_), leaf_state::buffer, {initial::constant, value}));
  return tensor_leaf(buffers_.back());
}

void maker::own(const handle<leaf_state>& leaf, std::function<at::Tensor(index_t, const at::Generator&)> draw) {
  inputs_.push_back({leaf, std::move(draw)});
}

auto maker::linear(const dynamic& x, index_t in_features, index_t out, bool bias) -> dynamic {
  const dynamic w = parameter("weight", {out, in_features});
  if (!bias) return koila::linear(x, w);
  const dynamic b = parameter("bias", {out}, {initial::normal, 0.1});
  return koila::linear(x, w, b);
}

auto maker::conv1d(const dynamic& x, index_t in_features, index_t out, index_t kernel, const conv_settings& s,
                   index_t dilation) -> dynamic {
  const dynamic w = parameter("weight", {out, in_features / s.groups, kernel});
  const dynamic b = parameter("bias", {out}, {initial::normal, 0.1});
  return koila::conv1d(x, w, b, stride = s.stride, padding = s.padding, koila::dilation = dilation, groups = s.groups);
}

auto maker::conv2d(const dynamic& x, index_t in_features, index_t out, index_t kernel, const conv_settings& s)
    -> dynamic {
  const dynamic w = parameter("weight", {out, in_features / s.groups, kernel, kernel});
  if (!s.bias) return koila::conv2d(x, w, stride = s.stride, padding = s.padding, groups = s.groups);
  const dynamic b = parameter("bias", {out}, {initial::normal, 0.1});
  return koila::conv2d(x, w, b, stride = s.stride, padding = s.padding, groups = s.groups);
}

auto maker::conv3d(const dynamic& x, index_t in_features, index_t out, index_t kernel, const conv_settings& s)
    -> dynamic {
  const dynamic w = parameter("weight", {out, in_features / s.groups, kernel, kernel, kernel});
  const dynamic b = parameter("bias", {out}, {initial::normal, 0.1});
  return koila::conv3d(x, w, b, stride = s.stride, padding = s.padding, groups = s.groups);
}

auto maker::conv_transpose2d(const dynamic& x, index_t in_features, index_t out, index_t kernel, index_t s) -> dynamic {
  const dynamic w = parameter("weight", {in_features, out, kernel, kernel});
  const dynamic b = parameter("bias", {out}, {initial::normal, 0.1});
  return koila::conv_transpose2d(x, w, b, stride = s);
}

auto maker::batch_norm(const dynamic& x, index_t channels) -> dynamic {
  const dynamic w = parameter("weight", {channels}, {initial::uniform, 1, 0.5});
  const dynamic b = parameter("bias", {channels}, {initial::normal, 0.1});
  const tensor_leaf mean = buffer("running_mean", {channels}, 0), var = buffer("running_var", {channels}, 1);
  return koila::batch_norm(x, w, b, mean, var);
}

auto maker::layer_norm(const dynamic& x, index_t width) -> dynamic {
  const dynamic w = parameter("weight", {width}, {initial::uniform, 1, 0.5});
  const dynamic b = parameter("bias", {width}, {initial::normal, 0.1});
  return koila::layer_norm(x, w, b);
}

auto maker::group_norm(const dynamic& x, index_t groups_of, index_t channels) -> dynamic {
  const dynamic w = parameter("weight", {channels}, {initial::uniform, 1, 0.5});
  const dynamic b = parameter("bias", {channels}, {initial::normal, 0.1});
  return koila::group_norm(x, w, b, num_groups = groups_of);
}

auto maker::embedding(const dynamic& index, index_t count, index_t width) -> dynamic {
  const dynamic w = parameter("weight", {count, width}, {initial::normal, 0.5});
  return koila::embedding(index, w);
}

auto maker::attention(const dynamic& x, const dynamic& memory, index_t width, index_t heads, bool causal) -> dynamic {
  const auto split = [&](const dynamic& v) -> dynamic {  // (batch, heads, l, width / heads)
    return transpose(unflatten(v, -1, list_of(heads, width / heads)), -3, -2);
  };
  const dynamic q = split(linear(x, width, width)), k = split(linear(memory, width, width)),
                v = split(linear(memory, width, width));
  const dynamic y = scaled_dot_product_attention(q, k, v, is_causal = causal);
  return linear(koila::flatten(transpose(y, -3, -2), -2, -1), width, width);
}

auto maker::transformer_layer(const dynamic& x, index_t width, index_t heads, bool causal) -> dynamic {
  const dynamic normal = layer_norm(x, width);
  const dynamic h = x + attention(normal, normal, width, heads, causal);
  const dynamic inner = gelu(linear(layer_norm(h, width), width, 2 * width));
  return h + linear(inner, 2 * width, width);
}

auto maker::zero_state(const dynamic& x, index_t hidden) -> dynamic {  // (time, batch, in) -> (batch, hidden)
  return koila::expand(sum(zeros_like(select(x, 0, 0)), -1, keepdim = true), -1, hidden);
}

auto maker::lstm(const dynamic& x, index_t in_features, index_t hidden, bool reversed) -> dynamic {
  const double root = 1 / std::sqrt(static_cast<double>(hidden));
  const initial first{initial::uniform, 2 * root, -root};
  const dynamic w = parameter("weight_ih", {4 * hidden, in_features}, first),
                u = parameter("weight_hh", {4 * hidden, hidden}, first), b = parameter("bias", {4 * hidden}, first),
                h = zero_state(x, hidden);
  return koila::lstm(x, h, h, w, u, b, koila::reverse = reversed);
}

auto maker::gru(const dynamic& x, index_t in_features, index_t hidden, bool reversed) -> dynamic {
  const double root = 1 / std::sqrt(static_cast<double>(hidden));
  const initial first{initial::uniform, 2 * root, -root};
  const dynamic w = parameter("weight_ih", {3 * hidden, in_features}, first),
                u = parameter("weight_hh", {3 * hidden, hidden}, first), b = parameter("bias_ih", {3 * hidden}, first),
                c = parameter("bias_hh", {3 * hidden}, first);
  return koila::gru(x, zero_state(x, hidden), w, u, b, c, koila::reverse = reversed);
}

auto maker::rnn(const dynamic& x, index_t in_features, index_t hidden) -> dynamic {
  const double root = 1 / std::sqrt(static_cast<double>(hidden));
  const initial first{initial::uniform, 2 * root, -root};
  const dynamic w = parameter("weight_ih", {hidden, in_features}, first),
                u = parameter("weight_hh", {hidden, hidden}, first), b = parameter("bias", {hidden}, first);
  return koila::rnn_tanh(x, zero_state(x, hidden), w, u, b);
}

auto maker::finish(const char* name, const dynamic& output, const dynamic& loss) -> model {
  return {.name = name,
          .type = type_,
          .output = output,
          .loss = loss,
          .inputs = std::move(inputs_),
          .parameters = std::move(parameters_),
          .buffers = std::move(buffers_)};
}

auto all() -> std::vector<entry> {
  std::vector<entry> out;
  add_examples(out);
  add_more_examples(out);
  add_perceptrons(out);
  add_convolutional(out);
  add_sequences(out);
  add_losses(out);
  add_coupled(out);
  add_random_graphs(out);
  return out;
}

}  // namespace models
