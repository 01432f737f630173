// SPDX-License-Identifier: MIT
#include "models/random_graph.hpp"

#include <random>

namespace models {

namespace {

/// Adds random ops to two kinds of values: per-sample values (batch, width), and values of the
/// whole batch (width). All values have magnitudes around 1.
class grower {
 public:
  grower(std::uint64_t seed, dtype t) : random_(seed), m_(t), width_(8 + 4 * below(4)) {
    rows_.push_back(m_.normal("x", {width_}));
    rows_.push_back(m_.normal("z", {width_}));
    whole_.push_back(m_.parameter("p", {width_}, {initial::normal, 0.5}));
  }

  auto grow(const std::string& name) -> model {
    const index_t ops = 8 + below(24);
    for (index_t i = 0; i < ops; ++i) {
      if (below(4) == 0) whole_.push_back(over_batch());
      else rows_.push_back(per_sample());
    }
    // The result depends on both inputs, because callers bind both, and run() refuses an input that
    // is not part of the expression.
    const dynamic y = m_.linear(rows_.back() + (rows_[0] - rows_[1]) * 0.1, width_, width_);
    dynamic loss = mean(square(y));
    for (std::size_t i = 2; i + 1 < rows_.size(); i += 3) loss = loss + mean(tanh(rows_[i])) * 0.1;
    if (whole_.size() > 1) loss = loss + mean(square(whole_.back())) * 0.1;
    model out = m_.finish(name.c_str(), y, loss);
    out.random = random_numbers_;
    out.least = 2;
    out.deep_norm = norms_ > 1;
    return out;
  }

 private:
  std::mt19937_64 random_;
  maker m_;
  index_t width_;
  std::vector<dynamic> rows_, whole_;
  bool random_numbers_ = false;
  int norms_ = 0;

  auto below(index_t n) -> index_t { return static_cast<index_t>(random_() % static_cast<std::uint64_t>(n)); }
  /// Returns a random value among those created so far. Later values are more likely.
  auto one_of(const std::vector<dynamic>& all) -> dynamic {
    const auto n = static_cast<index_t>(all.size());
    return all[static_cast<std::size_t>(n - 1 - std::min(below(n), below(n)))];
  }

  auto over_batch() -> dynamic {
    const dynamic x = one_of(rows_);
    switch (below(6)) {
      case 0: return mean(x, 0);
      case 1: return koila::sqrt(mean(square(x - mean(x, 0)), 0) + 1e-2);
      case 2: return amax(x, 0);
      case 3: return tanh(koila::linear(mean(x, 0), dynamic(m_.parameter("w", {width_, width_}))));
      case 4: return mean(matmul(transpose(x, 0, 1), one_of(rows_)), 0) * 0.05;
      default: return sum(softmax(x, 0) * one_of(rows_), 0);
    }
  }
  auto per_sample() -> dynamic {
    const dynamic x = one_of(rows_);
    switch (below(14)) {
      case 0: return tanh(m_.linear(x, width_, width_));
      case 1: return relu(m_.linear(x, width_, width_)) + x * 0.5;
      case 2: return m_.linear(gelu(m_.linear(x, width_, 3 * width_)), 3 * width_, width_, false);
      case 3: return tanh(x + one_of(rows_));
      case 4: return tanh(x * one_of(whole_));
      case 5: return x * sigmoid(one_of(rows_));
      case 6: return m_.layer_norm(x, width_);
      case 7: random_numbers_ = true; return koila::dropout(x, 0.3);
      case 8: return narrow(cat(x, one_of(rows_), dim = 1), 1, width_ / 2, width_);
      case 9: return softmax(x, 1) * 3;
      case 10: ++norms_; return m_.batch_norm(m_.linear(x, width_, width_) + x, width_);
      case 11: return where(gt(x, 0), x, tanh(one_of(rows_)));
      case 12: return x - mean(x, 0);
      default: {
        const dynamic keys = one_of(rows_), values = one_of(rows_);
        return matmul(softmax(matmul(x, transpose(keys, 0, 1)) * 0.1, 1), values);
      }
    }
  }
};

}  // namespace

auto random_graph(std::uint64_t seed, dtype t) -> model {
  return grower(seed, t).grow("random_graph_" + std::to_string(seed));
}

void add_random_graphs(std::vector<entry>& to) {
  for (std::uint64_t seed = 1; seed <= 16; ++seed)
    to.push_back(
        {.name = "random_graph_" + std::to_string(seed), .make = [seed](dtype t) { return random_graph(seed, t); }});
}

}  // namespace models
