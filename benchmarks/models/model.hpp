// SPDX-License-Identifier: MIT
#pragma once
// The models that scripts/memory measures and tests/models checks. A model can be made in any dtype
// and provides random inputs for any number of samples.
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

/// An expression whose shape is known only at run time, so that a model is compiled once for all
/// dtypes.
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
  index_t least = 1;  ///< the fewest samples that the model needs; batch norm, for example, needs two
  bool random = false;  ///< the model draws random numbers
  bool own_numbers = false;  ///< different dtypes draw different random numbers
  bool deep_norm = false;  ///< a long chain of batch norms, which magnify rounding errors

  /// Returns random inputs of `samples` samples. The values are the same in every dtype, up to
  /// rounding.
  auto bind(index_t samples, std::uint64_t seed) const -> bound_tensors;
};

/// Returns the tensors in `all` that belong to inputs of the expression.
auto bound_in(const dynamic& e, const bound_tensors& all) -> bound_tensors;

/// Makes a model in a dtype. The model may depend on values that the function captures.
using make_model = std::function<model(dtype)>;
/// The name of a model, and the function that makes the model.
struct entry {
  std::string name;
  make_model make;
  bool sixteen_bits = false;  ///< also supports bfloat16
  bool single = false;  ///< the layers exist only in float32
};

/// Returns all models.
auto all() -> std::vector<entry>;

// Each of these functions adds some of the models to the list. Each has a file of its own.
void add_examples(std::vector<entry>& to);
void add_more_examples(std::vector<entry>& to);
void add_perceptrons(std::vector<entry>& to);
void add_convolutional(std::vector<entry>& to);
void add_sequences(std::vector<entry>& to);
void add_losses(std::vector<entry>& to);
void add_coupled(std::vector<entry>& to);
void add_random_graphs(std::vector<entry>& to);

}  // namespace models
