// SPDX-License-Identifier: MIT
#pragma once
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <algorithm>

/// LibTorch's own allocator, with a limit on the bytes that are allocated after a call of `watch`.
struct limited_allocator final : c10::Allocator {
  c10::Allocator* behind = c10::GetDefaultCPUAllocator();
  static inline std::int64_t alive = 0, peak = 0, limit = -1;

  static void watch(std::int64_t bytes) { alive = peak = 0, limit = bytes; }

  auto allocate(std::size_t n) -> c10::DataPtr override {
    const auto bytes = static_cast<std::int64_t>(n);
    TORCH_CHECK_WITH(OutOfMemoryError, limit < 0 || alive + bytes <= limit, "out of memory: ", alive, " + ", bytes,
                     " bytes of ", limit);
    c10::DataPtr p = behind->allocate(n);
    alive += bytes;
    peak = std::max(peak, alive);
    struct block {
      c10::DataPtr inner;
      std::int64_t bytes;
    };
    void* data = p.get();
    const auto device = p.device();
    return {data, new block{std::move(p), bytes},
            [](void* b) { alive -= static_cast<block*>(b)->bytes, delete static_cast<block*>(b); }, device};
  }
  auto raw_deleter() const -> c10::DeleterFnPtr override { return nullptr; }
  void copy_data(void* to, const void* from, std::size_t n) const override { behind->copy_data(to, from, n); }
};
