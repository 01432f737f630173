// SPDX-License-Identifier: MIT
#pragma once
// The interface between optimisers and training steps: the states of parameters, the names of
// settings, and groups of parameters. Several steps may share the states.
#include <koila/run/tensor.hpp>

#include <algorithm>
#include <concepts>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace koila::inline v0 {

/// An optimiser that `step` can use. Optional members: `before(gradients)` receives all gradients
/// before the updates. `check_settings()` must throw if the current settings are invalid.
/// `check(state)` must throw if the settings need more than an existing state has. Steps call both
/// checks before they compute anything. If the optimiser has a `name`, `load` refuses files of
/// optimisers with a different name.
template <class O>
concept Optimizer = requires(const O& o, const at::Tensor& w, const at::Tensor& g, typename O::state& s) {
  { o.state_for(w) } -> std::same_as<typename O::state>;
  o.update(w, g, s);
  s.bytes();
};

namespace detail {

/// A parameter in a checkpoint file: its name, its dtype and dims (`like`) and, if it was trained,
/// the named members of its optimiser state (`parts`).
struct parameter_record {
  std::string name;
  std::vector<std::int64_t> like;
  bool trained = false;
  std::vector<std::pair<std::string, at::Tensor>> parts;
  bool of_model = false;  // the parameter belongs to a model in the file; `name` is its name in the model
};

/// The optimiser's state of one parameter, if the parameter was trained.
template <class S>
struct kept_state : object {
  handle<const leaf_state> parameter;
  std::optional<S> state;
  explicit kept_state(handle<const leaf_state> p, std::optional<S> s = {})
      : parameter(std::move(p)), state(std::move(s)) {}
};

/// The states of an optimiser, in the order in which the losses of its steps use the parameters.
/// Frozen parameters have entries, too, because `load` assigns states to parameters by this order
/// if no model is loaded.
template <class S>
struct state_table : object {
  std::vector<handle<kept_state<S>>> all;
  std::int64_t steps = 0;
  std::vector<parameter_record> awaited;  // read from a file, for parameters that no step has used yet
  std::int64_t loads = 0;  // number of times that states were read from a file
  std::size_t promised = 0;  // entries that a load in progress may add

  /// Drops the entries that no step uses and whose parameters exist nowhere else.
  void drop_unused() {
    std::erase_if(all, [](const auto& k) { return k.sole() && k->parameter.sole(); });
  }
};

/// The address of an optimiser whose settings and states a step follows.
struct optimizer_location : object {
  void* address = nullptr;  // null: the optimiser is destroyed
  bool moved = false;
  handle<optimizer_location> next;  // location of an optimiser that was move-assigned to this one
};

/// A member of an optimiser of class H, through which steps find the optimiser even after a move.
template <class H>
class followed {
 public:
  using optimizer = H;

  constexpr followed() = default;
  constexpr followed(const followed&) {}  // a copy is a different optimiser, which no step follows
  constexpr followed(followed&& o) noexcept { come_from(o); }
  constexpr auto operator=(const followed&) -> followed& { return *this; }
  constexpr auto operator=(followed&& o) noexcept -> followed& {
    if (this != &o) come_from(o);
    return *this;
  }
  constexpr ~followed() {
    if (here_) here_->address = nullptr;
  }

  /// Updates the location of `holder`, the optimiser that has this member, and returns the
  /// location.
  auto location(H& holder) -> const handle<optimizer_location>& {
    if (!here_) here_ = make_handle<optimizer_location>();
    here_->address = &holder;
    return here_;
  }

 private:
  handle<optimizer_location> here_;

  constexpr void come_from(followed& o) {
    if (!o.here_) return;
    if (here_) {
      here_->address = nullptr;
      here_->next = o.here_;
    }
    here_ = std::move(o.here_);
    if (here_->address == nullptr) return;
    const auto offset = static_cast<char*>(here_->address) - reinterpret_cast<char*>(&o);
    here_->address = reinterpret_cast<char*>(this) + offset;
    here_->moved = true;
  }
};

/// A member that holds the states of an optimiser of class H. Copies share the states. After an
/// assignment, the left optimiser shares the states of the right optimiser.
template <class S, class H>
class kept_states : public followed<H> {
 public:
  constexpr kept_states() : table_(fresh()) {}
  constexpr kept_states(const kept_states& o) : followed<H>(o), table_(o.table_ ? o.table_ : fresh()) {}
  constexpr kept_states(kept_states&& o) noexcept : followed<H>(std::move(o)), table_(o.table_) {}
  constexpr auto operator=(const kept_states& o) -> kept_states& {
    table_ = o.table_ ? o.table_ : fresh();
    return *this;
  }
  constexpr auto operator=(kept_states&& o) noexcept -> kept_states& {
    table_ = o.table_;
    followed<H>::operator=(std::move(o));
    return *this;
  }
  constexpr ~kept_states() = default;

