// SPDX-License-Identifier: MIT
// Models of vectors.
#include "models/autoencoder.hpp"
#include "models/deep_batch_norm.hpp"
#include "models/dropout_mlp.hpp"
#include "models/gaussian_regression.hpp"
#include "models/linear_regression.hpp"
#include "models/matrix_factorisation.hpp"
#include "models/mixture_of_experts.hpp"
#include "models/mlp.hpp"
#include "models/shared_weights.hpp"
#include "models/vae.hpp"
#include "models/wide_and_deep.hpp"

void models::add_perceptrons(std::vector<entry>& to) {
  to.push_back({.name = "mlp", .make = mlp, .sixteen_bits = true});
  to.push_back({.name = "dropout_mlp", .make = dropout_mlp, .sixteen_bits = true});
  to.push_back({.name = "deep_batch_norm", .make = deep_batch_norm});
  to.push_back({.name = "autoencoder", .make = autoencoder, .sixteen_bits = true});
  to.push_back({.name = "vae", .make = vae, .sixteen_bits = true});
  to.push_back({.name = "wide_and_deep", .make = wide_and_deep, .sixteen_bits = true});
  to.push_back({.name = "matrix_factorisation", .make = matrix_factorisation, .sixteen_bits = true});
  to.push_back({.name = "mixture_of_experts", .make = mixture_of_experts, .sixteen_bits = true});
  to.push_back({.name = "gaussian_regression", .make = gaussian_regression, .sixteen_bits = true});
  to.push_back({.name = "linear_regression", .make = linear_regression, .sixteen_bits = true});
  to.push_back({.name = "shared_weights", .make = shared_weights, .sixteen_bits = true});
}
