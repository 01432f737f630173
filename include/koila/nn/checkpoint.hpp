// SPDX-License-Identifier: MIT
#pragma once
// Models, optimisers and steps as dictionaries of tensors. Loading changes either all of them or
// none of them.
#include <koila/nn/groups.hpp>

#include <functional>

namespace koila::inline v0::detail {

using named_tensors = std::vector<std::pair<std::string, at::Tensor>>;

/// Writes a dictionary of tensors to a file, in place of the old contents. Writes the elements of
/// each tensor separately and in order, even if tensors share memory. Throws shape_error for a
/// tensor that koila does not support, argument_error if two tensors have the same name, and
/// file_error if the file cannot be written. After an exception, the file is unchanged.
void write_tensors(const named_tensors& all, const std::string& file);
/// Returns the tensors of a file, on the host. Throws file_error if the file cannot be
/// read, is damaged, or is not a dictionary of tensors.
auto read_tensors(const std::string& file) -> named_tensors;

/// Convert numbers to tensors and back. read_number throws shape_error if the tensor does not have
/// the dtype and the number of elements that `v` needs.
auto number_tensor(double v) -> at::Tensor;
auto number_tensor(std::int64_t v) -> at::Tensor;
auto number_tensor(bool v) -> at::Tensor;
auto number_tensor(const std::pair<double, double>& v) -> at::Tensor;
void read_number(const std::string& name, const at::Tensor& t, double& v);
void read_number(const std::string& name, const at::Tensor& t, std::int64_t& v);
void read_number(const std::string& name, const at::Tensor& t, bool& v);
void read_number(const std::string& name, const at::Tensor& t, std::pair<double, double>& v);

/// The record of an optimiser or of a step in a file.
struct optimizer_record {
  std::string name;  // of the optimiser; empty if the optimiser has no name
  named_tensors settings;
  named_tensors followed;  // the settings of the optimiser that the step follows; empty if it follows none
  std::vector<named_tensors> groups;
  std::int64_t steps = 0;
  std::vector<parameter_record> parameters;
  std::size_t awaited = 0;  // number of parameters at the end of `parameters` that were loaded but not used yet
};

/// One part of a file: a model, an optimiser or a step.
struct saved_part {
  std::vector<named_leaf> leaves;  // of a model; else empty
  std::function<optimizer_record(const std::vector<named_leaf>& models)>
      record;  // of an optimiser or a step; else null
};
struct loaded_part {
  std::vector<named_leaf> leaves;
  /// Checks a record, and returns a function that applies the record. The returned function must
  /// not fail.
  std::function<std::function<void()>(const optimizer_record& r, const std::vector<named_leaf>& models)> prepare;
};
void save_all(const std::vector<saved_part>& parts, const std::string& file);
/// Loads parts from the tensors of a file. Changes either all parts or no part.
void load_all(const std::vector<loaded_part>& parts, const named_tensors& all);
void load_all(const std::vector<loaded_part>& parts, const std::string& file);

/// Returns a record of a parameter, without an optimiser state. The record has the parameter's
/// name in a model, or the parameter's own name if no model contains the parameter.
auto record_of(const leaf_state& parameter, const std::vector<named_leaf>& models) -> parameter_record;
/// Returns the record of each parameter. Finds the record by name if there are models, else by
/// position. Throws shape_error if the records and the parameters do not match one to one.
auto records_for(const std::vector<handle<const leaf_state>>& parameters, const std::vector<parameter_record>& records,
                 const std::vector<named_leaf>& models) -> std::vector<const parameter_record*>;
/// The records of an optimiser, and the parameters that they belong to.
struct matched_records {
  std::vector<handle<const leaf_state>> parameters;
  std::vector<const parameter_record*> records;  // the record of each of these parameters
  std::vector<parameter_record> awaited;  // of parameters that the optimiser does not know yet
};
/// Finds the parameter of each record by name, in the models or else among `known`. If there are no
/// models, record k belongs to parameter k of `known`. Throws shape_error if the name, dtype or
/// dims of a parameter are not those in its record.
auto match_records(const std::vector<parameter_record>& records, const std::vector<handle<const leaf_state>>& known,
                   const std::vector<named_leaf>& models) -> matched_records;
[[noreturn]] void refuse_settings(const std::string& name);
/// Throws shape_error if both optimisers have names and the names differ.
void require_optimizer(const std::string& in_file, std::string_view here);
[[noreturn]] void refuse_groups(std::size_t in_file, std::size_t here);

// ---- settings and states ------------------------------------------------------------------------

template <class O>
auto settings_in(const O& o) -> named_tensors {
  named_tensors out;
  each_setting(
      [&]<class T>(const char* name, const T& v) {
        if constexpr (requires { v.has_value(); }) {
          if (v) out.push_back({name, number_tensor(*v)});
        } else {
          out.push_back({name, number_tensor(v)});
        }
      },
      o);
  return out;
}
/// Reads the settings of an optimiser. Throws shape_error if the settings in the file are not the
/// settings of this optimiser.
template <class O>
void read_settings(const named_tensors& from, O& o) {
  std::size_t known = 0;
  each_setting(
      [&]<class T>(const char* name, T& v) {
        const auto found = std::find_if(from.begin(), from.end(), [&](const auto& f) { return f.first == name; });
        if constexpr (requires { v.reset(); }) {
          v.reset();
          if (found == from.end()) return;
          read_number(name, found->second, v.emplace());
        } else {
          if (found == from.end()) refuse_settings(name);
          read_number(name, found->second, v);
        }
        ++known;
      },
      o);
  if (known < from.size()) refuse_settings("others");
}

template <class O>
auto name_of_optimizer() -> std::string {
  if constexpr (requires { std::string(O::name); }) return std::string(O::name);
  else return "";
}

template <class S>
void add_parts(const S& state, parameter_record& to) {
  to.trained = true;
  S::each(state, [&]<class T>(const char* name, const T& part) {
    if constexpr (!std::same_as<T, at::Tensor>)
      to.parts.push_back({name, number_tensor(static_cast<std::int64_t>(part))});
    else if (part.defined()) to.parts.push_back({name, part});
  });
}

/// States that are ready to replace the states of a table.
template <class S>
class new_states {
 public:
  /// If an optimiser is loaded, these are the records of parameters that the optimiser does not
  /// know yet. For a step, this list is empty, and `put` only removes the records of the
  /// step's parameters from the table's `awaited`.
  std::optional<std::vector<parameter_record>> awaited;
  std::int64_t steps = 0;

