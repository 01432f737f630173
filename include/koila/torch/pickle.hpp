// SPDX-License-Identifier: MIT
#pragma once
// Reads what Python's torch.save wrote.
#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace koila::detail {

/// Returns the tensors of a dictionary in the bytes of a file, or none if the bytes are something
/// else. Passes on that memory ran out.
auto unpickled(const std::vector<char>& bytes) -> std::optional<std::vector<std::pair<std::string, at::Tensor>>>;

}  // namespace koila::detail
