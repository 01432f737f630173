// SPDX-License-Identifier: MIT
#pragma once
// Reports of LibTorch's allocators to a thread's profiler.
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <cstdint>
#include <memory>

namespace koila::inline v0::detail {

/// While this object exists, calls f(bytes, device) for each block that LibTorch allocates or
/// frees on this thread. `bytes` is negative for a freed block. Kernels may allocate on threads of
/// their own, so f must be thread-safe. During this time, a LibTorch profiler on this thread
/// receives no reports.
template <class F>
class memory_reports {
 public:
  explicit memory_reports(F f) : guard_(c10::DebugInfoKind::PROFILER_STATE, std::make_shared<receiver>(std::move(f))) {}

 private:
  struct receiver final : c10::MemoryReportingInfoBase {
    F f;
    explicit receiver(F to) : f(std::move(to)) {}
    void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t, c10::Device device) override {
      f(bytes, device);
    }
    auto memoryProfilingEnabled() const -> bool override { return true; }
  };
  c10::DebugInfoGuard guard_;
};

}  // namespace koila::inline v0::detail
