// Definitions of machine.hpp.
#include <koila/device/memory.hpp>
#include <koila/ops/family/packed_product.ipp>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm_ops.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <memory>
#include <new>
#include <sstream>
#include <utility>

namespace koila {

namespace detail {

/// Bytes of a core's own cache, or 0.
inline auto bytes_of_own_cache() -> double {
#ifdef _SC_LEVEL2_CACHE_SIZE
  if (const long n = sysconf(_SC_LEVEL2_CACHE_SIZE); n > 0) return static_cast<double>(n);
#endif
  std::ifstream f("/sys/devices/system/cpu/cpu0/cache/index2/size");
  double n = 0;
  char unit = ' ';
  f >> n >> unit;
  return n * (unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1);
}

/// Rows, columns and depth alike go by the way that koila's products take.
inline auto flops_of_products() -> double {
  constexpr index_t m = 256, n = 512, k = 512;
  std::vector<float> a(m * k, 0.5F), b(k * n, 0.25F), y(m * n);
  const at::Tensor x = at::from_blob(a.data(), {m, k}, at::kFloat), w = at::from_blob(b.data(), {k, n}, at::kFloat);
  at::Tensor z = at::from_blob(y.data(), {m, n}, at::kFloat);
  return 2. * m * n * k / least_seconds_of(0.01, [&] {
           if (!multiply_in_blocks(z, x, w, nullptr)) at::_ops::mm_out::call(x, w, z);
         });
}

/// An operator of LibTorch on small matrices. koila's own kernels cost less where one calls nothing else; between others, whose code and
/// data take their place in the caches, about as much.
inline auto seconds_of_a_call() -> double {
  constexpr int times = 50;
  float a[16] = {}, y[16];
  const at::Tensor x = at::from_blob(a, {4, 4}, at::kFloat);
  at::Tensor z = at::from_blob(y, {4, 4}, at::kFloat);
  return least_seconds_of(0.002,
                          [&] {
                            for (int i = 0; i < times; ++i) at::_ops::mm_out::call(x, x, z);
                          }) /
         times;
}

/// A team of all threads on little, which another has left in its own cache: as kernels find it between others.
inline auto seconds_of_a_team() -> double {
  const int threads = at::get_num_threads();
  if (threads == 1) return 0;
  constexpr std::size_t little = 1 << 14;
  std::vector<char> bytes(static_cast<std::size_t>(threads) * little);
  const auto seconds_of = [&](int teams) {
    return least_seconds_of(0.002,
                            [&] {
                              for (int turn = 0; turn < teams; ++turn)
                                parallel_for(0, threads, 1, [&](index_t begin, index_t end) {
                                  for (index_t i = begin; i < end; ++i)
                                    std::memset(bytes.data() + static_cast<std::size_t>((i + turn) % threads) * little, turn,
                                                little);
                                });
                            }) /
           teams;
  };
  // Of some together: of the least of single ones most is luck. Not many where threads wait for a processor.
  return seconds_of(std::clamp(static_cast<int>(2e-4 / seconds_of(2)), 2, 100));
}

/// Copies a part of some bytes to another again and again, on LibTorch's threads: bytes read and written per second.
class copying {
 public:
  /// `bytes`: the most of one measurement.
  explicit copying(std::size_t bytes) : half_(bytes / 2), bytes_(new char[bytes]) { std::memset(bytes_.get(), 1, bytes); }
  auto bandwidth(double bytes) const -> double {
    const auto parts = std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes) / 2 / together);
    const std::int64_t times = std::max<std::int64_t>(1, (std::int64_t{8} << 20) / (2 * parts * together));
    const double seconds = least_seconds_of(0, [&] {
      parallel_for(0, parts, std::max<std::int64_t>(1, parts / at::get_num_threads()),
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t t = 0; t < times; ++t)
                       for (std::int64_t i = begin; i < end; ++i)
                         std::memcpy(bytes_.get() + half_ + i * together, bytes_.get() + i * together, together);
                   });
    });
    return static_cast<double>(2 * parts * times * together) / seconds;
  }

 private:
  static constexpr std::int64_t together = 1 << 14;  // less than what memcpy writes past the caches
  std::size_t half_;
  std::unique_ptr<char[]> bytes_;
};

