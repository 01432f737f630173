// SPDX-License-Identifier: MIT
// Routines: functions that programs call besides ops. A device has its own implementation of a
// routine, or uses LibTorch's operators.
#include <koila/kernels/capabilities.hpp>
#include <koila/kernels/updates.hpp>

#include "pch.hpp"

namespace {

using namespace koila;

constinit kernels::routine<int(int)> twice{[](int x) { return x + x; }};
auto twice_by_shift(int x) -> int { return x << 1; }

/// Makes koila use LibTorch's operators instead of its own kernels while this object exists.
struct only_operators {
  only_operators() { koila::detail::by_operators_only = true; }
  ~only_operators() { koila::detail::by_operators_only = false; }
  only_operators(const only_operators&) = delete;
  auto operator=(const only_operators&) -> only_operators& = delete;
};

}  // namespace

TEST_CASE("a routine has an implementation by operators, and those that types of devices register") {
  CHECK(!twice.is_own(at::kMeta));
  CHECK(twice.for_device(at::kMeta)(3) == 6);
  const kernels::routine_registration<twice, twice_by_shift, at::kMeta> registered;
  CHECK(twice.is_own(at::kMeta));
  CHECK(twice.for_device(at::kMeta) == twice_by_shift);
  CHECK(!twice.is_own(at::kCPU));
  CHECK(twice.for_device(at::kCPU) != twice_by_shift);
  const only_operators here;
  CHECK(!twice.is_own(at::kMeta));
  CHECK(twice.for_device(at::kMeta) != twice_by_shift);
}

TEST_CASE("the host has its own updates, fuses, and lends scratch; unknown devices do not") {
  CHECK(kernels::sgd_update.is_own(at::kCPU));
  CHECK(!kernels::sgd_update.is_own(at::kMeta));
  const kernels::capabilities host = kernels::capabilities_of(at::kCPU), none = kernels::capabilities_of(at::kMeta);
  CHECK(host.fuses);
  CHECK(host.lends_scratch);
  CHECK(host.keeps_programs);
  CHECK_FALSE(none.fuses);
  CHECK_FALSE(none.lends_scratch);
  CHECK_FALSE(none.keeps_programs);
  const only_operators here;
  CHECK_FALSE(kernels::capabilities_of(at::kCPU).fuses);
  CHECK(kernels::capabilities_of(at::kCPU).keeps_programs);
}

TEST_CASE("the updates by operators and those of the host agree") {
  const auto both = [](const auto& f) {
    at::manual_seed(7);
    const at::Tensor own = f();
    at::manual_seed(7);
    const only_operators here;
    CHECK(at::allclose(own, f(), 1e-12, 1e-12));
  };
  const auto random = [] { return at::randn({5, 3}, at::kDouble); };
  for (const bool second : {false, true}) {
    both([&] {
      const at::Tensor p = random(), g = random(), v = random(), factor = at::empty({}, at::kDouble);
      kernels::sgd_update.for_device(at::kCPU)({0.1, 0.9, second ? 0 : 0.2, 0.3, second, true}, p, g, v, factor);
      return p + v;
    });
    both([&] {
      const at::Tensor p = random(), g = random(), m = random(), v = random().abs(),
                       most = second ? random().abs() : at::Tensor();
      kernels::adam_update.for_device(at::kCPU)({0.1, 0.9, 0.99, 1e-8, 0.3, second, 0.2, 0.5}, p, g, m, v, most);
      return p + m + v;
    });
    both([&] {
      const at::Tensor p = random(), g = random(), v = random().abs() + 2, none;
      const at::Tensor momentum = random(), mean = random() * 0.1;
      kernels::rmsprop_update.for_device(at::kCPU)({0.1, 0.9, 1e-8, 0.3, 0.5}, p, g, v, second ? momentum : none,
                                                   second ? mean : none);
      return p + v;
    });
    both([&] {
      const at::Tensor p = random(), g = random(), sum = random().abs();
      kernels::adagrad_update.for_device(at::kCPU)({0.1, 1e-8, second ? 0.3 : 0.0}, p, g, sum);
      return p + sum;
    });
  }
  both([&] {
    const at::Tensor t = random(), by = random();
    kernels::scale.for_device(at::kCPU)(t, 0.5);
    kernels::clamp.for_device(at::kCPU)(t, 0.4);
    kernels::add.for_device(at::kCPU)(t, by);
    return t + kernels::sum_of_squares.for_device(at::kCPU)(by);
  });
}
