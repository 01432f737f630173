// SPDX-License-Identifier: MIT
#pragma once
// A device for tests, LibTorch's "privateuseone". Its memory is host memory that is accessible only
// during copies: at any other time, an access ends the process. Operators copy their operands to
// the host, run there, and copy the results back.
#include "pch.hpp"

#include <koila/device/backend.hpp>

#include <ATen/EmptyTensor.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <sys/mman.h>
#include <torch/library.h>

#include <map>
#include <mutex>

namespace test {

inline const at::Device other(c10::DeviceType::PrivateUse1, 0);

/// An allocator of memory that cannot be read or written until `open` makes it accessible.
class shut_memory final : public c10::Allocator {
 public:
  auto allocate(std::size_t n) -> c10::DataPtr override {
    constexpr std::size_t page = 4096;
    const std::size_t bytes = (std::max<std::size_t>(n, 1) + page - 1) / page * page;
    void* const p = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    TORCH_CHECK(p != MAP_FAILED, "no memory for the device of the tests");
    const std::lock_guard lock(busy_);
    blocks_[p] = {bytes, n, 0};
    live_ += static_cast<koila::index_t>(n), peak_ = std::max(peak_, live_);
    return {p, p, &release, other};
  }
  auto raw_deleter() const -> c10::DeleterFnPtr override { return &release; }
  void copy_data(void*, const void*, std::size_t) const override { TORCH_CHECK(false, "not used"); }

  static auto instance() -> shut_memory& {
    static auto& all = *new shut_memory;  // never destroyed: it must outlive all tensors
    return all;
  }
  /// `live`: the allocated bytes that have not been freed. `peak`: the maximum of these bytes since
  /// the last call of reset_peak.
  auto live() const -> koila::index_t { return live_; }
  auto peak() const -> koila::index_t { return peak_; }
  void reset_peak() { peak_ = live_; }

  void open(void* p, int by) {
    const std::lock_guard lock(busy_);
    auto& b = blocks_.at(p);
    b.open += by;
    TORCH_CHECK(::mprotect(p, b.bytes, b.open > 0 ? PROT_READ | PROT_WRITE : PROT_NONE) == 0);
  }

 private:
  struct block {
    std::size_t bytes, asked;
    int open;
  };
  std::mutex busy_;
  std::map<void*, block> blocks_;
  koila::index_t live_ = 0, peak_ = 0;

  static void release(void* p) {
    auto& all = instance();
    const std::lock_guard lock(all.busy_);
    const auto position = all.blocks_.find(p);
    all.live_ -= static_cast<koila::index_t>(position->second.asked);
    ::munmap(p, position->second.bytes);
    all.blocks_.erase(position);
  }
};

/// A device tensor as a host tensor. The memory is accessible while this object exists.
class opened {
 public:
  explicit opened(const at::Tensor& t) : t_(t) {
    if (t.is_cpu()) return;
    start_ = t.storage().mutable_data();
    if (start_ == nullptr) {
      t_ = at::empty_strided(t.sizes(), t.strides(), t.options().device(at::kCPU));
      return;
    }
    shut_memory::instance().open(start_, 1);
    t_ = at::from_blob(static_cast<char*>(start_) + t.storage_offset() * static_cast<std::int64_t>(t.element_size()),
                       t.sizes(), t.strides(), t.options().device(at::kCPU));
  }
  ~opened() {
    if (start_ != nullptr) shut_memory::instance().open(start_, -1);
  }
  opened(const opened&) = delete;
  auto operator=(const opened&) -> opened& = delete;
  auto tensor() const -> const at::Tensor& { return t_; }

 private:
  at::Tensor t_;
  void* start_ = nullptr;
};

namespace other_device {

inline const c10::DispatchKeySet keys(c10::DispatchKey::PrivateUse1);

inline auto empty(at::IntArrayRef size, std::optional<at::ScalarType> type, std::optional<at::Layout>,
                  std::optional<at::Device>, std::optional<bool>, std::optional<at::MemoryFormat> format)
    -> at::Tensor {
  return at::detail::empty_generic(size, &shut_memory::instance(), keys, type.value_or(at::kFloat), format);
}
inline auto empty_strided(at::IntArrayRef size, at::IntArrayRef stride, std::optional<at::ScalarType> type,
                          std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) -> at::Tensor {
  return at::detail::empty_strided_generic(size, stride, &shut_memory::instance(), keys, type.value_or(at::kFloat));
}
inline auto copy_from(const at::Tensor& from, const at::Tensor& to, bool) -> at::Tensor {
  const opened a(from), b(to);
  b.tensor().copy_(a.tensor());
  return to;
}
inline auto copy_from_and_resize(const at::Tensor& from, const at::Tensor& to) -> at::Tensor {
  TORCH_CHECK(from.sizes() == to.sizes(), "a result has other sizes than the tensor that it is written to");
  return copy_from(from, to, false);
}
inline auto view(const at::Tensor& t, at::IntArrayRef size) -> at::Tensor { return at::native::view(t, size); }
inline auto as_strided(const at::Tensor& t, at::IntArrayRef size, at::IntArrayRef stride,
                       std::optional<std::int64_t> offset) -> at::Tensor {
  return at::native::as_strided_tensorimpl(t, size, stride, offset);
}
inline auto convolution(const at::Tensor& x, const at::Tensor& w, const std::optional<at::Tensor>& b,
                        at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed,
                        at::IntArrayRef more, std::int64_t groups) -> at::Tensor {
  const auto bias = b.has_value() && b->defined() ? std::optional<at::Tensor>(b->cpu()) : std::nullopt;
  return at::convolution(x.cpu(), w.cpu(), bias, stride, padding, dilation, transposed, more, groups).to(other);
}
inline auto convolution_backward(const at::Tensor& dy, const at::Tensor& x, const at::Tensor& w, at::IntArrayRef stride,
                                 at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed,
                                 at::IntArrayRef more, std::int64_t groups, std::array<bool, 3> wanted)
    -> std::tuple<at::Tensor, at::Tensor, at::Tensor> {
  const auto [dx, dw, db] = at::convolution_backward(dy.cpu(), x.cpu(), w.cpu(), std::nullopt, stride, padding,
                                                     dilation, transposed, more, groups, wanted);
  const auto back = [](const at::Tensor& t) { return t.defined() ? t.to(other) : t; };
  return {back(dx), back(dw), back(db)};
}
inline void on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) { at::native::cpu_fallback(op, stack); }

}  // namespace other_device
}  // namespace test
