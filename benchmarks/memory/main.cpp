// SPDX-License-Identifier: MIT
// The program of scripts/memory. Compares the predicted with the measured memory of many models,
// for several batch sizes, budgets, dtypes and policies.
//
//   koila_memory [file [part of a model's name]]
//   koila_memory --eager [part of a name]    compares a training step's memory and time with eager
//                                            LibTorch's
#include <ATen/Parallel.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

#include "memory/eager.hpp"
#include "memory/report.hpp"

namespace {

using batches = std::vector<koila::index_t>;

struct job {
  models::entry entry;
  koila::dtype type;
};

auto jobs_of(const std::string& filter) -> std::vector<job> {
  using koila::dtype;
  std::vector<job> out;
  for (const models::entry& e : models::all()) {
    if (e.name.find(filter) == std::string::npos) continue;
    out.push_back({e, dtype::float32});
    if (!e.single) out.push_back({e, dtype::float64});
    if (e.sixteen_bits) out.push_back({e, dtype::bfloat16});
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--eager") {
    at::set_num_threads(1);
    memory::compare_with_eager(argc > 2 ? argv[2] : "");
    return 0;
  }
  static const koila::machine constants;
  koila::detail::stated_machine = &constants;  // so that plans do not depend on the machine
  const std::string file = argc > 1 ? argv[1] : "memory.json";
  const std::vector<job> jobs = jobs_of(argc > 2 ? argv[2] : "");
  at::set_num_threads(1);
  at::manual_seed(1);
  std::vector<memory::report> reports(jobs.size());
  std::atomic<std::size_t> next{0};
  // Each thread counts only its own memory, so several models can be measured at the same time.
  const auto work = [&] {
    at::set_num_threads(1);
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      const job& j = jobs[i];
      try {
        const bool all = j.type == koila::dtype::float32;
        memory::ask(j.entry.make(j.type), all ? batches{1, 2, 3, 7, 16, 33, 64} : batches{2, 7, 24}, reports[i]);
      } catch (const std::exception& e) { reports[i].wrong.push_back(j.entry.name + ": " + e.what()); }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::max(1U, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& t : threads) t.join();

  memory::report all;
  std::set<std::string> names;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    names.insert(jobs[i].entry.name);
    const auto append = [](auto& to, auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(all.rows, reports[i].rows), append(all.missed, reports[i].missed);
    append(all.fusions, reports[i].fusions), append(all.wrong, reports[i].wrong),
        append(all.overstated, reports[i].overstated);
  }
  try {
    memory::write_json(all, file);
  } catch (const std::runtime_error& e) { return std::fprintf(stderr, "koila_memory: %s\n", e.what()), 2; }
  return memory::summarise(all, names.size()) ? 0 : 1;
}
