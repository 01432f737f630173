// SPDX-License-Identifier: MIT
#pragma once
// The models that scripts/memory measures and tests/models checks. Each can be made in any dtype
// and has random inputs for any number of samples.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <koila/koila.hpp>

namespace models {

using namespace koila;
using namespace koila::detail;

/// A value whose shape the compiler does not know, so that a model is compiled once for all dtypes.
using dynamic = erased<unranked>;

/// An input, and a function that draws its tensor for a given number of samples.
struct source {
  handle<leaf_state> leaf;
  std::function<at::Tensor(index_t samples, const at::Generator&)> draw;
};

/// A model: a scalar loss to train, and an output.
struct model {
  std::string name;
  dtype type;
  dynamic output, loss;
  std::vector<source> inputs;
  std::vector<handle<leaf_state>> parameters, buffers;
  index_t least = 1;  ///< the fewest samples that it needs, as batch norm needs some
  bool random = false;  ///< draws random numbers
  bool own_numbers = false;  ///< draws different random numbers in different dtypes
  bool deep_norm = false;  ///< has batch norms in a long chain, which magnify rounding errors

  /// Returns random inputs of `samples` samples: the same values in every dtype, as far as it holds
  /// them.
  auto bind(index_t samples, std::uint64_t seed) const -> bound_tensors;
};

/// Returns those tensors for which the expression has an input.
auto bound_in(const dynamic& e, const bound_tensors& all) -> bound_tensors;

/// Makes a model in a dtype, and may depend on other things.
using make_model = std::function<model(dtype)>;
/// A model by its name, not made yet.
struct entry {
  std::string name;
  make_model make;
  bool sixteen_bits = false;  ///< takes bfloat16 too
  bool single = false;  ///< its layers only exist in float32
};

/// Returns all models.
auto all() -> std::vector<entry>;

// Each of these adds a part of that list, and has a file of its own.
void add_examples(std::vector<entry>& to);
void add_more_examples(std::vector<entry>& to);
void add_perceptrons(std::vector<entry>& to);
void add_convolutional(std::vector<entry>& to);
void add_sequences(std::vector<entry>& to);
void add_losses(std::vector<entry>& to);
void add_coupled(std::vector<entry>& to);
void add_random_graphs(std::vector<entry>& to);

}  // namespace models
