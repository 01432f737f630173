// SPDX-License-Identifier: MIT
// Definitions of checkpoint.hpp.
#include <koila/nn/checkpoint.hpp>
#include <koila/nn/serialize.ipp>
#include <koila/ops/common/definitions.hpp>
#include <koila/run/optimizer.ipp>
#include <koila/run/storage.ipp>
#include <koila/torch/generator.hpp>

#include <cstring>
#include <mutex>

namespace koila::inline v0::detail {

/// Returns a tensor of n numbers: one-dimensional, or without dims if `scalar`.
template <class T>
auto numbers_tensor(const T* from, std::size_t n, at::ScalarType type, bool scalar = false) -> at::Tensor {
  const auto size = static_cast<std::int64_t>(n);
  at::Tensor t = scalar ? empty({}, type, at::kCPU) : empty({size}, type, at::kCPU);
  if (n > 0) std::memcpy(t.mutable_data_ptr(), from, n * sizeof(T));
  return t;
}
inline void require_numbers(const std::string& name, const at::Tensor& t, at::ScalarType type, std::int64_t n) {
  if (t.scalar_type() != type || t.dim() > 1 || (n >= 0 && t.numel() != n))
    throw shape_error("koila: load: " + name + " is " + written(description_of(t)) + " in the file");
}
inline auto numbers_in(const std::string& name, const at::Tensor& t) -> std::vector<std::int64_t> {
  require_numbers(name, t, at::kLong, -1);
  const at::Tensor dense = t.contiguous();
  const auto* const from = static_cast<const std::int64_t*>(dense.const_data_ptr());
  return {from, from + dense.numel()};
}

auto number_tensor(double v) -> at::Tensor { return numbers_tensor(&v, 1, at::kDouble, true); }
auto number_tensor(std::int64_t v) -> at::Tensor { return numbers_tensor(&v, 1, at::kLong, true); }
auto number_tensor(bool v) -> at::Tensor {
  const auto as_byte = static_cast<std::uint8_t>(v);
  return numbers_tensor(&as_byte, 1, at::kByte, true);
}
auto number_tensor(const std::pair<double, double>& v) -> at::Tensor {
  const double both[] = {v.first, v.second};
  return numbers_tensor(both, 2, at::kDouble);
}
void read_number(const std::string& name, const at::Tensor& t, double& v) {
  require_numbers(name, t, at::kDouble, 1);
  v = t.item<double>();
}
void read_number(const std::string& name, const at::Tensor& t, std::int64_t& v) {
  require_numbers(name, t, at::kLong, 1);
  v = t.item<std::int64_t>();
}
void read_number(const std::string& name, const at::Tensor& t, bool& v) {
  require_numbers(name, t, at::kByte, 1);
  v = t.item<std::uint8_t>() != 0;
}
void read_number(const std::string& name, const at::Tensor& t, std::pair<double, double>& v) {
  require_numbers(name, t, at::kDouble, 2);
  const at::Tensor dense = t.contiguous();
  const auto* const from = static_cast<const double*>(dense.const_data_ptr());
  v = {from[0], from[1]};
}

void refuse_settings(const std::string& name) {
  throw shape_error("koila: load: the file is of another optimiser: this one and that one differ in their settings, " +
                    name);
}
void require_optimizer(const std::string& in_file, std::string_view here) {
  if (!in_file.empty() && !here.empty() && in_file != here)
    throw shape_error("koila: load: the file is of another optimiser: of " + in_file + ", and this is " +
                      std::string(here));
}
void refuse_groups(std::size_t in_file, std::size_t here) {
  throw shape_error("koila: load: the file has " + std::to_string(in_file) + " groups of parameters, and there are " +
                    std::to_string(here));
}

[[noreturn]] inline void refuse_two_of(const std::string& name) {
  throw shape_error("koila: load: the optimiser trains two parameters that would be " + name +
                    " in the file: load the models of both, or give one of them another name");
}

/// Returns the name of a parameter in a file. This is the parameter's name in a model, or the
/// parameter's own name if no model contains the parameter.
inline auto name_in_file(const leaf_state& parameter, const std::vector<named_leaf>& models) -> std::string {
  const auto in_model =
      std::find_if(models.begin(), models.end(), [&](const named_leaf& n) { return n.leaf.get() == &parameter; });
  return in_model != models.end() ? in_model->name : std::string(parameter.name);
}

auto record_of(const leaf_state& parameter, const std::vector<named_leaf>& models) -> parameter_record {
  const bool of_model =
      std::any_of(models.begin(), models.end(), [&](const named_leaf& n) { return n.leaf.get() == &parameter; });
  return {name_in_file(parameter, models), description_of(tensor_of(parameter)), false, {}, of_model};
}

auto records_for(const std::vector<handle<const leaf_state>>& parameters, const std::vector<parameter_record>& records,
                 const std::vector<named_leaf>& models) -> std::vector<const parameter_record*> {
  std::vector<const parameter_record*> out;
  std::vector<std::string> names;
  for (const auto& p : parameters) names.push_back(name_in_file(*p, models));
  const auto missing = [](const std::string& name) {
    throw shape_error("koila: load: the file has no optimiser's state of " + name);
  };
  const auto too_many = [](const std::string& name) {
    throw shape_error("koila: load: the file has an optimiser's state of " + name + ", which the step does not train");
  };
  if (models.empty()) {
    for (std::size_t k = 0; k < std::min(parameters.size(), records.size()); ++k) {
      require_name(records[k], *parameters[k]);
      out.push_back(&records[k]);
    }
    if (records.size() > parameters.size()) too_many(records[parameters.size()].name);
    if (records.size() < parameters.size()) missing(names[records.size()]);
  } else {
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      if (std::count(names.begin(), names.end(), names[k]) > 1) refuse_two_of(names[k]);
      const auto found =
          std::find_if(records.begin(), records.end(), [&](const parameter_record& r) { return r.name == names[k]; });
      if (found == records.end()) missing(names[k]);
      out.push_back(&*found);
    }
    for (const parameter_record& r : records)
      if (std::find(names.begin(), names.end(), r.name) == names.end()) too_many(r.name);
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) require_like(*out[k], *parameters[k]);
  return out;
}

