// Definitions of random.hpp.
#include <koila/ops/family/definitions.hpp>

#include <ATen/CPUGeneratorImpl.h>

#include <mutex>
#include <new>
#include <optional>
#include <type_traits>

namespace koila::detail {

struct saved_generator {
  at::mt19937 engine;
  std::optional<float> normal;
  std::optional<double> wide_normal;
};
static_assert(sizeof(saved_generator) <= sizeof(libtorch_random) && alignof(saved_generator) <= alignof(libtorch_random));
static_assert(std::is_trivially_destructible_v<saved_generator>);  // nobody ends its life

/// Calls f of LibTorch's generator of the host, which is nobody else's meanwhile.
template <class F>
auto with_libtorch_generator(const F& f) {
  const at::Generator& all = at::detail::getDefaultCPUGenerator();
  auto& g = *all.get<at::CPUGeneratorImpl>();
  const std::lock_guard lock(g.mutex_);
  return f(g);
}

KOILA_INLINE void save_libtorch_random(libtorch_random& before) {
  with_libtorch_generator([&](at::CPUGeneratorImpl& g) {
    ::new (static_cast<void*>(before.bytes))
        saved_generator{g.engine(), g.next_float_normal_sample(), g.next_double_normal_sample()};
  });
}

KOILA_COLD KOILA_INLINE void restore(const libtorch_random& before) {
  const auto& state = *std::launder(reinterpret_cast<const saved_generator*>(before.bytes));
  with_libtorch_generator([&](at::CPUGeneratorImpl& g) {
    g.set_engine(state.engine);
    g.set_next_float_normal_sample(state.normal);
    g.set_next_double_normal_sample(state.wide_normal);
  });
}

KOILA_INLINE auto draw_libtorch_seed() -> std::uint64_t {
  return with_libtorch_generator([](at::CPUGeneratorImpl& g) { return g.random64(); });
}

}  // namespace koila::detail
