// SPDX-License-Identifier: MIT
#pragma once
// Convolution layers.
#include <koila/nn/linear.hpp>
#include <koila/ops/convolution/conv1d.hpp>
#include <koila/ops/convolution/conv2d.hpp>
#include <koila/ops/convolution/conv3d.hpp>
#include <koila/ops/convolution/conv_transpose1d.hpp>
#include <koila/ops/convolution/conv_transpose2d.hpp>
#include <koila/ops/convolution/conv_transpose3d.hpp>

namespace koila::inline v0::nn {

/// A layer's padding: a number, or kSame, which keeps the extents of the input.
struct layer_padding {
  index_t n = 0;
  bool is_same = false;  ///< as much as keeps the extents
  constexpr layer_padding(index_t v) : n(v) {}
  constexpr layer_padding(author::choice_constant<author::choice::same>) : is_same(true) {}
};

/// Options of a convolution layer:
/// `nn::conv2d<64, 128, 3, nn::conv_options{.stride = 2, .padding = 1}>`.
struct conv_options {
  index_t stride = 1;
  layer_padding padding = 0;
  index_t dilation = 1, groups = 1;
  index_t output_padding = 0;  ///< only for transposed convolutions
  bool bias = true;
  dtype type = float32;
};

namespace detail {

template <index_t N>
inline constexpr hana::integral_constant<index_t, N> constant{};

template <layer_padding P>
constexpr auto padding_of() {
  if constexpr (P.is_same) return kSame;
  else return constant<P.n>;
}

/// The type of a weight with N kernel dims of extent K.
template <int N, dtype T, index_t A, index_t B, index_t K>
struct filter;
template <dtype T, index_t A, index_t B, index_t K>
struct filter<1, T, A, B, K> {
  using type = parameter<T, A, B, K>;
};
template <dtype T, index_t A, index_t B, index_t K>
struct filter<2, T, A, B, K> {
  using type = parameter<T, A, B, K, K>;
};
template <dtype T, index_t A, index_t B, index_t K>
struct filter<3, T, A, B, K> {
  using type = parameter<T, A, B, K, K, K>;
};

/// Base of all convolution layers. `Op` is the op. A and B are the first two dims of the weight.
template <const auto& Op, int N, index_t A, index_t B, index_t Out, index_t K, conv_options O>
struct convolution {
  const char* name;
  typename filter<N, O.type, A, B, K>::type weight{"weight"};
  [[no_unique_address]] std::conditional_t<O.bias, parameter<O.type, Out>, nothing> bias{
      "bias", uniform_by_root(koila::detail::shape_t<decltype(weight)>::value.count(1, N + 2))};

  constexpr convolution() : convolution("") {}
  constexpr explicit convolution(const char* n) : name(n) {}
  auto members() const { return std::tie(weight, bias); }
  auto members() { return std::tie(weight, bias); }