/// False where there is too little memory to tell.
inline auto measure_memory(machine& m) -> bool {
  constexpr std::size_t most = bytes_to_measure;
  if (device::free_host_memory() < static_cast<index_t>(8 * most)) return false;
  const double own = bytes_of_own_cache();
  if (own > 0) m.bytes_in_cache = 0.75 * own * at::get_num_threads();  // the rest is for what else runs
  const copying copy(most);
  m.bandwidth_in_cache = copy.bandwidth(std::min(m.bytes_in_cache / 2, most / 4.));
  m.bandwidth_of_memory = copy.bandwidth(most);
  // How much of the shared cache is this program's no file says: it ends where its speed does.
  const double first = 2 * m.bytes_in_cache;
  m.bytes_in_shared_cache = m.bytes_in_cache;
  m.bandwidth_in_shared_cache = m.bandwidth_of_memory;
  for (double n = first; n < most; n *= 2) {
    const double here = copy.bandwidth(n);
    if (n == first) m.bandwidth_in_shared_cache = here;
    if (here < 0.75 * m.bandwidth_in_shared_cache) break;
    m.bytes_in_shared_cache = n;
  }
  m.bandwidth_in_shared_cache = std::max(m.bandwidth_in_shared_cache, m.bandwidth_of_memory);
  m.bandwidth_in_cache = std::max(m.bandwidth_in_cache, m.bandwidth_in_shared_cache);
  return true;
}

/// The figures by name, and between what they may be.
struct machine_figure {
  const char* name;
  double machine::* is;
  double least, most;
};
inline constexpr machine_figure machine_figures[] = {
    {"seconds_per_call", &machine::seconds_per_call, 1e-8, 1e-3},
    {"flops", &machine::flops, 1e7, 1e16},
    {"rows_of_half_speed", &machine::rows_of_half_speed, 0, 1e4},
    {"elements", &machine::elements, 1e6, 1e15},
    {"threads", &machine::threads, 1, 1e5},
    {"seconds_per_team", &machine::seconds_per_team, 0, 1},
    {"bytes_in_cache", &machine::bytes_in_cache, 1e4, 1e10},
    {"bandwidth_in_cache", &machine::bandwidth_in_cache, 1e8, 1e15},
    {"bytes_in_shared_cache", &machine::bytes_in_shared_cache, 1e4, 1e12},
    {"bandwidth_in_shared_cache", &machine::bandwidth_in_shared_cache, 1e8, 1e15},
    {"bandwidth_of_memory", &machine::bandwidth_of_memory, 1e8, 1e15},
    {"least_gain", &machine::least_gain, -0.1, 0.5},
    {"alike", &machine::alike, 0, 0.5},
};
KOILA_COLD KOILA_INLINE auto is_plausible(const machine& m) -> bool {
  for (const machine_figure& f : machine_figures)
    if (!(m.*f.is >= f.least && m.*f.is <= f.most)) return false;  // nor NaN
  return m.bytes_in_cache <= m.bytes_in_shared_cache && m.bandwidth_of_memory <= m.bandwidth_in_shared_cache &&
         m.bandwidth_in_shared_cache <= m.bandwidth_in_cache;
}

