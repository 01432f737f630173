// SPDX-License-Identifier: MIT
#pragma once
// Reads what Python's torch.save wrote.
#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace koila::inline v0::detail {

/// Returns the names and tensors of a dictionary. `bytes` has the contents of a file. Returns
/// nullopt if the file does not contain such a dictionary. Rethrows the exception if memory runs
/// out.
auto unpickled(const std::vector<char>& bytes) -> std::optional<std::vector<std::pair<std::string, at::Tensor>>>;

}  // namespace koila::inline v0::detail
