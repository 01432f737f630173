// SPDX-License-Identifier: MIT
// Records the allocations of a run, and draws them over the prediction.
#include <koila/tools/record_memory.hpp>

#include "plan/support.hpp"
#include "run/support.hpp"

using namespace koila;
using namespace ::test;

TEST_CASE("record_memory sees what a run allocates, to the byte") {
  const classifier<float32, 32, 64, 10> net;
  const input<batch, 32> x{"x"};
  const input<int64, batch> label{"label"};
  const at::Tensor images = at::randn({100, 32}), labels = labels_of(100, 10);
  (void)run(net(x), x = images);  // creates the parameters
  for (const index_t chunk : {100, 16}) {
    CAPTURE(chunk);
    const auto loss = cross_entropy(net(x), label);
    const memory_plan p = plan(net(x), {.chunk = chunk}, x = images);
    const memory_record value = record_memory([&] { (void)run(net(x), {.chunk = chunk}, x = images); });
    CHECK(value.peak_bytes == p.peak_bytes());
    REQUIRE(!value.samples.empty());
    CHECK(value.samples.back().bytes == 0);

    auto train = step(loss, sgd{.lr = 0.1}, {.chunk = chunk});
    const memory_record first = record_memory([&] { (void)train(x = images, label = labels); });
    CHECK(first.peak_bytes == train.plan().peak_bytes());
    double before = 0;
    index_t most = 0;
    for (const auto& s : first.samples) {
      CHECK(s.seconds >= before);
      before = s.seconds;
      most = std::max(most, s.bytes);
    }
    CHECK(first.seconds >= before);
    CHECK(most == first.peak_bytes);

    const written_file picture("memory.svg"), trace("memory.json");
    train.plan().timeline(picture.path(), first);
    train.plan().trace(trace.path(), first);
    CHECK(count_of(picture.text(), "<path class=\"measured\"") == 1);
    CHECK(count_of(trace.text(), "\"allocated\"") == static_cast<int>(first.samples.size()));
  }
}

TEST_CASE("record_memory counts one device, and ends with an exception") {
  const memory_record other = record_memory([] { (void)at::empty({1000}); }, at::kCUDA);
  CHECK(other.samples.empty());
  CHECK(other.peak_bytes == 0);
  CHECK_THROWS_AS(record_memory([] { throw std::logic_error("its own"); }), std::logic_error);
  at::Tensor kept;
  const memory_record seen = record_memory([&] { kept = at::empty({1000}, at::kFloat); });
  CHECK(seen.samples.size() == 1);
  CHECK(seen.samples.back().bytes == 4000);
  CHECK(seen.peak_bytes == 4000);
}
