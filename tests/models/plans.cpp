// SPDX-License-Identifier: MIT
// plan(loss) predicts the memory that backward uses. This holds for every model, and does not
// depend on how much the compiler knows about the shape of the loss.
#include "models/check.hpp"

#include "measure.hpp"

using namespace ::test;
using namespace koila;

namespace {

/// Checks a model before and after the first run, which creates the parameters.
void check_plan(const models::entry& e, dtype type) {
  CAPTURE(e.name);
  constexpr index_t samples = 13;
  const subject s(e, type, samples);
  const bound_tensors bound = models::bound_in(s.model().loss, s.bound());
  const auto check = [&](const auto& loss, const options& o) {
    CAPTURE(o.chunk);
    const auto lowering = koila::detail::lowering_of(loss);
    s.begin();
    const index_t predicted = koila::detail::plan_of(lowering, std::nullopt, o, bound).peak_bytes();
    const index_t value =
        koila::detail::plan_of(koila::detail::lowering_of(detach(loss)), std::nullopt, o, bound).peak_bytes();
    {
      const bench::measure m;
      (void)koila::detail::run_backward(lowering, o, bound);
      CHECK(m.peak() == predicted);
    }
    s.begin();
    const bench::measure m;
    (void)koila::detail::run_value(lowering, o, bound);
    CHECK(m.peak() == value);
    return predicted;
  };
  for (const index_t chunk : {4, 13}) {
    const options o{.memory = 1_GiB, .chunk = chunk};
    const index_t unknown = check(s.model().loss, o);                  // the compiler does not know the rank
    CHECK(check(erased<dtype::unknown>(s.model().loss), o) == unknown);  // the compiler knows that the loss is a scalar
    CHECK(check(let(s.model().loss), o) == unknown);
  }
}

}  // namespace

TEST_CASE("trials A3: plan equals what runs, of every model") {
  for (const models::entry& e : models::all()) check_plan(e, dtype::float32);
}
