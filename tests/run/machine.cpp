// SPDX-License-Identifier: MIT
// The performance figures that the planner uses to choose chunks. koila derives them from the
// processor's description, or measures them on request.
#include "instructions.hpp"
#include "run/environment.hpp"
#include "run/support.hpp"

#include <barrier>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <locale>
#include <sstream>
#include <thread>

namespace koila::test::machines {

using namespace detail;

using ::test::own_folder, ::test::while_set, ::test::with_variable;

namespace fs = std::filesystem;

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
auto text_of(const std::string& path) -> std::string {
  std::ifstream f(path);
  return {std::istreambuf_iterator<char>(f), std::istreambuf_iterator<char>()};
}
/// Returns the message of the std::runtime_error that a call throws, or "".
auto refusal_of(const auto& call) -> std::string {
  try {
    call();
  } catch (const std::runtime_error& e) { return e.what(); }
  return "";
}

/// Sets the state of a normal program: no test has stated a machine, and no environment variable
/// names a file.
class as_users_have_it {
  while_set<const machine*> stated_{detail::stated_machine, nullptr};
  with_variable file_{"KOILA_MACHINE_FILE", std::nullopt};
};

class with_threads {
 public:
  explicit with_threads(int n) : before_(at::get_num_threads()) { at::set_num_threads(n); }
  with_threads(const with_threads&) = delete;
  auto operator=(const with_threads&) -> with_threads& = delete;
  ~with_threads() { at::set_num_threads(before_); }

