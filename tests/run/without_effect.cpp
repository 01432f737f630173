// SPDX-License-Identifier: MIT
// Warnings about options that have no effect.
#include "run/support.hpp"

#include <unistd.h>

#include <sstream>

using namespace koila;
using namespace ::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Returns what f writes to stderr.
auto said_by(const auto& f) -> std::string {
  std::fflush(stderr);
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  const int before = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  try {
    f();
  } catch (...) {
    dup2(before, STDERR_FILENO);
    throw;
  }
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  std::rewind(file);
  std::string out;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) out += static_cast<char>(c);
  std::fclose(file);
  return out;
}
auto explained(const memory_plan& p) -> std::string {
  std::ostringstream os;
  p.explain(os);
  return os.str();
}

}  // namespace

TEST_CASE("trials B5: a chunk where nothing is cut is told of, once, and in explain") {
  const parameter<4, 4> w{"w"};
  const input<batch, 4> x{"x"};
  const at::Tensor values = at::randn({9, 4}), more = at::randn({12, 4});  // (batch, 4)
  SECTION("no input has the axis") {
    const auto loss = sum(square(w));
    const std::string line = ".chunk = 3 has no effect: no input has the axis `batch`\n";
    CHECK(said_by([&] { (void)run(loss, {.chunk = 3}); }) == "koila: " + line);
    CHECK(said_by([&] { (void)run(loss, {.chunk = 3}); }) == "");
    CHECK(said_by([&] { (void)backward(loss, {.chunk = 3}); }) == "koila: " + line);
    CHECK(said_by([&] { (void)backward(loss, {.chunk = 3}); }) == "");
    auto train = step(loss, sgd{.lr = 0.01}, {.chunk = 5});
    CHECK_THAT(said_by([&] { train(); }), ContainsSubstring("koila: .chunk = 5 has no effect"));
    CHECK(said_by([&] { train(), train(); }) == "");
    const memory_plan p = plan(loss, {.chunk = 3});
    CHECK(p.without_effect() == line);
    CHECK_THAT(explained(p), ContainsSubstring("\n" + line));
    CHECK_THAT(explained(train.plan()), ContainsSubstring(".chunk = 5 has no effect"));
    CHECK_THAT(explained(plan(lazy(values) * 2.0, {.chunk = 2})),
               ContainsSubstring(".chunk = 2 has no effect: no input has"));
  }
  SECTION("all samples are asked for at once") {
    const auto y = flip(x, 0_c);
    CHECK(said_by([&] { (void)run(y, {.chunk = 4}, x = values); }) ==
          "koila: .chunk = 4 has no effect: flip asks for all samples at once\n");
    CHECK(said_by([&] { (void)run(y, {.chunk = 4}, x = values); }) == "");
    CHECK_THAT(explained(plan(y, {.chunk = 4}, x = values)),
               ContainsSubstring(".chunk = 4 has no effect: flip asks for all samples at once"));
  }
  SECTION("another expression of the same inputs is told of, and one of tensors once") {
    const auto told = [&](const auto& y) { return said_by([&] { (void)run(y, {.chunk = 5}, x = values); }); };
    CHECK(told(flip(x, 0_c)) == "koila: .chunk = 5 has no effect: flip asks for all samples at once\n");
    CHECK(told(cumsum(x, 0_c)) == "koila: .chunk = 5 has no effect: cumsum asks for all samples at once\n");
    CHECK(told(flip(x, 0_c)) == "");
    const auto f = make_opaque<1>([](const at::Tensor& t) { return at::cumsum(t, 0); });
    const auto of_tensors = [&] { (void)run(custom(f, lazy<batch>(values), workspace = 0), {.chunk = 4}); };
    CHECK_THAT(said_by(of_tensors), ContainsSubstring("custom asks for all samples"));
    CHECK(said_by([&] { of_tensors(), of_tensors(); }) == "");
  }
  SECTION("a callable is planned at each call, and told of once") {
    const auto y = custom([](const at::Tensor& t) { return at::cumsum(t, 0); }, x, workspace = 0);
    CHECK_THAT(said_by([&] { (void)run(y, {.chunk = 4}, x = values); }),
               ContainsSubstring("custom asks for all samples"));
    CHECK(said_by([&] { (void)run(y, {.chunk = 4}, x = more); }) == "");
  }
  SECTION("nothing is said where it has an effect, or all is one chunk") {
    const auto loss = sum(square(linear(x, w)));
    CHECK(said_by([&] {
            for (const index_t chunk : {0, 1, 3, 9, 100}) {
              (void)run(loss, {.chunk = chunk}, x = values);
              (void)backward(loss, {.chunk = chunk}, x = values);
              (void)run(flip(relu(x), 0_c), {.chunk = chunk}, x = values);
              CHECK(plan(loss, {.chunk = chunk}, x = values).without_effect() == "");
            }
            (void)run(flip(x, 0_c), {.chunk = 9}, x = values);
            (void)run(flip(x, 0_c), {.chunk = 1000}, x = values);
            (void)run(flip(x, 0_c), {.chunk = 1}, x = values.narrow(0, 0, 1));
            (void)run(flip(x, 0_c), {.chunk = 1}, x = values.narrow(0, 0, 0));
            (void)run(flip(x, 0_c), x = values);
            (void)run(sum(w));
          }) == "");
  }
  SECTION("a chunk of no size is refused") {
    const auto loss = sum(square(w));
    for (const index_t chunk : {-1, -8}) {
      const auto message = ContainsSubstring(".chunk is " + std::to_string(chunk) + " samples");
      CHECK_THROWS_WITH(run(loss, {.chunk = chunk}), message);
      CHECK_THROWS_WITH(backward(loss, {.chunk = chunk}), message);
      CHECK_THROWS_WITH(plan(loss, {.chunk = chunk}), message);
      CHECK_THROWS_WITH(step(loss, sgd{.lr = 0.01}, {.chunk = chunk}), message);
    }
  }
}

TEST_CASE("trials B5: so is a policy where nothing is cut, or where the chunk is stated") {
  const parameter<4, 4> w{"w"};
  const input<batch, 4> x{"x"};
  const at::Tensor values = at::randn({9, 4});  // (batch, 4)
  const auto loss = sum(square(linear(x, w)));
  CHECK(plan(loss, {.policy = balanced}, x = values).without_effect() == "");
  CHECK(plan(loss, {.chunk = 3, .policy = balanced}, x = values).without_effect() ==
        ".policy = balanced has no effect: .chunk is stated\n");
  CHECK(plan(flip(x, 0_c), {.policy = balanced}, x = values).without_effect() ==
        ".policy = balanced has no effect: flip asks for all samples at once\n");
  CHECK(said_by([&] { (void)run(sum(w), {.policy = balanced}); }) ==
        "koila: .policy = balanced has no effect: no input has the axis `batch`\n");
  CHECK(plan(flip(x, 0_c), {.policy = balanced}, x = values.narrow(0, 0, 1)).without_effect() == "");
}
