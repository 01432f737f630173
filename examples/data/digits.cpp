// Reads the digits.
#include "data/digits.hpp"

#include <ATen/ops/clone.h>
#include <ATen/ops/from_blob.h>

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
