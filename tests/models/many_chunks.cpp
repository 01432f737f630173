// SPDX-License-Identifier: MIT
// float32 in a very large number of chunks: the error of sums does not grow with the number of
// chunks.
#include "float32_bound.hpp"
#include "models/check.hpp"
#include "models/maker.hpp"

using namespace ::test;

namespace {

/// A model that sums only positive terms, so that errors cannot cancel.
auto positive(dtype t) -> models::model {
  models::maker m(t);
  const models::dynamic x = m.uniform("x", {24}), w = m.parameter("w", {8, 24}, {initial::uniform, 1, 0});
  const models::dynamic y = linear(x, w);
  return m.finish("positive", y, mean(square(y)));
}

auto entry_of(const std::string& name) -> models::entry {
  std::vector<models::entry> all{{.name = "positive", .make = positive}};
  models::add_perceptrons(all);
  for (const models::entry& e : all)
    if (e.name == name) return e;
  throw std::logic_error("no model " + name);
}

void check_many(const std::string& name, index_t samples) {
  const models::entry e = entry_of(name);
  CAPTURE(name);
  const subject single(e, dtype::float32, samples);
  subject twice(e, dtype::float64, samples);
  twice.copy_from(single);
  const results exact = twice.run(samples);
  const errors whole = errors_of(single.run(samples), exact);
  for (const index_t chunk : {index_t{1}, index_t{16}, samples / 16}) {
    CAPTURE(chunk);
    const errors got = errors_of(single.run(chunk), exact);
    const double terms = terms_of_chunks(chunk);
    CHECK(got.loss <= float32_bound(terms, whole.loss));
    for (std::size_t k = 0; k < got.gradients.size(); ++k) {
      CAPTURE(k, got.gradients[k], whole.gradients[k]);
      CHECK(got.gradients[k] <= float32_bound(terms, whole.gradients[k]));
    }
    if (chunk == 16) {
      const errors twice_as_many = errors_of(twice.run(chunk), exact);
      CHECK(twice_as_many.loss <= 1e-12);
      for (const double g : twice_as_many.gradients) CHECK(g <= 1e-12);
    }
  }
}

}  // namespace

TEST_CASE("as exact in float32, however many chunks there are") {
  check_many("mlp", 4096);
  check_many("linear_regression", 65536);
  check_many("positive", 65536);
}