  auto table() const -> const handle<state_table<S>>& { return table_; }

 private:
  handle<state_table<S>> table_;

  // Optimisers in constant expressions have no states.
  static constexpr auto fresh() -> handle<state_table<S>> {
    return std::is_constant_evaluated() ? handle<state_table<S>>() : make_handle<state_table<S>>();
  }
};

/// An optimiser whose copies share their states.
template <class O>
concept SharesStates = Optimizer<O> && requires(O& o) {
  { o.states.table() } -> std::same_as<const handle<state_table<typename O::state>>&>;
};

/// Returns the member through which steps follow an optimiser: the `link` of a wrapper around
/// another optimiser, or else `states`.
template <SharesStates O>
constexpr auto link_of(O& o) -> auto& {
  if constexpr (requires { o.link; }) return o.link;
  else return o.states;
}

/// Calls f(name, setting...) for each setting that all optimisers in `os` have. The names are those
/// that LibTorch's optimisers use. An optimiser may list further settings: `static void
/// settings(const auto& f, auto&... o) { f("rho", o.rho...); }`.
template <class F, class... Os>
constexpr void each_setting(const F& f, Os&... os) {
  if constexpr ((requires { os.lr; } && ...)) f("lr", os.lr...);
  if constexpr ((requires { os.lr_decay; } && ...)) f("lr_decay", os.lr_decay...);
  if constexpr ((requires { os.momentum; } && ...)) f("momentum", os.momentum...);
  if constexpr ((requires { os.dampening; } && ...)) f("dampening", os.dampening...);
  if constexpr ((requires { os.betas; } && ...)) f("betas", os.betas...);
  if constexpr ((requires { os.alpha; } && ...)) f("alpha", os.alpha...);
  if constexpr ((requires { os.initial_accumulator_value; } && ...))
    f("initial_accumulator_value", os.initial_accumulator_value...);
  if constexpr ((requires { os.eps; } && ...)) f("eps", os.eps...);
  if constexpr ((requires { os.weight_decay; } && ...)) f("weight_decay", os.weight_decay...);
  if constexpr ((requires { os.amsgrad; } && ...)) f("amsgrad", os.amsgrad...);
  if constexpr ((requires { os.nesterov; } && ...)) f("nesterov", os.nesterov...);
  if constexpr ((requires { os.centered; } && ...)) f("centered", os.centered...);
  if constexpr ((requires { os.max_norm; } && ...)) f("max_norm", os.max_norm...);
  if constexpr ((requires { os.clip_value; } && ...)) f("clip_value", os.clip_value...);
  if constexpr ((requires { Os::settings(f, os); } && ...))
    (std::common_type_t<std::remove_cv_t<Os>...>::settings(f, os...));
}

/// Returns true if two settings are equal. NaN is equal to NaN.
template <class T>
constexpr auto same_setting(const T& a, const T& b) -> bool {
  if constexpr (requires { a.first; }) return same_setting(a.first, b.first) && same_setting(a.second, b.second);
  else return a == b || (a != a && b != b);
}

/// `require_name` throws shape_error if the record has a different name than the parameter. In the
/// record, names of modules may precede the parameter's name. `require_like` throws shape_error if
/// the record has a different dtype or different dims.
void require_name(const parameter_record& r, const leaf_state& parameter);
void require_like(const parameter_record& r, const leaf_state& parameter);
/// Returns true if neither `require_name` nor `require_like` would throw. Does not allocate.
auto may_be_of(const parameter_record& r, const leaf_state& parameter) -> bool;
/// Returns a tensor with the elements of `saved` and the layout of the parameter. Throws
/// shape_error if `saved` and the parameter differ in dims or dtype.
auto part_for(const parameter_record& r, const std::string& part, const at::Tensor& saved, const at::Tensor& parameter)
    -> at::Tensor;
auto part_from(const at::Tensor& saved) -> std::int64_t;
/// Returns true if one of the records has a state.
inline auto has_states(const std::vector<parameter_record>& records) -> bool {
  return std::any_of(records.begin(), records.end(), [](const parameter_record& r) { return r.trained; });
}
/// Prints a note on stderr if a file has states of parameters that the step does not train.
void tell_of_awaited(const std::vector<parameter_record>& awaited);

/// A state that can be saved lists its members in a function `each`. The members may be tensors of
/// the parameter's dims, numbers and booleans:
/// `static void each(auto& s, const auto& f) { f("exp_avg", s.exp_avg), f("step", s.step); }`.
struct part_probe {
  void operator()(const char*, const auto&) const {}
};
template <class S>
concept ListsParts = requires(S& s, const part_probe& f) { S::each(s, f); };

/// Returns the state of a parameter: the state in the record `saved` or, if `saved` is null, a new
/// state.
template <class O>
auto state_from(const O& settings, const parameter_record* saved, const leaf_state& parameter) -> typename O::state {
  using state = typename O::state;
  const at::Tensor& p = tensor_of(parameter);
  state s = settings.state_for(p);
  if constexpr (ListsParts<state>)
    if (saved != nullptr) {
      require_like(*saved, parameter);
      state::each(s, [&]<class T>(const char* name, T& part) {
        for (const auto& [saved_name, t] : saved->parts) {
          if (saved_name != name) continue;
          if constexpr (std::same_as<T, at::Tensor>) part = part_for(*saved, name, t, p);
          else part = static_cast<T>(part_from(t));
        }
      });
      if constexpr (requires { s.complete(p); }) s.complete(p);
    }
  return s;
}

/// Copies all settings of `from` to `to`.
template <class From, class To>
void copy_settings(const From& from, To& to) {
  each_setting([](const char*, auto& own, const auto& given) { own = given; }, to, from);
}

template <class O>
void check_settings(const O& o) {
  if constexpr (requires { o.check_settings(); }) o.check_settings();
}

}  // namespace detail

