#pragma once
// Models as plain structs: their parameters and buffers by name, cloning, switching between training and inference.
#include <koila/run/tensor.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

namespace koila {

namespace detail {

/// Converts to anything: counts the members of an aggregate.
struct anything {
  template <class T>
  operator T() const;
};

template <class T, std::size_t... I>
constexpr auto braces_take(std::index_sequence<I...>) -> bool {
  return requires { T{(static_cast<void>(I), anything{})...}; };
}
template <class T, std::size_t N = 0>
constexpr auto count_members() -> std::size_t {
  if constexpr (braces_take<T>(std::make_index_sequence<N + 1>{})) return count_members<T, N + 1>();
  else return N;
}

/// The members of an aggregate, as references. 24 at most: what has more is made of parts.
template <class T>
constexpr auto tie_members(T& t) {
  constexpr std::size_t n = count_members<std::remove_cv_t<T>>();
  static_assert(n <= 24, "a model of more than 24 members: group them into structs, or give it a member function members()");
  // clang-format off
  if constexpr (n == 0) return std::tie();
  else if constexpr (n == 1) { auto& [a] = t; return std::tie(a); }
  else if constexpr (n == 2) { auto& [a, b] = t; return std::tie(a, b); }
  else if constexpr (n == 3) { auto& [a, b, c] = t; return std::tie(a, b, c); }
  else if constexpr (n == 4) { auto& [a, b, c, d] = t; return std::tie(a, b, c, d); }
  else if constexpr (n == 5) { auto& [a, b, c, d, e] = t; return std::tie(a, b, c, d, e); }
  else if constexpr (n == 6) { auto& [a, b, c, d, e, f] = t; return std::tie(a, b, c, d, e, f); }
  else if constexpr (n == 7) { auto& [a, b, c, d, e, f, g] = t; return std::tie(a, b, c, d, e, f, g); }
  else if constexpr (n == 8) { auto& [a, b, c, d, e, f, g, h] = t; return std::tie(a, b, c, d, e, f, g, h); }
  else if constexpr (n == 9) { auto& [a, b, c, d, e, f, g, h, i] = t; return std::tie(a, b, c, d, e, f, g, h, i); }
  else if constexpr (n == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = t; return std::tie(a, b, c, d, e, f, g, h, i, j); }
  else if constexpr (n == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k); }
  else if constexpr (n == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l); }
  else if constexpr (n == 13) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m); }
  else if constexpr (n == 14) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o); }
  else if constexpr (n == 15) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p); }
  else if constexpr (n == 16) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q); }
  else if constexpr (n == 17) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r); }
  else if constexpr (n == 18) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s); }
  else if constexpr (n == 19) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u); }
  else if constexpr (n == 20) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v); }
  else if constexpr (n == 21) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w); }
  else if constexpr (n == 22) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x); }
  else if constexpr (n == 23) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x, y] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x, y); }
  else { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x, y, z] = t; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x, y, z); }
  // clang-format on
}

template <class T>
concept Range = requires(T& t) {
  t.begin();
  t.size();
  t[0];
};
template <class T>
inline constexpr bool is_std_tuple = false;
template <class... T>
inline constexpr bool is_std_tuple<std::tuple<T...>> = true;

inline auto joined_name(const std::string& path, const std::string& name) -> std::string {
  return path.empty() || name.empty() ? path + name : path + "." + name;
}

/// Calls f(path, x) for every parameter, buffer and module of a model, in the order in which they are declared.
template <class T, class F>
void visit(T& t, const std::string& path, const F& f);

template <class T, class F>
void visit_member(T& t, const std::string& path, std::size_t index, const F& f) {
  std::string name = std::to_string(index);
  if constexpr (requires { t.state->name; }) name = t.state->name;
  else if constexpr (requires { std::string(t.name); })
    if (const std::string own(t.name); !own.empty()) name = own;
  visit(t, joined_name(path, name), f);
}