 private:
  int before_;
};

auto planned(index_t samples, const options& o) -> memory_plan {
  const input<batch, 256> x{"x"};
  const parameter<1024, 256> w{"w"};
  const parameter<256, 1024> v{"v"};
  return plan(mean(square(linear(relu(linear(x, w)), v))), o, x = at::zeros({samples, 256}));
}
auto by_rule() -> machine { return machine_of(this_processor(), at::get_num_threads()); }
/// Returns figures that no real machine has.
auto another() -> machine {
  machine m = by_rule();
  m.flops = 1.25e11 / 3;
  return m;
}

TEST_CASE("tests state the machine that plans are made for: they are the same on every one") {
  CHECK(detail::this_machine() == machine());
}

TEST_CASE("trials A6: a plan is for the processor and the number of threads, short or long, whatever thread asks") {
  const as_users_have_it now;
  for (const int threads : {1, 2, 3}) {
    const with_threads these(threads);
    const machine expected = machine_of(this_processor(), threads);
    for (const index_t samples : {8, 4096, 32768})
      for (const index_t memory : {16_MiB, 8_GiB}) CHECK(planned(samples, {.memory = memory}).machine == expected);
    std::vector<machine> seen(4);
    {
      std::barrier start(4);
      std::vector<std::jthread> all;
      for (machine& m : seen)
        all.emplace_back([&] {
          at::set_num_threads(threads);
          start.arrive_and_wait();
          m = detail::this_machine();
        });
    }
    for (const machine& m : seen) CHECK(m == expected);
  }
}

TEST_CASE("trials A6: what a user's folders hold changes no plan, and no plan writes there") {
  const as_users_have_it now;
  const own_folder folder;
  const with_variable home("HOME", folder.path());
  const memory_plan first = planned(32768, {});
  for (const std::optional<std::string>& cache : {std::optional<std::string>(), std::optional(folder.file("cache"))}) {
    const with_variable caches("XDG_CACHE_HOME", cache);
    CHECK(planned(32768, {}).chunks == first.chunks);
    CHECK(folder.entries() == 0);
  }
  // Files of an earlier version, with figures that no machine has.
  machine wrong = another();
  wrong.flops = 2.1e9;
  for (const char* const position : {".cache/koila", "cache/koila"}) {
    fs::create_directories(folder.file(position));
    detail::machine_file(folder.file(position) + "/machine-0123456789abcdef", detail::machine_key()).add(wrong);
  }
  const std::ptrdiff_t before = folder.entries();
  const with_variable caches("XDG_CACHE_HOME", folder.file("cache"));
  const memory_plan again = planned(32768, {});
  CHECK(again.chunks == first.chunks);
  CHECK(again.machine == first.machine);
  CHECK(folder.entries() == before);
}

TEST_CASE("trials A7: what was measured while something else had the processor is thrown away") {
  using detail::quiet_seconds, detail::time_taken;
  const auto least_of = [](std::vector<time_taken> all) {
    auto next = all.begin();
    return quiet_seconds(static_cast<int>(all.size()), [&] { return *next++; });
  };
  CHECK(least_of({{2e-3, 2e-3}, {1e-3, 1e-3}, {3e-3, 3e-3}}) == 1e-3);
  // The first run did not have the processor for three quarters of its time.
  CHECK(least_of({{4e-3, 1e-3}, {2.05e-3, 2e-3}}) == 2e-3);
  CHECK_FALSE(least_of({{4e-3, 1e-3}, {1, 2e-3}}));
  CHECK_FALSE(least_of({{1e-3, 0}}));  // the clock of the thread did not advance
  CHECK_FALSE(least_of({}));
}

TEST_CASE("trials A7: the best figures count, and only once each was seen twice") {
  machine slow = machine(), fast = machine();
  fast.flops = 4.9e11, slow.flops = 2.1e9;  // as if other programs used the processors
  slow.seconds_per_call = 2e-7, fast.seconds_per_call = 3e-7;
  slow.bandwidth_of_memory = 1e10, fast.bandwidth_of_memory = 1.1e10;
  const machine best = detail::better_of(slow, fast);
  CHECK(best == detail::better_of(fast, slow));
  CHECK(best.flops == fast.flops);
  CHECK(best.seconds_per_call == slow.seconds_per_call);
  CHECK(best.bandwidth_of_memory == fast.bandwidth_of_memory);
  const auto confirmed = [&](std::vector<machine> seen) { return detail::is_confirmed(best, seen); };
  CHECK_FALSE(confirmed({fast}));
  CHECK_FALSE(confirmed({slow, fast}));
  CHECK_FALSE(confirmed({slow, slow, fast}));
  CHECK_FALSE(confirmed({fast, fast, slow}));  // no second measurement confirms the seconds per call
  CHECK(confirmed({fast, slow, fast, slow}));
}

TEST_CASE("what is measured of a machine can be so, with one thread, two, and more than there may be processors") {
  for (const int threads : {1, 2, 7}) {
    const with_threads these(threads);
    const machine m = measured(), expected = by_rule();
    CAPTURE(threads, m.seconds_per_call, m.flops, m.bandwidth_in_cache, m.bandwidth_in_shared_cache,
            m.bandwidth_of_memory);
    CHECK(detail::is_plausible(m));
    CHECK(m.threads == threads);
    CHECK(m.bytes_in_cache == expected.bytes_in_cache);
    CHECK(m.bytes_in_shared_cache == expected.bytes_in_shared_cache);
  }
}

TEST_CASE("measured(file) reads what the file has, of each number of threads, and writes nothing then") {
  const own_folder folder;
  const std::string path = folder.file("machine.txt");
  machine one = another(), two = another();
  one.threads = 1, two.threads = 2, two.flops /= 7;
  detail::machine_file to(path, detail::machine_key());
  CHECK_FALSE(to.find(1));
  to.add(one);
  to.add(two);
  const std::string text = text_of(path);
  for (const machine& m : {one, two}) {
    const with_threads these(static_cast<int>(m.threads));
    CHECK(measured(path) == m);  // saved and read with the same bits
  }
  CHECK(text_of(path) == text);
  CHECK(folder.entries() == 1);
}

/// Sets a global locale that writes 1234567.5 as "1 234 567,5", while this object exists.
class with_other_numbers {
  struct numbers : std::numpunct<char> {
    auto do_decimal_point() const -> char override { return ','; }
    auto do_thousands_sep() const -> char override { return ' '; }
    auto do_grouping() const -> std::string override { return "\3"; }
  };
  std::locale before_ = std::locale::global(std::locale(std::locale(), new numbers));

