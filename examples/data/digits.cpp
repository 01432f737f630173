// Reads the digits.
#include "data/digits.hpp"

#include <ATen/ops/clone.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/split.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <vector>

auto load_digits(const std::string& path) -> std::pair<digits, digits> {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("no digits at " + path + ": scripts/setup brings them");
  std::vector<float> pixels[2];
  std::vector<std::int64_t> labels[2];
  std::string line;
  for (int row = 0; std::getline(file, line); ++row) {
    const int part = row % 5 == 4 ? 1 : 0;
    const char* p = line.c_str();
    for (int i = 0; i < 784; ++i) {
      char* end = nullptr;
      pixels[part].push_back(std::strtof(p, &end) / 255.0F);
      p = end + 1;
    }
    labels[part].push_back(static_cast<std::int64_t>(std::strtod(p, nullptr)));
  }
  const auto pack = [&](int part) {
    const auto n = static_cast<std::int64_t>(labels[part].size());
    return digits{at::from_blob(pixels[part].data(), {n, 784}).clone(),
                  at::from_blob(labels[part].data(), {n}, at::kLong).clone()};
  };
  return {pack(0), pack(1)};
}

auto minibatches(const digits& all, std::int64_t size) -> std::vector<digits> {
  const at::Tensor order = at::randperm(all.labels.size(0));  // (samples)
  const std::vector<at::Tensor> images = at::split(at::index_select(all.images, 0, order), size),
                                labels = at::split(at::index_select(all.labels, 0, order), size);
  std::vector<digits> batches;
  for (std::size_t i = 0; i < images.size(); ++i) batches.push_back({images[i], labels[i]});
  return batches;
}
