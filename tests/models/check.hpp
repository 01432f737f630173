#pragma once
// What the tests of models share: a model's results in chunks of any size against the whole
// batch's.
#include "models/model.hpp"
#include "run/support.hpp"

namespace test {

/// What a step of a model gives.
struct results {
  at::Tensor output, loss;
  std::vector<at::Tensor> gradients, buffers;  // undefined: the loss does not depend on the parameter
};

/// A model in one dtype with inputs of so many samples. Of float64 it has the values of float32, so
/// that both are one problem.
class subject {
 public:
  subject(const models::entry& e, dtype t, index_t samples);
  /// Gives its parameters and buffers the values of another's.
  void copy_from(const subject& o);
  /// Runs its output and its gradients from the same state, in chunks of so many samples.
  auto run(index_t chunk) const -> results;
  /// Its gradients alone under a budget in bytes, in whatever chunks are chosen.
  auto run_within(index_t budget) const -> results;
  /// Budgets for its gradients: the least that would do, one between, one that holds all.
  auto budgets() const -> std::vector<index_t>;
  auto model() const -> const models::model& { return model_; }
  auto bound() const -> const bound_tensors& { return bound_; }
  auto samples() const -> index_t { return samples_; }
  /// Its parameters' tensors, in the order in which they were made.
  auto parameters() const -> std::vector<at::Tensor>;
  /// Puts back what runs change: random numbers, buffers, gradients.
  void begin() const;

 private:
  models::model model_;
  index_t samples_;
  bound_tensors bound_;
  std::vector<at::Tensor> buffers_;  // what they begin with

  void run_gradients(const options& o, results& into) const;
};

/// The largest error of each part of the results, relative to the part's norm. A gradient that is
/// zero but for rounding is measured by the norm of all.
struct errors {
  double output = 0, loss = 0, buffers = 0, all = 0;  // all: of all gradients as one vector
  std::vector<double> gradients;
};
auto errors_of(const results& got, const results& want) -> errors;

/// Chunk sizes: powers of two, ragged ones, the batch.
auto chunks_to_try(index_t samples) -> std::vector<index_t>;

/// In float64 within 1e-12 of the whole batch's, 1e-10 through many batch norms; in float32 as near
/// to float64 as the whole batch at once is: at most 1.5 times its error and 1e-6.
void check_model(const models::entry& e);
void check_models(void (*list)(std::vector<models::entry>&));

/// The same against LibTorch: `twin` computes output and loss of parameters and inputs by
/// LibTorch's functions, whole.
using twin_function = std::function<std::pair<at::Tensor, at::Tensor>(const std::vector<at::Tensor>& parameters,
                                                                      const std::vector<at::Tensor>& inputs)>;
void check_twin(const models::entry& e, const twin_function& twin);

}  // namespace test
