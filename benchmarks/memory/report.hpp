// SPDX-License-Identifier: MIT
#pragma once
// The rows of build/memory.json, and the counts over them.
#include <string>
#include <vector>

#include "memory/passes.hpp"

namespace memory {

/// A plan that was asked for, and what its run took, in bytes. `chunk` is 0 if no plan fits and
/// nothing ran.
struct row {
  std::string model;
  std::string_view type;
  const char *kind, *policy;
  index_t batch, budget;  ///< negative budget: none
  index_t predicted, measured, chunk;
  double plan_seconds;
  bool again;  ///< only the budget had changed
};

/// The peak bytes of a training step's plan for the whole batch at once.
struct fusion {
  std::string model;
  index_t batch;
  index_t without, with;  ///< element-wise values not fused, and fused
};

struct report {
  std::vector<row> rows;
  std::vector<fusion> fusions;
  /// Messages: chunk sizes that fit although no plan did; other mistakes; refusals that state more
  /// bytes than needed.
  std::vector<std::string> missed, wrong, overstated;
};

/// Asks for plans of a model in one dtype: each batch size, each pass, the whole batch and fixed
/// chunks, and budgets from the whole batch's peak down to one byte below the smallest possible.
void ask(const models::model& m, const std::vector<index_t>& batches, report& into);

/// Writes the rows. Throws std::runtime_error if the file cannot be written.
void write_json(const report& r, const std::string& file);
/// Prints the counts. Returns true if there is no mistake.
auto summarise(const report& r, std::size_t models) -> bool;

}  // namespace memory
