// SPDX-License-Identifier: MIT
// The report of a plan: bytes by use that add up to the peak, the step of the peak, each barrier's
// reason, and what other chunk sizes would need.
#include "plan/support.hpp"

#include <sstream>

using namespace koila;
using namespace koila::author;
using namespace ::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace mine {

/// (...) -> (...): the cumulative sum along dim 0. It has no `flow`, so it gets the whole batch.
inline constexpr struct total_so_far : op<total_so_far> {
  static constexpr std::string_view name = "total_so_far";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static void evaluate(at::Tensor& y, const at::Tensor& x) { at::cumsum_out(y, x, 0); }
} total_so_far;

}  // namespace mine

namespace {

auto explained(const memory_plan& p) -> std::string {
  std::ostringstream os;
  p.explain(os);
  return os.str();
}

/// Returns the number at the end of the first line that begins with `what`. Thousands separators
/// are removed.
auto number_of(const std::string& text, const std::string& what) -> index_t {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  " + what)) continue;
    index_t n = -1;
    for (const char c : line.substr(2 + what.size())) {
      if (c >= '0' && c <= '9') n = 10 * std::max<index_t>(n, 0) + (c - '0');
      else if (c != ' ' && c != ',') break;
      else if (c == ' ' && n >= 0) break;
    }
    return n;
  }
  return -1;
}

auto value_of(const auto& e, index_t samples, index_t chunk) -> memory_plan {
  lowered_expression l = lowered(e, samples);
  return make_plan(std::move(l.graph), {{l.value}, {1}}, {.chunk = chunk}, -1);
}

}  // namespace

TEST_CASE("bytes by use add up to the peak, exactly") {
  for_each_plan([](const std::string& name, const memory_plan& p) {
    CAPTURE(name, p.batch, p.chunk());
    const memory_report r(p);
    CHECK(r.peak.allocated() == p.peak_bytes());
    CHECK(r.peak.resident() == p.resident_bytes + p.optimizer_bytes);
    for (const index_t n : r.peak.bytes) CHECK(n >= 0);
    CHECK(r.peak[memory_use::workspace] == p.buffers.workspace());

    REQUIRE(r.steps.size() == p.buffers.step_node.size());
    const std::vector<index_t> alive = alive_at(p.buffers.ranges);
    index_t workspace = 0;
    for (std::size_t t = 0; t < r.steps.size(); ++t) {
      CHECK(r.steps[t].node == p.buffers.step_node[t]);
      const index_t own = r.steps[t].bytes[memory_use::workspace];
      CHECK(r.steps[t].bytes.allocated() == alive[t] + p.output_bytes + own);
      CHECK(alive[t] <= alive[r.peak_step]);
      workspace = std::max(workspace, own);
      index_t listed = 0;
      for (const auto& share : r.alive(t)) listed += share.bytes;
      CHECK(listed == alive[t] + p.output_bytes);
    }
    CHECK(workspace == p.buffers.workspace());
    CHECK(r.steps[r.workspace_step].bytes[memory_use::workspace] == p.buffers.workspace());
    CHECK(r.peak[memory_use::gap] == p.arena_bytes - alive[r.peak_step]);

    // The text shows the same numbers as the report.
    const std::string text = explained(p);
    index_t sum = 0;
    for (std::size_t u = static_cast<std::size_t>(memory_use::output); u < memory_uses; ++u)
      if (r.peak.bytes[u] > 0) {
        CAPTURE(text, to_string(static_cast<memory_use>(u)));
        CHECK(number_of(text, std::string(to_string(static_cast<memory_use>(u)))) == r.peak.bytes[u]);
        sum += r.peak.bytes[u];
      }
    CHECK(sum == p.peak_bytes());
    CHECK(number_of(text, "peak") == p.peak_bytes());
    CHECK(number_of(text, "there already") == r.peak.resident());
    CHECK_THAT(text, ContainsSubstring("(" + std::to_string(p.peak_bytes()) + " bytes)"));
    CHECK_THAT(text, ContainsSubstring("most is alive at " + r.where(r.peak_step)));
    CHECK(count_of(text, "<- peak") == (r.steps[r.peak_step].node >= 0 ? 1 : 0));
  });
}

