// SPDX-License-Identifier: MIT
#pragma once
// The 5,000 digits that scripts/setup downloads. A row of the file is 784 pixels and a label; there
// are 500 rows of each digit.
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

struct digits {
  at::Tensor images;  // (samples, 784), in [0, 1]
  at::Tensor labels;  // (samples)
};

/// Returns the training set (4,000 rows) and the test set (every fifth row, 1,000 rows). Both sets
/// contain each digit equally often. Throws std::runtime_error if the file cannot be read or if a
/// value is invalid; the message states the line and the column of the first invalid value.
auto load_digits(const std::string& path) -> std::pair<digits, digits>;

/// Returns the minibatches of one epoch, of `size` samples each; the last one may have fewer.
/// LibTorch's generator shuffles the samples.
auto minibatches(const digits& all, std::int64_t size) -> std::vector<digits>;