 public:
  with_other_numbers() = default;
  with_other_numbers(const with_other_numbers&) = delete;
  auto operator=(const with_other_numbers&) -> with_other_numbers& = delete;
  ~with_other_numbers() { std::locale::global(before_); }
};

TEST_CASE("trials A7: a machine's file and its key are the same in every locale of the program") {
  const own_folder folder;
  const std::string path = folder.file("machine.txt"), in_other = folder.file("in_other.txt");
  const std::string key = detail::machine_key();
  detail::machine_file(path, key).add(another());
  {
    const with_other_numbers numbers;
    std::ostringstream written;
    written << 1234567.5;
    REQUIRE(written.str() == "1,23457e+06");
    CHECK(detail::machine_key() == key);
    CHECK(measured(path) == another());
    detail::machine_file(in_other, key).add(another());
  }
  CHECK(measured(in_other) == another());
  CHECK(text_of(in_other) == text_of(path));
}

TEST_CASE("measured(file) writes what it measured, which is what it gives from then on") {
  const own_folder folder;
  const std::string path = folder.file("machine.txt");
  write(path, "");  // an empty file, as mktemp makes it
  const machine first = measured(path);
  if (text_of(path).empty()) {  // the machine was busy the whole time
    CHECK(first == by_rule());
    CHECK(folder.entries() == 1);
    return;
  }
  CHECK(measured(path) == first);
  CHECK(folder.entries() == 1);
  const with_threads more(at::get_num_threads() + 1);
  const std::string text = text_of(path);
  const machine second = measured(path);
  CHECK(second.threads == first.threads + 1);
  const std::size_t figures = text.rfind("checksum");
  CHECK(text_of(path).substr(0, figures) == text.substr(0, figures));
}

TEST_CASE("trials B7: a machine's figures of which any bit was changed are refused") {
  const own_folder folder;
  const std::string path = folder.file("machine.txt"), key = detail::machine_key();
  detail::machine_file(path, key).add(another());
  const std::string text = text_of(path);
  for (std::size_t n = 0; n < text.size(); ++n)
    for (const int bit : {1, 16}) {
      std::string changed = text;
      changed[n] = static_cast<char>(changed[n] ^ bit);
      write(path, changed);
      CAPTURE(n, bit);
      CHECK(refusal_of([&] { (void)measured(path); }) != "");
      CHECK(text_of(path) == changed);
    }
}

TEST_CASE("trials B8: a machine's figures are written through a link, and the mode of the file stays") {
  const own_folder folder;
  const std::string path = folder.file("machine.txt"), link = folder.file("link.txt"), key = detail::machine_key();
  write(path, "");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(path, link);
  detail::machine_file(link, key).add(another());
  CHECK(fs::is_symlink(link));
  CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(detail::machine_file(path, key).find(another().threads) == another());
  CHECK(folder.entries() == 2);
}

TEST_CASE("measured(file) refuses, with a sentence, a file that it can neither use nor write, and leaves it as it is") {
  using Catch::Matchers::ContainsSubstring;
  const own_folder folder;
  const std::string path = folder.file("machine.txt"), key = detail::machine_key();
  const auto refusal = [](const std::string& name) { return refusal_of([&] { (void)measured(name); }); };
  CHECK_THAT(refusal(folder.path()), ContainsSubstring("is no file"));
  CHECK_THAT(refusal(folder.file("no/such/folder/machine.txt")),
             ContainsSubstring("cannot write") && ContainsSubstring("No such file or directory"));
  CHECK_THAT(refusal("/dev/null/machine.txt"),
             ContainsSubstring("cannot write /dev/null/machine.txt: Not a directory"));

  const auto refused_as_it_is = [&](const std::string& text, const std::string& reason) {
    write(path, text);
    CAPTURE(text);
    CHECK_THAT(refusal(path), ContainsSubstring(path) && ContainsSubstring(reason));
    CHECK(text_of(path) == text);
    CHECK(folder.entries() == 1);
  };
  refused_as_it_is("a letter of mine\n", "is no file of a machine's figures");
  refused_as_it_is("\n", "is no file of a machine's figures");
  refused_as_it_is(std::string(100, '\0'), "is no file of a machine's figures");
  refused_as_it_is(key + " of another\n", "has the figures of another machine");

  fs::remove(path);
  detail::machine_file(path, key).add(another());
  const std::string text = text_of(path);
  for (std::size_t n = 1; n + 1 < text.size(); n += 7) {
    CAPTURE(n);
    write(path, text.substr(0, n));
    CHECK(refusal(path) != "");
  }
  for (const char* const bad : {"nan", "-1", "1e300", "0", "x"}) {
    std::string changed = text;
    const std::size_t place = changed.find("flops ") + 6;
    changed.replace(place, changed.find('\n', place) - place, bad);
    refused_as_it_is(changed, "is damaged");
  }
  refused_as_it_is(text + "flops 1\n", "is damaged");
  refused_as_it_is(key + "\n", "is damaged");
  machine m = another();
  m.bandwidth_of_memory = 10 * m.bandwidth_in_cache;  // impossible: memory is faster than the cache
  fs::remove(path);
  detail::machine_file(path, key).add(m);
  CHECK_THAT(refusal(path), ContainsSubstring("is no file of a machine's figures"));
}

TEST_CASE("KOILA_MACHINE_FILE: all plans of the process are for its figures, but those that name a machine") {
  const as_users_have_it now;
  const own_folder folder;
  const std::string path = folder.file("machine.txt");
  const machine there = another();
  detail::machine_file(path, detail::machine_key()).add(there);
  {
    const with_variable file("KOILA_MACHINE_FILE", path);
    CHECK(planned(4096, {}).machine == there);
    const machine own{.flops = 1e9};
    CHECK(planned(4096, {.machine = own}).machine == own);
    fs::remove(path);
    CHECK(planned(4096, {}).machine == there);  // the file is read once
    const std::string other = folder.file("other.txt");
    write(other, "koila of another machine\n");
    const with_variable second("KOILA_MACHINE_FILE", other);
    CHECK(refusal_of([] { (void)planned(4096, {}); }) != "");
    const with_variable none("KOILA_MACHINE_FILE", "");
    CHECK(planned(4096, {}).machine == by_rule());
  }
  CHECK(planned(4096, {}).machine == by_rule());
  CHECK(planned(4096, {.machine = measured()}).machine.threads == by_rule().threads);
}

TEST_CASE("of chunks that take as long as the model can tell, those are chosen that take the least memory") {
  const input<batch, 64> x{"x"};
  const parameter<96, 64> w{"w"};
  const parameter<64, 96> v{"v"};
  const auto loss = mean(square(linear(tanh(linear(x, w)), v)));
  const at::Tensor values = at::ones({4096, 64});  // (4096, 64)
  const auto with = [&](const options& o) { return plan(loss, o, x = values); };
  const machine exact{.min_speedup = 0}, blurred{.min_speedup = 0, .tie_tolerance = 0.2};
  const memory_plan fastest = with({.machine = exact}), chosen = with({.machine = blurred});
  CHECK(chosen.chunk() < fastest.chunk());
  CHECK(chosen.peak_bytes() < fastest.peak_bytes());
  CHECK(chosen.predicted_seconds <= 1.2 * fastest.predicted_seconds);
  for (index_t c = 1; c <= 4096; c *= 2) {
    CAPTURE(c);
    const memory_plan other = with({.chunk = c, .machine = exact});
    if (other.predicted_seconds <= 1.2 * fastest.predicted_seconds) CHECK(other.peak_bytes() >= chosen.peak_bytes());
  }
  CHECK(with({.memory = chosen.peak_bytes() - 1, .machine = blurred}).peak_bytes() < chosen.peak_bytes());
  // The fastest plan exceeds these budgets, so it must not influence the choice.
  for (const index_t budget : {chosen.peak_bytes(), fastest.peak_bytes() - 1})
    CHECK(with({.memory = budget, .machine = blurred}).chunks == chosen.chunks);
}

TEST_CASE("a machine that cannot be is refused") {
  const input<batch, 4> x{"x"};
  const at::Tensor values = at::ones({8, 4});
  const auto with = [&](const machine& m) { return plan(sum(cumsum(x, 1_c)), {.machine = m}, x = values); };
  CHECK_NOTHROW(with({}));
  CHECK_THROWS_AS(with({.flops = 0}), std::invalid_argument);
  CHECK_THROWS_AS(with({.bandwidth_of_memory = -1}), std::invalid_argument);
  CHECK_THROWS_AS(with({.seconds_per_call = std::nan("")}), std::invalid_argument);
  CHECK_THROWS_AS(with({.min_speedup = 1}), std::invalid_argument);
  CHECK_THROWS_AS(with({.tie_tolerance = 1}), std::invalid_argument);
  CHECK_THROWS_AS(with({.tie_tolerance = -0.1}), std::invalid_argument);
  CHECK_THROWS_AS(with({.threads = 0}), std::invalid_argument);
  CHECK_THROWS_AS(with({.seconds_per_team = std::nan("")}), std::invalid_argument);
}

}  // namespace koila::test::machines
