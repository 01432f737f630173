// SPDX-License-Identifier: MIT
#pragma once
// Models as plain structs: parameters and buffers by name, cloning, training and inference mode.
#include <koila/nn/visit.hpp>
#include <koila/run/tensor.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace koila::inline v0 {

/// A parameter or a buffer of a model: its name in the model and its leaf. The names are those of
/// LibTorch's layers.
struct named_leaf {
  std::string name;
  detail::handle<detail::leaf_state> leaf;
  /// Returns the leaf's tensor, which is made on first use.
  auto tensor() const -> const at::Tensor& { return tensor_of(*leaf); }
};

namespace detail {

/// Throws argument_error if two leaves have the same name.
void require_names(const std::vector<named_leaf>& all);

template <class M>
auto leaves_of(const M& net) -> std::vector<named_leaf> {
  std::vector<named_leaf> out;
  visit(net, "", [&]<class T>(const std::string& path, const T& t) {
    if constexpr (owns_tensor<T>) {
      (void)shared_state(t.state);
      for (const named_leaf& n : out)
        if (n.leaf == t.state) return;  // shared: named by its first occurrence
      out.push_back({path.empty() ? own_name(t) : path, t.state});
    }
  });
  require_names(out);
  return out;
}
template <class M>
auto leaves_of(const M& net, leaf_state::leaf_kind kind) -> std::vector<named_leaf> {
  std::vector<named_leaf> out = leaves_of(net);
  std::erase_if(out, [&](const named_leaf& n) { return n.leaf->kind != kind; });
  return out;
}

}  // namespace detail

/// Returns the parameters of a model by name, each once: `for (auto& [name, leaf] :
/// named_parameters(net)) ...`. A model is a struct of parameters, layers and other models, or of
/// containers, optionals, smart pointers, reference wrappers or tuples of these. A model that is
/// not an aggregate must have a member function members() that returns a std::tie of its members.
/// Objects in a std::function, or behind a std::weak_ptr or a plain pointer, are not part of the
/// model, because koila cannot look inside a std::function, and these pointers do not own
/// objects. A layer or a parameter has the name that it was constructed with, or else its index
/// among its siblings. Throws argument_error if two leaves of the model have the same name.
template <class M>
auto named_parameters(const M& net) -> std::vector<named_leaf> {
  return detail::leaves_of(net, detail::leaf_state::parameter);
}

/// Returns the parameters of several models, named as in their own models:
/// `step(loss, adam{}, named_parameters(encoder, decoder))`.
template <class M, class... Ms>
  requires(sizeof...(Ms) > 0)
auto named_parameters(const M& net, const Ms&... more) -> std::vector<named_leaf> {
  std::vector<named_leaf> out = named_parameters(net);
  const auto append = [&](const std::vector<named_leaf>& leaves) {
    for (const named_leaf& named : leaves)
      if (std::none_of(out.begin(), out.end(), [&](const named_leaf& n) { return n.leaf == named.leaf; }))
        out.push_back(named);
  };
  (append(named_parameters(more)), ...);
  return out;
}

/// Returns the buffers of a model by name, such as running statistics.
template <class M>
auto named_buffers(const M& net) -> std::vector<named_leaf> {
  return detail::leaves_of(net, detail::leaf_state::buffer);
}

namespace detail {

inline auto tensors_of(const std::vector<named_leaf>& leaves) -> std::vector<at::Tensor> {
  std::vector<at::Tensor> out;
  for (const named_leaf& named : leaves) out.push_back(named.tensor());
  return out;
}

}  // namespace detail

/// Returns the tensors of the parameters of models, which torch::optim accepts.
template <class... Ms>
auto parameters(const Ms&... nets) -> std::vector<at::Tensor> {
  return detail::tensors_of(named_parameters(nets...));
}

/// Returns the tensors of a model's buffers.
template <class M>
auto buffers(const M& net) -> std::vector<at::Tensor> {
  return detail::tensors_of(named_buffers(net));
}

namespace detail {

/// Gives a clone its own leaves and models. If two members of the original share a leaf or a model,
/// the members of the clone share its copy.
struct cloned {
  std::vector<std::pair<handle<leaf_state>, handle<leaf_state>>> leaves;
  std::vector<std::pair<const void*, std::shared_ptr<void>>> models;

