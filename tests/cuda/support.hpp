// SPDX-License-Identifier: MIT
#pragma once
// Helpers shared by the tests on CUDA devices.
#include "pch.hpp"

#include <koila/device/allocator.hpp>
#include <koila/device/backend.hpp>
#include <koila/device/status.hpp>
#include <koila/nn/nn.hpp>

#include <ATen/Context.h>
#include <c10/cuda/CUDACachingAllocator.h>

namespace test {

using namespace koila;

/// Returns true if there is no CUDA device. Then also prints a warning, from which CTest recognises
/// a skipped test.
inline auto no_device() -> bool {
  if (at::hasCUDA()) return false;
  WARN("skipped: no CUDA device");
  return true;
}

inline const at::Device gpu(at::kCUDA, 0);

/// Measures the memory that LibTorch's CUDA allocator hands out while this object exists, in bytes
/// of whole blocks.
class measure {
 public:
  measure() : before_(now()) { c10::cuda::CUDACachingAllocator::resetPeakStats(gpu.index()); }
  auto peak() const -> index_t { return stats().peak - before_; }
  auto live() const -> index_t { return now() - before_; }

 private:
  index_t before_;
  static auto stats() -> c10::CachingAllocator::Stat {
    return c10::cuda::CUDACachingAllocator::getDeviceStats(gpu.index())
        .allocated_bytes[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)];
  }
  static auto now() -> index_t { return stats().current; }
};

struct mlp {
  nn::linear<32, 64> a{"a"};
  nn::linear<64, 64> b{"b"};
  nn::linear<64, 10> c{"c"};
  auto operator()(const auto& x) const { return c(gelu(b(dropout(relu(a(x)), 0.25)))); }
  static auto images(index_t n) -> at::Tensor { return at::randn({n, 32}); }
};
inline constexpr auto mlp_input = [] { return input<batch, 32>{"x"}; };

struct conv_net {
  nn::conv2d<1, 4, 3, nn::conv_options{.padding = 1}> c1{"c1"};
  nn::batch_norm<4> bn{"bn"};
  nn::conv2d<4, 8, 3> c2{"c2"};
  nn::linear<8 * 36, 10> f{"f"};
  auto operator()(const auto& x) const { return f(flatten(relu(c2(max_pool2d(relu(bn(c1(x))), 2_c))), 1_c)); }
  static auto images(index_t n) -> at::Tensor { return at::randn({n, 1, 16, 16}); }
};
inline constexpr auto conv_input_of = [] { return input<batch, 1, 16, 16>{"x"}; };

/// Returns the largest difference of a and b, divided by the largest magnitude of b (at least
/// 0.01).
inline auto relative_error(const at::Tensor& a, const at::Tensor& b) -> double {
  const at::Tensor x = a.detach().cpu().to(at::kDouble), y = b.detach().cpu().to(at::kDouble);
  REQUIRE(x.sizes() == y.sizes());
  return (x - y).abs().max().item<double>() / std::max(1e-2, y.abs().max().item<double>());
}

/// Turns TF32 off while this object exists. TF32 rounds the operands of float32 products to 10 bits
/// of mantissa.
struct full_precision {
  full_precision() {
    at::globalContext().setAllowTF32CuBLAS(false);
    at::globalContext().setAllowTF32CuDNN(false);
  }
};

}  // namespace test
