// SPDX-License-Identifier: MIT
// Definitions of machine.hpp.
#include <koila/device/memory.hpp>
#include <koila/kernels/cpu/host.hpp>
#include <koila/kernels/cpu/packed_product.ipp>
#include <koila/kernels/cpu/processor.ipp>
#include <koila/plan/checksum.hpp>
#include <koila/plan/file.hpp>
#include <koila/run/machine.hpp>
#include <koila/torch/tensor.hpp>
#include <koila/torch/thread_state.hpp>

#include <ATen/ops/mm_ops.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <locale>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace koila::inline v0 {

namespace detail {

auto this_processor() -> processor {
  static const processor read = detail::read_processor();
  processor p = read;
  p.instructions = detail::instructions_to_use();
  return p;
}

// ---- measuring ----------------------------------------------------------------------------------

inline auto seconds_of(clockid_t clock) -> double {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
template <class F>
auto timed(const F& f) -> time_taken {
  const double begin = seconds_of(CLOCK_MONOTONIC), own = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  f();
  const double own_end = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  return {seconds_of(CLOCK_MONOTONIC) - begin, own_end - own};
}
/// Calls f(thread) on all of LibTorch's threads at once. Returns the longest wall time and the
/// longest CPU time of a thread.
template <class F>
auto timed_on_all_threads(const F& f) -> time_taken {
  const int threads = at::get_num_threads();
  std::vector<time_taken> each(static_cast<std::size_t>(threads));
  parallel_for(0, threads, 1, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) each[static_cast<std::size_t>(i)] = timed([&] { f(i); });
  });
  time_taken all;
  for (const time_taken& t : each) all = {std::max(all.passed, t.passed), std::max(all.own, t.own)};
  return all;
}

/// Measures matrix products, one on each thread, with the kernel that koila would use. Rows,
/// columns and depth have typical sizes. Returns floating-point operations per second.
inline auto measured_flops() -> std::optional<double> {
  constexpr index_t m = 256, n = 512, k = 512;
  const int threads = at::get_num_threads();
  std::vector<float> a(m * k, 0.5F), b(k * n, 0.25F), y(static_cast<std::size_t>(m * n * threads));
  const at::Tensor x = over_memory(a.data(), {m, k}), w = over_memory(b.data(), {k, n});
  const any_matrix left(x), right(w);
  const bool in_blocks = has_brgemm() && prefers_blocks(this_processor(), m * n * k);
  const auto multiply = [&](index_t thread) {
    const without_gradients no_grad;
    float* const to = y.data() + thread * m * n;
    if (in_blocks) return multiply_packed(left, right, {to, n}, m, n, k, false);
    at::Tensor z = over_memory(to, {m, n});
    at::_ops::mm_out::call(x, w, z);
  };
  (void)timed_on_all_threads(multiply);  // the first call creates the kernels
  const auto seconds = quiet_seconds(8, [&] { return timed_on_all_threads(multiply); });
  if (!seconds) return std::nullopt;
  return 2. * m * n * k * threads / *seconds;
}

/// Measures an operator of LibTorch on small matrices. Returns seconds per call. In isolation, a
/// kernel of koila takes less time than this operator. Between other kernels, which evict its code
/// and data from the caches, a kernel of koila takes about as long as this operator.
inline auto measured_seconds_per_call() -> std::optional<double> {
  constexpr int times = 50;
  const without_gradients no_grad;
  float a[16] = {}, y[16];
  const at::Tensor x = over_memory(a, {4, 4});
  at::Tensor z = over_memory(y, {4, 4});
  const auto call = [&] {
    for (int i = 0; i < times; ++i) at::_ops::mm_out::call(x, x, z);
  };
  call();
  const auto seconds = quiet_seconds(100, [&] { return timed(call); });
  if (!seconds) return std::nullopt;
  return *seconds / times;
}

