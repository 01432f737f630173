// SPDX-License-Identifier: MIT
#pragma once
// The names of attributes, spelled as in LibTorch. An op accepts a name if its struct `attributes`
// has a member of this name.
#include <koila/expr/attribute.hpp>

namespace koila::inline v0 {

/// The dim along which an op works. A negative number counts from the end.
inline constexpr struct dim : detail::attribute_name<dim> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.dim)) { return a.dim; }
} dim;

/// Whether reduced dims stay, with extent 1.
inline constexpr struct keepdim : detail::attribute_name<keepdim> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.keepdim)) { return a.keepdim; }
} keepdim;

/// The two dims that transpose swaps.
inline constexpr struct dim0 : detail::attribute_name<dim0> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.dim0)) { return a.dim0; }
} dim0;
inline constexpr struct dim1 : detail::attribute_name<dim1> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.dim1)) { return a.dim1; }
} dim1;

/// The first and the last dim that flatten merges.
inline constexpr struct start_dim : detail::attribute_name<start_dim> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.start_dim)) { return a.start_dim; }
} start_dim;
inline constexpr struct end_dim : detail::attribute_name<end_dim> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.end_dim)) { return a.end_dim; }
} end_dim;

/// The class index that cross_entropy ignores.
inline constexpr struct ignore_index : detail::attribute_name<ignore_index> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.ignore_index)) { return a.ignore_index; }
} ignore_index;

/// The extent of a pooling window or of a patch.
inline constexpr struct kernel_size : detail::attribute_name<kernel_size> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.kernel_size)) { return a.kernel_size; }
} kernel_size;

/// The distance between neighbouring windows.
inline constexpr struct stride : detail::attribute_name<stride> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.stride)) { return a.stride; }
} stride;

/// The padding on both sides of a dim.
inline constexpr struct padding : detail::attribute_name<padding> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.padding)) { return a.padding; }
} padding;

/// The distance between neighbouring elements of a window.
inline constexpr struct dilation : detail::attribute_name<dilation> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.dilation)) { return a.dilation; }
} dilation;

/// The number of groups into which channels are split. A call of `groups` makes the groups of
/// parameters that a step trains: `groups(group(body, {.lr = 1e-4}), group(head))`.
inline constexpr struct groups : detail::attribute_name<groups> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.groups)) { return a.groups; }
  template <class First, class... Rest>
  auto operator()(const First& first, const Rest&... rest) const -> decltype(First::joined_groups(first, rest...)) {
    return First::joined_groups(first, rest...);
  }
} groups;

/// A small number that keeps a denominator from being 0.
inline constexpr struct eps : detail::attribute_name<eps> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.eps)) { return a.eps; }
} eps;

/// The weight of a new value in a running mean.
inline constexpr struct momentum : detail::attribute_name<momentum> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.momentum)) { return a.momentum; }
} momentum;

namespace ops {  // programs often have this name, too

/// The order of a norm, or a probability. In the dropouts, it is the probability of dropping an
/// element. In bernoulli_like, it is the probability of drawing a one.
inline constexpr struct p : detail::attribute_name<p> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.p)) { return a.p; }
} p;

}  // namespace ops

/// Whether an op runs in training mode: dropout drops elements, and batch_norm uses the statistics
/// of the batch.
inline constexpr struct training : detail::attribute_name<training> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.training)) { return a.training; }
} training;

/// How a loss reduces its per-element values: kMean, kSum or kNone.
inline constexpr struct reduction : detail::attribute_name<reduction> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.reduction)) { return a.reduction; }
} reduction;

/// How interpolate computes values between samples: kNearest, kBilinear, ... Ops such as pad have
/// different modes.
inline constexpr struct mode : detail::attribute_name<mode> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.mode)) { return a.mode; }
} mode;

/// A factor, for example of the product in addmm, or of the negative part of an activation.
inline constexpr struct alpha : detail::attribute_name<alpha> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.alpha)) { return a.alpha; }
} alpha;

/// A factor, for example of the value to which addmm adds a product, or of softplus's operand.
inline constexpr struct beta : detail::attribute_name<beta> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.beta)) { return a.beta; }
} beta;

}  // namespace koila::inline v0
