// SPDX-License-Identifier: MIT
// Random numbers in tests. By default, LibTorch and rapidcheck use a different seed in each
// process. The listener in this file makes each test case always draw the same numbers.
// KOILA_TEST_SEED=n in the environment selects different numbers. KOILA_WITHOUT restricts koila's
// kernels (see left_out.hpp). Plans use the constants of the cost model, so that they are the same
// on every machine.
#if __has_include(<catch2/reporters/catch_reporter_event_listener.hpp>)
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#else
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>
namespace Catch {
using EventListenerBase = TestEventListenerBase;
}
#endif

#include <koila/expr/random_state.hpp>

#include <ATen/Context.h>

#include <koila/run/machine.hpp>

#include <cstdlib>
#include <string>

#include "left_out.hpp"

namespace {

using base = Catch::EventListenerBase;

/// Sets the seeds before each test case, so that its numbers do not depend on the test cases before
/// it.
struct seeded : base {
  using base::base;

  void testRunStarting(const Catch::TestRunInfo&) override {
    // rapidcheck reads the variable at its first check.
    setenv("RC_PARAMS", ("seed=" + std::to_string(seed_)).c_str(), 0);
    bench::leave_out_instructions();
    static const koila::machine constants;
    koila::detail::stated_machine = &constants;
  }
  void testCaseStarting(const Catch::TestCaseInfo&) override {
    at::manual_seed(seed_);
    koila::detail::random_numbers().seeded = false;  // the previous test may have set this
  }

 private:
  std::uint64_t seed_ =
      std::getenv("KOILA_TEST_SEED") != nullptr ? std::strtoull(std::getenv("KOILA_TEST_SEED"), nullptr, 10) : 1;
};

}  // namespace

CATCH_REGISTER_LISTENER(seeded)