/// Measures bandwidth: each thread repeatedly copies within its own range of memory. `bandwidth`
/// returns the bytes that are read and written per second.
class copying {
 public:
  /// `bytes` is the largest argument with which `bandwidth` may be called.
  explicit copying(std::size_t bytes) : bytes_(new char[bytes]) { std::memset(bytes_.get(), 1, bytes); }
  auto bandwidth(double bytes) const -> std::optional<double> {
    const int threads = at::get_num_threads();
    const auto parts =
        std::max<index_t>(1, static_cast<index_t>(bytes) / 2 / block_bytes / threads);  // blocks per thread
    const index_t times = std::max<index_t>(1, (index_t{8} << 20) / (2 * parts * block_bytes));
    const auto copy = [&](index_t thread) {
      char* const own = bytes_.get() + thread * 2 * parts * block_bytes;
      for (index_t t = 0; t < times; ++t)
        for (index_t i = 0; i < parts; ++i)
          std::memcpy(own + (parts + i) * block_bytes, own + i * block_bytes, block_bytes);
    };
    (void)timed_on_all_threads(copy);
    const auto seconds = quiet_seconds(6, [&] { return timed_on_all_threads(copy); });
    if (!seconds) return std::nullopt;
    return static_cast<double>(2 * parts * times * block_bytes * threads) / *seconds;
  }

 private:
  static constexpr index_t block_bytes = 1 << 14;  // bytes of one copy: too few for memcpy to bypass the caches
  std::unique_ptr<char[]> bytes_;
};

/// The figures by name, with their least and greatest possible values.
struct machine_figure {
  const char* name;
  double machine::* figure;
  double least, most;
};
inline constexpr machine_figure machine_figures[] = {
    {"threads", &machine::threads, 1, 1e5},
    {"seconds_per_call", &machine::seconds_per_call, 1e-8, 1e-3},
    {"flops", &machine::flops, 1e7, 1e16},
    {"rows_of_half_speed", &machine::rows_of_half_speed, 0, 1e4},
    {"elements", &machine::elements, 1e6, 1e15},
    {"seconds_per_team", &machine::seconds_per_team, 0, 1},
    {"bytes_in_cache", &machine::bytes_in_cache, 1e4, 1e12},
    {"bandwidth_in_cache", &machine::bandwidth_in_cache, 1e8, 1e15},
    {"bytes_in_shared_cache", &machine::bytes_in_shared_cache, 1e4, 1e12},
    {"bandwidth_in_shared_cache", &machine::bandwidth_in_shared_cache, 1e8, 1e15},
    {"bandwidth_of_memory", &machine::bandwidth_of_memory, 1e8, 1e15},
    {"min_speedup", &machine::min_speedup, -0.1, 0.5},
    {"tie_tolerance", &machine::tie_tolerance, 0, 0.5},
};
auto is_plausible(const machine& m) -> bool {
  for (const machine_figure& f : machine_figures)
    if (!(m.*f.figure >= f.least && m.*f.figure <= f.most)) return false;  // also refuses NaN
  return m.bytes_in_cache <= m.bytes_in_shared_cache && m.bandwidth_of_memory <= m.bandwidth_in_shared_cache &&
         m.bandwidth_in_shared_cache <= m.bandwidth_in_cache;
}

/// The measured figures of which a higher value is better.
inline constexpr double machine::* measured_speeds[] = {
    &machine::flops, &machine::bandwidth_in_cache, &machine::bandwidth_in_shared_cache, &machine::bandwidth_of_memory};

auto better_of(const machine& a, const machine& b) -> machine {
  machine m = a;
  m.seconds_per_call = std::min(a.seconds_per_call, b.seconds_per_call);
  for (double machine::* const f : measured_speeds) m.*f = std::max(a.*f, b.*f);
  return m;
}

auto is_confirmed(const machine& best, std::span<const machine> seen) -> bool {
  constexpr double near = 1.25;
  const auto twice = [&](auto f) { return std::count_if(seen.begin(), seen.end(), f) >= 2; };
  for (double machine::* const f : measured_speeds)
    if (!twice([&](const machine& m) { return m.*f * near >= best.*f; })) return false;
  return twice([&](const machine& m) { return m.seconds_per_call <= near * best.seconds_per_call; });
}

/// Returns how many bytes are copied to measure the bandwidth of memory: more than the caches hold.
inline auto bytes_past_caches(const machine& m) -> std::size_t {
  return std::max(std::size_t{64} << 20, 2 * static_cast<std::size_t>(m.bytes_in_shared_cache));
}

