// SPDX-License-Identifier: MIT
#pragma once
// Reads files that Python's torch.save wrote.
#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace koila::inline v0::detail {

/// Returns the names and tensors of the dictionary in a file. `bytes` has the contents of the file.
/// Returns nullopt if the file does not contain a dictionary of tensors. Rethrows the exception if
/// memory runs out.
auto unpickled(const std::vector<char>& bytes) -> std::optional<std::vector<std::pair<std::string, at::Tensor>>>;

}  // namespace koila::inline v0::detail
