// SPDX-License-Identifier: MIT
// The memory budget on a CUDA device, and the predicted peak against the measured peak. LibTorch's
// caching allocator rounds every allocation up to a block.
#include "support.hpp"

namespace test {

TEST_CASE("what may be taken of a device is what the driver has and what the allocator would give back") {
  if (no_device()) return;
  at::Tensor t = at::empty({64 << 20}, at::TensorOptions(at::kByte).device(gpu));
  const index_t with = device::free_memory(gpu);
  t.reset();  // the allocator keeps the block in its cache
  const index_t without = device::free_memory(gpu);
  CHECK(without - with >= index_t{64} << 20);
  c10::cuda::CUDACachingAllocator::emptyCache();
  CHECK(std::abs(device::free_memory(gpu) - without) <= index_t{64} << 20);  // other processes may use the device too
}

TEST_CASE("blocks on a device are as large as the model of the allocator says") {
  if (no_device()) return;
  const device::caching_rules rules = device::backend_of(gpu)->rules();
  c10::cuda::CUDACachingAllocator::emptyCache();
  for (const index_t bytes :
       {1, 512, 513, 1 << 20, (1 << 20) + 1, 5 << 20, (10 << 20) - 1, 11 << 20, (12 << 20) + 1, 65 << 20}) {
    const measure here;
    const at::Tensor t = at::empty({bytes}, at::TensorOptions(at::kByte).device(gpu));
    INFO(bytes << " bytes");
    const index_t block = device::block_bytes(bytes, rules), segment = device::segment_bytes(block, rules);
    CHECK(here.live() >= block);
    CHECK((here.live() == block || here.live() <= segment));
  }
}

TEST_CASE("a step on a device takes what is predicted: the arena, and tensors that leave") {
  if (no_device()) return;
  const parameter<256, 256> w{"w"};
  at::manual_seed(1);
  set(w, tensor_of(w).detach().to(gpu));
  const input<batch, 256> x{"x"};
  // LibTorch's kernels for element-wise ops and reductions allocate only partial sums.
  const auto loss = mean(square(mul(sigmoid(x), tanh(x))));
  const at::Tensor images = at::randn({4096, 256}, at::TensorOptions().device(gpu));
  for (const index_t chunk : {index_t{4096}, index_t{512}, index_t{64}}) {
    const options o{.memory = 1_GiB, .chunk = chunk};
    const auto p = plan(loss, o, x = images);
    const device::caching_rules rules = device::backend_of(gpu)->rules();
    (void)run(loss, o, x = images);  // the first run creates the libraries' handles
    const measure here;
    const at::Tensor value = run(loss, o, x = images);
    INFO("chunk " << chunk << ", predicted " << p.peak_bytes());
    CHECK(here.peak() >= device::block_bytes(p.arena_bytes, rules));
    // Besides the arena, the bound allows 2 MiB for the value, for the workspace of partial sums,
    // and for rounding each allocation up to a block.
    CHECK(here.peak() <= p.arena_bytes + 2 * (index_t{1} << 20));
  }
}

TEST_CASE("steps of models on a device stay near what is predicted") {
  if (no_device()) return;
  // An allowance for the workspaces of cuBLAS and cuDNN: these libraries choose the sizes.
  constexpr auto of_libraries = static_cast<index_t>(64_MiB);
  const auto check = [](const auto& net, const auto& x, index_t n) {
    to(net, gpu);
    const input<int64, batch> label{"label"};
    const auto loss = cross_entropy(net(x), label);
    const at::Tensor images = std::decay_t<decltype(net)>::images(n).to(gpu),
                     labels = at::randint(10, {n}, at::kLong).to(gpu);
    index_t before = 0;
    for (const index_t chunk : {n / 16, n / 4, n}) {
      const options o{.memory = 4_GiB, .chunk = chunk};
      const index_t arena = [&] {
        auto first = step(loss, sgd{.lr = 0.1}, o);
        first(x = images, label = labels);  // the first step creates the libraries' handles and workspaces
        return first.plan().arena_bytes;
      }();
      auto train = step(loss, sgd{.lr = 0.1}, o);
      const measure here;
      train(x = images, label = labels);
      INFO("chunk " << chunk << ", arena " << arena << ", measured " << here.peak());
      CHECK(here.peak() >= device::block_bytes(arena, device::backend_of(gpu)->rules()));
      CHECK(here.peak() <= arena + of_libraries);
      CHECK(here.peak() > before);  // larger chunks need more memory
      before = here.peak();
    }
  };
  check(mlp{}, mlp_input(), 1 << 16);
  check(conv_net{}, conv_input_of(), 1 << 13);
}

TEST_CASE("memory that is short on a device is told by type, before a step and in it") {
  if (no_device()) return;
  const input<batch, 1024> x{"x"};
  const auto y = mean(square(sigmoid(x)));
  CHECK_THROWS_AS(run(y, options{.memory = 1000}, x = at::ones({64, 1024}).to(gpu)), memory_error);
  try {
    (void)at::empty({index_t{1} << 60}, at::TensorOptions(at::kByte).device(gpu));
    FAIL("so much was allocated");
  } catch (const std::exception& e) { CHECK(device::outcome_of(e) == device::outcome::out_of_memory); }
}

}  // namespace test