  explicit new_states(handle<state_table<S>> table) : table_(std::move(table)) {}
  new_states(const new_states&) = delete;
  auto operator=(const new_states&) -> new_states& = delete;
  ~new_states() { table_->promised -= all_.size(); }

  /// Adds a parameter, and its state if the parameter has one. Allocates all memory that `put`
  /// needs, even if several optimisers and steps in a file put their states into the same table.
  void add(const handle<const leaf_state>& parameter, std::optional<S> state) {
    all_.push_back(make_handle<kept_state<S>>(parameter, std::move(state)));
    ++table_->promised;
    table_->all.reserve(table_->all.size() + table_->promised);
  }
  auto has(const handle<const leaf_state>& parameter) const -> bool {
    return std::any_of(all_.begin(), all_.end(), [&](const auto& k) { return k->parameter == parameter; });
  }
  /// Replaces the states in the table. The table's entries stay, because steps hold them.
  /// Parameters without an entry get a new entry. Does not fail.
  void put() {
    state_table<S>& table = *table_;
    for (const auto& made : all_) {
      const auto there = std::find_if(table.all.begin(), table.all.end(),
                                      [&](const auto& k) { return k->parameter == made->parameter; });
      if (there != table.all.end()) {
        (*there)->state = std::move(made->state);
        continue;
      }
      table.all.push_back(made);
      const auto own = std::find_if(table.awaited.begin(), table.awaited.end(),
                                    [&](const parameter_record& r) { return may_be_of(r, *made->parameter); });
      if (own != table.awaited.end()) table.awaited.erase(own);
    }
    if (awaited) table.awaited = std::move(*awaited);
    table.steps = steps;
    ++table.loads;
  }

