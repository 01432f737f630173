// SPDX-License-Identifier: MIT
#pragma once
// Normalisation layers.
#include <koila/nn/linear.hpp>
#include <koila/ops/normalization/batch_norm.hpp>
#include <koila/ops/normalization/group_norm.hpp>
#include <koila/ops/normalization/instance_norm.hpp>
#include <koila/ops/normalization/layer_norm.hpp>
#include <koila/ops/normalization/rms_norm.hpp>

namespace koila::inline v0::nn {

/// Options of a normalisation layer: `nn::batch_norm<64, nn::norm_options{.affine = false}>`. A
/// dtype alone is accepted, too.
struct norm_options {
  bool affine = true;               ///< has a weight and a bias
  bool track_running_stats = true;  ///< batch_norm only; if false, inference uses the batch's statistics, too
  dtype type = float32;
};
/// Options of instance_norm. Weight and bias are off by default, as in torch.nn.InstanceNorm.
struct instance_norm_options {
  bool affine = false;
  dtype type = float32;
};

namespace detail {

constexpr auto norm_options_of(norm_options o) -> norm_options { return o; }
constexpr auto norm_options_of(dtype t) -> norm_options { return {.type = t}; }

template <bool Has, class Leaf>
using optional_leaf = std::conditional_t<Has, Leaf, nothing>;

/// Base of layers with a weight and a bias, or with neither. Initially, the weight is all ones and
/// the bias all zeros.
template <norm_options O, auto... D>
struct normalising {
  const char* name;
  double eps = 1e-5;
  [[no_unique_address]] optional_leaf<O.affine, parameter<O.type, D...>> weight{"weight", {initial::constant, 1}};
  [[no_unique_address]] optional_leaf<O.affine, parameter<O.type, D...>> bias{"bias", {initial::constant, 0}};

  constexpr normalising() : normalising("") {}
  constexpr explicit normalising(const char* n) : name(n) {}
  auto members() const { return std::tie(weight, bias); }
  auto members() { return std::tie(weight, bias); }

