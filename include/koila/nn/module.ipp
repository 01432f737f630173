// Definitions of module.hpp.
#include <koila/ops/family/definitions.hpp>

namespace koila::detail {

KOILA_COLD KOILA_INLINE void load_leaves(const std::vector<named_leaf>& into,
                                         const std::vector<std::pair<std::string, at::Tensor>>& from) {
  const auto counted = [](const std::string& name) {  // of batch norms, by LibTorch: koila keeps no count
    return !name.ends_with("num_batches_tracked");
  };
  for (const auto& [name, tensor] : from) {
    const bool found = std::any_of(into.begin(), into.end(), [&](const named_leaf& l) { return l.name == name; });
    if (!found && counted(name)) throw shape_error("load: the model has no " + name);
  }
  std::vector<const at::Tensor*> tensors;
  for (const named_leaf& l : into) {
    const auto found = std::find_if(from.begin(), from.end(), [&](const auto& f) { return f.first == l.name; });
    if (found == from.end()) throw shape_error("load: there is no " + l.name);
    (void)checked(*l.leaf, found->second);
    tensors.push_back(&found->second);
  }
  for (std::size_t k = 0; k < into.size(); ++k) set(*into[k].leaf, tensors[k]->detach().clone());
}

}  // namespace koila::detail
