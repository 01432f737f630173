// The figures of the machine that chunks are chosen for: measured, kept in a file, or as the options say.
#include "run/own_cache.hpp"
#include "run/support.hpp"

#include <barrier>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

using namespace koila;

namespace {

namespace fs = std::filesystem;

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
auto text_of(const std::string& path) -> std::string {
  std::ifstream f(path);
  return {std::istreambuf_iterator<char>(f), std::istreambuf_iterator<char>()};
}

/// With 32,768 samples it is measured for, by the defaults.
auto perceptron(const input<batch, 256>& x) {
  parameter<1024, 256> w{"w"};
  parameter<256, 1024> v{"v"};
  return mean(square(linear(relu(linear(x, w)), v)));
}

}  // namespace

TEST_CASE("tests are run with KOILA_MEASURE=off: their plans are the same on every machine") {
  REQUIRE(std::getenv("KOILA_MEASURE") != nullptr);
  CHECK(koila::detail::this_machine() == machine());
}

TEST_CASE(
    "what is measured of a machine can be so, and is soon there, with one thread, two, and more than there may be processors") {
  const int before = at::get_num_threads();
  for (const int threads : {1, 2, 7}) {
    at::set_num_threads(threads);
    const auto start = std::chrono::steady_clock::now();
    const machine m = measured_machine();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CAPTURE(threads, seconds, m.seconds_per_call, m.seconds_per_team, m.flops, m.bytes_in_cache, m.bandwidth_in_cache,
            m.bytes_in_shared_cache, m.bandwidth_in_shared_cache, m.bandwidth_of_memory);
    CHECK(koila::detail::is_plausible(m));
    CHECK(m != machine());  // not the constants
    CHECK(m.flops > 1e8);
    CHECK(m.seconds_per_call < 1e-4);
    CHECK(m.bandwidth_of_memory > 1e8);
    CHECK(m.bandwidth_of_memory < 1e13);
    CHECK(m.threads == threads);
    CHECK((m.seconds_per_team > 0) == (threads > 1));
    CHECK(seconds < 5);  // a busy machine's; alone a tenth of a second
  }
  at::set_num_threads(before);
}

TEST_CASE("of several measurements the best figures count, once each was seen twice") {
  machine slow = machine(), fast = machine();
  fast.flops = 2e11, slow.flops = 8e9;  // other programs took both cores
  slow.seconds_per_call = 2e-7, fast.seconds_per_call = 3e-7;
  slow.seconds_per_team = 3e-6, fast.seconds_per_team = 2e-6;
  slow.bandwidth_of_memory = 1e10, fast.bandwidth_of_memory = 1.1e10;
  const machine best = koila::detail::better_of(slow, fast);
  CHECK(best == koila::detail::better_of(fast, slow));
  CHECK(best.flops == fast.flops);
  CHECK(best.seconds_per_call == slow.seconds_per_call);
  CHECK(best.seconds_per_team == fast.seconds_per_team);
  CHECK(best.bandwidth_of_memory == fast.bandwidth_of_memory);
  const auto confirmed = [&](std::vector<machine> seen) { return koila::detail::is_confirmed(best, seen); };
  CHECK_FALSE(confirmed({fast}));
  CHECK_FALSE(confirmed({slow, fast}));
  CHECK_FALSE(confirmed({slow, slow, fast}));
  CHECK_FALSE(confirmed({fast, fast, slow}));  // the calls
  CHECK(confirmed({fast, slow, fast, slow}));
}

TEST_CASE("a measurement that was not confirmed is not kept") {
  const test::own_cache cache;
  const std::string key = koila::detail::machine_key(), path = koila::detail::machine_file(key);
  machine m;
  m.flops = 1.5e11;
  koila::detail::keep(path, key, {m, false});
  CHECK_FALSE(fs::exists(path));
  koila::detail::keep("", key, {m, true});
  koila::detail::keep(path, key, {m, true});
  CHECK(koila::detail::read_machine(path, key) == m);
}

