#pragma once
// Models, optimisers and training steps in files: a dictionary of tensors by name, as torch.save
// writes and torch.load reads it.
#include <koila/nn/checkpoint.hpp>

namespace koila {

/// Writes to a file what belongs to a model: its parameters and buffers; to an optimiser: what it
/// keeps of each parameter, its settings; to a
/// step: the same of its optimiser, its groups' settings. With the latter two go the state of
/// koila's and of LibTorch's random numbers. It is a dictionary that Python's torch.load reads. The
/// file is replaced when all of it is on the disk, and else stays as it was: see
/// detail::replace_file. It ends in a checksum. Throws std::runtime_error where it cannot be
/// written, std::invalid_argument for a model without parameters.
template <detail::Savable T>
void save(const T& what, const std::string& file) {
  detail::save_all({detail::to_save(what)}, file);
}

/// The same of several in one file, the last argument: `save(net, train, "checkpoint.pt")`. The
/// names of several models are preceded by their numbers: "0.fc.weight".
template <class... Ts>
  requires(sizeof...(Ts) > 2 && detail::parts_and_file<Ts...>)
void save(const Ts&... parts_and_file) {
  detail::without_last(
      [](const std::string& file, const auto&... parts) { detail::save_all({detail::to_save(parts)...}, file); },
      parts_and_file...);
}

/// Reads a file of `save`; into a model also a dict that Python's torch.save wrote:
/// torch.save(dict(net.state_dict()), file). (What LibTorch reads of an OrderedDict is nothing.)
/// What an optimiser keeps goes to the parameters in the order in which it trains them. Throws
/// shape_error where names, dims or dtypes differ, std::runtime_error where the file cannot be
/// read, or is not, byte for byte, what was written; then everything is as before.
template <class T>
  requires detail::Savable<std::remove_cvref_t<T>>
void load(T&& what, const std::string& file) {
  detail::load_all({detail::to_load(what)}, file);
}

/// The same of several: `load(net, train, "checkpoint.pt")`. What an optimiser keeps goes to the
/// parameters of the models, by their names.
template <class... Ts>
  requires(sizeof...(Ts) > 2 && detail::parts_and_file<std::remove_cvref_t<Ts>...>)
void load(Ts&&... parts_and_file) {
  detail::without_last(
      [](const std::string& file, auto&... parts) { detail::load_all({detail::to_load(parts)...}, file); },
      parts_and_file...);
}

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/nn/serialize.ipp>
#endif

// The refusals, under a name that is no file: see op.hpp.
#line 1 "koila's save"
namespace koila {
template <class T, why Reason = why::nothing_to_save, text Says = says<Reason>("save")>
  requires(!detail::Savable<T>)
auto save(const T&, const std::string&) -> refused = delete;
template <class T, why Reason = why::nothing_to_save, text Says = says<Reason>("load")>
  requires(!detail::Savable<T>)
auto load(const T&, const std::string&) -> refused = delete;
}  // namespace koila
