// Random numbers in tests: LibTorch's and rapidcheck's are others in each process, here each test case draws the same ones whenever it is run.
// KOILA_TEST_SEED=n in the environment gives others. With KOILA_BASELINE there koila's kernels use no instructions but those that every
// machine has, and no blocks of oneDNN's.
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

#include <koila/ops/family/instructions.ipp>

#include <ATen/Context.h>

#include <cstdlib>
#include <string>

namespace {

using base = Catch::EventListenerBase;

/// Before each test case, so that what one draws does not depend on those that were run before it.
struct seeded : base {
  using base::base;

  void testRunStarting(const Catch::TestRunInfo&) override {
    setenv("RC_PARAMS", ("seed=" + std::to_string(seed_)).c_str(), 0);  // rapidcheck reads it when it checks first
    if (std::getenv("KOILA_BASELINE") == nullptr) return;
    koila::detail::most_instructions = koila::detail::instructions::baseline;
    koila::detail::without_block_kernels = true;
  }
  void testCaseStarting(const Catch::TestCaseInfo&) override { at::manual_seed(seed_); }

 private:
  std::uint64_t seed_ =
      std::getenv("KOILA_TEST_SEED") != nullptr ? std::strtoull(std::getenv("KOILA_TEST_SEED"), nullptr, 10) : 1;
};

}  // namespace

CATCH_REGISTER_LISTENER(seeded)
