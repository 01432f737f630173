// SPDX-License-Identifier: MIT
#pragma once
// Detects that memory has run out, by the type of the exception and by the allocator's reports,
// never by the text of a message.
#include <koila/base/of_this_thread.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/Allocator.h>
#include <c10/util/Exception.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <memory>
#include <new>
#include <optional>

namespace koila::inline v0::detail {

/// Detects allocations that fail on this thread. LibTorch's host allocator throws a plain
/// c10::Error, as for any failure, but first reports to the thread's profiler that memory ran out.
/// The watch takes the place of that profiler. If the thread already has a profiler, the watch
/// does not replace it and detects nothing.
class allocation_watch {
 public:
  explicit allocation_watch(bool watch) {
    if (!watch || c10::ThreadLocalDebugInfo::get(c10::DebugInfoKind::PROFILER_STATE) != nullptr) return;
    reports_ = of_this_thread<kept_reports>().reports;
    reports_->failed = false;
    guard_.emplace(c10::DebugInfoKind::PROFILER_STATE, reports_);
  }
  /// Returns true if an allocation on this thread has failed since the last call of this function
  /// or, in the first call, since the watch began.
  auto failed() -> bool {
    if (!reports_) return false;
    const bool f = reports_->failed;
    reports_->failed = false;
    return f;
  }

 private:
  struct reports : c10::MemoryReportingInfoBase {
    bool failed = false;
    void reportMemoryUsage(void*, std::int64_t, std::size_t, std::size_t, c10::Device) override {}
    void reportOutOfMemory(std::int64_t, std::size_t, std::size_t, c10::Device) override { failed = true; }
    auto memoryProfilingEnabled() const -> bool override { return true; }
  };
  struct kept_reports {  // reused, so that a watch does not allocate
    std::shared_ptr<allocation_watch::reports> reports = std::make_shared<allocation_watch::reports>();
  };
  std::shared_ptr<reports> reports_;
  std::optional<c10::DebugInfoGuard> guard_;
};

/// Returns true if the exception that is being handled means that memory ran out. Checks the
/// exception's type, oneDNN's status, and the watch.
auto says_out_of_memory(allocation_watch& watch) -> bool;

/// Calls f. Returns false if f ran out of memory. In that case, the exception and everything that
/// it kept alive have been destroyed. Rethrows any other exception.
template <class F>
auto attempt(allocation_watch& watch, const F& f) -> bool {
  try {
    f();
    return true;
  } catch (...) {
    if (!says_out_of_memory(watch)) throw;
  }
  return false;
}

/// Returns the tensor that f allocates. If there is not enough memory, throws
/// c10::OutOfMemoryError or std::bad_alloc, never a plain c10::Error.
template <class F>
auto allocated(const F& f) -> at::Tensor {
  try {
    return f();
  } catch (const c10::OutOfMemoryError&) { throw; } catch (const c10::Error&) {
  }  // LibTorch's host allocator throws a plain c10::Error if memory runs out
  throw std::bad_alloc();
}

}  // namespace koila::inline v0::detail