/// Returns `m` with each measurable figure measured once. Returns nothing if the machine was busy
/// all the time.
inline auto measure_once(machine m, const copying& copy) -> std::optional<machine> {
  const auto set = [](double& figure, std::optional<double> found) { return found ? (figure = *found, true) : false; };
  const bool all = set(m.flops, measured_flops()) && set(m.seconds_per_call, measured_seconds_per_call()) &&
                   set(m.bandwidth_in_cache, copy.bandwidth(m.bytes_in_cache / 2)) &&
                   set(m.bandwidth_in_shared_cache, copy.bandwidth((m.bytes_in_cache + m.bytes_in_shared_cache) / 2)) &&
                   set(m.bandwidth_of_memory, copy.bandwidth(static_cast<double>(bytes_past_caches(m))));
  if (!all) return std::nullopt;
  m.bandwidth_in_shared_cache = std::max(m.bandwidth_in_shared_cache, m.bandwidth_of_memory);
  m.bandwidth_in_cache = std::max(m.bandwidth_in_cache, m.bandwidth_in_shared_cache);
  return m;
}

/// Measures until two measurements agree on each figure (`is_confirmed`). Returns nothing if this
/// takes longer than `most_seconds`, or if memory is short.
inline auto measure(const machine& known) -> std::optional<machine> {
  constexpr double most_seconds = 4;
  const std::size_t bytes = bytes_past_caches(known);
  if (device::free_host_memory() < static_cast<index_t>(8 * bytes)) return std::nullopt;
  const copying copy(bytes);
  std::vector<machine> seen;
  const double start = seconds_of(CLOCK_MONOTONIC);
  do {
    const std::optional<machine> here = measure_once(known, copy);
    if (!here) continue;
    seen.push_back(*here);
    machine best = seen.front();
    for (const machine& m : seen) best = better_of(best, m);
    if (is_confirmed(best, seen) && is_plausible(best)) return best;
  } while (seconds_of(CLOCK_MONOTONIC) < start + most_seconds);
  return std::nullopt;
}

// ---- the file -----------------------------------------------------------------------------------

/// A stream for the file and its key. It uses the classic locale, so the format of numbers does not
/// depend on the program's locale.
struct figure_stream : std::stringstream {
  explicit figure_stream(const std::string& text = {}) : std::stringstream(text) { imbue(std::locale::classic()); }
};

auto machine_key() -> std::string {
  constexpr int version = 9;  // of the measurements: a new number makes old files invalid
  std::string model = "unknown";
  std::ifstream f("/proc/cpuinfo");
  for (std::string line; std::getline(f, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
      model = line.substr(line.find(": ") + 2);
      break;
    }
  const processor p = this_processor();
  figure_stream os;
  os << "koila 0.1." << version << "; " << model << "; family " << p.family << "; caches " << p.l2_bytes << ' '
     << p.l3_bytes << "; instructions " << static_cast<int>(p.instructions) << (has_brgemm() ? " with blocks" : "");
  return os.str();
}

/// Returns the last line of the file: the CRC-32 of all lines before it.
inline auto checksum_line(std::string_view lines) -> std::string {
  return "checksum " + std::to_string(crc32(lines.data(), lines.size())) + '\n';
}

/// A lock on a folder. While the lock exists, other processes that want to measure for a file in
/// this folder have to wait, because simultaneous measurements would disturb each other. On file
/// systems without locks, the processes do not wait.
class folder_lock {
 public:
  explicit folder_lock(const std::string& path)
      : folder_(open(std::filesystem::absolute(path).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_ < 0) return;
    while (flock(folder_, LOCK_EX) != 0 && errno == EINTR) {}
  }
  folder_lock(const folder_lock&) = delete;
  auto operator=(const folder_lock&) -> folder_lock& = delete;
  ~folder_lock() {
    if (folder_ < 0) return;
    flock(folder_, LOCK_UN);  // closing is not enough: a child process may have the folder open, too
    ::close(folder_);
  }

 private:
  int folder_;
};

void machine_file::refuse(const std::string& reason) const { throw file_error("koila: " + path_ + reason); }

machine_file::machine_file(std::string path, std::string key) : path_(std::move(path)), key_(std::move(key)) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status)) refuse(" is to have a machine's figures, and is no file");
  std::ifstream f(path_);
  if (!f) refuse(" is to have a machine's figures, and cannot be read");
  std::string line;
  if (!std::getline(f, line)) return;  // an empty file
  const auto no_such_file = [&] {
    refuse(" is no file of a machine's figures that koila has written: remove it, or name another");
  };
  if (line.rfind("koila ", 0) != 0) no_such_file();
  if (line != key_)
    refuse(" has the figures of another machine, '" + line + "', and this is '" + key_ +
           "': remove it, or name another");
  std::string lines = line + '\n', last;
  while (std::getline(f, line)) {
    lines += std::exchange(last, {});
    last = line + '\n';
  }
  if (last != checksum_line(lines))
    refuse(" is damaged: its checksum is not that of its lines: remove it, or name another");
  figure_stream figures(lines.substr(key_.size()));
  for (std::string name; figures >> name;) {
    machine& m = all_.emplace_back();
    for (const machine_figure& figure : machine_figures) {
      if (&figure != machine_figures) figures >> name;
      if (!figures || name != figure.name || !(figures >> m.*figure.figure)) no_such_file();
    }
    if (!is_plausible(m)) no_such_file();
  }
  if (all_.empty()) no_such_file();
}

