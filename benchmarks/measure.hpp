// SPDX-License-Identifier: MIT
#pragma once
// Counts tensor memory as LibTorch reports it, for tests and benchmarks.
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace bench {

/// Counts what LibTorch allocates on this thread, in bytes.
struct meter : c10::MemoryReportingInfoBase {
  std::int64_t now = 0, peak = 0, count = 0;
  void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t, c10::Device) override {
    now += bytes;
    count += bytes > 0 ? 1 : 0;
    peak = std::max(peak, now);
  }
  auto memoryProfilingEnabled() const -> bool override { return true; }
};

/// Counts the tensor memory of this thread, from zero, during its lifetime.
class measure {
 public:
  measure() : meter_(std::make_shared<meter>()), guard_(c10::DebugInfoKind::PROFILER_STATE, meter_) {}
  auto peak() const { return meter_->peak; }
  auto live() const { return meter_->now; }
  auto count() const { return meter_->count; }

 private:
  std::shared_ptr<meter> meter_;
  c10::DebugInfoGuard guard_;
};

}  // namespace bench
