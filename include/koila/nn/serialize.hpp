#pragma once
// Models in files: a dictionary of tensors by name, as torch.save writes and torch.load reads it.
#include <koila/nn/module.hpp>

namespace koila {

namespace detail {

/// Replaces a file by a dictionary of tensors. Each is written for itself, also where two share their memory: its elements alone, in order.
/// Throws shape_error for a tensor that koila does not support, std::invalid_argument where two have one name, std::runtime_error where
/// the file cannot be written. The file is then as before.
void write_tensors(const std::vector<std::pair<std::string, at::Tensor>>& all, const std::string& file);
/// The tensors of a file, on the host. Throws std::runtime_error where it cannot be read, is damaged, or is something else.
auto read_tensors(const std::string& file) -> std::vector<std::pair<std::string, at::Tensor>>;

/// The parameters and buffers of a model.
template <class M>
auto saved_leaves(const M& net) -> std::vector<named_leaf> {
  std::vector<named_leaf> all = parameters(net);
  for (const named_leaf& b : buffers(net)) all.push_back(b);
  return all;
}
void save_leaves(const std::vector<named_leaf>& leaves, const std::string& file);

}  // namespace detail

/// Writes the parameters and buffers of a model to a file: a dictionary that Python's torch.load reads. The file is replaced when
/// all of it is on the disk, and else stays as it was: see detail::replace_file. It ends in a checksum. Throws std::runtime_error where
/// it cannot be written.
template <class M>
void save(const M& net, const std::string& file) {
  detail::save_leaves(detail::saved_leaves(net), file);
}

/// Reads a file of `save`, or a dict that Python's torch.save wrote: torch.save(dict(net.state_dict()), file). (What LibTorch reads of an
/// OrderedDict is nothing.) Throws shape_error where names or shapes are not the model's, std::runtime_error where the file cannot be read,
/// or is not, byte for byte, what was written; the model is then as before.
template <class M>
void load(const M& net, const std::string& file) {
  detail::load_leaves(detail::saved_leaves(net), detail::read_tensors(file));
}

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/nn/serialize.ipp>
#endif
