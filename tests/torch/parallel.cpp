// SPDX-License-Identifier: MIT
#include <koila/torch/parallel.hpp>

#include "pch.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cfenv>
#include <csignal>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

namespace koila::test {

namespace {

/// What one part of a loop observes: its range, its number, its thread.
struct seen_part {
  index_t begin, end;
  int number;
  std::thread::id thread;
  bool in_parallel;
};
auto parts_of(index_t begin, index_t end, index_t grain) -> std::vector<seen_part> {
  std::mutex one;
  std::vector<seen_part> parts;
  koila::detail::parallel_for(begin, end, grain, [&](index_t b, index_t e) {
    const std::lock_guard lock(one);
    parts.push_back({b, e, at::get_thread_num(), std::this_thread::get_id(), at::in_parallel_region()});
  });
  std::sort(parts.begin(), parts.end(), [](const seen_part& a, const seen_part& b) { return a.begin < b.begin; });
  return parts;
}

/// Sets the number of LibTorch's threads while this object exists.
class with_threads {
 public:
  explicit with_threads(int n) : before_(at::get_num_threads()) { at::set_num_threads(n); }
  ~with_threads() { at::set_num_threads(before_); }

 private:
  int before_;
};

}  // namespace

TEST_CASE("a loop runs on LibTorch's threads, though koila is compiled without OpenMP") {
#ifdef _OPENMP
  FAIL("these tests are compiled with OpenMP, and show nothing");
#endif
  for (const int threads : {1, 2, 3, 5}) {
    const with_threads set(threads);
    for (int times = 0; times < 3; ++times) {
      const auto parts = parts_of(7, 107, 1);
      CAPTURE(threads, times);
      REQUIRE(parts.size() == static_cast<std::size_t>(threads));
      std::set<std::thread::id> ids;
      index_t position = 7;
      for (std::size_t k = 0; k < parts.size(); ++k) {
        CHECK(parts[k].begin == position);
        CHECK(parts[k].number == static_cast<int>(k));
        CHECK(parts[k].in_parallel == (threads > 1));  // LibTorch reports the same
        ids.insert(parts[k].thread);
        position = parts[k].end;
      }
      CHECK(position == 107);
      CHECK(ids.size() == parts.size());
      CHECK(ids.contains(std::this_thread::get_id()));
      CHECK_FALSE(at::in_parallel_region());
      CHECK(at::get_thread_num() == 0);
    }
  }
}

TEST_CASE("a loop has as many parts as its work is worth") {
  const with_threads set(4);
  CHECK(parts_of(0, 0, 1).empty());
  CHECK(parts_of(5, 3, 1).empty());
  CHECK(parts_of(0, 1, 0).size() == 1);
  CHECK(parts_of(0, 100, 100).size() == 1);
  CHECK(parts_of(0, 100, 1000).size() == 1);
  CHECK(parts_of(0, 100, 60).size() == 2);
  CHECK(parts_of(0, 100, 30).size() == 4);
  CHECK(parts_of(0, 3, 1).size() == 3);
  CHECK(parts_of(0, 5, 1).size() == 3);  // each part has at most two elements
  CHECK(parts_of(0, 5, 0).size() == 3);
}

TEST_CASE("a loop in a loop runs on the thread that it is in, as LibTorch's operators do") {
  const with_threads set(3);
  std::atomic<int> inner = 0, elsewhere = 0, numbers = 0;
  koila::detail::parallel_for(0, 3, 1, [&](index_t, index_t) {
    const auto here = std::this_thread::get_id();
    const int number = at::get_thread_num();
    koila::detail::parallel_for(0, 10, 1, [&](index_t begin, index_t end) {
      ++inner;
      if (std::this_thread::get_id() != here || begin != 0 || end != 10) ++elsewhere;
      if (at::get_thread_num() != 0) ++numbers;
    });
    if (at::get_thread_num() != number) ++numbers;
  });
  CHECK(inner == 3);
  CHECK(elsewhere == 0);
  CHECK(numbers == 0);
}

TEST_CASE("what a loop's body throws reaches who called it, when all parts have ended") {
  const with_threads set(3);
  for (const index_t fails : {0, 1, 2}) {
    std::atomic<int> ended = 0;
    const auto loop = [&] {
      koila::detail::parallel_for(0, 3, 1, [&](index_t begin, index_t) {
        if (begin == fails) throw std::domain_error("no");
        ++ended;
      });
    };
    CHECK_THROWS_AS(loop(), std::domain_error);
    CHECK(ended == 2);
    CHECK(parts_of(0, 3, 1).size() == 3);  // the next loop works
  }
  const auto all = [] {
    koila::detail::parallel_for(0, 3, 1, [](index_t, index_t) { throw std::domain_error("no"); });
  };
  CHECK_THROWS_AS(all(), std::domain_error);
}

TEST_CASE("all threads round as their caller does") {
  const with_threads set(3);
  const int before = std::fegetround();
  std::array<double, 3> thirds{};
  const volatile double one = 1, three = 3;
  const auto divide = [&] {
    koila::detail::parallel_for(0, 3, 1,
                                [&](index_t begin, index_t) { thirds[static_cast<std::size_t>(begin)] = one / three; });
  };
  divide();
  const double nearest = thirds[0];
  std::fesetround(FE_UPWARD);
  divide();
  std::fesetround(before);
  for (const double third : thirds) CHECK(third > nearest);
  divide();
  for (const double third : thirds) CHECK(third == nearest);
}

TEST_CASE("a child process, which has no team, runs loops on its one thread") {
  const with_threads set(3);
  REQUIRE(parts_of(0, 30, 1).size() == 3);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // if there is a bug, OpenMP would wait until CTest ends this process
    const auto parts = parts_of(0, 30, 1);
    _exit(parts.size() == 1 && parts[0].end == 30 ? 0 : 1);
  }
  REQUIRE(child > 0);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(parts_of(0, 30, 1).size() == 3);
}

TEST_CASE("threads of a program's own each have their teams") {
  const with_threads set(2);  // also applies to threads that start later
  std::vector<index_t> sums(4);
  {
    std::vector<std::jthread> threads;
    for (index_t& sum : sums)
      threads.emplace_back([&sum] {
        at::set_num_threads(2);
        for (int times = 0; times < 50; ++times) {
          std::array<index_t, 100> values{};
          koila::detail::parallel_for(0, 100, 1, [&](index_t begin, index_t end) {
            for (index_t i = begin; i < end; ++i) values[static_cast<std::size_t>(i)] = i;
          });
          sum += std::accumulate(values.begin(), values.end(), index_t{0});
        }
      });
  }
  for (const index_t sum : sums) CHECK(sum == 50 * 4950);
}

}  // namespace koila::test
