// SPDX-License-Identifier: MIT
#pragma once
// Parallel loops on LibTorch's threads, whatever flags koila and the user's program are compiled
// with.
//
// at::parallel_for is a template. In a file that is compiled without OpenMP it silently runs on
// one thread. Therefore koila calls the OpenMP runtime that LibTorch has loaded, through the
// functions that compilers call (libgomp's ABI, which LLVM's and Intel's runtimes also provide).
// No second runtime is linked, and users do not need a compiler flag.
#include <koila/shape/dims.hpp>

#include <ATen/Parallel.h>

#include <dlfcn.h>
#include <pthread.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <exception>
#include <type_traits>

// OpenMP's own synchronisation is not instrumented, so ThreadSanitizer would report each loop as
// a race. These functions tell ThreadSanitizer in which order the threads run.
#if defined(__SANITIZE_THREAD__)
#define KOILA_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KOILA_THREAD_SANITIZER
#endif
#endif
#ifdef KOILA_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* address);  // NOLINT
extern "C" void __tsan_release(void* address);  // NOLINT
#endif

namespace koila::inline v0::detail {

/// The caller releases before a team begins, and acquires after the team has ended. Each thread of
/// the team acquires when it begins, and releases when it ends.
#ifdef KOILA_THREAD_SANITIZER
inline char all_teams;
inline void team_acquires() { __tsan_acquire(&all_teams); }
inline void team_releases() { __tsan_release(&all_teams); }
#else
inline void team_acquires() {}
inline void team_releases() {}
#endif

/// The OpenMP functions that koila calls. `parallel` calls f(data) on each thread of a team and
/// waits until all threads have ended. `parallel` is null if OpenMP is not found. As in LibTorch,
/// the program ends if the system cannot create the threads of a team.
struct openmp {
  void (*parallel)(void (*f)(void*), void* data, unsigned threads, unsigned flags) = nullptr;
  int (*threads)() = nullptr;
  int (*thread)() = nullptr;

  /// True in a forked child process, which has no team. OpenMP would wait for the missing threads.
  static inline std::atomic<bool> forked{false};

  static auto of_libtorch() -> const openmp& {
    static const openmp found = [] {
      openmp o;
      const auto find = [](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(RTLD_DEFAULT, name));
        return function != nullptr;
      };
      if (!find(o.parallel, "GOMP_parallel") || !find(o.threads, "omp_get_num_threads") ||
          !find(o.thread, "omp_get_thread_num"))
        o.parallel = nullptr;
      pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });
      return o;
    }();
    return found;
  }
};

/// A loop that a team of threads runs. Each thread runs at most one part. The number of parts is
/// at most (end - begin) / grain, rounded up.
template <class F>
class parallel_loop {
 public:
  parallel_loop(index_t begin, index_t end, index_t grain, const F& f)
      : begin_(begin), end_(end), grain_(grain), f_(f) {}

  void run_part() noexcept {
    team_acquires();
    run_own_part();
    team_releases();
  }
  /// Sets the thread number and the parallel-region flag as at::parallel_for does, then calls f.
  /// LibTorch's operators read both.
  void run(int thread, index_t begin, index_t end) const {
    const at::internal::ThreadIdGuard number(thread);
    const c10::ParallelGuard inside(true);
    f_(begin, end);
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  index_t begin_, end_, grain_;
  const F& f_;
  std::atomic_flag failed_;
  std::exception_ptr error_;
#ifdef __SSE__
  unsigned caller_ = _mm_getcsr();  // the caller's rounding mode and denormal handling
#endif

  void run_own_part() {
    const openmp& omp = openmp::of_libtorch();
    const index_t n = end_ - begin_,
                  threads = std::min<index_t>(omp.threads(), grain_ > 0 ? (n + grain_ - 1) / grain_ : n);
    const index_t part = (n + threads - 1) / threads, thread = omp.thread(), begin = begin_ + thread * part;
    if (begin >= end_) return;
#ifdef __SSE__
    const unsigned own = _mm_getcsr();
    _mm_setcsr(caller_);
#endif
    try {
      run(static_cast<int>(thread), begin, std::min(end_, begin + part));
    } catch (...) {
      if (!failed_.test_and_set()) error_ = std::current_exception();
    }
#ifdef __SSE__
    _mm_setcsr(own);
#endif
  }
};

/// For tests. If true, loops have one part for each thread, however small the parts are.
inline std::atomic<bool> loops_are_always_shared{false};
/// Returns the minimum size of a part: `worth_a_thread`, or 1 if loops_are_always_shared.
inline auto least_part(index_t worth_a_thread) -> index_t {
  return loops_are_always_shared.load(std::memory_order_relaxed) ? 1 : worth_a_thread;
}

/// Calls f(begin, end) on disjoint parts of [begin, end), in parallel on LibTorch's threads. The
/// number of parts is at most (end - begin) / least, rounded up. Runs on the calling thread if
/// this thread is already in a parallel region or if there is work for only one thread.
/// at::get_thread_num() is the thread's number in the team, as in at::parallel_for. Rethrows one
/// of the exceptions that f throws, after all parts have ended.
template <class F>
void in_parallel_parts(index_t begin, index_t end, index_t least, const F& f) {
  if (begin >= end) return;
#if AT_PARALLEL_OPENMP
  parallel_loop<F> loop(begin, end, least, f);
  if (end - begin <= std::max<index_t>(least, 1) || at::in_parallel_region()) return loop.run(0, begin, end);
  at::internal::lazy_init_num_threads();
  if (at::get_num_threads() == 1) return loop.run(0, begin, end);
  const openmp& omp = openmp::of_libtorch();
  if (omp.parallel == nullptr) return at::parallel_for(begin, end, least, f);
  if (openmp::forked.load(std::memory_order_relaxed)) return loop.run(0, begin, end);
  team_releases();
  // 0 means the default number of threads, as in earlier teams. For a smaller team, libgomp would
  // end the threads that are not used, and would have to create them again later.
  omp.parallel([](void* loop_of_all) { static_cast<parallel_loop<F>*>(loop_of_all)->run_part(); }, &loop, 0, 0);
  team_acquires();
  loop.rethrow();
#else
  at::parallel_for(begin, end, least, f);
#endif
}

/// Calls in_parallel_parts. `grain` is the number of elements that are worth a thread. Results
/// must not depend on the number of parts. So the way in which a sum is split may depend only on
/// the sum's size.
template <class F>
void parallel_for(index_t begin, index_t end, index_t grain, const F& f) {
  in_parallel_parts(begin, end, least_part(grain), f);
}

/// Calls f(task, thread) for each task, on as many threads as the work is worth. `operations` is
/// the number of multiplications and additions of all tasks together. `thread` is less than
/// `parts`, so the caller can provide memory for each thread.
template <class F>
void for_tasks(index_t tasks, index_t parts, double operations, const F& f) {
  constexpr double worth_a_thread = 200'000;
  const auto worth = static_cast<index_t>(worth_a_thread * static_cast<double>(tasks) / (operations + 1));
  in_parallel_parts(0, tasks, std::max({index_t{1}, (tasks + parts - 1) / parts, least_part(std::min(worth, tasks))}),
                    [&](index_t begin, index_t end) {
                      for (index_t task = begin; task < end; ++task) f(task, at::get_thread_num());
                    });
}

}  // namespace koila::inline v0::detail