auto match_records(const std::vector<parameter_record>& records, const std::vector<handle<const leaf_state>>& known,
                   const std::vector<named_leaf>& models) -> matched_records {
  matched_records out;
  const auto match = [&](const handle<const leaf_state>& p, const parameter_record& r) {
    require_like(r, *p);
    out.parameters.push_back(p);
    out.records.push_back(&r);
  };
  for (std::size_t k = 0; k < records.size(); ++k) {
    const parameter_record& r = records[k];
    if (models.empty()) {
      if (k < known.size()) require_name(r, *known[k]), match(known[k], r);
      else out.awaited.push_back(r);
      continue;
    }
    const auto in_model = std::find_if(models.begin(), models.end(), [&](const auto& m) { return m.name == r.name; });
    if (in_model != models.end()) {
      match(in_model->leaf, r);
      continue;
    }
    const auto is_it = [&](const auto& p) { return name_in_file(*p, models) == r.name; };
    const auto beside = std::find_if(known.begin(), known.end(), is_it);
    if (beside == known.end()) out.awaited.push_back(r);
    else if (std::count_if(known.begin(), known.end(), is_it) > 1) refuse_two_of(r.name);
    else match(*beside, r);
  }
  return out;
}

// ---- a file -------------------------------------------------------------------------------------

inline auto prefix_of(std::size_t optimizer) -> std::string {
  return std::string(reserved_name) + "optimizer." + std::to_string(optimizer) + ".";
}

/// Throws argument_error if two parameters would have the same name, or if a name has a line break
/// and so could not be read again.
inline void require_names(const optimizer_record& r, const std::vector<named_leaf>& models) {
  for (std::size_t k = r.parameters.size(); k-- > 0;) {  // from the end: awaited parameters have their own message
    const parameter_record& p = r.parameters[k];
    if (p.name.find('\n') != std::string::npos)
      throw argument_error("koila: save: a parameter's name has a line break, so it could not be read again: " +
                           p.name);
    if (models.empty()) continue;  // without models, parameters are matched by their order
    const bool twice =
        std::count_if(r.parameters.begin(), r.parameters.end(), [&](const auto& o) { return o.name == p.name; }) > 1;
    const bool is_of_model = std::any_of(models.begin(), models.end(), [&](const auto& m) { return m.name == p.name; });
    if (!twice && (p.of_model || !is_of_model)) continue;
    if (k + r.awaited >= r.parameters.size())
      throw argument_error("koila: save: the optimiser has read a state of " + p.name +
                           " that no step has used yet, and the file would have that name twice: make a step "
                           "with the parameter first, or save the optimiser without a model");
    const std::string remedy = ": save the models of both, or give one of them another name";
    if (twice)
      throw argument_error("koila: save: the optimiser trains two parameters that would be " + p.name + " in the file" +
                           remedy);
    throw argument_error("koila: save: the optimiser trains " + p.name +
                         ", and the model has another parameter of that name" + remedy);
  }
}