TEST_CASE("uses are what they are called") {
  const memory_plan p = planned(two_layers(), 256, -1, {.chunk = 16});
  const memory_report r(p);
  CHECK(r.peak[memory_use::input] == 256 * (64 * 4 + 8));
  CHECK(r.peak[memory_use::parameter] == (128 * 64 + 10 * 128) * 4);
  CHECK(r.peak[memory_use::gradient] == r.peak[memory_use::parameter]);
  CHECK(r.peak[memory_use::output] == 4);
  CHECK(r.peak[memory_use::held] == 0);
  // The result is the same if the gradients are stored outside the arena.
  CHECK(memory_report(planned(two_layers(), 256, -1, {.chunk = 16}, true)).peak[memory_use::gradient] ==
        r.peak[memory_use::gradient]);
  SECTION("activations grow with the chunk, gradients of parameters do not") {
    const memory_report twice(planned(two_layers(), 256, -1, {.chunk = 32}));
    CHECK(twice.peak[memory_use::gradient] == r.peak[memory_use::gradient]);
    CHECK(twice.peak[memory_use::activation] == 2 * r.peak[memory_use::activation]);
    CHECK(twice.peak[memory_use::cotangent] == 2 * r.peak[memory_use::cotangent]);
  }
  SECTION("sums in float32 are counted as the 16-bit gradients that they become") {
    const memory_plan half = planned(sixteen_bits(), 256, -1, {.chunk = 16});
    const memory_report of_half(half);
    index_t total = 0;
    for (const auto& b : of_half.buffers)
      if (b.use == memory_use::gradient) total += b.bytes;
    CHECK(total == 32 * 64 * (4 + 2));  // the sum in float32, and the gradient
  }
  SECTION("gathered and held values are held values") {
    const memory_report gathered(planned(contrastive(), 100, -1, {.chunk = 16}));
    CHECK(gathered.peak[memory_use::held] >= 100 * 32 * 4);
    CHECK(memory_report(planned(centred<4>(), 4096)).peak[memory_use::held] >= 4096 * 32 * 4);
  }
  SECTION("two gradients of one storage, both leaving, are two") {
    const input<batch, 8> x{"x"};
    const parameter<8, 8> u{"u"}, v{"v"};
    const memory_plan two = planned(sum(linear(x, u + v)), 64, -1, {}, true);
    REQUIRE(std::count(two.copied.begin(), two.copied.end(), 1) == 1);
    CHECK(memory_report(two).peak[memory_use::gradient] == 2 * 8 * 8 * 4);
  }
  SECTION("the optimiser's state is there already") {
    memory_plan with_state = planned(two_layers(), 256);
    with_state.optimizer_bytes = 12345;
    CHECK(memory_report(with_state).peak.resident() == with_state.resident_bytes + 12345);
    CHECK(number_of(explained(with_state), "optimiser state") == 12345);
  }
  SECTION("gradients are called by their parameters") {
    CHECK_THAT(explained(p), ContainsSubstring("gradient of w") && ContainsSubstring("gradient of v"));
  }
}

TEST_CASE("each barrier says what is waited for") {
  for_each_plan([](const std::string& name, const memory_plan& p) {
    CAPTURE(name, p.batch, p.chunk());
    const memory_report r(p);
    const std::string text = explained(p);
    REQUIRE(r.barriers.size() == static_cast<std::size_t>(p.order.loops));
    CHECK(count_of(text, "barrier: ") == std::max(0, p.order.loops - 1));
    for (int l = 0; l < p.order.loops; ++l) {
      const auto& causes = r.barriers[static_cast<std::size_t>(l)];
      CHECK(causes.empty() == (l == 0));
      CHECK_THAT(text, ContainsSubstring("loop " + std::to_string(l) + ": "));
      for (std::size_t k = 0; k < causes.size(); ++k) {
        CHECK(p.graph.node(causes[k].partial).batch_relation.kind == batch_relation::partial);
        CHECK(p.order.nodes[static_cast<std::size_t>(causes[k].partial)].loop == l - 1);
        CHECK(causes[k].loop >= l);
        CHECK(!causes[k].readers.empty());
        if (k < 8) CHECK_THAT(text, ContainsSubstring(r.reason(causes[k])));
      }
    }
  });
  SECTION("sums") {
    CHECK_THAT(explained(planned(two_layers(), 100, -1, {.chunk = 16})),
               ContainsSubstring("barrier: before loop 1 begins, these values must be complete") &&
                   ContainsSubstring("count_labels(label) of the whole batch, summed over chunks: div reads it"));
  }
  SECTION("gathers: which value, and who asked for it") {
    CHECK_THAT(explained(planned(contrastive(), 100, -1, {.chunk = 16})),
               ContainsSubstring("all rows of linear [batch=100, 32], gathered: 2 x mm ask for the whole of it"));
  }
  const input<batch, 4> x{"x"};
  SECTION("an op that says nothing of the batch") {
    CHECK_THAT(explained(value_of(mine::total_so_far(x * 2.0) + x, 10, 3)),
               ContainsSubstring(
                   "all rows of mul [batch=10, 4], gathered: total_so_far says nothing of the batch and asks for "
                   "the whole of it"));
  }
  SECTION("half of a concatenated batch makes all of it whole") {
    const parameter<8, 4> w{"w"};
    const auto z = let(linear(x, w));
    const auto both = cat(std::tuple(z, relu(z)), dim = 0_c);
    const std::string text = explained(planned(mean(square(slice(both, 0_c, 0_c, 100_c))), 100, -1, {.chunk = 16}));
    CHECK_THAT(text,
               ContainsSubstring("all rows of linear [batch=100, 8], gathered: cat asks for the whole of it; ") &&
                   ContainsSubstring(" computed from it are whole too, not cut into chunks: the largest cat [200, 8]"));
  }
}

