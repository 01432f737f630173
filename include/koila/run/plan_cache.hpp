// SPDX-License-Identifier: MIT
#pragma once
// A cache of programs. `run` and `backward` keep a program for the next call of the same
// expression, because lowering and planning take longer than running a small model. Cached programs
// hold no tensors and none of the expression's leaves. The cache keeps only the most recently used
// programs.
#include <koila/graph/lowered_expression.hpp>
#include <koila/run/program.hpp>

#include <functional>
#include <optional>

namespace koila::inline v0 {

namespace detail {

struct lowering;

/// What a program computes.
struct program_source {
  program_source() = default;
  program_source(const program_source&) = default;
  auto operator=(const program_source&) -> program_source& = default;
  /// Makes the calls to a builder that records them. Equal calls make equal graphs.
  virtual void record(builder& b) const = 0;
  virtual auto lower(bindings bound) const -> lowered_expression = 0;

 protected:
  ~program_source() = default;
};

/// Limits of the cache: the number of programs, the nodes of one program, and the nodes of all
/// programs together. A node takes about 2 KB of memory.
inline constexpr std::size_t most_kept = 64, most_nodes_of_one = 2048, most_nodes_kept = 8192;

/// The key of a cached program: everything that the program depends on, except for the tensors of
/// parameters and buffers.
struct cache_key {
  /// A description of an input or a lazy tensor, which may be a different object in each call.
  struct given_leaf {
    const char* name;
    dims declared;
    author::layout layout;
    bool requires_grad;
    auto operator==(const given_leaf&) const -> bool = default;
  };
  graph_signature calls;
  std::vector<given_leaf> given;
  std::vector<std::int64_t> tensors;  // leaf, dtype, sizes and strides of each tensor that is bound or lazy
  koila::options options;
  bool gradients = false, by_operators = false, inference = false;
  int threads = 0, instructions = 0;
  auto operator==(const cache_key& o) const -> bool;
};

/// A program and the planner that made it. The leaves of its graph are placeholders for the
/// leaves of the expression. The placeholders have tensors only while the program runs.
struct kept_program {
  struct placeholder {
    // The leaf of the expression that this placeholder stands for. For an input or a lazy tensor,
    // this is the leaf of the current call. For a parameter or a buffer, the pointer is valid only
    // while an expression with this key exists, because the expression keeps the leaf alive.
    const leaf_state* stands_for;
    handle<leaf_state> own;
    handle<tensor_box> bound;  // the value of `own` if the call binds a tensor to `stands_for`
    std::size_t index = 0;  // for an input or a lazy tensor: its index in the key's `given`
  };
  cache_key key;
  std::vector<placeholder> leaves;
  std::vector<std::size_t> trained;  // indices of parameters in `leaves`, in the order of the gradients
  std::optional<planner> plans;
  std::unique_ptr<program> ready;
  index_t allowed = -1;  // budget in bytes
  std::optional<bool> fastest;  // true if no plan is faster, whatever the budget; empty if not known yet
  bool again = false;  // a later call may use the program
  bool found = false;  // a later call has used the program
  bool used = false;

  auto parameter(std::size_t k) const -> const leaf_state& { return *leaves[trained[k]].stands_for; }
  /// Replaces the last call's inputs and lazy tensors by those of this call.
  void stand_for(const graph_signature& calls);
  /// Gives the placeholders their tensors. Returns false if a tensor is not plain, or if the
  /// program cannot run on the tensors (program::fits).
  auto bind(const bound_tensors& bound) -> bool;
  void unbind();
  /// Returns true if the program's plan is still the best. This is the case if the caller has set
  /// the budget, or if there is plenty of free memory and no other plan is faster.
  auto is_right_now() -> bool;
};

/// Takes a program for an expression from the cache, or makes the program. If `gradients` is true,
/// the program also computes the gradients. Only the caller uses the program until it is back in
/// the cache. Throws shape_error or memory_error.
auto prepared(const lowering& e, bool gradients, const options& o, const bound_tensors& bound)
    -> std::unique_ptr<kept_program>;
auto prepared(const program_source& source, bool gradients, const options& o, const bound_tensors& bound)
    -> std::unique_ptr<kept_program>;
/// Runs a program in the chunks of its plan. If memory runs out, tries again with a plan that needs
/// less memory. After the run, calls `use`, which must commit the program, and puts the program
/// into the cache. If `seed` is given, the run draws its random numbers with this seed. If the seed
/// is empty, the run draws a seed and stores it, so that later runs can draw the same numbers.
void run_prepared(std::unique_ptr<kept_program> p, const std::function<void(program&)>& use,
                  std::optional<std::uint64_t>* seed = nullptr);

}  // namespace detail

/// Drops the programs that `run` and `backward` keep for later calls. The programs hold no tensors,
/// so this call frees little memory.
void drop_kept_programs();
/// Returns the number of programs in the cache.
auto kept_programs() -> std::size_t;

}  // namespace koila::inline v0
