// SPDX-License-Identifier: MIT
#pragma once
// Saves models, optimisers and training steps to files, and loads them. A file is a dictionary of
// tensors by name, in the format of torch.save and torch.load.
#include <koila/nn/checkpoint.hpp>

namespace koila::inline v0 {

/// Writes a model, an optimiser or a training step to a file that Python's torch.load reads as a
/// dictionary. A model is written as its parameters and buffers, an optimiser as its settings and
/// its state of each parameter, a step as its optimiser and the settings of its groups. With an
/// optimiser or a step, the state of koila's and LibTorch's random numbers is written, too. The
/// file ends in a checksum. An existing file is replaced only when the new file is completely on
/// the disk. Throws file_error if the file cannot be written, and
/// argument_error for a model without parameters.
template <detail::Savable T>
void save(const T& what, const std::string& file) {
  detail::save_all({detail::to_save(what)}, file);
}

/// Writes several models, optimisers and steps to one file, which is the last argument:
/// `save(net, train, "checkpoint.pt")`. If there are several models, the model's number precedes
/// each name: "0.fc.weight".
template <class... Ts>
  requires(sizeof...(Ts) > 2 && detail::parts_and_file<Ts...>)
void save(const Ts&... parts_and_file) {
  detail::without_last(
      [](const std::string& file, const auto&... parts) { detail::save_all({detail::to_save(parts)...}, file); },
      parts_and_file...);
}

/// Reads a file that `save` wrote. A model can also be read from a dictionary that Python wrote:
/// torch.save(dict(net.state_dict()), file). (LibTorch reads nothing from an OrderedDict.) The
/// states of an optimiser or a step go to the parameters in the order of the loss, as in LibTorch's
/// optimisers. If this order has changed since `save`, a parameter may get the state of another
/// parameter that has the same dims and name. To match parameters by name, load an optimiser
/// together with its model. Loading a step also sets the settings of the optimiser that the step
/// follows. Throws shape_error if names, dims or dtypes differ, and file_error if the file cannot
/// be read or is damaged. After an exception, nothing has changed.
template <class T>
  requires detail::Savable<std::remove_cvref_t<T>>
void load(T&& what, const std::string& file) {
  detail::load_all({detail::to_load(what)}, file);
}

/// Reads several models, optimisers and steps from one file: `load(net, train, "checkpoint.pt")`.
/// States go to the models' parameters by their names in the models, and to other parameters by
/// their own names.
template <class... Ts>
  requires(sizeof...(Ts) > 2 && detail::parts_and_file<std::remove_cvref_t<Ts>...>)
void load(Ts&&... parts_and_file) {
  detail::without_last(
      [](const std::string& file, auto&... parts) { detail::load_all({detail::to_load(parts)...}, file); },
      parts_and_file...);
}

}  // namespace koila::inline v0

// The deleted overloads that refuse wrong calls. The name in `#line` is deliberately not that of
// a file. So compilers quote only the caller's line.
#line 1 "koila's save"
namespace koila::inline v0 {
template <class T, author::reason Reason = author::reason::nothing_to_save,
          detail::text Message = author::message<Reason>("save")>
  requires(!detail::Savable<T>)
auto save(const T&, const std::string&) -> detail::refused = delete;
template <class T, author::reason Reason = author::reason::nothing_to_save,
          detail::text Message = author::message<Reason>("load")>
  requires(!detail::Savable<T>)
auto load(const T&, const std::string&) -> detail::refused = delete;
}  // namespace koila::inline v0