template <class T, class F>
void visit(T& t, const std::string& path, const F& f) {
  using U = std::remove_cv_t<T>;
  const auto each = [&](auto&&... members) {
    std::size_t i = 0;
    (visit_member(members, path, i++, f), ...);
  };
  if constexpr (owns_tensor<U>) {
    f(path, t);
  } else if constexpr (Range<U>) {
    for (std::size_t i = 0; i < t.size(); ++i) visit_member(t[i], path, i, f);
  } else if constexpr (is_std_tuple<U>) {
    std::apply(each, t);
  } else if constexpr (requires { t.members(); }) {
    f(path, t);
    std::apply(each, t.members());
  } else if constexpr (std::is_class_v<U> && std::is_aggregate_v<U> && !std::is_empty_v<U>) {
    f(path, t);
    std::apply(each, tie_members(t));
  }
}

}  // namespace detail

/// A parameter or a buffer of a model: its name in the model and its leaf. LibTorch's layers have the same names.
struct named_leaf {
  std::string name;
  handle<leaf_state> leaf;
  /// Its tensor, made on first use.
  auto tensor() const -> const at::Tensor& { return tensor_of(*leaf); }
};

namespace detail {

template <class M>
auto leaves_of(const M& net, leaf_state::kind kind) -> std::vector<named_leaf> {
  std::vector<named_leaf> out;
  visit(net, "", [&]<class T>(const std::string& path, const T& t) {
    if constexpr (owns_tensor<T>) {
      if (t.state->is != kind) return;
      for (const named_leaf& n : out)
        if (n.leaf == t.state) return;  // shared: named where it stands first
      out.push_back({path, t.state});
    }
  });
  return out;
}

}  // namespace detail

/// The parameters of a model by name, each once: `for (auto& [name, leaf] : parameters(net)) ...`. A model is a struct of
/// parameters, layers, other models, and arrays or tuples of them; one that is no aggregate has a member function members() that
/// returns a std::tie of them. A layer is named as it was constructed, or by its number among its siblings.
template <class M>
auto parameters(const M& net) -> std::vector<named_leaf> {
  return detail::leaves_of(net, leaf_state::parameter);
}

/// The buffers of a model by name: running statistics.
template <class M>
auto buffers(const M& net) -> std::vector<named_leaf> {
  return detail::leaves_of(net, leaf_state::buffer);
}

/// The parameters' tensors: what torch::optim takes.
template <class M>
auto tensors_of(const M& net) -> std::vector<at::Tensor> {
  std::vector<at::Tensor> out;
  for (const named_leaf& p : parameters(net)) out.push_back(p.tensor());
  return out;
}

/// A model with weights of its own, equal to these now: copying a model shares its parameters.
template <class M>
auto clone(const M& net) -> M {
  M copy = net;
  std::vector<std::pair<handle<leaf_state>, handle<leaf_state>>> made;  // what is shared stays shared
  detail::visit(copy, "", [&]<class T>(const std::string&, T& t) {
    if constexpr (detail::owns_tensor<T>) {
      for (const auto& [from, to] : made)
        if (from == t.state) return void(t.state = to);
      auto fresh = make_handle<leaf_state>(t.state->name, t.state->declared, t.state->is, t.state->first);
      set(*fresh, tensor_of(*t.state).detach().clone());
      made.push_back({t.state, fresh});
      t.state = fresh;
    }
  });
  return copy;
}

/// Switches layers that differ in training (dropout, batch norm) to it, or away from it: `set_training(net, false)`. It holds for
/// expressions that are made from then on.
template <class M>
void set_training(M& net, bool training) {
  detail::visit(net, "", [&]<class T>(const std::string&, T& t) {
    if constexpr (requires { t.training = training; }) t.training = training;
  });
}

namespace detail {

/// Gives leaves the values of tensors of the same names. Throws shape_error, before anything is changed, where a name is missing
/// on either side or a tensor does not fit.
void load_leaves(const std::vector<named_leaf>& into, const std::vector<std::pair<std::string, at::Tensor>>& from);

}  // namespace detail

/// Copies the weights and running statistics of a torch::nn module that names them alike: `load(net, *resnet)`.
template <class M, class Module>
  requires requires(const Module& m) {
    m.named_parameters();
    m.named_buffers();
  }
void load(const M& net, const Module& module) {
  std::vector<named_leaf> into = parameters(net);
  for (const named_leaf& b : buffers(net)) into.push_back(b);
  std::vector<std::pair<std::string, at::Tensor>> from;
  for (const auto& p : module.named_parameters()) from.push_back({p.key(), p.value()});
  for (const auto& b : module.named_buffers()) from.push_back({b.key(), b.value()});
  detail::load_leaves(into, from);
}

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/nn/module.ipp>
#endif
