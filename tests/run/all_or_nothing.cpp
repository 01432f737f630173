// SPDX-License-Identifier: MIT
// A step that fails at any allocation or kernel changes nothing, and the next step succeeds.
#include "run/support.hpp"

namespace {

int kernels_left = -1;

}  // namespace

namespace mine {

using namespace koila;
using namespace koila::author;

/// (...) -> (...): returns x, or throws after a given number of calls.
inline constexpr struct fragile : op<fragile> {
  static constexpr std::string_view name = "fragile";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& out) -> relations { return flows::elementwise(&x, 1, out); }
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    if (kernels_left > 0 && --kernels_left == 0) throw std::runtime_error("injected");
    y.copy_(x);
  }
  static constexpr auto gradient(const auto& dy, const auto&, const auto&) { return gradients(fragile{}(dy)); }
} fragile;

}  // namespace mine

using namespace koila;
using namespace ::test;

namespace {

struct fixture {
  classifier<float32, 20, 16, 10> net;
  input<batch, 20> x{"x"};
  input<int64, batch> label{"label"};
  at::Tensor images = at::randn({37, 20}), labels = labels_of(37, 10);                   // (37, 20), (37)
  std::vector<at::Tensor> values, gradients;

  auto loss() const { return cross_entropy(mine::fragile(net(mine::fragile(x))), label); }
  auto centred() const {
    auto z = let(mine::fragile(net(x)));
    return cross_entropy(z - mean(z, 0_c), label);
  }
  void remember() {
    values.clear(), gradients.clear();
    for (const auto& t : net.tensors()) {
      values.push_back(t.detach().clone());
      gradients.push_back(t.grad().defined() ? t.grad().clone() : at::Tensor());
    }
  }
  auto unchanged() const -> bool {
    const auto now = net.tensors();
    for (std::size_t k = 0; k < now.size(); ++k) {
      if (!identical(now[k], values[k]) || now[k].grad().defined() != gradients[k].defined()) return false;
      if (gradients[k].defined() && !identical(now[k].grad(), gradients[k])) return false;
    }
    return true;
  }
  void restore() {
    for (std::size_t k = 0; k < values.size(); ++k) net.tensors()[k].detach().copy_(values[k]);
  }
};

enum class failure { out_of_memory, bad_alloc, kernel };

/// Lets the n-th allocation or kernel fail for n = 1, 2, ..., until `attempt` succeeds. After each
/// failure, calls `check` and requires that no memory of the attempt is left. Returns the number of
/// failures.
auto fail_everywhere(failure kind, const auto& attempt, const auto& check) -> int {
  failing_allocator host;
  for (int n = 1;; ++n) {
    CAPTURE(n);
    const measure m;
    bool done = false;
    try {
      if (kind == failure::kernel) kernels_left = n;
      else
        host.fail_at(n, kind == failure::bad_alloc ? failing_allocator::thrown::bad_alloc
                                                   : failing_allocator::thrown::out_of_memory);
      attempt();
      done = true;
    } catch (const c10::OutOfMemoryError&) {
    } catch (const std::bad_alloc&) {
    } catch (const std::runtime_error&) {}
    host.stop();
    kernels_left = -1;
    if (done) return n - 1;
    CHECK(m.live() == 0);
    check();
  }
}

void check_step(const auto& make_loss, index_t chunk, failure kind) {
  fixture f;
  (void)plan(f.net(f.x), f.x = f.images);
  const sgd optimizer{.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01, .nesterov = true};
  // The result of three steps without failures.
  f.remember();
  const auto fresh = [&] {  // a fresh optimiser, because all steps of one optimiser share its state
    auto own = optimizer;
    own.states = {};
    return own;
  };
  std::vector<at::Tensor> wanted;
  {
    auto train = step(make_loss(f), fresh(), {.chunk = chunk});
    for (int i = 0; i < 3; ++i) train(f.x = f.images, f.label = f.labels);
    for (const auto& t : f.net.tensors()) wanted.push_back(t.detach().clone());
  }
  f.restore();
  // A step that fails while it is planned, or during its first run.
  const int first = fail_everywhere(
      kind,
      [&] {
        auto train = step(make_loss(f), fresh(), {.chunk = chunk});
        train(f.x = f.images, f.label = f.labels);
      },
      [&] { CHECK(f.unchanged()); });
  CHECK(first > 0);
  // One step object, which fails in every possible way before each of its three successes.
  f.restore();
  auto train = step(make_loss(f), fresh(), {.chunk = chunk});
  for (int i = 0; i < 3; ++i) {
    failing_allocator host;
    f.remember();
    at::Tensor last;
    for (int n = 1;; ++n) {
      try {
        if (kind == failure::kernel) kernels_left = n;
        else host.fail_at(n, failing_allocator::thrown::out_of_memory);
        train(f.x = f.images, f.label = f.labels);
        host.stop(), kernels_left = -1;
        break;
      } catch (const std::exception&) {
        host.stop(), kernels_left = -1;
        CHECK(f.unchanged());
      }
    }
  }
  for (std::size_t k = 0; k < wanted.size(); ++k) CHECK(identical(f.net.tensors()[k], wanted[k]));
}

}  // namespace

