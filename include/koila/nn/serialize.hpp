#pragma once
// Models in files: a dictionary of tensors by name, as torch.save writes and torch.load reads it.
#include <koila/nn/module.hpp>

namespace koila {

namespace detail {

void save_leaves(const std::vector<named_leaf>& leaves, const std::string& file);
auto read_tensors(const std::string& file) -> std::vector<std::pair<std::string, at::Tensor>>;

}  // namespace detail

/// Writes the parameters and buffers of a model to a file: a dictionary that Python's torch.load reads. The file is replaced when
/// all of it has been written. Throws std::runtime_error where it cannot be.
template <class M>
void save(const M& net, const std::string& file) {
  std::vector<named_leaf> all = parameters(net);
  for (const named_leaf& b : buffers(net)) all.push_back(b);
  detail::save_leaves(all, file);
}

/// Reads a file of `save`, or a dict that Python's torch.save wrote: torch.save(dict(net.state_dict()), file). (What LibTorch reads of an
/// OrderedDict is nothing.) Throws shape_error where names or shapes are not the
/// model's, std::runtime_error where the file cannot be read; the model is then as before.
template <class M>
void load(const M& net, const std::string& file) {
  std::vector<named_leaf> into = parameters(net);
  for (const named_leaf& b : buffers(net)) into.push_back(b);
  detail::load_leaves(into, detail::read_tensors(file));
}

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/nn/serialize.ipp>
#endif
