#pragma once
// Normalisation layers.
#include <koila/nn/linear.hpp>
#include <koila/ops/batch_norm.hpp>
#include <koila/ops/group_norm.hpp>
#include <koila/ops/instance_norm.hpp>
#include <koila/ops/layer_norm.hpp>
#include <koila/ops/rms_norm.hpp>

namespace koila::nn {

/// (n, C, ...) -> (n, C, ...): in training normalised by the statistics of the whole batch, however it is cut, which move the
/// running ones; else by these. torch.nn.BatchNorm1d, 2d and 3d.
template <index_t C, dtype T = float32>
struct batch_norm {
  const char* name;
  double eps = 1e-5, momentum = 0.1;
  bool training = true;
  parameter<T, C> weight{"weight", {initial::constant, 1}};
  parameter<T, C> bias{"bias", {initial::constant, 0}};
  buffer<T, C> running_mean{"running_mean", {initial::constant, 0}};
  buffer<T, C> running_var{"running_var", {initial::constant, 1}};

  constexpr batch_norm() : batch_norm("") {}
  constexpr explicit batch_norm(const char* n) : name(n) {}
  auto members() const { return std::tie(weight, bias, running_mean, running_var); }
  auto members() { return std::tie(weight, bias, running_mean, running_var); }

  auto operator()(const auto& x) const {
    return koila::batch_norm(x, weight, bias, running_mean, running_var, koila::training = training, koila::momentum = momentum,
                             koila::eps = eps);
  }
};

/// (..., D...) -> (..., D...): normalised over the last dims. torch.nn.LayerNorm.
template <index_t... D>
struct layer_norm {
  const char* name;
  double eps = 1e-5;
  parameter<D...> weight{"weight", {initial::constant, 1}};
  parameter<D...> bias{"bias", {initial::constant, 0}};

  constexpr layer_norm() : layer_norm("") {}
  constexpr explicit layer_norm(const char* n) : name(n) {}
  auto members() const { return std::tie(weight, bias); }
  auto members() { return std::tie(weight, bias); }

  auto operator()(const auto& x) const { return koila::layer_norm(x, weight, bias, koila::eps = eps); }
};

/// (..., D) -> (..., D): divided by the root of the mean square over the last dim. torch.nn.RMSNorm.
template <index_t D>
struct rms_norm {
  const char* name;
  parameter<D> weight{"weight", {initial::constant, 1}};

  constexpr rms_norm() : rms_norm("") {}
  constexpr explicit rms_norm(const char* n) : name(n) {}
  auto members() const { return std::tie(weight); }
  auto members() { return std::tie(weight); }

  auto operator()(const auto& x) const { return koila::rms_norm(x, weight); }
};

/// (n, C, ...) -> (n, C, ...): normalised over each of Groups groups of channels. torch.nn.GroupNorm.
template <index_t Groups, index_t C>
struct group_norm {
  const char* name;
  double eps = 1e-5;
  parameter<C> weight{"weight", {initial::constant, 1}};
  parameter<C> bias{"bias", {initial::constant, 0}};

  constexpr group_norm() : group_norm("") {}
  constexpr explicit group_norm(const char* n) : name(n) {}
  auto members() const { return std::tie(weight, bias); }
  auto members() { return std::tie(weight, bias); }

  auto operator()(const auto& x) const {
    return koila::group_norm(x, weight, bias, koila::num_groups = hana::integral_constant<index_t, Groups>{}, koila::eps = eps);
  }
};

}  // namespace koila::nn
