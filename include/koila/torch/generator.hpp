// SPDX-License-Identifier: MIT
#pragma once
// The state of LibTorch's CPU generator.
#include <ATen/CPUGeneratorImpl.h>

#include <mutex>
#include <optional>

namespace koila::inline v0::detail {

/// State of the generator: the engine, and the normal samples that LibTorch has computed but not
/// returned yet.
struct saved_generator {
  at::mt19937 engine;
  std::optional<float> normal;
  std::optional<double> wide_normal;

  friend auto operator==(const saved_generator& a, const saved_generator& b) -> bool {
    const at::mt19937_data_pod x = a.engine.data(), y = b.engine.data();
    return x.left_ == y.left_ && x.next_ == y.next_ && x.state_ == y.state_ && a.normal == b.normal &&
           a.wide_normal == b.wide_normal;
  }
};

/// Calls f with LibTorch's CPU generator while its mutex is locked.
template <class F>
auto with_libtorch_generator(const F& f) {
  const at::Generator& all = at::detail::getDefaultCPUGenerator();
  auto& g = *all.get<at::CPUGeneratorImpl>();
  const std::lock_guard lock(g.mutex_);
  return f(g);
}

/// Returns the current state of LibTorch's CPU generator. Allocates nothing.
inline auto libtorch_generator() -> saved_generator {
  return with_libtorch_generator([](at::CPUGeneratorImpl& g) {
    return saved_generator{g.engine(), g.next_float_normal_sample(), g.next_double_normal_sample()};
  });
}

/// Returns the state of LibTorch's CPU generator as a tensor of bytes.
inline auto libtorch_generator_state() -> at::Tensor {
  at::Generator g = at::detail::getDefaultCPUGenerator();
  const std::lock_guard lock(g.mutex());
  return g.get_state();
}
/// Throws c10::Error if a tensor is not a state of the CPU generator.
inline void check_generator_state(const at::Tensor& state) { at::detail::createCPUGenerator().set_state(state); }
inline void set_libtorch_generator_state(const at::Tensor& state) {
  at::Generator g = at::detail::getDefaultCPUGenerator();
  const std::lock_guard lock(g.mutex());
  g.set_state(state);
}

}  // namespace koila::inline v0::detail
