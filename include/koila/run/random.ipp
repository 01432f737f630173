// Definitions of random.hpp.
#include <koila/ops/family/definitions.hpp>

#include <ATen/CPUGeneratorImpl.h>

namespace koila::detail {

struct libtorch_random {
  at::mt19937 engine;
  std::optional<float> normal;
  std::optional<double> wide_normal;
};

KOILA_COLD KOILA_INLINE void drop_libtorch_random::operator()(libtorch_random* p) const { delete p; }

KOILA_COLD KOILA_INLINE auto save_libtorch_random() -> saved_libtorch_random {
  const at::Generator all = at::detail::getDefaultCPUGenerator();
  auto* const g = all.get<at::CPUGeneratorImpl>();
  const std::lock_guard lock(g->mutex_);
  return saved_libtorch_random(new libtorch_random{g->engine(), g->next_float_normal_sample(), g->next_double_normal_sample()});
}

KOILA_COLD KOILA_INLINE void restore(const libtorch_random& state) {
  const at::Generator all = at::detail::getDefaultCPUGenerator();
  auto* const g = all.get<at::CPUGeneratorImpl>();
  const std::lock_guard lock(g->mutex_);
  g->set_engine(state.engine);
  g->set_next_float_normal_sample(state.normal);
  g->set_next_double_normal_sample(state.wide_normal);
}

}  // namespace koila::detail
