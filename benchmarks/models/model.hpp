#pragma once
// The models that scripts/memory measures and tests/models checks: each of any dtype, with random
// inputs for any number of samples.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <koila/koila.hpp>

namespace models {

using namespace koila;

/// A value whose shape the compiler does not know, so that a model is compiled once and is of any
/// dtype.
using dynamic = erased<unranked>;

/// An input, and how its tensor for so many samples is drawn.
struct source {
  handle<leaf_state> leaf;
  std::function<at::Tensor(index_t samples, const at::Generator&)> draw;
};

/// What is trained: a scalar loss; and what is computed where it is not: an output.
struct model {
  std::string name;
  dtype type;
  dynamic output, loss;
  std::vector<source> inputs;
  std::vector<handle<leaf_state>> parameters, buffers;
  index_t least = 1;  ///< samples that it needs, as batch norm does
  bool random = false;  ///< draws random numbers
  bool own_numbers = false;  ///< draws other random numbers in another dtype
  bool deep_norm = false;  ///< batch norms in a long chain, which rounding errors grow through

  /// Random inputs of so many samples: the same values for every dtype, as far as it holds them.
  auto bind(index_t samples, std::uint64_t seed) const -> bound_tensors;
};

/// Those of the tensors that an expression has an input for.
auto bound_in(const dynamic& e, const bound_tensors& all) -> bound_tensors;

/// What a model may depend on besides its dtype.
using make_model = std::function<model(dtype)>;
/// A model by name, not made yet.
struct entry {
  std::string name;
  make_model make;
  bool sixteen_bits = false;  ///< takes bfloat16 too
  bool single = false;  ///< its layers are of float32 alone
};

/// All models.
auto all() -> std::vector<entry>;

// Parts of that list, each in a file of its own.
void add_examples(std::vector<entry>& to);
void add_more_examples(std::vector<entry>& to);
void add_perceptrons(std::vector<entry>& to);
void add_convolutional(std::vector<entry>& to);
void add_sequences(std::vector<entry>& to);
void add_losses(std::vector<entry>& to);
void add_coupled(std::vector<entry>& to);
void add_random_graphs(std::vector<entry>& to);

}  // namespace models