 private:
  handle<state_table<S>> table_;
  std::vector<handle<kept_state<S>>> all_;
};

// ---- steps --------------------------------------------------------------------------------------

struct step_access {
  template <class O>
  static auto record(const training_step<O>& t, const std::vector<named_leaf>& models) -> optimizer_record {
    const O now = t.as_followed();
    const auto table = t.states_now();
    const bool entered = table == t.table_ && t.entered_ == table->loads;
    if (!entered && has_states(table->awaited))
      throw usage_error(
          "koila: save: the optimiser has read a state that no step has used yet: save it before, or after a step");
    optimizer_record r{name_of_optimizer<O>(), settings_in(now), {}, {}, table->steps, {}};
    if (const std::optional<O> followed = t.followed_now()) r.followed = settings_in(*followed);
    for (const auto& g : t.groups_) r.groups.push_back(settings_in(g.own));
    for (const auto& p : t.core_.trainables()) {
      r.parameters.push_back(record_of(*p.parameter, models));
      for (const auto& k : table->all)
        if (k->parameter == p.parameter && k->state) add_parts(*k->state, r.parameters.back());
    }
    return r;
  }
  template <class O>
  static auto prepare(training_step<O>& t, const optimizer_record& r, const std::vector<named_leaf>& models)
      -> std::function<void()> {
    using state = typename O::state;
    const auto table = t.states_now();
    require_optimizer(r.name, name_of_optimizer<O>());
    if (r.groups.size() != t.groups_.size()) refuse_groups(r.groups.size(), t.groups_.size());
    O settings = t.optimizer;
    read_settings(r.settings, settings);
    check_settings(settings);
    O followed = settings;
    if (!r.followed.empty()) read_settings(r.followed, followed);
    check_settings(followed);
    std::vector<group_settings> own(r.groups.size());
    std::vector<O> of_group;
    for (std::size_t g = 0; g < own.size(); ++g) {
      read_settings(r.groups[g], own[g]);
      of_group.push_back(settings);
      own[g].apply_to(of_group.back());
      check_settings(of_group.back());
    }
    std::vector<handle<const leaf_state>> parameters;
    for (const auto& p : t.core_.trainables()) parameters.push_back(p.parameter);
    const std::vector<const parameter_record*> records = records_for(parameters, r.parameters, models);
    auto made = std::make_shared<new_states<state>>(table);
    made->steps = r.steps;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const O& with = own.empty() ? settings : of_group[t.core_.trainables()[k].group];
      if (records[k]->trained) made->add(parameters[k], state_from(with, records[k], *parameters[k]));
      else made->add(parameters[k], {});
    }
    auto both = std::make_shared<std::pair<O, O>>(std::move(settings), std::move(followed));
    return [&t, made, own, both] {
      made->put();
      t.take_settings(both->first, both->second);
      for (std::size_t g = 0; g < own.size(); ++g) t.groups_[g].own = own[g];
    };
  }
};

// ---- what can be saved --------------------------------------------------------------------------

template <class T>
inline constexpr bool is_step = false;
template <class O>
inline constexpr bool is_step<training_step<O>> = true;
template <class T>
inline constexpr bool is_listed_step = false;
template <class O>
inline constexpr bool is_listed_step<training_step<O>> = ListsParts<typename O::state>;

template <class T>
concept SavableOptimizer = SharesStates<T> && ListsParts<typename T::state>;
template <class T>
concept Savable = is_listed_step<T> || SavableOptimizer<T> || (!is_step<T> && !Optimizer<T> && holds_leaves<T>());

template <class M>
auto leaves_to_save(const M& net) -> std::vector<named_leaf> {
  visit(net, "", []<class T>(const std::string&, const T&) {
    static_assert(
        !Optimizer<T> && !is_step<T>,
        "save and load: a model that holds an optimiser or a step: hand these over besides, save(net, optimiser, file)");
  });
  std::vector<named_leaf> all = named_parameters(net);
  for (const named_leaf& b : named_buffers(net)) all.push_back(b);
  return all;
}