/// The settings of a group of parameters: `{.lr = 1e-4, .weight_decay = 0}`, in the order of the
/// members. If a setting is not given, the optimiser's setting applies.
struct group_settings {
  std::optional<double> lr = {};
  std::optional<double> lr_decay = {};
  std::optional<double> momentum = {};
  std::optional<double> dampening = {};
  std::optional<std::pair<double, double>> betas = {};
  std::optional<double> alpha = {};
  std::optional<double> initial_accumulator_value = {};
  std::optional<double> eps = {};
  std::optional<double> weight_decay = {};
  std::optional<bool> amsgrad = {};
  std::optional<bool> nesterov = {};
  std::optional<bool> centered = {};

  /// Replaces an optimiser's settings by the settings that are given here. Throws argument_error if
  /// the optimiser lacks one of these settings.
  template <class O>
  void apply_to(O& o) const {
    int named = 0, applied = 0;
    detail::each_setting([&](const char*, const auto& given) { named += given.has_value(); }, *this);
    detail::each_setting(
        [&](const char*, auto& own, const auto& given) {
          if (!given) return;
          own = *given;
          ++applied;
        },
        o, *this);
    if (named == applied) return;
    detail::each_setting(
        [&](const char* name, const auto& given) {
          bool has = false;
          detail::each_setting([&](std::string_view own, const auto&) { has = has || own == name; }, o);
          if (given && !has)
            throw argument_error("koila: step: a group of parameters names " + std::string(name) +
                                 ", which is no setting of the optimiser");
        },
        *this);
  }
};

/// Parameters with the same settings, as `group(model, {.lr = 1e-4})` returns them.
struct parameter_group {
  std::vector<detail::handle<const detail::leaf_state>> parameters;
  std::vector<at::Tensor> tensors;  ///< tensors of parameters, if the group was made from tensors
  group_settings settings = {};

  template <std::same_as<parameter_group>... G>
  static auto joined_groups(const parameter_group& first, const G&... rest) -> std::vector<parameter_group> {
    return {first, rest...};
  }
};

}  // namespace koila::inline v0
