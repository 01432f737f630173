// SPDX-License-Identifier: MIT
#pragma once
// The 5,000 digits that scripts/setup downloads: 784 pixels and a label per row, 500 rows of each
// digit.
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

struct digits {
  at::Tensor images;  // (samples, 784), in [0, 1]
  at::Tensor labels;  // (samples)
};

/// Returns the training set and the test set: 4,000 rows, and every fifth row, 1,000. Both have
/// each digit equally often. Throws std::runtime_error if the file cannot be read, or with the line
/// and the column of the first value that is not valid.
auto load_digits(const std::string& path) -> std::pair<digits, digits>;

/// Returns the minibatches of one epoch, of `size` samples each; the last one has the rest.
/// LibTorch's generator draws their order.
auto minibatches(const digits& all, std::int64_t size) -> std::vector<digits>;