inline void write_record(const optimizer_record& r, const std::string& prefix, named_tensors& to) {
  to.push_back({prefix + "name", numbers_tensor(r.name.data(), r.name.size(), at::kByte)});
  for (const auto& [name, t] : r.settings) to.push_back({prefix + "setting." + name, t});
  for (const auto& [name, t] : r.followed) to.push_back({prefix + "followed." + name, t});
  to.push_back({prefix + "groups", number_tensor(static_cast<std::int64_t>(r.groups.size()))});
  for (std::size_t g = 0; g < r.groups.size(); ++g)
    for (const auto& [name, t] : r.groups[g]) to.push_back({prefix + "group." + std::to_string(g) + "." + name, t});
  to.push_back({prefix + "steps", number_tensor(r.steps)});
  std::string names;
  std::vector<std::int64_t> like;
  for (std::size_t k = 0; k < r.parameters.size(); ++k) {
    const parameter_record& p = r.parameters[k];
    names += p.name + "\n";
    like.push_back(p.trained ? 1 : 0);
    like.push_back(static_cast<std::int64_t>(p.like.size()));
    like.insert(like.end(), p.like.begin(), p.like.end());
    for (const auto& [name, t] : p.parts) to.push_back({prefix + "state." + std::to_string(k) + "." + name, t});
  }
  to.push_back({prefix + "names", numbers_tensor(names.data(), names.size(), at::kByte)});
  to.push_back({prefix + "like", numbers_tensor(like.data(), like.size(), at::kLong)});
}

/// Returns the tensors whose names begin with `prefix`, with the prefix removed from their names.
inline auto below(const named_tensors& all, const std::string& prefix) -> named_tensors {
  named_tensors out;
  for (const auto& [name, t] : all)
    if (name.starts_with(prefix)) out.push_back({name.substr(prefix.size()), t});
  return out;
}
inline auto tensor_named(const named_tensors& all, const std::string& name) -> const at::Tensor& {
  for (const auto& [n, t] : all)
    if (n == name) return t;
  throw shape_error("koila: load: the file has no optimiser's " + name);
}

inline auto read_record(const named_tensors& file, std::size_t number) -> optimizer_record {
  const named_tensors all = below(file, prefix_of(number));
  if (all.empty())
    throw shape_error(number == 0 ? "koila: load: the file has no optimiser's state"
                                  : "koila: load: the file has the state of " + std::to_string(number) +
                                        " optimisers or steps alone");
  const auto text_of = [&](const std::string& name) {
    const at::Tensor t = tensor_named(all, name).contiguous();
    require_numbers(name, t, at::kByte, -1);
    return std::string(static_cast<const char*>(t.const_data_ptr()), static_cast<std::size_t>(t.numel()));
  };
  optimizer_record r;
  if (const bool named = std::any_of(all.begin(), all.end(), [](const auto& t) { return t.first == "name"; }); named)
    r.name = text_of("name");
  r.settings = below(all, "setting.");
  r.followed = below(all, "followed.");
  std::int64_t groups = 0;
  read_number("groups", tensor_named(all, "groups"), groups);
  for (std::int64_t g = 0; g < groups; ++g) r.groups.push_back(below(all, "group." + std::to_string(g) + "."));
  read_number("steps", tensor_named(all, "steps"), r.steps);
  const std::string text = text_of("names");
  const std::vector<std::int64_t> like = numbers_in("like", tensor_named(all, "like"));
  std::size_t begin = 0, next = 0;
  for (std::size_t k = 0; begin < text.size(); ++k) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    parameter_record p{text.substr(begin, end - begin), {}, false, below(all, "state." + std::to_string(k) + ".")};
    begin = end + 1;
    const std::size_t n = next + 1 < like.size() ? static_cast<std::size_t>(like[next + 1]) : like.size();
    if (next + 2 > like.size() || n > like.size() - next - 2)
      throw shape_error("koila: load: the file's optimiser is damaged");
    p.trained = like[next] != 0;
    p.like.assign(like.begin() + static_cast<std::ptrdiff_t>(next + 2),
                  like.begin() + static_cast<std::ptrdiff_t>(next + 2 + n));
    next += 2 + n;
    r.parameters.push_back(std::move(p));
  }
  return r;
}