TEST_CASE("all or nothing: a step that fails anywhere has changed nothing") {
  at::manual_seed(5);
  for (const failure kind : {failure::out_of_memory, failure::bad_alloc, failure::kernel})
    for (const index_t chunk : {37, 8}) {
      CAPTURE(static_cast<int>(kind), chunk);
      check_step([](const fixture& f) { return f.loss(); }, chunk, kind);
      check_step([](const fixture& f) { return f.centred(); }, chunk, kind);
    }
}

TEST_CASE("all or nothing: backward and run that fail anywhere have changed nothing") {
  at::manual_seed(6);
  for (const failure kind : {failure::out_of_memory, failure::bad_alloc, failure::kernel})
    for (const index_t chunk : {37, 8})
      for (const bool there : {false, true}) {  // whether .grad exists before
        CAPTURE(static_cast<int>(kind), chunk, there);
        fixture f;
        (void)plan(f.net(f.x), f.x = f.images);
        const options o{.chunk = chunk};
        if (there) backward(f.loss(), o, f.x = f.images, f.label = f.labels);
        f.remember();
        // Drops the kept programs, so that each attempt also plans. A call with a kept program
        // would only allocate the memory of the plan, and would make a smaller plan if this failed.
        const auto prepare_again = [&] {
          drop_kept_programs();
          backward(f.loss(), o, f.x = f.images, f.label = f.labels);
        };
        const int failures = fail_everywhere(kind, prepare_again, [&] { CHECK(f.unchanged()); });
        CHECK(failures > 0);
        CHECK_FALSE(f.unchanged());
        f.remember();
        at::Tensor got;
        CHECK(fail_everywhere(
                  kind, [&] { got = run(f.centred(), o, f.x = f.images, f.label = f.labels); },
                  [&] { CHECK(f.unchanged()); }) > 0);
        CHECK(f.unchanged());
        CHECK(at::equal(got, run(f.centred(), o, f.x = f.images, f.label = f.labels)));
      }
}

TEST_CASE("all or nothing: parameters that could not be made are made by the next call") {
  parameter<16, 20> w{"w"};
  parameter<16> b{"b"};
  input<batch, 20> x{"x"};
  const at::Tensor images = at::randint(-9, 9, {5, 20}, at::kFloat);  // sums of integers are exact
  failing_allocator host;
  int failures = 0;
  for (;; ++failures) {
    host.fail_at(failures + 1, failing_allocator::thrown::out_of_memory);
    try {
      backward(sum(linear(x, w, b)), x = images);
      break;
    } catch (const c10::OutOfMemoryError&) {}
  }
  host.stop();
  CHECK(failures == 2);  // one failure per parameter; if the run itself lacks memory, it uses smaller chunks
  CHECK(tensor_of(w).abs().max().item<float>() > 0);
  CHECK(at::equal(tensor_of(w).grad(), images.sum(0).expand({16, 20})));
}
