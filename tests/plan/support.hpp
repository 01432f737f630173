// SPDX-License-Identifier: MIT
#pragma once
// Plans of several models, and files that tests write. To make the plans, the tests need not run
// the models.
#include "graph/support.hpp"

#include <koila/plan/text.hpp>
#include <koila/tools/memory_record.hpp>
#include <koila/tools/report.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace test {

/// Returns the plan of a loss with its gradients. If `leaving`, the gradients are stored outside
/// the arena, as in `backward`.
inline auto planned_of(lowered_expression l, index_t budget, const options& o, bool leaving) -> memory_plan {
  request want{{l.value}, {1}};
  for (const int g : l.gradients)
    if (g >= 0) want.outputs.push_back(g), want.external.push_back(static_cast<char>(leaving));
  return make_plan(std::move(l.graph), std::move(want), o, budget);
}
auto planned(const auto& loss, index_t samples, index_t budget = -1, const options& o = {}, bool leaving = false)
    -> memory_plan {
  return planned_of(lowered(loss, samples, true), budget, o, leaving);
}

constexpr auto two_layers() {
  input<batch, 64> x{"x"};
  input<int64, batch> label{"label"};
  parameter<128, 64> w{"w"};
  parameter<10, 128> v{"v"};
  return cross_entropy(linear(relu(linear(x, w)), v), label);
}
constexpr auto contrastive() {
  input<batch, 64> x{"x"};
  input<int64, batch> label{"label"};
  parameter<32, 64> w{"w"};
  auto z = let(linear(x, w));
  return cross_entropy(matmul(z, transpose(z, 0_c, 1_c)), label);
}
constexpr auto sixteen_bits() {
  input<bfloat16, batch, 64> x{"x"};
  parameter<bfloat16, 32, 64> w{"w"};
  return mean(square(linear(x, w)));
}
constexpr auto some_convolution() {
  input<batch, 3, 16, 16> x{"x"};
  parameter<8, 3, 3, 3> w{"w"};
  return mean(square(conv2d(x, w, padding = 1_c)));
}
/// K layers, each of which subtracts the batch mean.
template <int K>
auto centred_layers(const auto& x) {
  if constexpr (K == 0) {
    return x;
  } else {
    const parameter<32, 32> w{"w"};
    auto z = let(linear(centred_layers<K - 1>(x), w));
    return relu(z - mean(z, 0_c));
  }
}
template <int K>
auto centred() {
  const input<batch, 32> x{"x"};
  return mean(square(centred_layers<K>(x)));
}

/// Calls `check(name, plan)` for plans of many kinds.
void for_each_plan(const auto& check) {
  const auto each = [&](const std::string& name, const auto& loss) {
    for (const index_t samples : {1, 100, 256}) {
      for (const bool leaving : {false, true}) {
        const memory_plan any_budget = planned(loss, samples, -1, {}, leaving);
        check(name, any_budget);
        for (const index_t chunk : {1, 7, 16, 256})
          check(name + ", fixed", planned(loss, samples, -1, {.chunk = chunk}, leaving));
        index_t least = 0;
        try {
          (void)planned(loss, samples, 0, {}, leaving);
        } catch (const memory_error& e) { least = e.needed; }
        for (const index_t budget : {least, (least + any_budget.peak_bytes()) / 2})
          if (budget >= least) check(name + ", budget", planned(loss, samples, budget, {}, leaving));
      }
    }
  };
  each("classifier", two_layers());
  each("contrastive", contrastive());
  each("sixteen bits", sixteen_bits());
  each("convolution", some_convolution());
  each("centred", centred<4>());
  check("no sample", planned(two_layers(), 0));

  const input<batch, 8> x{"x"};
  const parameter<8, 8> w{"w"}, v{"v"};
  const parameter<8> scale{"scale"}, shift{"shift"};
  const buffer<8> mean_so_far{"mean"}, variance{"variance"};
  for (const bool leaving : {false, true}) {
    check("no loop", planned(sum(w * v), 64, -1, {}, leaving));
    check("two gradients of one storage", planned(sum(linear(x, w + v)), 64, -1, {.chunk = 16}, leaving));
  }
  for (const index_t chunk : {1, 16, 64}) {
    lowered_expression value = lowered(softmax(linear(x, w), 1_c), 64);
    check("a value", make_plan(std::move(value.graph), {{value.value}, {1}}, {.chunk = chunk}, -1));
    const auto normal = batch_norm(linear(x, w), scale, shift, mean_so_far, variance);
    check("buffers that change",
          planned(mean(square(normal)) + mean(softmax(normal, 0_c) * x), 64, -1, {.chunk = chunk}));
  }
}

/// A file that belongs to this process. The destructor removes it.
class written_file {
 public:
  explicit written_file(const std::string& name)
      : path_((std::filesystem::temp_directory_path() / ("koila_" + std::to_string(getpid()) + "_" + name)).string()) {}
  written_file(const written_file&) = delete;
  auto operator=(const written_file&) -> written_file& = delete;
  ~written_file() { std::remove(path_.c_str()); }
  auto path() const -> const std::string& { return path_; }
  auto text() const -> std::string {
    std::ifstream f(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(f), std::istreambuf_iterator<char>()};
  }

 private:
  std::string path_;
};

inline auto count_of(std::string_view text, std::string_view what) -> int {
  int n = 0;
  for (auto position = text.find(what); position != std::string_view::npos;
       position = text.find(what, position + what.size()))
    ++n;
  return n;
}

}  // namespace test
