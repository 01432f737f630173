// SPDX-License-Identifier: MIT
// Definitions of module.hpp.
#include <koila/kernels/copy.hpp>
#include <koila/nn/module.hpp>
#include <koila/ops/common/definitions.hpp>
#include <koila/torch/tensor.hpp>

#include <ATen/ops/empty_strided_ops.h>

namespace koila::inline v0::detail {

void require_names(const std::vector<named_leaf>& all) {
  std::vector<const named_leaf*> sorted;
  for (const named_leaf& l : all) sorted.push_back(&l);
  std::sort(sorted.begin(), sorted.end(), [](const named_leaf* a, const named_leaf* b) { return a->name < b->name; });
  const auto two =
      std::adjacent_find(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->name == b->name; });
  if (two == sorted.end()) return;
  const auto is = two[0]->leaf->kind;
  const std::string are = is != two[1]->leaf->kind   ? "a parameter and a buffer"
                          : is == leaf_state::buffer ? "two buffers"
                                                     : "two parameters";
  throw argument_error("koila: " + are + " are named \"" + two[0]->name +
                       "\": give them, or their layers, different names");
}

void cloned::operator()(handle<leaf_state>& leaf) {
  const leaf_state& old = shared_state(leaf);
  for (const auto& [from, to] : leaves) {
    if (to == leaf) return;
    if (from == leaf) return void(leaf = to);
  }
  auto own = make_handle<leaf_state>(old.name, old.declared, old.kind, old.first);
  set(*own, tensor_of(old).detach().clone());
  tensor_of(*own).set_requires_grad(tensor_of(old).requires_grad());  // frozen parameters stay frozen
  leaves.push_back({leaf, own});
  leaf = own;
}

void move_leaves(const std::vector<named_leaf>& all, at::Device where) {
  std::vector<at::Tensor> moved;  // all are copied before any is replaced
  for (const named_leaf& l : all) moved.push_back(l.tensor().detach().to(where));
  for (std::size_t k = 0; k < all.size(); ++k)
    if (!moved[k].is_same(all[k].tensor())) set(*all[k].leaf, moved[k]);
}

/// Returns `values` on the device of `t`, with the dtype and memory layout of `t`.
inline auto laid_out_as(const at::Tensor& t, const at::Tensor& values) -> at::Tensor {
  const at::Tensor plain = values.detach();
  if (plain.device() == t.device() && plain.scalar_type() == t.scalar_type() && plain.sizes() == t.sizes() &&
      plain.strides() == t.strides())
    return plain;
  at::Tensor out =
      at::_ops::empty_strided::call(c10::fromIntArrayRefSlow(t.sizes()), c10::fromIntArrayRefSlow(t.strides()),
                                    t.scalar_type(), std::nullopt, t.device(), std::nullopt);
  out.copy_(plain);
  return out;
}

auto leaves_to_load(const std::vector<named_leaf>& into, const std::vector<std::pair<std::string, at::Tensor>>& from)
    -> std::function<void()> {
  const auto counted = [](const std::string& name) {  // LibTorch's batch norms count batches; koila's do not
    return !name.ends_with("num_batches_tracked") && !name.starts_with(reserved_name);
  };
  for (const auto& [name, tensor] : from) {
    const bool found = std::any_of(into.begin(), into.end(), [&](const named_leaf& l) { return l.name == name; });
    if (!found && counted(name)) throw shape_error("koila: load: the model has no " + name);
  }
  std::vector<at::Tensor> tensors;
  for (const named_leaf& l : into) {
    const auto found = std::find_if(from.begin(), from.end(), [&](const auto& f) { return f.first == l.name; });
    if (found == from.end()) throw shape_error("koila: load: there is no " + l.name);
    (void)checked(*l.leaf, found->second);
    tensors.push_back(found->second.detach());
  }
  std::vector<at::Tensor> own, values;  // all are prepared before any leaf is changed
  std::vector<void*> elements;
  for (std::size_t k = 0; k < into.size(); ++k) {
    own.push_back(tensor_of(*into[k].leaf).detach());
    values.push_back(laid_out_as(own[k], tensors[k]));
    elements.push_back(own[k].mutable_data_ptr());
  }
  return [into, own, values, elements] {
    for (std::size_t k = 0; k < into.size(); ++k) {  // in place: optimisers and others hold these tensors
      kernels::overwrite.for_device(own[k].device())(own[k], elements[k], values[k]);
      detail::bump_version(tensor_of(*into[k].leaf));
    }
  };
}

void load_leaves(const std::vector<named_leaf>& into, const std::vector<std::pair<std::string, at::Tensor>>& from) {
  leaves_to_load(into, from)();
}

}  // namespace koila::inline v0::detail