TEST_CASE("what was measured is kept in a file, which must be whole, of this machine and plausible") {
  const test::own_cache cache;
  const std::string key = koila::detail::machine_key(), path = koila::detail::machine_file(key);
  CHECK(path.rfind(cache.path() + "/koila/", 0) == 0);
  CHECK_FALSE(koila::detail::read_machine(path, key));  // not there
  machine m;
  m.flops = 1.25e11 / 3;
  m.bytes_in_cache = 3e6;
  REQUIRE(koila::detail::write_machine(path, key, m));
  CHECK(koila::detail::read_machine(path, key) == m);  // to the bit
  CHECK(std::distance(fs::directory_iterator(fs::path(path).parent_path()), fs::directory_iterator()) == 1);
  CHECK_FALSE(koila::detail::read_machine(path, key + " of another"));
  CHECK(koila::detail::machine_file(key) != koila::detail::machine_file(key + " of another"));

  const std::string text = text_of(path);
  for (std::size_t n = 0; n + 2 < text.size(); n += 7) {  // cut off anywhere but in the last digits
    write(path, text.substr(0, n));
    if (n < text.rfind(' ') + 1) CHECK_FALSE(koila::detail::read_machine(path, key));
  }
  for (const std::string& bad :
       {std::string("nan"), std::string("-1"), std::string("1e300"), std::string("0"), std::string("x")}) {
    std::string changed = text;
    const std::size_t at = changed.find("flops ") + 6;
    changed.replace(at, changed.find('\n', at) - at, bad);
    write(path, changed);
    CAPTURE(changed);
    CHECK_FALSE(koila::detail::read_machine(path, key));
  }
  write(path, std::string(100, '\0'));
  CHECK_FALSE(koila::detail::read_machine(path, key));
  m.bandwidth_of_memory = 10 * m.bandwidth_in_cache;  // memory faster than the cache
  REQUIRE(koila::detail::write_machine(path, key, m));
  CHECK_FALSE(koila::detail::read_machine(path, key));

  CHECK_FALSE(koila::detail::write_machine("/dev/null/koila/machine", key, m));
  setenv("XDG_CACHE_HOME", "relative", 1);
  CHECK(koila::detail::machine_file(key).rfind("relative", 0) != 0);
}

TEST_CASE("a process looks once for what an earlier one measured, and takes it whether or not it may measure") {
  const test::own_cache cache;
  const std::string key = koila::detail::machine_key(), path = koila::detail::machine_file(key);
  koila::detail::known_machines before, after, later;
  CHECK_FALSE(before.find(false));
  machine m;
  m.flops = 1.25e11;
  REQUIRE(koila::detail::write_machine(path, key, m));
  CHECK_FALSE(before.find(false));
  CHECK(after.find(false) == m);
  fs::remove(path);
  CHECK(after.find(true) == m);
  CHECK(after.find(false) == m);
  const int threads = at::get_num_threads();
  at::set_num_threads(threads + 1);  // another key
  CHECK_FALSE(after.find(false));
  at::set_num_threads(threads);
  REQUIRE(koila::detail::write_machine(path, key, m));
  CHECK(later.find(true) == m);  // not measured
}

TEST_CASE("without a folder for it nothing is known, nor kept") {
  const test::own_cache cache;
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  koila::detail::known_machines here;
  CHECK(koila::detail::machine_file(koila::detail::machine_key()).empty());
  CHECK_FALSE(here.find(false));
  if (!home.empty()) setenv("HOME", home.c_str(), 1);
}

