// SPDX-License-Identifier: MIT
#pragma once
// The three passes of a model: a forward run, gradients, and a training step. Each is planned, run
// and measured.
#include <map>
#include <tuple>

#include "measure.hpp"
#include "models/model.hpp"

namespace memory {

using namespace koila;
using namespace koila::detail;

enum class pass { forward, backward, step };

constexpr auto name_of(pass p) -> const char* {
  switch (p) {
    case pass::forward: return "forward";
    case pass::backward: return "backward";
    case pass::step: return "step";
  }
  return "";
}

/// Returns the CPU seconds that this thread has used. Wall-clock time would include other work of
/// the machine.
auto seconds_of_thread() -> double;

/// The figures that a plan states, in bytes and seconds.
struct planned {
  bool fits = true;
  index_t peak = 0;  ///< if no plan fits: the bytes that are needed
  index_t chunk = 0;
  double planning = 0;  ///< seconds that planning took
  bool again = false;  ///< the planner was reused: only the budget had changed
  double running = 0;   ///< predicted seconds of a run
};

/// A model with inputs of a given number of samples.
class bound_model {
 public:
  bound_model(const models::model& m, index_t samples);

  /// Plans a pass. Keeps the results that do not depend on the budget for the next call, as a step
  /// does.
  auto plan(pass p, const options& o) const -> planned;
  /// Returns the peak bytes of a plan for the whole batch, either with fused element-wise kernels
  /// or with every value stored. Runs nothing.
  auto whole_peak(pass p, bool fused) const -> index_t;
  /// Runs the pass and returns its peak memory in bytes.
  auto run(pass p, const options& o) const -> index_t;
  /// Returns the bytes that the optimiser keeps after the pass.
  auto kept(pass p) const -> index_t { return p == pass::step ? state_bytes_ : 0; }

 private:
  const models::model& model_;
  bound_tensors bound_;
  index_t state_bytes_ = 0;
  std::vector<binding<at::Tensor>> inputs_;
  // One planner for each combination of pass, chunk size (0 if the policy chooses the size) and
  // policy.
  mutable std::map<std::tuple<pass, index_t, chunk_policy>, planner> planners_;

  auto lowered(pass p) const -> lowered_expression;
};

}  // namespace memory
