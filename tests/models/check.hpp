// SPDX-License-Identifier: MIT
#pragma once
// Helpers shared by the tests of models. They compare results in chunks of any size with the
// results of the whole batch.
#include "models/model.hpp"
#include "run/support.hpp"

namespace test {

/// The results of one step of a model.
struct results {
  at::Tensor output, loss;
  // A gradient is undefined if the loss does not depend on its parameter.
  std::vector<at::Tensor> gradients, buffers;
};

/// A model in one dtype, with inputs of a given number of samples. In float64 the inputs have
/// float32 values, so that both dtypes solve the same problem.
class subject {
 public:
  subject(const models::entry& e, dtype t, index_t samples);
  /// Copies the values of another subject's parameters.
  void copy_from(const subject& o);
  /// Runs the model's output and gradients from the same initial state, in chunks of `chunk`
  /// samples.
  auto run(index_t chunk) const -> results;
  /// Runs only the model's gradients under a budget in bytes; the planner chooses the chunks.
  auto run_within(index_t budget) const -> results;
  /// Returns three budgets in bytes for the model's gradients: the smallest possible one, one that
  /// keeps every value in memory, and one in between.
  auto budgets() const -> std::vector<index_t>;
  auto model() const -> const models::model& { return model_; }
  auto bound() const -> const bound_tensors& { return bound_; }
  auto samples() const -> index_t { return samples_; }
  /// Returns the parameters' tensors in the order of their creation.
  auto parameters() const -> std::vector<at::Tensor>;
  /// Restores the state that runs change: random numbers, buffers, gradients.
  void begin() const;

 private:
  models::model model_;
  index_t samples_;
  bound_tensors bound_;
  std::vector<at::Tensor> buffers_;  // initial values

  void run_gradients(const options& o, results& into) const;
};

/// The largest error of each part of the results, relative to the norm of that part. A gradient
/// that is zero except for rounding is compared with the norm of all gradients.
struct errors {
  double output = 0, loss = 0, buffers = 0, all = 0;  // all: the error of all gradients as one vector
  std::vector<double> gradients;
};
auto errors_of(const results& got, const results& want) -> errors;

/// Returns chunk sizes: powers of two, sizes that leave a smaller last chunk, and the whole batch.
auto chunks_to_try(index_t samples) -> std::vector<index_t>;

/// Checks a model in chunks of several sizes. In float64, the results agree with the whole batch's
/// results within 1e-12, or within 1e-10 for a long chain of batch norms. In float32, errors are
/// measured against the float64 results of the whole batch. The error with chunks must be at most
/// float32_bound(terms, e), where e is the error of the float32 run on the whole batch.
void check_model(const models::entry& e);
void check_models(void (*list)(std::vector<models::entry>&));

/// Checks a model against LibTorch. `twin` computes the output and the loss of the whole batch with
/// LibTorch's functions.
using twin_function = std::function<std::pair<at::Tensor, at::Tensor>(const std::vector<at::Tensor>& parameters,
                                                                      const std::vector<at::Tensor>& inputs)>;
void check_twin(const models::entry& e, const twin_function& twin);

}  // namespace test