template <class T>
auto to_save(const T& what) -> saved_part {
  if constexpr (is_step<T>) {
    return {{}, [&](const auto& models) { return step_access::record(what, models); }};
  } else if constexpr (SavableOptimizer<T>) {
    return {{}, [&](const std::vector<named_leaf>& models) {
              auto& table = *what.states.table();
              table.drop_unused();
              optimizer_record r{name_of_optimizer<T>(), settings_in(what), {}, {}, table.steps, {}};
              for (const auto& k : table.all) {
                r.parameters.push_back(record_of(*k->parameter, models));
                if (k->state) add_parts(*k->state, r.parameters.back());
              }
              r.parameters.insert(r.parameters.end(), table.awaited.begin(), table.awaited.end());
              r.awaited = table.awaited.size();
              return r;
            }};
  } else {
    return {leaves_to_save(what), {}};
  }
}

/// Checks a record, and returns a function that loads the record into an optimiser. Parameters that
/// are not in the file get the state of untrained parameters.
template <class O>
auto prepare_optimizer(O& o, const optimizer_record& r, const std::vector<named_leaf>& models)
    -> std::function<void()> {
  using state = typename O::state;
  require_optimizer(r.name, name_of_optimizer<O>());
  if (!r.groups.empty()) refuse_groups(r.groups.size(), 0);
  auto settings = std::make_shared<O>(o);
  read_settings(r.settings, *settings);
  check_settings(*settings);
  auto& table = *o.states.table();
  table.drop_unused();
  std::vector<handle<const leaf_state>> known;
  for (const auto& k : table.all) known.push_back(k->parameter);
  matched_records matched = match_records(r.parameters, known, models);
  auto made = std::make_shared<new_states<state>>(o.states.table());
  made->steps = r.steps;
  made->awaited = std::move(matched.awaited);
  for (std::size_t k = 0; k < matched.parameters.size(); ++k) {
    const handle<const leaf_state>& p = matched.parameters[k];
    if (matched.records[k]->trained) made->add(p, state_from(*settings, matched.records[k], *p));
    else made->add(p, {});
  }
  for (const auto& p : known)
    if (!made->has(p)) made->add(p, {});
  return [&o, made, settings] {
    made->put();
    copy_settings(*settings, o);
  };
}

template <class T>
auto to_load(T& what) -> loaded_part {
  if constexpr (is_step<std::remove_const_t<T>>) {
    static_assert(!std::is_const_v<T>, "load: a step that is const cannot be changed");
    return {{}, [&](const auto& r, const auto& models) { return step_access::prepare(what, r, models); }};
  } else if constexpr (SavableOptimizer<std::remove_const_t<T>>) {
    static_assert(!std::is_const_v<T>, "load: an optimiser that is const cannot be changed");
    return {{}, [&](const auto& r, const auto& models) { return prepare_optimizer(what, r, models); }};
  } else {
    return {leaves_to_save(what), {}};
  }
}

/// Calls f with the last argument as a file name, followed by all other arguments.
template <class F, class... Ts>
void without_last(const F& f, Ts&... all) {
  auto tied = std::tie(all...);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    f(std::string(std::get<sizeof...(Ts) - 1>(tied)), std::get<I>(tied)...);
  }(std::make_index_sequence<sizeof...(Ts) - 1>());
}
template <class... Ts>
consteval auto are_parts_and_file() -> bool {
  using all = std::tuple<Ts...>;
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return (Savable<std::tuple_element_t<I, all>> && ...) &&
           std::is_constructible_v<std::string, std::tuple_element_t<sizeof...(I), all>>;
  }(std::make_index_sequence<sizeof...(Ts) - 1>());
}
template <class... Ts>
inline constexpr bool parts_and_file = are_parts_and_file<Ts...>();

}  // namespace koila::inline v0::detail