  void operator()(handle<leaf_state>& leaf);
  template <class T>
  void operator()(std::shared_ptr<T>& p) {
    static_assert(!std::is_const_v<T>, "clone: a shared_ptr to a const model cannot be given weights of its own");
    static_assert(!std::is_polymorphic_v<T> || std::is_final_v<T>,
                  "clone: what a shared_ptr to a base holds cannot be copied");
    for (const auto& [from, to] : models) {
      if (to == p) return;
      if (from == p.get()) return void(p = std::static_pointer_cast<T>(to));
    }
    if (!p) return;
    auto own = std::make_shared<T>(*p);
    models.push_back({p.get(), own});
    p = std::move(own);
  }
};

}  // namespace detail

/// Returns a copy of a model with its own weights, which are equal to the current weights. (A
/// plain copy of a model shares its parameters.) Does not compile for a model with a
/// std::reference_wrapper, because the object that the wrapper refers to would not be copied.
template <class M>
auto clone(const M& net) -> M {
  static_assert(std::is_copy_constructible_v<M>, "clone: the model cannot be copied: does it hold a unique_ptr?");
  M copy = net;
  detail::cloned own;
  detail::visit(copy, "", [&]<class T>(const std::string&, T& member) {
    static_assert(
        !detail::is_reference_wrapper<std::remove_cv_t<T>> || !detail::holds_leaves<std::remove_cv_t<T>>(),
        "clone: what a std::reference_wrapper refers to belongs to another object and cannot be given weights "
        "of its own: hold a shared_ptr");
    if constexpr (detail::owns_tensor<std::remove_cv_t<T>>) {
      static_assert(!std::is_const_v<T>,
                    "clone: a parameter that is const cannot be replaced: is there a members() not const too?");
      own(member.state);
    } else if constexpr (detail::is_shared<std::remove_cv_t<T>>) {
      static_assert(!std::is_const_v<T>, "clone: a shared_ptr that is const cannot be replaced");
      if constexpr (detail::part_of<std::remove_cv_t<typename T::element_type>>() != detail::part::closed) own(member);
    }
  });
  return copy;
}

namespace detail {

void move_leaves(const std::vector<named_leaf>& all, at::Device where);

}  // namespace detail

/// Moves the weights and buffers of a model to a device: `to(net, at::kCUDA)`. Call this function
/// before anything else holds the model's tensors, because gradients, optimisers and the result
/// of parameters(net) keep the old tensors. Throws shape_error if koila does not run on that
/// device.
template <class M>
void to(const M& net, at::Device device) {
  detail::move_leaves(detail::leaves_of(net), device);
}

/// Switches layers that behave differently in training (dropout, batch norm) to training or to
/// inference: `set_training(net, false)`. The switch affects only expressions that are made
/// afterwards.
template <class M>
void set_training(M& net, bool is_training) {
  detail::visit(net, "", [&]<class T>(const std::string&, T& member) {
    if constexpr (requires { member.training = is_training; }) member.training = is_training;
  });
}

namespace detail {

/// The prefix of names in files that do not belong to a model, such as those of the training step
/// in save(net, train, file).
inline constexpr std::string_view reserved_name = "koila.";

/// Returns a function that copies the values of tensors into the leaves with the same names. Throws
/// shape_error if a leaf has no tensor, if a tensor has no leaf, or if a tensor does not have the
/// dims or dtype of its leaf.
auto leaves_to_load(const std::vector<named_leaf>& into, const std::vector<std::pair<std::string, at::Tensor>>& from)
    -> std::function<void()>;
/// Copies the values of tensors into the leaves with the same names. Throws the exceptions of
/// `leaves_to_load` before anything is changed.
void load_leaves(const std::vector<named_leaf>& into, const std::vector<std::pair<std::string, at::Tensor>>& from);

}  // namespace detail

/// Copies the weights and running statistics of a torch::nn module that uses the same names:
/// `load(net, *resnet)`.
template <class M, class Module>
  requires requires(const Module& m) {
    m.named_parameters();
    m.named_buffers();
  }
void load(const M& net, const Module& module) {
  std::vector<named_leaf> into = named_parameters(net);
  for (const named_leaf& b : named_buffers(net)) into.push_back(b);
  std::vector<std::pair<std::string, at::Tensor>> from;
  for (const auto& named : module.named_parameters()) from.push_back({named.key(), named.value()});
  for (const auto& b : module.named_buffers()) from.push_back({b.key(), b.value()});
  detail::load_leaves(into, from);
}

}  // namespace koila::inline v0
