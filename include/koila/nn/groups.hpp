// SPDX-License-Identifier: MIT
#pragma once
// Selects the parameters that a step trains, in groups with their own settings.
#include <koila/nn/module.hpp>
#include <koila/run/step.hpp>

namespace koila::inline v0 {

namespace detail {

template <class T>
inline constexpr bool names_leaf = requires(const T& t) {
  { t.leaf } -> std::convertible_to<handle<const leaf_state>>;
};
/// A range of named parameters, as `named_parameters(net)` returns it, or of tensors of parameters.
template <class W>
concept ParameterRange = requires(const W& w) {
  w.begin();
  w.end();
  requires names_leaf<std::remove_cvref_t<decltype(*w.begin())>> ||
               PlainTensor<std::remove_cvref_t<decltype(*w.begin())>>;
};

}  // namespace detail

/// The types that `group` accepts: a model, a parameter, a range of named parameters or of
/// parameters' tensors.
template <class W>
concept Trainable = detail::ParameterRange<W> || detail::holds_leaves<W>();

/// Makes a group of parameters from a model, a single parameter or a list of parameters. A step
/// trains each group with the settings of the group: `step(loss, adam{}, groups(group(body, {.lr
/// = 1e-4}), group(head, {.weight_decay = 0})))`.
template <Trainable W>
auto group(const W& what, const group_settings& settings = {}) -> parameter_group {
  parameter_group out;
  out.settings = settings;
  if constexpr (!detail::ParameterRange<W>) {
    for (const named_leaf& named : named_parameters(what)) out.parameters.push_back(named.leaf);
  } else {
    for (const auto& item : what) {
      if constexpr (requires { item.leaf; }) out.parameters.push_back(item.leaf);
      else out.tensors.push_back(item);
    }
  }
  return out;
}

/// Makes a step that trains only the parameters of a model or of a list: `step(loss, adam{},
/// generator)`, `step(loss, adam{}, named_parameters(encoder, decoder))`.
template <Expression E, class O, Trainable W>
  requires Optimizer<std::remove_cvref_t<O>>
auto step(const E& loss, O&& optimizer, const W& what, const options& o = {}) -> training_step<std::remove_cvref_t<O>> {
  return step(loss, std::forward<O>(optimizer), groups(group(what)), o);
}

}  // namespace koila::inline v0