TEST_CASE("what is kept, what is computed again, what leaves") {
  const auto loss = centred<4>();
  const std::string most = explained(planned(loss, 4096)), least = [&] {
    index_t needed = 0;
    try {
      (void)planned(loss, 4096, 0);
    } catch (const memory_error& e) { needed = e.needed; }
    return explained(planned(loss, 4096, needed));
  }();
  CHECK_THAT(most, ContainsSubstring("kept for loop"));
  CHECK_THAT(least, ContainsSubstring("computed again in loop") && ContainsSubstring("computed again, as in loop"));
  CHECK_THAT(most, !ContainsSubstring("computed again in loop"));
  CHECK_THAT(explained(planned(two_layers(), 100)), ContainsSubstring("output; leaves"));
  CHECK_THAT(explained(planned(two_layers(), 100, -1, {}, true)), ContainsSubstring("gradient of w; leaves"));
  CHECK_THAT(explained(planned(two_layers(), 100)), ContainsSubstring("view of"));
}

TEST_CASE("what one kernel computes is said to be, and what only it reads to have no buffer") {
  const input<batch, 64> x{"x"};
  const parameter<64> w{"w"};
  const memory_plan p = planned(mean(exp(x * w) + x), 32);
  const std::string text = explained(p);
  CHECK_THAT(text, ContainsSubstring("in cache"));
  CHECK_THAT(text, ContainsSubstring("one kernel with steps "));
  const memory_report r(p);
  int in_cache = 0;
  for (const auto& s : r.steps) {
    in_cache += s.in_cache ? 1 : 0;
    CHECK((s.node < 0 ||
           (s.kernel_begin <= s.kernel_end && s.kernel_end - s.kernel_begin < static_cast<int>(most_in_run))));
  }
  CHECK(in_cache >= 2);  // the product and the exponential
}

TEST_CASE("what is computed again inside of a chunk is said to be") {
  const input<batch, 32> x{"x"};
  const parameter<32, 32> w{"w"};
  erased<batch, 32> h = x;
  for (int k = 0; k < 8; ++k) {
    const auto z = let(linear(h, w));
    h = tanh(z) * sigmoid(z) + h;
  }
  const auto loss = mean(square(h));
  const index_t plain = planned(loss, 64, -1, {.chunk = 64}).peak_bytes();
  const memory_plan p = planned(loss, 64, plain * 3 / 4, {.chunk = 64});
  int twice = 0;
  for (const auto& loop : p.order.loop_of)
    for (std::size_t k = 0; k < loop.body.size(); ++k)
      twice += !p.graph.node(loop.body[k]).is_view() &&
               std::find(loop.body.begin(), loop.body.begin() + static_cast<std::ptrdiff_t>(k), loop.body[k]) !=
                   loop.body.begin() + static_cast<std::ptrdiff_t>(k);
  REQUIRE(twice > 0);
  CHECK(count_of(explained(p), "computed again, as in step ") == twice);
  CHECK(count_of(explained(p), " computes it again") == twice);
  CHECK(memory_report(p).peak.allocated() == p.peak_bytes());
  CHECK(count_of(explained(planned(loss, 64)), "again") == 0);
}