TEST_CASE("a machine is measured where its steps are long, once, and known for all, unless it is turned off or named") {
  const test::own_cache cache;
  const std::string key = koila::detail::machine_key(), path = koila::detail::machine_file(key);
  const input<batch, 256> x{"x"};
  const auto loss = perceptron(x);
  const auto figures_of = [&](index_t samples, const options& o) { return plan(loss, o, x = at::zeros({samples, 256})).on; };
  setenv("KOILA_MEASURE", "off", 1);
  CHECK(figures_of(32768, {.memory = 8_GiB}) == machine());
  CHECK_FALSE(fs::exists(path));
  unsetenv("KOILA_MEASURE");
  CHECK(figures_of(8, {.memory = 8_GiB}) == machine());  // too short
  CHECK(figures_of(32768, {.memory = 16_MiB}) == machine());  // measuring takes more memory
  CHECK(figures_of(32768, {.memory = 8_GiB, .chunk = 64}) == machine());  // nothing to choose
  machine own;
  own.flops = 1e9;
  CHECK(figures_of(32768, {.memory = 8_GiB, .on = own}) == own);
  CHECK_FALSE(fs::exists(path));

  // Of this process, of which nothing may have been measured, or read, before: no other test here plans without KOILA_MEASURE=off.
  std::vector<machine> seen(4);
  {
    std::barrier together(4);
    std::vector<std::jthread> threads;
    for (machine& m : seen)
      threads.emplace_back([&] {
        at::set_num_threads(1);
        together.arrive_and_wait();
        m = koila::detail::this_machine();
      });
  }
  for (const machine& m : seen) CHECK(m == seen[0]);
  CHECK(koila::detail::is_plausible(seen[0]));
  if (at::get_num_threads() == 1) {
    if (const auto kept = koila::detail::read_machine(path, key)) CHECK(*kept == seen[0]);  // not on a machine too busy to tell
    CHECK(figures_of(32768, {.memory = 8_GiB}) == seen[0]);
    CHECK(figures_of(8, {.memory = 8_GiB}) == seen[0]);  // it is known now
    CHECK(figures_of(32768, {.memory = 16_MiB}) == seen[0]);
    CHECK(figures_of(32768, {.memory = 8_GiB, .on = own}) == own);
    setenv("KOILA_MEASURE", "off", 1);
    CHECK(figures_of(32768, {.memory = 8_GiB}) == machine());
    unsetenv("KOILA_MEASURE");
  }
}

TEST_CASE("of chunks that take as long as the model can tell, those are chosen that take the least memory") {
  const input<batch, 64> x{"x"};
  const parameter<96, 64> w{"w"};
  const parameter<64, 96> v{"v"};
  const auto loss = mean(square(linear(tanh(linear(x, w)), v)));
  const at::Tensor values = at::ones({4096, 64});  // (4096, 64)
  const auto with = [&](const options& o) { return plan(loss, o, x = values); };
  const machine exact{.least_gain = 0}, blurred{.least_gain = 0, .alike = 0.2};
  const memory_plan fastest = with({.on = exact}), chosen = with({.on = blurred});
  CHECK(chosen.chunk() < fastest.chunk());
  CHECK(chosen.peak_bytes() < fastest.peak_bytes());
  CHECK(chosen.predicted_seconds <= 1.2 * fastest.predicted_seconds);
  for (index_t c = 1; c <= 4096; c *= 2) {
    CAPTURE(c);
    const memory_plan other = with({.chunk = c, .on = exact});
    if (other.predicted_seconds <= 1.2 * fastest.predicted_seconds) CHECK(other.peak_bytes() >= chosen.peak_bytes());
  }
  CHECK(with({.memory = chosen.peak_bytes() - 1, .on = blurred}).peak_bytes() < chosen.peak_bytes());
}

TEST_CASE("a machine that cannot be is refused") {
  const input<batch, 4> x{"x"};
  const at::Tensor values = at::ones({8, 4});
  const auto with = [&](const machine& m) { return plan(sum(cumsum(x, 1_c)), {.on = m}, x = values); };
  CHECK_NOTHROW(with({}));
  CHECK_THROWS_AS(with({.flops = 0}), std::invalid_argument);
  CHECK_THROWS_AS(with({.bandwidth_of_memory = -1}), std::invalid_argument);
  CHECK_THROWS_AS(with({.seconds_per_call = std::nan("")}), std::invalid_argument);
  CHECK_THROWS_AS(with({.least_gain = 1}), std::invalid_argument);
  CHECK_THROWS_AS(with({.alike = 1}), std::invalid_argument);
  CHECK_THROWS_AS(with({.alike = -0.1}), std::invalid_argument);
  CHECK_THROWS_AS(with({.threads = 0}), std::invalid_argument);
  CHECK_THROWS_AS(with({.seconds_per_team = std::nan("")}), std::invalid_argument);
}