 protected:
  auto call(const auto& op, const auto& x, const auto&... attributes) const {
    if constexpr (O.affine) return op(x, weight, bias, attributes..., koila::eps = eps);
    else return op(x, attributes..., koila::eps = eps);
  }
};

/// Base that refuses invalid calls. The op's arguments are the weight and the bias, if the layer
/// has them, and then the attributes. (g++ 12 fails if the options are a template argument here.)
template <class Op, bool Has, class Affine, class... Attributes>
using refusing_norm = std::conditional_t<Has, koila::detail::refusing_layer<Op, Affine, Affine, Attributes...>,
                                         koila::detail::refusing_layer<Op, Attributes...>>;

/// The base of batch_norm that refuses invalid calls. Takes the number of channels from the running
/// statistics or, if the layer has none, from the weight.
template <bool Affine, bool Tracks, class P, class B>
using refusing_batch_norm =
    std::conditional_t<Tracks, koila::detail::refusing_layer<struct koila::batch_norm, P, P, B, B>,
                       std::conditional_t<Affine, koila::detail::refusing_layer<struct koila::batch_norm, P, P>,
                                          koila::detail::refusing_layer<struct koila::batch_norm>>>;

}  // namespace detail

/// (n, C, ...) -> (n, C, ...): normalises each channel. Training uses the statistics of the whole
/// batch, even if the batch runs in chunks, and updates the running statistics. Inference uses
/// the running statistics. torch.nn.BatchNorm1d, 2d and 3d.
template <index_t C, auto O = norm_options{}>
struct batch_norm
    : detail::refusing_batch_norm<detail::norm_options_of(O).affine, detail::norm_options_of(O).track_running_stats,
                                  parameter<detail::norm_options_of(O).type, C>,
                                  buffer<detail::norm_options_of(O).type, C>> {
  static constexpr norm_options options = detail::norm_options_of(O);
  const char* name;
  double eps = 1e-5, momentum = 0.1;
  bool training = true;
  [[no_unique_address]] detail::optional_leaf<options.affine, parameter<options.type, C>> weight{
      "weight", {initial::constant, 1}};
  [[no_unique_address]] detail::optional_leaf<options.affine, parameter<options.type, C>> bias{"bias",
                                                                                               {initial::constant, 0}};
  [[no_unique_address]] detail::optional_leaf<options.track_running_stats, buffer<options.type, C>> running_mean{
      "running_mean", {initial::constant, 0}};
  [[no_unique_address]] detail::optional_leaf<options.track_running_stats, buffer<options.type, C>> running_var{
      "running_var", {initial::constant, 1}};

  constexpr batch_norm() : batch_norm("") {}
  constexpr explicit batch_norm(const char* n) : name(n) {}
  auto members() const { return std::tie(weight, bias, running_mean, running_var); }
  auto members() { return std::tie(weight, bias, running_mean, running_var); }

  using batch_norm::refusing_layer::operator();
  template <class X>
    requires(!batch_norm::template refuses<X>)
  auto operator()(const X& x) const {
    const auto normalised = [&](const auto&... operands) {
      return koila::batch_norm(x, operands..., koila::training = !options.track_running_stats || training,
                               koila::momentum = momentum, koila::eps = eps);
    };
    if constexpr (options.track_running_stats && options.affine)
      return normalised(weight, bias, running_mean, running_var);
    else if constexpr (options.track_running_stats) return normalised(1, 0, running_mean, running_var);
    else if constexpr (options.affine) return normalised(weight, bias);
    else return normalised();
  }
};

/// (n, C, ...) -> (n, C, ...): normalises each channel of each sample. torch.nn.InstanceNorm1d, 2d
/// and 3d.
template <index_t C, instance_norm_options O = instance_norm_options{}>
struct instance_norm : detail::normalising<norm_options{.affine = O.affine, .type = O.type}, C>,
                       detail::refusing_norm<struct koila::instance_norm, O.affine, parameter<O.type, C>> {
  using detail::normalising<norm_options{.affine = O.affine, .type = O.type}, C>::normalising;
  using instance_norm::refusing_layer::operator();
  template <class X>
    requires(!instance_norm::template refuses<X>)
  auto operator()(const X& x) const {
    return this->call(koila::instance_norm, x);
  }
};

/// (..., D...) -> (..., D...): normalises over the last dims. torch.nn.LayerNorm. Options may come
/// first: `nn::layer_norm<nn::norm_options{.affine = false}, 64>`.
template <auto... D>
struct layer_norm : layer_norm<norm_options{}, D...> {
  using layer_norm<norm_options{}, D...>::layer_norm;
};
template <norm_options O, auto... D>
struct layer_norm<O, D...>
    : detail::normalising<O, D...>,
      std::conditional_t<
          O.affine,
          koila::detail::refusing_layer<struct koila::layer_norm, parameter<O.type, D...>, parameter<O.type, D...>>,
          koila::detail::refusing_layer<
              struct koila::layer_norm,
              koila::detail::named<struct koila::normalized_shape, list_of<hana::integral_constant<index_t, D>...>>>> {
  using detail::normalising<O, D...>::normalising;
  using layer_norm::refusing_layer::operator();
  template <class X>
    requires(!layer_norm::template refuses<X>)
  auto operator()(const X& x) const {
    if constexpr (O.affine) return this->call(koila::layer_norm, x);
    else
      return this->call(koila::layer_norm, x,
                        koila::normalized_shape = list_of(hana::integral_constant<index_t, D>{}...));
  }
};

/// (..., D) -> (..., D): divides by the root mean square over the last dim, and multiplies by a
/// weight. torch.nn.RMSNorm.
template <index_t D>
struct rms_norm : koila::detail::refusing_layer<struct koila::rms_norm, parameter<D>> {
  const char* name;
  parameter<D> weight{"weight", {initial::constant, 1}};

  constexpr rms_norm() : rms_norm("") {}
  constexpr explicit rms_norm(const char* n) : name(n) {}
  auto members() const { return std::tie(weight); }
  auto members() { return std::tie(weight); }

  using rms_norm::refusing_layer::operator();
  template <class X>
    requires(!rms_norm::template refuses<X>)
  auto operator()(const X& x) const {
    return koila::rms_norm(x, weight);
  }
};

/// (n, C, ...) -> (n, C, ...): divides the channels into `Groups` groups, and normalises each group
/// of each sample. torch.nn.GroupNorm.
template <index_t Groups, index_t C, auto O = norm_options{}>
struct group_norm
    : detail::normalising<detail::norm_options_of(O), C>,
      detail::refusing_norm<struct koila::group_norm, detail::norm_options_of(O).affine,
                            parameter<detail::norm_options_of(O).type, C>,
                            koila::detail::named<struct koila::num_groups, hana::integral_constant<index_t, Groups>>> {
  using detail::normalising<detail::norm_options_of(O), C>::normalising;
  using group_norm::refusing_layer::operator();
  template <class X>
    requires(!group_norm::template refuses<X>)
  auto operator()(const X& x) const {
    return this->call(koila::group_norm, x, koila::num_groups = hana::integral_constant<index_t, Groups>{});
  }
};

}  // namespace koila::inline v0::nn