auto machine_file::find(double threads) const -> std::optional<machine> {
  for (const machine& m : all_)
    if (m.threads == threads) return m;
  return std::nullopt;
}

void machine_file::require_writable() const {
  const file_writer writer(path_);  // without finish() the file does not change
}

void machine_file::add(const machine& m) {
  all_.push_back(m);
  figure_stream os;
  os << key_ << '\n' << std::setprecision(17);
  for (const machine& each : all_)
    for (const machine_figure& figure : machine_figures) os << figure.name << ' ' << each.*figure.figure << '\n';
  write_file(path_, os.str() + checksum_line(os.str()));
}

// ---- what is known ------------------------------------------------------------------------------

/// The machines that this process has read or measured because of KOILA_MACHINE_FILE.
struct known_machines {
  struct entry {
    std::string path;
    machine figures;
  };
  std::mutex busy;
  std::vector<entry> all;
};
inline auto machines_of_files() -> known_machines& {
  static auto* const all = new known_machines;  // never deleted: other threads may still plan at exit
  return *all;
}

inline auto machine_of_file(const std::string& path) -> machine {
  known_machines& known = machines_of_files();
  const std::lock_guard lock(known.busy);
  const int threads = at::get_num_threads();
  for (const known_machines::entry& e : known.all)
    if (e.figures.threads == threads && e.path == path) return e.figures;
  return known.all.emplace_back(known_machines::entry{path, measured(path)}).figures;
}

auto this_machine() -> machine {
  if (const machine* const stated = stated_machine.load(std::memory_order_acquire)) return *stated;
  if (const char* const file = std::getenv("KOILA_MACHINE_FILE"); file != nullptr && *file != '\0')
    return machine_of_file(file);
  return machine_of(this_processor(), at::get_num_threads());
}

namespace {
constinit kernels::routine<std::optional<machine>()> figures{[] { return std::optional<machine>(); }};
[[gnu::init_priority(kernels::cpu::registered_first)]] const kernels::cpu::host_routine<figures, [] {
  return std::optional(this_machine());
}> figures_registered;
}  // namespace
auto machine_for(at::Device where) -> std::optional<machine> { return figures.for_device(where)(); }

}  // namespace detail

auto measured(const std::string& file) -> machine {
  const machine by_rule = machine_of(detail::this_processor(), at::get_num_threads());
  if (file.empty()) return detail::measure(by_rule).value_or(by_rule);
  const std::string key = detail::machine_key();
  if (const auto there = detail::machine_file(file, key).find(by_rule.threads)) return *there;
  const detail::folder_lock alone(file);
  detail::machine_file now(file, key);  // another process may have measured meanwhile
  if (const auto there = now.find(by_rule.threads)) return *there;
  now.require_writable();
  const std::optional<machine> found = detail::measure(by_rule);
  if (found) now.add(*found);
  return found.value_or(by_rule);
}

}  // namespace koila::inline v0
