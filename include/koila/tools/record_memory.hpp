// SPDX-License-Identifier: MIT
#pragma once
// Records the memory that a run allocates, as LibTorch reports it.
#include <koila/tools/memory_record.hpp>
#include <koila/torch/memory_reports.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>

namespace koila::inline v0 {

namespace detail {

/// Records every allocation and release that LibTorch's allocators report for a device.
class memory_recorder {
 public:
  explicit memory_recorder(c10::Device device) : device_(device) {}
  void add(std::int64_t bytes, c10::Device device) {
    if (device.type() != device_.type() || (device_.has_index() && device.index() != device_.index())) return;
    const std::lock_guard lock(mutex_);
    now_ += bytes;
    record_.samples.push_back({seconds(), now_});
    record_.peak_bytes = std::max(record_.peak_bytes, now_);
  }
  auto finish() -> memory_record {
    const std::lock_guard lock(mutex_);
    record_.seconds = seconds();
    return std::move(record_);
  }

 private:
  using clock = std::chrono::steady_clock;
  c10::Device device_;
  clock::time_point begin_ = clock::now();
  index_t now_ = 0;
  memory_record record_;
  std::mutex mutex_;

  auto seconds() const -> double { return std::chrono::duration<double>(clock::now() - begin_).count(); }
};

}  // namespace detail

/// Calls f and records the bytes that f allocates and frees on a device:
/// `auto seen = record_memory([&] { train(x = images, label = labels); });` and then
/// `train.plan().timeline("memory.svg", seen);`.
/// To see the whole peak of a plan, record the first step, because it allocates the plan's memory.
/// While f runs, a LibTorch profiler on this thread receives nothing. Exceptions of f reach the
/// caller.
template <class F>
auto record_memory(F&& f, c10::Device device = c10::kCPU) -> memory_record {
  const auto recorder = std::make_shared<detail::memory_recorder>(device);
  const detail::memory_reports reports(
      [recorder](std::int64_t bytes, c10::Device where) { recorder->add(bytes, where); });
  static_cast<F&&>(f)();
  return recorder->finish();
}

}  // namespace koila::inline v0
