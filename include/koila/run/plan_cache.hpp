#pragma once
// Programs that `run` and `backward` keep for the next call of the same expression: lowering and
// planning take longer than a small model runs. What is kept holds no leaf and no tensor, and a few
// programs are kept at most, those used last.
#include <koila/run/program.hpp>

#include <functional>
#include <optional>

namespace koila {

namespace detail {

struct lowering;

/// Programs that are kept at most, the most nodes that one of them has, and all of them together:
/// about 2 KB of memory each.
inline constexpr std::size_t most_kept = 64, most_nodes_of_one = 2048, most_nodes_kept = 8192;

/// What a program depends on besides the tensors that leaves hold.
struct cache_key {
  /// What an input or a tensor made lazy is, whichever it is.
  struct given_leaf {
    const char* name;
    dims declared;
    layout how;
    bool requires_grad;
    auto operator==(const given_leaf&) const -> bool = default;
  };
  graph_signature calls;
  std::vector<given_leaf> given;
  std::vector<std::int64_t> tensors;  // of each that is bound or held its leaf, dtype, sizes and strides
  options how;
  bool gradients = false, by_operators = false, inference = false;
  int threads = 0, instructions = 0;
  auto operator==(const cache_key& o) const -> bool;
};

/// A program and how it was planned. Its graph has leaves of its own that stand for the
/// expression's: they have tensors while it runs.
struct kept_program {
  struct placeholder {
    const leaf_state* of;  // alive where an expression with the key's leaves is; of an input or a tensor the call's own
    handle<leaf_state> own;
    handle<tensor_box> bound;  // what `own` holds where `of` is bound to a tensor
    std::size_t place = 0;  // of an input or a tensor, among the key's
  };
  cache_key key;
  std::vector<placeholder> leaves;
  std::vector<std::size_t> trained;  // parameters' places among the leaves, in the order of the gradients
  std::optional<planner> plans;
  std::unique_ptr<program> ready;
  index_t allowed = -1;  // bytes
  std::optional<bool> fastest;  // whatever the budget; not asked yet
  bool again = false;  // a later call may use it
  bool found = false;  // one has
  bool used = false;

  auto parameter(std::size_t k) const -> const leaf_state& { return *leaves[trained[k]].of; }
  /// Has the inputs and tensors of this call in place of those of the last.
  void stand_for(const graph_signature& calls);
  /// Gives leaves their tensors. False where that cannot be, or the program is not for these.
  auto bind(const bound_tensors& bound) -> bool;
  void unbind();
  /// Whether there is the memory for it, and no faster plan fits.
  auto is_right_now() -> bool;
};

/// The program of an expression, with its gradients where `gradients`: kept, or made. It is nobody
/// else's until it is kept again. Throws shape_error or memory_error.
auto prepared(const lowering& e, bool gradients, const options& o, const bound_tensors& bound)
    -> std::unique_ptr<kept_program>;
/// Runs it, in the chunks of its plan; where memory runs out nevertheless, in those of smaller
/// plans. Calls `use` with the program that has run, which it is to commit; then the program is
/// kept.
void run_prepared(std::unique_ptr<kept_program> p, const std::function<void(program&)>& use);

}  // namespace detail

/// Drops the programs that `run` and `backward` keep for their next calls. They hold no tensors;
/// this is for who counts every byte.
void drop_kept_programs();
/// How many are kept.
auto kept_programs() -> std::size_t;

}  // namespace koila