 protected:
  auto call(const auto& x, const auto&... attributes) const {
    if constexpr (O.bias) return Op(x, weight, bias, attributes...);
    else return Op(x, weight, attributes...);
  }
};

template <const auto& Op, int N, index_t In, index_t Out, index_t K, conv_options O>
struct forward : convolution<Op, N, Out, In / O.groups, Out, K, O>,
                 koila::detail::refusing_layer<
                     std::remove_cvref_t<decltype(Op)>, typename filter<N, O.type, Out, In / O.groups, K>::type,
                     koila::detail::named<struct koila::stride, hana::integral_constant<index_t, O.stride>>,
                     koila::detail::named<struct koila::padding, decltype(padding_of<O.padding>())>,
                     koila::detail::named<struct koila::dilation, hana::integral_constant<index_t, O.dilation>>,
                     koila::detail::named<struct koila::groups, hana::integral_constant<index_t, O.groups>>> {
  static_assert(In % O.groups == 0 && Out % O.groups == 0, "the channels are divisible by the groups");
  using convolution<Op, N, Out, In / O.groups, Out, K, O>::convolution;
  using forward::refusing_layer::operator();
  template <class X>
    requires(!forward::template refuses<X>)
  auto operator()(const X& x) const {
    return this->call(x, koila::stride = constant<O.stride>, koila::padding = padding_of<O.padding>(),
                      koila::dilation = constant<O.dilation>, koila::groups = constant<O.groups>);
  }
};
template <const auto& Op, int N, index_t In, index_t Out, index_t K, conv_options O>
struct transposed
    : convolution<Op, N, In, Out / O.groups, Out, K, O>,
      koila::detail::refusing_layer<
          std::remove_cvref_t<decltype(Op)>, typename filter<N, O.type, In, Out / O.groups, K>::type,
          koila::detail::named<struct koila::stride, hana::integral_constant<index_t, O.stride>>,
          koila::detail::named<struct koila::padding, decltype(padding_of<O.padding>())>,
          koila::detail::named<struct koila::output_padding, hana::integral_constant<index_t, O.output_padding>>,
          koila::detail::named<struct koila::groups, hana::integral_constant<index_t, O.groups>>,
          koila::detail::named<struct koila::dilation, hana::integral_constant<index_t, O.dilation>>> {
  static_assert(In % O.groups == 0 && Out % O.groups == 0, "the channels are divisible by the groups");
  using convolution<Op, N, In, Out / O.groups, Out, K, O>::convolution;
  using transposed::refusing_layer::operator();
  template <class X>
    requires(!transposed::template refuses<X>)
  auto operator()(const X& x) const {
    return this->call(x, koila::stride = constant<O.stride>, koila::padding = padding_of<O.padding>(),
                      koila::output_padding = constant<O.output_padding>, koila::groups = constant<O.groups>,
                      koila::dilation = constant<O.dilation>);
  }
};

}  // namespace detail

/// (samples, In, l) -> (samples, Out, l'). torch.nn.Conv1d with a kernel of K.
template <index_t In, index_t Out, index_t K, conv_options O = conv_options{}>
struct conv1d : detail::forward<koila::conv1d, 1, In, Out, K, O> {
  using detail::forward<koila::conv1d, 1, In, Out, K, O>::forward;
};
/// (samples, In, h, w) -> (samples, Out, h', w'). torch.nn.Conv2d with a kernel of K x K.
template <index_t In, index_t Out, index_t K, conv_options O = conv_options{}>
struct conv2d : detail::forward<koila::conv2d, 2, In, Out, K, O> {
  using detail::forward<koila::conv2d, 2, In, Out, K, O>::forward;
};
/// (samples, In, d, h, w) -> (samples, Out, d', h', w'). torch.nn.Conv3d with a kernel of K x K x
/// K.
template <index_t In, index_t Out, index_t K, conv_options O = conv_options{}>
struct conv3d : detail::forward<koila::conv3d, 3, In, Out, K, O> {
  using detail::forward<koila::conv3d, 3, In, Out, K, O>::forward;
};
/// (samples, In, l) -> (samples, Out, l'). torch.nn.ConvTranspose1d.
template <index_t In, index_t Out, index_t K, conv_options O = conv_options{}>
struct conv_transpose1d : detail::transposed<koila::conv_transpose1d, 1, In, Out, K, O> {
  using detail::transposed<koila::conv_transpose1d, 1, In, Out, K, O>::transposed;
};
/// (samples, In, h, w) -> (samples, Out, h', w'). torch.nn.ConvTranspose2d.
template <index_t In, index_t Out, index_t K, conv_options O = conv_options{}>
struct conv_transpose2d : detail::transposed<koila::conv_transpose2d, 2, In, Out, K, O> {
  using detail::transposed<koila::conv_transpose2d, 2, In, Out, K, O>::transposed;
};
/// (samples, In, d, h, w) -> (samples, Out, d', h', w'). torch.nn.ConvTranspose3d.
template <index_t In, index_t Out, index_t K, conv_options O = conv_options{}>
struct conv_transpose3d : detail::transposed<koila::conv_transpose3d, 3, In, Out, K, O> {
  using detail::transposed<koila::conv_transpose3d, 3, In, Out, K, O>::transposed;
};

}  // namespace koila::inline v0::nn
