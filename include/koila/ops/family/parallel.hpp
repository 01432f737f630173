#pragma once
// Loops on LibTorch's threads, whatever koila, and the program that includes it, are compiled with.
//
// at::parallel_for is a template: in a file that is compiled without OpenMP it is a loop on one
// thread, and says nothing. So koila asks the OpenMP that LibTorch has loaded, whichever it is, for
// its threads by the functions that compilers call (libgomp's ABI, which LLVM's and Intel's
// runtimes have too). No second runtime is linked, and nobody needs a flag.
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

// OpenMP's own waiting is not instrumented: without a word of what it orders, ThreadSanitizer takes
// every loop for a race.
#if defined(__SANITIZE_THREAD__)
#define KOILA_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KOILA_THREAD_SANITIZER
#endif
#endif
#ifdef KOILA_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* at);  // NOLINT
extern "C" void __tsan_release(void* at);  // NOLINT
#endif

namespace koila::detail {

/// Before a team begins and after it has ended, in its caller and in its threads.
#ifdef KOILA_THREAD_SANITIZER
inline char all_teams;
inline void team_acquires() { __tsan_acquire(&all_teams); }
inline void team_releases() { __tsan_release(&all_teams); }
#else
inline void team_acquires() {}
inline void team_releases() {}
#endif

/// What is called of OpenMP: `parallel` calls f(data) on each thread of a team, at whose end all
/// wait. Null where none is found. A team whose threads the system refuses ends the program, as in
/// LibTorch.
struct openmp {
  void (*parallel)(void (*f)(void*), void* data, unsigned threads, unsigned flags) = nullptr;
  int (*threads)() = nullptr;
  int (*thread)() = nullptr;

  /// A child process has no team, and OpenMP waits for it: there this is true.
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

/// A loop that a team of threads runs: as many parts as threads, of `grain` at least.
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
  /// What LibTorch's operators in f see is what they see in at::parallel_for.
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
  unsigned caller_ = _mm_getcsr();  // how who called rounds, and whether denormals are zero
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

/// For tests: loops have a part for each thread, however little work that is.
inline std::atomic<bool> loops_are_always_shared{false};
/// What parts are at least, where that is for the sake of their work.
inline auto least_part(index_t worth_a_thread) -> index_t {
  return loops_are_always_shared.load(std::memory_order_relaxed) ? 1 : worth_a_thread;
}

/// f(begin, end) of parts of [begin, end) on LibTorch's threads, of `least` at least; on this one
/// where it is of a team already, or has no work for two. As at::parallel_for, its number in the
/// team (at::get_thread_num) too. Errors: one of those that f throws, when all have ended.
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
  // So many threads as the last team had: libgomp makes anew those that a smaller team did without.
  omp.parallel([](void* at) { static_cast<parallel_loop<F>*>(at)->run_part(); }, &loop, 0, 0);
  team_acquires();
  loop.rethrow();
#else
  at::parallel_for(begin, end, least, f);
#endif
}

/// The same of parts that are at least `grain`, which is worth a thread. No result may depend on
/// how many parts there are: sums are cut by their sizes alone.
template <class F>
void parallel_for(index_t begin, index_t end, index_t grain, const F& f) {
  in_parallel_parts(begin, end, least_part(grain), f);
}

/// f(task, thread) for all tasks, which take so many multiplications and additions together, on as
/// many threads as these are worth. Threads have numbers below `parts`, for each of which a caller
/// has memory.
template <class F>
void for_tasks(index_t tasks, index_t parts, double operations, const F& f) {
  constexpr double worth_a_thread = 200'000;
  const auto worth = static_cast<index_t>(worth_a_thread * static_cast<double>(tasks) / (operations + 1));
  in_parallel_parts(0, tasks, std::max({index_t{1}, (tasks + parts - 1) / parts, least_part(std::min(worth, tasks))}),
                    [&](index_t begin, index_t end) {
                      for (index_t task = begin; task < end; ++task) f(task, at::get_thread_num());
                    });
}

}  // namespace koila::detail
