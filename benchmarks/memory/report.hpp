// SPDX-License-Identifier: MIT
#pragma once
// The rows of build/memory.json, and the counts over them.
#include <string>
#include <vector>

#include "memory/passes.hpp"

namespace memory {

/// A plan, and the peak bytes of its run. `chunk` is 0 if no plan fits and nothing ran.
struct row {
  std::string model;
  std::string_view type;
  const char *kind, *policy;
  index_t batch, budget;  ///< a negative budget means that there is no limit
  index_t predicted, measured, chunk;
  double plan_seconds;
  bool again;  ///< the planner was reused: only the budget had changed
};

/// The peak bytes of a training step's plan for the whole batch.
struct fusion {
  std::string model;
  index_t batch;
  index_t without, with;  ///< `without`: every element-wise value is stored; `with`: element-wise ops are fused
};

struct report {
  std::vector<row> rows;
  std::vector<fusion> fusions;
  /// Error messages. `missed`: a chunk size fits although no plan was found. `overstated`: a
  /// refusal states more bytes than needed. `wrong`: all other mistakes.
  std::vector<std::string> missed, wrong, overstated;
};

/// Asks for plans of a model in one dtype, for each batch size and pass: with the whole batch, with
/// fixed chunks, and with budgets from the whole batch's peak down to one byte less than any plan
/// needs.
void ask(const models::model& m, const std::vector<index_t>& batches, report& into);

/// Writes the rows. Throws std::runtime_error if the file cannot be written.
void write_json(const report& r, const std::string& file);
/// Prints the counts. Returns true if there is no mistake.
auto summarise(const report& r, std::size_t models) -> bool;

}  // namespace memory
