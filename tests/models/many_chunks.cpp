// float32 in very many chunks: the error of sums does not grow with their number.
#include "models/check.hpp"

using namespace test;

TEST_CASE("as exact as LibTorch in float32, however many chunks there are") {
  std::vector<models::entry> all;
  models::add_perceptrons(all);
  for (const models::entry& e : all) {
    if (e.name != "linear_regression" && e.name != "mlp") continue;
    CAPTURE(e.name);
    const index_t samples = e.name == "mlp" ? 4096 : 65536;
    const subject single(e, dtype::float32, samples);
    subject twice(e, dtype::float64, samples);
    twice.copy_from(single);
    const results exact = twice.run(samples);
    const errors whole = errors_of(single.run(samples), exact);
    for (const index_t chunk : {index_t{1}, index_t{16}, samples / 16}) {
      CAPTURE(chunk);
      const errors got = errors_of(single.run(chunk), exact);
      CHECK(got.loss <= 1.5 * whole.loss + 1e-6);
      for (std::size_t k = 0; k < got.gradients.size(); ++k) {
        CAPTURE(k, got.gradients[k], whole.gradients[k]);
        CHECK(got.gradients[k] <= 1.5 * whole.gradients[k] + 1e-6);
      }
    }
  }
}
