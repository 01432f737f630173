// SPDX-License-Identifier: MIT
#pragma once
// Helpers shared by the tests of runs: memory counters, allocations that fail, models, and
// comparisons.
#include "pch.hpp"

#include <ATen/Parallel.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <span>

#include "measure.hpp"

namespace test {

using namespace koila;
using namespace koila::detail;

/// One thread per test: the tests run side by side on small tensors, and teams of threads would
/// mostly wait.
inline const bool one_thread = (at::set_num_threads(1), true);

using bench::measure;

/// Makes the n-th allocation of host memory fail, once.
class failing_allocator final : public c10::Allocator {
 public:
  enum class thrown { out_of_memory, bad_alloc };

  failing_allocator() : base_(c10::GetAllocator(c10::kCPU)) { c10::SetAllocator(c10::kCPU, this, priority); }
  ~failing_allocator() override { c10::SetAllocator(c10::kCPU, base_, priority); }
  failing_allocator(const failing_allocator&) = delete;
  auto operator=(const failing_allocator&) -> failing_allocator& = delete;

  void fail_at(int n, thrown e) { left_ = n, error_ = e; }
  auto failed() const { return left_ == 0; }
  void stop() { left_ = -1; }

  auto allocate(std::size_t n) -> c10::DataPtr override {
    if (left_ > 0 && --left_ == 0) {
      if (error_ == thrown::bad_alloc) throw std::bad_alloc();
      TORCH_CHECK_WITH(OutOfMemoryError, false, "injected");
    }
    return base_->allocate(n);
  }
  auto raw_deleter() const -> c10::DeleterFnPtr override { return base_->raw_deleter(); }
  void copy_data(void* to, const void* from, std::size_t n) const override { base_->copy_data(to, from, n); }

 private:
  static constexpr std::uint8_t priority = 100;
  c10::Allocator* base_;
  int left_ = -1;
  thrown error_ = thrown::out_of_memory;
};

/// Returns true if a and b agree within the tolerances of LibTorch's own float32 tests
/// (torch.testing.assert_close).
inline auto near(const at::Tensor& a, const at::Tensor& b) -> bool { return at::allclose(a, b, 1.3e-6, 1e-5); }

/// Returns |a - b| / |b| with Euclidean norms, in float64.
inline auto relative_error(const at::Tensor& a, const at::Tensor& b) -> double {
  const at::Tensor x = a.detach().to(at::kDouble), y = b.detach().to(at::kDouble);
  if (a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
  const double norm = y.norm().item<double>(), error = (x - y).norm().item<double>();
  return norm == 0 ? error : error / norm;
}

/// Returns true if a and b have the same bits, NaNs included.
inline auto identical(const at::Tensor& a, const at::Tensor& b) -> bool {
  if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return false;
  const at::Tensor x = a.detach().contiguous(), y = b.detach().contiguous();
  return x.numel() == 0 || std::memcmp(x.const_data_ptr(), y.const_data_ptr(), x.nbytes()) == 0;
}

/// A classifier with one hidden layer: In - Hidden - Out.
template <dtype T, int In, int Hidden, int Out>
struct classifier {
  parameter<T, Hidden, In> w1{"w1"};
  parameter<T, Hidden> b1{"b1"};
  parameter<T, Out, Hidden> w2{"w2"};
  parameter<T, Out> b2{"b2"};
  auto operator()(const auto& x) const { return linear(tanh(linear(x, w1, b1)), w2, b2); }

  /// Returns LibTorch leaves with the parameters' values, in float64.
  auto copies() const -> std::vector<at::Tensor> {
    std::vector<at::Tensor> out;
    for (const auto& t : tensors()) out.push_back(t.detach().to(at::kDouble, false, true).requires_grad_());
    return out;
  }
  auto tensors() const -> std::vector<at::Tensor> {
    return {tensor_of(w1), tensor_of(b1), tensor_of(w2), tensor_of(b2)};
  }
  static auto reference(const std::vector<at::Tensor>& p, const at::Tensor& x) -> at::Tensor {
    return at::linear(at::tanh(at::linear(x, p[0], p[1])), p[2], p[3]);
  }
};

/// Calls `run`, and returns the gradients that it creates for the given parameters.
template <class Run>
auto gradients_of(std::span<const at::Tensor> parameters, const Run& run) -> std::vector<at::Tensor> {
  for (const at::Tensor& t : parameters) t.mutable_grad() = at::Tensor();
  run();
  std::vector<at::Tensor> out;
  for (const at::Tensor& t : parameters) out.push_back(t.grad().clone());
  return out;
}

inline auto labels_of(std::int64_t samples, std::int64_t classes) -> at::Tensor {
  return at::randint(classes, {samples}, at::kLong);
}

/// Returns the chunk sizes to try: powers of two below the batch size, and the batch size.
inline auto chunks_of(index_t samples) -> std::vector<index_t> {
  std::vector<index_t> out;
  for (index_t c = 1; c < samples; c *= 2) out.push_back(c);
  out.push_back(std::max<index_t>(samples, 1));
  return out;
}

}  // namespace test
