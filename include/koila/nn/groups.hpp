#pragma once
// Which parameters a step trains: those of models, in groups that have settings of their own.
#include <koila/nn/module.hpp>
#include <koila/run/step.hpp>

namespace koila {

namespace detail {

template <class T>
inline constexpr bool names_leaf = requires(const T& t) {
  { t.leaf } -> std::convertible_to<handle<const leaf_state>>;
};
/// Parameters by name, as `parameters(net)` gives them; or tensors of parameters.
template <class W>
concept ParameterRange = requires(const W& w) {
  w.begin();
  w.end();
  requires names_leaf<std::remove_cvref_t<decltype(*w.begin())>> || Tensor<std::remove_cvref_t<decltype(*w.begin())>>;
};

}  // namespace detail

/// What `group` takes: a model, a parameter, parameters by name, tensors of parameters.
template <class W>
concept Trainable = detail::ParameterRange<W> || detail::holds_leaves<W>();

/// The parameters of a model, a parameter alone or those of a list, for a step that trains them
/// with settings of their own:
/// `step(loss, adam{}, groups(group(body, {.lr = 1e-4}), group(head, {.weight_decay = 0})))`.
template <Trainable W>
auto group(const W& what, const group_settings& settings = {}) -> parameter_group {
  parameter_group out;
  out.settings = settings;
  if constexpr (!detail::ParameterRange<W>) {
    for (const named_leaf& p : parameters(what)) out.parameters.push_back(p.leaf);
  } else {
    for (const auto& p : what) {
      if constexpr (requires { p.leaf; }) out.parameters.push_back(p.leaf);
      else out.tensors.push_back(p);
    }
  }
  return out;
}

/// A step that trains these parameters and no others: `step(loss, adam{}, parameters(generator))`.
template <Expression E, class O, Trainable W>
  requires Optimizer<std::remove_cvref_t<O>>
auto step(const E& loss, O&& optimizer, const W& what, const options& o = {}) -> training_step<std::remove_cvref_t<O>> {
  return step(loss, std::forward<O>(optimizer), groups(group(what)), o);
}

}  // namespace koila