/// Returns leaves with their names in a file. If there are several models, the model's number
/// precedes each name. Throws argument_error if a name is reserved.
inline auto names_in_file(std::vector<named_leaf> leaves, std::size_t models, std::size_t number)
    -> std::vector<named_leaf> {
  for (named_leaf& l : leaves) {
    if (models > 1) l.name = std::to_string(number) + "." + l.name;
    if (l.name.starts_with(reserved_name))
      throw argument_error("koila: " + l.name + ": names that begin with \"koila.\" are koila's own in files");
  }
  return leaves;
}
/// Returns the leaves of all models, with their names in the file.
template <class Parts>
auto models_in(const Parts& parts) -> std::vector<named_leaf> {
  std::size_t models = 0, number = 0;
  for (const auto& p : parts) models += p.leaves.empty() ? 0 : 1;
  std::vector<named_leaf> out;
  for (const auto& p : parts) {
    if (p.leaves.empty()) continue;
    const std::vector<named_leaf> named = names_in_file(p.leaves, models, number++);
    out.insert(out.end(), named.begin(), named.end());
  }
  return out;
}

void save_all(const std::vector<saved_part>& parts, const std::string& file) {
  named_tensors all;
  const std::vector<named_leaf> leaves = models_in(parts);
  for (const named_leaf& l : leaves) all.push_back({l.name, l.tensor()});
  std::size_t optimizers = 0;
  for (const saved_part& p : parts) {
    if (p.record) {
      const optimizer_record r = p.record(leaves);
      require_names(r, leaves);
      write_record(r, prefix_of(optimizers++), all);
    } else if (p.leaves.empty())
      throw argument_error("koila: save: there is nothing to save: the model has no parameters");
  }
  if (optimizers > 0) {
    const random_state& r = random_numbers();
    const std::int64_t own[] = {r.seeded ? 1 : 0, std::bit_cast<std::int64_t>(r.seed.load()),
                                std::bit_cast<std::int64_t>(r.runs.load())};
    all.push_back({std::string(reserved_name) + "random", numbers_tensor(own, 3, at::kLong)});
    all.push_back({std::string(reserved_name) + "random.libtorch", libtorch_generator_state()});
  }
  write_tensors(all, file);
}

void load_all(const std::vector<loaded_part>& parts, const std::string& file) { load_all(parts, read_tensors(file)); }
void load_all(const std::vector<loaded_part>& parts, const named_tensors& all) {
  const std::vector<named_leaf> leaves = models_in(parts);
  std::vector<std::function<void()>> to_do;
  if (!leaves.empty()) to_do.push_back(leaves_to_load(leaves, all));
  std::size_t optimizers = 0;
  for (const loaded_part& p : parts) {
    if (p.prepare) to_do.push_back(p.prepare(read_record(all, optimizers++), leaves));
    else if (p.leaves.empty())
      throw argument_error("koila: load: there is nothing to load: the model has no parameters");
  }
  const std::string random = std::string(reserved_name) + "random";
  if (optimizers > 0) {
    std::size_t in_file = optimizers;
    while (!below(all, prefix_of(in_file)).empty()) ++in_file;
    if (in_file > optimizers)
      throw shape_error("koila: load: the file has the state of " + std::to_string(in_file) +
                        " optimisers or steps, and " + std::to_string(optimizers) + (optimizers == 1 ? " is" : " are") +
                        " loaded: load all of them, in the order in which they were saved");
    const std::vector<std::int64_t> own = numbers_in(random, tensor_named(all, random));
    const at::Tensor state = tensor_named(all, random + ".libtorch").contiguous();
    try {
      if (own.size() != 3) throw file_error("");
      check_generator_state(state);
    } catch (const std::bad_alloc&) { throw; } catch (const std::exception&) {
      throw shape_error("koila: load: the file's random numbers are damaged");
    }
    to_do.push_back([own, state] {
      random_state& r = random_numbers();
      r.seeded = own[0] != 0;
      r.seed = std::bit_cast<std::uint64_t>(own[1]);
      r.runs = std::bit_cast<std::uint64_t>(own[2]);
      set_libtorch_generator_state(state);
    });
  }
  for (const auto& f : to_do) f();
}

}  // namespace koila::inline v0::detail
