// SPDX-License-Identifier: MIT
// The devices on which programs may run, and the memory budget on each. other_device.cpp tests the
// computed results.
#include "pch.hpp"

#include <koila/device/backend.hpp>
#include <koila/device/planned.hpp>

namespace {

using namespace koila;

/// Makes koila run on meta tensors while this object exists. Their device has `free` bytes.
struct meta_device {
  static inline index_t free = 0;
  static constexpr device::backend b{[](int) { return free; }, [] { return device::caching_rules{}; }};
  explicit meta_device(index_t bytes = 1_GiB) {
    free = bytes;
    device::use(c10::DeviceType::Meta, &b);
  }
  ~meta_device() { device::use(c10::DeviceType::Meta, nullptr); }
  meta_device(const meta_device&) = delete;
  auto operator=(const meta_device&) -> meta_device& = delete;
};

auto meta(at::IntArrayRef sizes, at::ScalarType type = at::kFloat) -> at::Tensor {
  return at::empty(sizes, at::TensorOptions(type).device(at::kMeta));
}

/// Returns the message of the shape_error that f throws, or "nothing".
template <class F>
auto refusal(const F& f) -> std::string {
  try {
    f();
  } catch (const shape_error& e) { return e.what(); }
  return "nothing";
}

}  // namespace

TEST_CASE("the budget is the device's") {
  const meta_device there(1_MiB + device::least_reserve);
  const parameter<64, 1024> w{"w"};
  set(w, meta({64, 1024}));
  const input<batch, 1024> x{"x"};
  const auto loss = mean(square(linear(x, w)));
  const auto p = plan(loss, x = meta({4096, 1024}));
  CHECK(p.peak_bytes() <= static_cast<index_t>(1_MiB));
  CHECK(p.chunk() < 4096);
  meta_device::free = device::least_reserve;
  CHECK_THROWS_AS(plan(loss, x = meta({4096, 1024})), memory_error);
}

TEST_CASE("a plan fits the budget as the allocator rounds its tensors") {
  const meta_device there;
  const input<batch, 1000> x{"x"};
  const auto y = let(cos(x));
  // On the host, none of these ops has an element-wise kernel of koila's.
  const auto z = cos(atan2(y, sin(y)));
  const at::Tensor t = meta({4096, 1000});
  for (const index_t budget : {20_MiB, 40_MiB, 48_MiB, 64_MiB, 100_MiB}) {
    const auto p = plan(z, {.memory = budget}, x = t),
               on_host = plan(z, {.memory = budget}, x = at::empty({4096, 1000}));
    const device::taken takes = device::taken_by(p, device::caching_rules{});
    INFO("budget " << budget << ", allocated " << takes.allocated << ", reserved " << takes.reserved);
    CHECK(takes.allocated <= budget);
    CHECK(takes.reserved >= takes.allocated);
    CHECK(p.peak_bytes() <= on_host.peak_bytes());
    CHECK(p.allowed == budget);
  }
  // The result alone takes 16,384,000 bytes.
  CHECK_THROWS_AS(plan(z, {.memory = 15_MiB}, x = t), memory_error);
  // The budget is one byte less than the rounded blocks need. The tensors alone would fit.
  const auto least = plan(z, {.memory = 1_GiB, .chunk = 1}, x = t);
  CHECK_NOTHROW(plan(z, {.memory = device::taken_by(least, device::caching_rules{}).allocated, .chunk = 1}, x = t));
  CHECK_THROWS_AS(
      plan(z, {.memory = device::taken_by(least, device::caching_rules{}).allocated - 1, .chunk = 1}, x = t),
      memory_error);
}

TEST_CASE("what cannot run on a device is said before anything runs") {
  const input<batch, 4> x{"x"};
  const parameter<3, 4> w{"w"};
  const auto y = linear(x, w);
  CHECK(refusal([&] { run(y, x = meta({2, 4})); }) == "x: the tensor is on meta; koila does not run there");
  const meta_device there;
  CHECK(refusal([&] { run(y, x = meta({2, 4})); }) ==
        "koila: x is on meta and w on cpu: all must be on one device; to(net, device) moves a model");
  const input<any, batch, 5> logp{"logp"};
  const at::Tensor lengths = meta({2}, at::kLong);
  const auto loss = ctc_loss(logp, lazy(meta({2, 3}, at::kLong)), lazy(lengths), lazy(lengths));
  CHECK(refusal([&] { run(loss, logp = meta({7, 2, 5})); }) ==
        "ctc: has no kernel for tensors on meta, only on the host");
}

TEST_CASE("without koila::cuda a CUDA tensor is refused") {
  const at::Device cuda(at::kCUDA, 0);
  const at::Tensor t = at::detail::make_tensor<c10::TensorImpl>(
      c10::Storage(c10::Storage::use_byte_size_t(), 0, c10::DataPtr(nullptr, cuda), nullptr, false),
      c10::DispatchKeySet(c10::DispatchKey::CUDA), caffe2::TypeMeta::Make<float>());
  const input<any> x{"x"};
  CHECK(refusal([&] { run(relu(x), x = t); }) ==
        "x: the tensor is on cuda:0; this program is not linked with koila::cuda");
  CHECK(refusal([&] { relu(t); }) == "relu: the tensor is on cuda:0; this program is not linked with koila::cuda");
  CHECK_THROWS_AS(device::free_memory(cuda), std::invalid_argument);
}
