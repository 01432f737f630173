// SPDX-License-Identifier: MIT
// Another process (the hog) repeatedly takes and frees half of the available memory while steps
// run.
#include "faults/support.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace koila;
using namespace ::test;

namespace {

namespace fs = std::filesystem;

/// A child process. The destructor ends it.
class child {
 public:
  explicit child(const std::function<void()>& f) : pid_(fork()) {
    if (pid_ != 0) return;
    f();
    _exit(0);
  }
  ~child() {
    if (pid_ == 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  child(const child&) = delete;
  auto operator=(const child&) -> child& = delete;
  /// Waits for the child and returns its exit status.
  auto wait() -> int {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return status;
  }

 private:
  pid_t pid_;
};

/// Memory that this process and its hog share.
struct board {
  std::atomic<std::int64_t> taken{0}, wanted{0};
  std::atomic<int> steps{0}, shrunk{0}, grown{0}, wrong{0};
};
class shared_board {
 public:
  shared_board()
      : at_(new(mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) board) {}
  ~shared_board() { munmap(at_, sizeof(board)); }
  shared_board(const shared_board&) = delete;
  auto operator=(const shared_board&) -> shared_board& = delete;
  auto operator->() const { return at_; }

 private:
  board* at_;
};

/// A cgroup of this machine with a memory limit, below the cgroup of this process.
class real_cgroup {
 public:
  explicit real_cgroup(std::int64_t limit) {
    std::ifstream own("/proc/self/cgroup");
    for (std::string line; std::getline(own, line);) {
      const auto first = line.find(':'), second = line.find(':', first + 1);
      const std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
      const bool v1 = controllers == "memory";
      if (!v1 && !controllers.empty()) continue;
      std::error_code error;
      const fs::path folder = fs::path(v1 ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup") /
                              fs::path(path).relative_path() / ("koila_hog_" + std::to_string(getpid()));
      if (!fs::create_directory(folder, error) || error) continue;
      folder_ = folder;
      std::ofstream file(folder / (v1 ? "memory.limit_in_bytes" : "memory.max"));
      if (file << limit << std::flush) return;
      remove();
    }
  }
  ~real_cgroup() { remove(); }
  real_cgroup(const real_cgroup&) = delete;
  auto operator=(const real_cgroup&) -> real_cgroup& = delete;
  explicit operator bool() const { return !folder_.empty(); }
  /// Moves the calling process into the cgroup.
  auto enter() const -> bool {
    return static_cast<bool>(std::ofstream(folder_ / "cgroup.procs") << getpid() << std::flush);
  }

 private:
  fs::path folder_;
  void remove() {
    std::error_code error;
    for (int i = 0; !folder_.empty() && i < 100 && !fs::remove(folder_, error); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));  // its processes may not have ended yet
    folder_.clear();
  }
};

void write(const fs::path& file, std::int64_t n) {
  fs::create_directories(file.parent_path());
  std::ofstream(file.string() + ".new") << n << '\n';
  fs::rename(file.string() + ".new", file);  // a reader sees either the old file or the new one
}

/// A folder that is used in place of the root folder / and describes one cgroup. The used memory in
/// it is the sum of the hog's memory and this process's tensors.
class fake_cgroup {
 public:
  explicit fake_cgroup(std::int64_t limit) {
    fs::create_directories(root_ / "proc/self");
    std::ofstream(root_ / "proc/self/cgroup") << "0::/job\n";
    write(folder_ / "memory.max", limit);
    publish(0);
    device::read_host_memory_below(root_.string());
  }
  ~fake_cgroup() {
    device::read_host_memory_below("");
    fs::remove_all(root_);
  }
  fake_cgroup(const fake_cgroup&) = delete;
  auto operator=(const fake_cgroup&) -> fake_cgroup& = delete;
  void publish(std::int64_t taken) const { write(folder_ / "memory.current", taken + tensors.live()); }

 private:
  fs::path root_ = fs::temp_directory_path() / ("koila_hog_" + std::to_string(getpid()));
  fs::path folder_ = root_ / "sys/fs/cgroup/job";
};

struct wide_net {
  nn::linear<256, 2048> a{"a"};
  nn::linear<2048, 16> b{"b"};
  auto operator()(const auto& x) const { return b(relu(a(x))); }
};

}  // namespace

TEST_CASE("row 22: a hog takes and returns half of the memory during 500 steps") {
  const wide_net net;
  input<batch, 256> x{"x"};
  const auto loss = mean(net(x) * net(x));
  const at::Tensor images = at::randn({512, 256});  // (512, 256)
  const index_t whole = plan(loss, {.chunk = 512}, x = images).peak_bytes();
  // The whole batch fits into `all` bytes, but not into half of them. koila does not use the
  // reserve (`least_reserve`).
  const std::int64_t all = whole + whole / 2, half = all / 2;
  const fake_cgroup group(tensors.live() + device::least_reserve + all);
  auto train = step(loss, sgd{.lr = 1e-4});
  (void)train(x = images);
  const index_t with_all = train.plan().chunk();
  CHECK(train.plan().peak_bytes() <= all);
  int changes = 0, shrunk = 0, grown = 0, since = 0, next = 3;
  std::int64_t now = 0;
  std::uint32_t random = 12345;
  for (int i = 0; i < 500; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(4));  // so that a step reads the memory again
    ++since;
    if (i == next) {  // between two steps, the hog takes half or frees it
      random = random * 1664525 + 1013904223;
      next += 3 + static_cast<int>((random >> 16) % 15);
      now = now == 0 ? half : 0;
      since = 0;
      ++changes;
    }
    group.publish(now);
    CHECK_NOTHROW(train(x = images));
    const memory_plan& p = train.plan();
    if (since < 1) continue;  // checks only from the second step after a change on
    CAPTURE(i, now, since);
    if (now == 0) {
      CHECK(p.chunk() == with_all);
      ++grown;
    } else {
      CHECK(p.chunk() < with_all);
      CHECK(p.peak_bytes() <= all - now);
      ++shrunk;
    }
  }
  CHECK(changes >= 10);
  CHECK(shrunk >= 50);
  CHECK(grown >= 50);
}

TEST_CASE("rows 22, 23: a hog takes and returns half of a real cgroup's memory during 500 steps") {
  constexpr std::int64_t mib = 1 << 20, limit = 224 * mib, half = limit / 2;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  WARN("skipped: a sanitizer keeps memory that is freed");
  return;
#endif
  const real_cgroup group(limit);
  if (!group) {
    WARN("skipped: no cgroup with a limit of memory can be made here");
    return;
  }
  const shared_board shared;
  input<batch, 1> x{"x"};
  const parameter<2048> w{"w"};
  const at::Tensor samples = at::randn({4096, 1});  // (4096, 1)
  const auto z = let(tanh(x * w));
  const auto centred = let(z - mean(z, 0_c));
  const auto loss = mean(centred * centred * centred);
  (void)tensor_of(w);
  auto unlimited = step(loss, sgd{.lr = 1e-3}, {.memory = 1_GiB});
  // If the whole batch is one chunk, the first loop's values stay in memory for the loop after the
  // mean.
  const index_t whole = unlimited.plan(x = samples).peak_bytes();
  REQUIRE(whole > limit - half - device::least_reserve);
  REQUIRE(whole < limit - device::least_reserve - 16 * mib);
  child hog([&] {
    void* block = nullptr;
    if (!group.enter()) return;
    while (true) {
      usleep(100);
      const std::int64_t wanted = shared->wanted, taken = shared->taken;
      if (wanted == taken) continue;
      if (wanted > 0) {
        block =
            mmap(nullptr, static_cast<std::size_t>(wanted), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        std::memset(block, 1, static_cast<std::size_t>(wanted));
      } else {
        munmap(block, static_cast<std::size_t>(taken));
      }
      shared->taken = wanted;
    }
  });
  child runner([&] {
    if (!group.enter()) _exit(1);
    auto train = step(loss, sgd{.lr = 1e-3});
    const auto one = [&] {
      try {
        (void)train(x = samples);
      } catch (const std::exception&) { _exit(2); }
      ++shared->steps;
    };
    one();
    for (int i = 1; i < 500; ++i) {
      // The memory changes only between two steps: the system kills a process that touches a page
      // when no memory is left.
      if (i % 10 == 0) {
        shared->wanted = shared->wanted == 0 ? half : 0;
        while (shared->taken != shared->wanted) usleep(100);
      }
      one();
      if (i % 10 == 0) continue;  // checks only from the second step after a change on
      const bool is_whole = train.plan().peak_bytes() == whole;
      if (shared->taken == 0) is_whole ? ++shared->grown : ++shared->wrong;
      else is_whole ? ++shared->wrong : ++shared->shrunk;
    }
    _exit(0);
  });
  const int status = runner.wait();
  CAPTURE(shared->steps.load(), whole);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(shared->steps == 500);
  CHECK(shared->shrunk >= 200);
  CHECK(shared->grown >= 200);
  CHECK(shared->wrong == 0);
}