TEST_CASE("what the next smaller and the next larger chunk would need") {
  for (const index_t chunk : {1, 2, 7, 16, 64, 100}) {
    CAPTURE(chunk);
    const memory_plan p = planned(two_layers(), 100, -1, {.chunk = chunk});
    const memory_report r(p);
    const auto size = [](const other_chunk& c) { return c.chunks.empty() ? 0 : c.chunks[0]; };
    CHECK(r.now.chunks == p.chunks);
    CHECK(r.now.peak_bytes == p.peak_bytes());
    CHECK(size(r.smaller) == (chunk == 1 ? 0 : chunk == 7 ? 4 : chunk == 100 ? 64 : chunk / 2));
    CHECK(size(r.larger) == (chunk == 100 ? 0 : chunk == 7 ? 8 : chunk == 64 ? 100 : 2 * chunk));
    for (const other_chunk& other : {r.smaller, r.larger})
      if (size(other) != 0)
        CHECK(other.peak_bytes == planned(two_layers(), 100, -1, {.chunk = size(other)}).peak_bytes());
    const std::string text = explained(p);
    for (const other_chunk& other : {r.smaller, r.larger})
      if (size(other) != 0)
        CHECK_THAT(text, ContainsSubstring("chunk " + std::to_string(size(other)) + " would need "));
  }
  const memory_plan whole = planned(two_layers(), 4096, -1, {.chunk = 4096});
  const memory_plan tight = planned(two_layers(), 4096, whole.peak_bytes() - 1);
  REQUIRE(tight.chunk() < 4096);
  CHECK_THAT(explained(planned(two_layers(), 4096, tight.peak_bytes(), {.chunk = tight.chunk()})),
             ContainsSubstring("more and more than is allowed"));
}

TEST_CASE("where nothing fits, what is said names the op, its values, the workspace") {
  try {
    (void)planned(some_convolution(), 64, 0);
    FAIL("it was planned");
  } catch (const memory_error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("not even 1 of 64 samples") &&
                             ContainsSubstring(std::to_string(e.needed) + " bytes are needed at "));
    CHECK_THAT(e.what(), ContainsSubstring("conv2d(x, w) [batch=1, 8, 16, 16] 8192"));
    CHECK_THAT(e.what(), ContainsSubstring("; outputs 4"));
    const index_t workspace = planned(some_convolution(), 64, e.needed).buffers.workspace();
    REQUIRE(workspace > 0);
    CHECK_THAT(e.what(), ContainsSubstring("; workspace of kernels " + std::to_string(workspace)));
  }
  const parameter<10> w{"w"};
  const auto without_batch = sum(w * w);
  CHECK_THROWS_WITH(planned(without_batch, 0, 0), StartsWith("koila: it does not fit: ") &&
                                                      ContainsSubstring(" bytes are needed at ") &&
                                                      ContainsSubstring(" and 0 are allowed. Alive there: "));
}

TEST_CASE("numbers as people read them") {
  CHECK(koila::detail::grouped(0) == "0");
  CHECK(koila::detail::grouped(999) == "999");
  CHECK(koila::detail::grouped(1000) == "1,000");
  CHECK(koila::detail::grouped(-1234567) == "-1,234,567");
  CHECK(koila::detail::human_bytes(0) == "0 B");
  CHECK(koila::detail::human_bytes(1023) == "1023 B");
  CHECK(koila::detail::human_bytes(1024) == "1.00 KiB");
  CHECK(koila::detail::human_bytes(16_MiB) == "16.0 MiB");
  CHECK(koila::detail::human_bytes(1023_MiB + 1000_KiB) == "1.00 GiB");
  CHECK(koila::detail::human_seconds(0.0123) == "12.3 ms");
  CHECK(koila::detail::human_seconds(2.5e-6) == "2.50 us");
  koila::detail::text_writer w;
  w.fixed(-0.05, 1) << " ";
  w.fixed(12.345, 2) << " ";
  w.fixed(-0.001, 2) << " ";
  w.fixed(1e300, 1);
  CHECK(w.s == "-0.1 12.35 0.00 1000000000000000");
}
