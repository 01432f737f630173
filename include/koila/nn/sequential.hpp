// SPDX-License-Identifier: MIT
#pragma once
// Layers that run one after the other.
#include <koila/nn/module.hpp>

namespace koila::inline v0::nn {

/// Calls each layer, op or function with the result of the previous one:
/// `sequential net(nn::linear<784, 512>{}, relu, nn::linear<512, 10>{})`. The parameters are named
/// by index, as in torch.nn.Sequential.
template <class... L>
struct sequential {
  const char* name = "";
  std::tuple<L...> layers;

  constexpr explicit sequential(L... l) : layers(std::move(l)...) {}
  constexpr sequential(const char* n, L... l) : name(n), layers(std::move(l)...) {}
  auto members() const {
    return std::apply([](const auto&... l) { return std::tie(l...); }, layers);
  }
  auto members() {
    return std::apply([](auto&... l) { return std::tie(l...); }, layers);
  }

  auto operator()(const auto& x) const { return from<0>(x); }

 private:
  template <std::size_t I>
  auto from(const auto& x) const {
    if constexpr (I == sizeof...(L)) return x;
    else return from<I + 1>(std::get<I>(layers)(x));
  }
};
template <class... L>
sequential(const char*, L...) -> sequential<L...>;

/// N layers of one type under one name: `nn::repeated<block, 6> layers{"layers"}`.
/// torch.nn.ModuleList.
template <class M, std::size_t N>
struct repeated {
  const char* name;
  std::array<M, N> layers{};

  constexpr repeated() : repeated("") {}
  constexpr explicit repeated(const char* n) : name(n) {}
  constexpr auto operator[](std::size_t i) -> M& { return layers[i]; }
  constexpr auto operator[](std::size_t i) const -> const M& { return layers[i]; }
  constexpr auto begin() { return layers.begin(); }
  constexpr auto begin() const { return layers.begin(); }
  constexpr auto end() { return layers.end(); }
  constexpr auto end() const { return layers.end(); }
  constexpr auto size() const -> std::size_t { return N; }
};

}  // namespace koila::inline v0::nn
