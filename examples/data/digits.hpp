#pragma once
// The 5,000 digits that scripts/setup brings: 784 pixels and a label a row, 500 of each digit.
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

struct digits {
  at::Tensor images;  // (samples, 784), in [0, 1]
  at::Tensor labels;  // (samples)
};

/// Every fifth row is for the test: 4,000 and 1,000 rows, the digits equally often in both. Throws
/// std::runtime_error where the file cannot be read, and with the line and the column of the first
/// value that is none of a digit.
auto load_digits(const std::string& path) -> std::pair<digits, digits>;

/// The minibatches of one epoch, `size` samples each and the last one what is left, in an order
/// drawn from LibTorch's generator.
auto minibatches(const digits& all, std::int64_t size) -> std::vector<digits>;
