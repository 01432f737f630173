#pragma once
// Memory that has run out, told from other failures by the type of what is thrown and by what the
// allocator reports, never by text.
#include <koila/run/of_this_thread.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/Allocator.h>
#include <c10/util/Exception.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <memory>
#include <new>
#include <optional>

namespace koila::detail {

/// LibTorch's allocator of the host throws a plain c10::Error, as everything does, but first
/// reports to who watches the thread that memory ran out. Where a profiler watches already it is
/// left alone, and such errors pass for what they say they are.
class allocation_watch {
 public:
  explicit allocation_watch(bool watch) {
    if (!watch || c10::ThreadLocalDebugInfo::get(c10::DebugInfoKind::PROFILER_STATE) != nullptr) return;
    reports_ = of_this_thread<kept_reports>().reports;
    reports_->failed = false;
    guard_.emplace(c10::DebugInfoKind::PROFILER_STATE, reports_);
  }
  /// Whether an allocation of this thread has failed since the watch began or since this was asked.
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
  struct kept_reports {  // a watch allocates none
    std::shared_ptr<allocation_watch::reports> reports = std::make_shared<allocation_watch::reports>();
  };
  std::shared_ptr<reports> reports_;
  std::optional<c10::DebugInfoGuard> guard_;
};

/// Whether what is being handled says that memory ran out: by its type, by oneDNN's status, by what
/// the watch was told.
auto says_out_of_memory(allocation_watch& watch) -> bool;

/// Calls f. False where memory ran out in it: when this returns, the exception and what it kept
/// alive are gone. Others pass.
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

/// A tensor of koila's own. Throws c10::OutOfMemoryError or std::bad_alloc where there is no memory
/// for it, nothing else.
template <class F>
auto allocated(const F& f) -> at::Tensor {
  try {
    return f();
  } catch (const c10::OutOfMemoryError&) { throw; } catch (const c10::Error&) {
  }  // LibTorch's allocator of the host has no other type for it
  throw std::bad_alloc();
}

}  // namespace koila::detail

#ifdef KOILA_DEFINITIONS
#include <koila/run/out_of_memory.ipp>
#endif
