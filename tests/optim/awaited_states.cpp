// SPDX-License-Identifier: MIT
// A loaded file may contain the state of a parameter that no step has trained since the load. The
// next step that trains this parameter gets the state. No other parameter gets the state. If the
// optimiser is saved before that step, the file contains the state again.
#include "run/support.hpp"

#include <koila/nn/nn.hpp>
#include <koila/nn/serialize.hpp>

#include <unistd.h>

#include <filesystem>

using namespace koila;
using namespace ::test;

namespace {

struct states_file {
  std::string name;
  explicit states_file(const std::string& which = "1")
      : name((std::filesystem::temp_directory_path() /
              ("koila.awaited." + std::to_string(::getpid()) + "." + which + ".pt"))
                 .string()) {}
  ~states_file() { std::filesystem::remove(name); }
};

/// A layer, and a parameter beside it that has a loss of its own.
struct layer_and_scale {
  nn::linear<4, 4> layer;
  parameter<4> scale;
  input<batch, 4> x{"x"};
  at::Tensor rows = at::randn({6, 4}, at::detail::createCPUGenerator(5));  // (6, 4)

  explicit layer_and_scale(const char* name = "scale", const layer_and_scale* like = nullptr) : scale{name} {
    set(scale, at::ones({4}));
    if (like != nullptr) copy_from(*like);
  }
  void copy_from(const layer_and_scale& o) const {
    const auto from = o.tensors(), to = tensors();
    for (std::size_t k = 0; k < to.size(); ++k) to[k].detach().copy_(from[k]);
  }
  auto tensors() const -> std::vector<at::Tensor> {
    auto all = parameters(layer);
    all.push_back(tensor_of(scale));
    return all;
  }
  auto of_layer() const { return mean(square(layer(x))); }
  auto of_scale() const { return sum(square(scale - 2.0)); }
  void once(auto& a, auto& b) const { (void)a(x = rows), (void)b(); }
  auto is_like(const layer_and_scale& o) const -> bool {
    const auto a = tensors(), b = o.tensors();
    bool all = true;
    for (std::size_t k = 0; k < a.size(); ++k) all = all && identical(a[k], b[k]);
    return all;
  }
};

}  // namespace

TEST_CASE("trials B1: a step's record leaves what its optimiser keeps for other steps") {
  const states_file f, g("2");
  const layer_and_scale one;
  adam opt{.lr = 0.1};
  auto a = step(one.of_layer(), opt), b = step(one.of_scale(), opt);
  for (int i = 0; i < 3; ++i) one.once(a, b);
  const auto check = [&](const auto& write, const auto& read) {
    for (const int made_before : {0, 1, 2}) {
      const layer_and_scale same("scale", &one), two("scale", &one);
      write();
      adam other{};
      auto c = step(two.of_layer(), other);
      std::optional<decltype(step(two.of_scale(), other))> d;
      if (made_before > 0) d.emplace(step(two.of_scale(), other));
      if (made_before > 1) (void)c(two.x = two.rows), two.copy_from(same);
      read(two, other, c);
      if (!d) d.emplace(step(two.of_scale(), other));
      const layer_and_scale unbroken("scale", &one);
      adam whole{};
      auto u = step(unbroken.of_layer(), whole), v = step(unbroken.of_scale(), whole);
      unbroken.once(u, v), unbroken.copy_from(one);
      save(one.layer, opt, g.name);
      load(unbroken.layer, whole, g.name);
      for (int i = 0; i < 2; ++i) unbroken.once(u, v), two.once(c, *d);
      CAPTURE(made_before);
      CHECK(two.is_like(unbroken));
    }
  };
  check([&] { save(one.layer, opt, a, f.name); },
        [&](const auto& two, auto& o, auto& c) { load(two.layer, o, c, f.name); });
  check([&] { save(one.layer, a, opt, f.name); },
        [&](const auto& two, auto& o, auto& c) { load(two.layer, c, o, f.name); });
  check([&] { save(opt, a, f.name); }, [&](const auto&, auto& o, auto& c) { load(o, c, f.name); });
  check([&] { save(opt, f.name), save(a, g.name); },
        [&](const auto&, auto& o, auto& c) { load(o, f.name), load(c, g.name); });
}

TEST_CASE("trials B1: a step is saved though its optimiser has read the states of more parameters") {
  const states_file f, g("2");
  const layer_and_scale one;
  adam opt{.lr = 0.1};
  auto a = step(one.of_layer(), opt), b = step(one.of_scale(), opt);
  one.once(a, b), one.once(a, b);
  save(opt, f.name);
  const layer_and_scale two("scale", &one), three;
  adam other{};
  load(other, f.name);
  auto resumed = step(two.of_layer(), other);
  CHECK_THROWS_WITH(save(resumed, g.name),
                    Catch::Matchers::StartsWith("koila: save: the optimiser has read a state that no "));
  (void)resumed(two.x = two.rows);
  CHECK_NOTHROW(save(two.layer, resumed, g.name));
  auto again = step(three.of_layer(), adam{});
  load(three.layer, again, g.name);
  (void)resumed(two.x = two.rows), (void)again(three.x = three.rows);
  for (std::size_t k = 0; k < 2; ++k) CHECK(identical(three.tensors()[k], two.tensors()[k]));
  CHECK(again.steps() == 4 + 2);
}

TEST_CASE("trials B1: states that a file could not tell apart are refused when they are saved") {
  const states_file f;
  const nn::linear<4, 4> first{"first"}, second{"second"}, third;
  const input<batch, 4> x{"x"};
  const at::Tensor rows = at::ones({2, 4});
  const auto loss = [&](const auto& layer) { return mean(square(layer(x))); };
  adam opt{.lr = 0.1};
  auto a = step(loss(third), opt), b = step(loss(nn::linear<4, 4>()), opt);
  (void)a(x = rows), (void)b(x = rows);
  save(opt, f.name);
  adam other{};
  load(other, f.name);
  const nn::linear<4, 4> fourth;
  auto c = step(loss(fourth), other);
  (void)c(x = rows);
  CHECK_THROWS_WITH(save(fourth, other, f.name),
                    Catch::Matchers::StartsWith("koila: save: the optimiser has read a state of ") &&
                        Catch::Matchers::ContainsSubstring("that no step has used yet"));
  CHECK_NOTHROW(save(other, f.name));
}

TEST_CASE("trials B1: a parameter that is not the model's, but named as one of it, is refused when it is saved") {
  const states_file f;
  const layer_and_scale other("weight");  // no step trains the layer's own weight
  adam opt{};
  auto train = step(other.of_scale(), opt);
  (void)train();
  CHECK_THROWS_WITH(
      save(other.layer, opt, f.name),
      "koila: save: the optimiser trains weight, and the model has another parameter of that name: save the models "
      "of both, or give one of them another name");
  CHECK_THROWS_WITH(save(other.layer, train, f.name),
                    Catch::Matchers::StartsWith("koila: save: the optimiser trains weight, "));
  CHECK_NOTHROW(save(opt, f.name));
}
