#pragma once
// The three things that are done with a model: a forward run, gradients, a training step; each
// planned, run and measured.
#include <map>
#include <tuple>

#include "measure.hpp"
#include "models/model.hpp"

namespace memory {

using namespace koila;

enum class pass { forward, backward, step };

constexpr auto name_of(pass p) -> const char* {
  switch (p) {
    case pass::forward: return "forward";
    case pass::backward: return "backward";
    case pass::step: return "step";
  }
  return "";
}

/// What this thread has computed for so far: the machine may do other things.
auto seconds_of_thread() -> double;

/// What a plan says of itself, in bytes and seconds.
struct planned {
  bool fits = true;
  index_t peak = 0;  ///< where nothing fits, that which is needed
  index_t chunk = 0;
  double planning = 0;  ///< that planning took
  bool again = false;  ///< what does not depend on the budget was known
  double running = 0;   ///< that the run is thought to take
};

/// A model with inputs of so many samples.
class bound_model {
 public:
  bound_model(const models::model& m, index_t samples);

  /// Plans. As a step does, it keeps what does not depend on the budget.
  auto plan(pass p, const options& o) const -> planned;
  /// The peak of the whole batch's plan, with runs of element-wise values fused or each value
  /// stored. Nothing runs.
  auto whole_peak(pass p, bool fused) const -> index_t;
  /// Runs it and returns the most bytes that were allocated at a time.
  auto run(pass p, const options& o) const -> index_t;
  /// Bytes that an optimiser keeps after it.
  auto kept(pass p) const -> index_t { return p == pass::step ? state_bytes_ : 0; }

 private:
  const models::model& model_;
  bound_tensors bound_;
  index_t state_bytes_ = 0;
  std::vector<binding<at::Tensor>> inputs_;
  mutable std::map<std::tuple<pass, index_t, chunk_policy>, planner>
      planners_;  // of a pass with a chunk size, 0 for the policy's

  auto lowered(pass p) const -> lowered_expression;
};

}  // namespace memory
