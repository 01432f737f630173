#pragma once
// Rows of build/memory.json and what is counted over them.
#include <string>
#include <vector>

#include "memory/passes.hpp"

namespace memory {

/// A plan that was asked for, and what its run took. Bytes; chunk 0 where nothing fits and nothing
/// ran.
struct row {
  std::string model;
  std::string_view type;
  const char *kind, *policy;
  index_t batch, budget;  ///< budget negative: none
  index_t predicted, measured, chunk;
  double plan_seconds;
  bool again;  ///< only the budget was new
};

/// The peaks of a training step's plan, the whole batch at once, in bytes.
struct fusion {
  std::string model;
  index_t batch;
  index_t without, with;  ///< element-wise values fused
};

struct report {
  std::vector<row> rows;
  std::vector<fusion> fusions;
  /// Sentences about chunk sizes that fit and no plan did, about what else must not be, and about
  /// refusals that say that more is needed than would do.
  std::vector<std::string> missed, wrong, overstated;
};

/// What is asked of a model in one dtype: each batch, each pass, whole and fixed chunks, budgets
/// from the whole batch's peak to one byte below the least.
void ask(const models::model& m, const std::vector<index_t>& batches, report& into);

/// Writes the rows. Throws std::runtime_error where the file cannot be written.
void write_json(const report& r, const std::string& file);
/// Prints the counts; whether all is as it must be.
auto summarise(const report& r, std::size_t models) -> bool;

}  // namespace memory
