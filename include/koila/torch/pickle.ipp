// SPDX-License-Identifier: MIT
// Definitions of pickle.hpp.
#include <koila/torch/out_of_memory.hpp>
#include <koila/torch/pickle.hpp>

#include <ATen/core/Dict.h>
#include <torch/csrc/jit/serialization/pickle.h>

namespace koila::inline v0::detail {

auto unpickled(const std::vector<char>& bytes) -> std::optional<std::vector<std::pair<std::string, at::Tensor>>> {
  c10::IValue value;
  allocation_watch watch(true);
  try {
    value = torch::jit::pickle_load(bytes);
  } catch (const std::exception&) {
    if (says_out_of_memory(watch)) throw;
    return {};
  }
  if (!value.isGenericDict()) return {};
  std::vector<std::pair<std::string, at::Tensor>> out;
  for (const auto& entry : value.toGenericDict()) {
    if (!entry.key().isString() || !entry.value().isTensor()) return {};
    out.push_back({entry.key().toStringRef(), entry.value().toTensor()});
  }
  return out;
}

}  // namespace koila::inline v0::detail
