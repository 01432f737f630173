// SPDX-License-Identifier: MIT
// Definitions of seed.hpp.
#include <koila/ops/common/definitions.hpp>
#include <koila/run/seed.hpp>
#include <koila/torch/generator.hpp>

#include <new>
#include <type_traits>

namespace koila::inline v0::detail {

static_assert(sizeof(saved_generator) <= sizeof(libtorch_random) &&
              alignof(saved_generator) <= alignof(libtorch_random));
static_assert(std::is_trivially_destructible_v<saved_generator>);  // its destructor is never called

void save_libtorch_random(libtorch_random& before) {
  ::new (static_cast<void*>(before.bytes)) saved_generator(libtorch_generator());
}

void restore(const libtorch_random& before) {
  const auto& state = *std::launder(reinterpret_cast<const saved_generator*>(before.bytes));
  with_libtorch_generator([&](at::CPUGeneratorImpl& g) {
    g.set_engine(state.engine);
    g.set_next_float_normal_sample(state.normal);
    g.set_next_double_normal_sample(state.wide_normal);
  });
}

auto draw_libtorch_seed() -> std::uint64_t {
  return with_libtorch_generator([](at::CPUGeneratorImpl& g) { return g.random64(); });
}

}  // namespace koila::inline v0::detail