KOILA_COLD KOILA_INLINE auto machine_key() -> std::string {
  constexpr int version = 6;  // of what is measured, and how
  std::string model = "unknown";
  std::ifstream f("/proc/cpuinfo");
  f.exceptions(std::ios::badbit);  // what is thrown while it is read: memory may be short
  for (std::string line; std::getline(f, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
      model = line.substr(line.find(": ") + 2);
      break;
    }
  std::ostringstream os;
  os.exceptions(std::ios::badbit);
  os << "koila 0.1." << version << "; " << model << "; threads " << at::get_num_threads() << "; cache " << bytes_of_own_cache()
     << "; instructions " << static_cast<int>(instructions_to_use()) << (has_block_kernels() ? " with blocks" : "");
  return os.str();
}

KOILA_COLD KOILA_INLINE auto machine_file(const std::string& key) -> std::string {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  std::string folder;
  if (cache != nullptr && *cache == '/') folder = cache;  // others are to be ignored
  else if (home != nullptr && *home == '/') folder = std::string(home) + "/.cache";
  else return "";
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  std::ostringstream os;
  os.exceptions(std::ios::badbit);
  os << folder << "/koila/machine-" << std::hex << hash;
  return os.str();
}

KOILA_COLD KOILA_INLINE auto read_machine(const std::string& path, const std::string& key) -> std::optional<machine> {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream f(path);
  f.exceptions(std::ios::badbit);
  std::string line, name;
  if (!std::getline(f, line) || line != key) return std::nullopt;
  machine m;
  for (const machine_figure& figure : machine_figures)
    if (!(f >> name >> m.*figure.is) || name != figure.name) return std::nullopt;
  if (!is_plausible(m)) return std::nullopt;
  return m;
}

KOILA_COLD KOILA_INLINE auto write_machine(const std::string& path, const std::string& key, const machine& m) -> bool {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  const std::string first = path + "." + std::to_string(getpid());
  bool written = false;
  {
    std::ofstream f(first);
    f << key << '\n' << std::setprecision(17);
    for (const machine_figure& figure : machine_figures) f << figure.name << ' ' << m.*figure.is << '\n';
    f.close();
    written = f.good();
  }
  if (written) fs::rename(first, path, error);
  if (written && !error) return true;
  fs::remove(first, error);
  return false;
}

/// False where not all could be measured, or the figures cannot be so.
inline auto measure_once(machine& m) -> bool {
  const at::NoGradGuard no_grad;
  try {
    m.flops = flops_of_products();
    m.seconds_per_call = seconds_of_a_call();
    m.threads = at::get_num_threads();
    m.elements *= m.threads;
    m.seconds_per_team = seconds_of_a_team();
    m.least_gain = 0;
    m.alike = 0.03;
    return measure_memory(m) && is_plausible(m);
  } catch (const std::exception&) { return false; }
}

/// The more the better.
inline constexpr double machine::* measured_speeds[] = {&machine::flops, &machine::bandwidth_in_cache,
                                                        &machine::bandwidth_of_memory};
/// The less the better.
inline constexpr double machine::* measured_seconds[] = {&machine::seconds_per_call, &machine::seconds_per_team};

KOILA_COLD KOILA_INLINE auto better_of(const machine& a, const machine& b) -> machine {
  machine m = a.bandwidth_in_shared_cache > b.bandwidth_in_shared_cache ? a : b;
  for (double machine::* const f : measured_seconds) m.*f = std::min(a.*f, b.*f);
  for (double machine::* const f : measured_speeds) m.*f = std::max(a.*f, b.*f);
  return m;
}

KOILA_COLD KOILA_INLINE auto is_confirmed(const machine& best, std::span<const machine> seen) -> bool {
  constexpr double near = 1.25;
  const auto times = [&](auto f) { return std::count_if(seen.begin(), seen.end(), f); };
  for (double machine::* const f : measured_speeds)
    if (times([&](const machine& m) { return m.*f * near >= best.*f; }) < 2) return false;
  for (double machine::* const f : measured_seconds) {
    const double most = best.*f * (f == &machine::seconds_per_team ? 2 : near);  // where threads wait for processors it varies
    if (times([&](const machine& m) { return m.*f <= most; }) < 2) return false;
  }
  return true;
}

KOILA_COLD KOILA_INLINE void keep(const std::string& path, const std::string& key, const measurement& m) {
  if (m.confirmed && !path.empty()) (void)write_machine(path, key, m.best);
}

/// Nothing where not all could be measured.
inline auto measure() -> std::optional<measurement> {
  constexpr std::size_t most_times = 5;
  std::vector<machine> seen;
  measurement m;
  while (seen.size() < most_times && !m.confirmed) {
    machine here;
    if (!measure_once(here)) return std::nullopt;
    m.best = seen.empty() ? here : better_of(m.best, here);
    seen.push_back(here);
    m.confirmed = is_confirmed(m.best, seen);
  }
  return m;
}

KOILA_COLD KOILA_INLINE auto known_machines::find(bool may_be_measured) -> std::optional<machine> {
  const std::lock_guard lock(busy_);
  try {
    entry& here = of(at::get_num_threads());
    if (here.known) return here.known;
    if (here.has_looked && !may_be_measured) return std::nullopt;
    const std::string key = machine_key(), path = machine_file(key);
    if (!here.has_looked && !path.empty()) here.known = read_machine(path, key);
    here.has_looked = true;
    if (here.known || !may_be_measured) return here.known;
    const std::optional<measurement> now = measure();
    here.known = now ? now->best : machine();  // nor is it tried again
    if (now) keep(path, key, *now);
    return here.known;
  } catch (const std::exception&) { return std::nullopt; }  // such as memory that is short now: the defaults do, too
}
KOILA_COLD KOILA_INLINE auto known_machines::of(int threads) -> entry& {
  for (entry& e : entries_)
    if (e.threads == threads) return e;
  return entries_.emplace_back(entry{threads, false, std::nullopt});
}

/// Those of all plans; never deleted: other threads may still plan.
inline auto known_here() -> known_machines& {
  static auto* const all = new known_machines;
  return *all;
}

KOILA_COLD KOILA_INLINE auto known_machine() -> std::optional<machine> {
  if (!may_measure()) return std::nullopt;
  return known_here().find(false);
}

KOILA_COLD KOILA_INLINE auto this_machine() -> machine {
  if (!may_measure()) return {};
  return known_here().find(true).value_or(machine());
}

}  // namespace detail

KOILA_COLD KOILA_INLINE auto measured_machine() -> machine {
  const auto m = detail::measure();
  return m ? m->best : machine();
}

}  // namespace koila
