#pragma once
// The graph: values in order of computation, each with its relation to the batch, common
// subexpressions found.
#include <koila/graph/graph_signature.hpp>
#include <koila/shape/hash.hpp>

#include <array>
#include <vector>

namespace koila {

/// The most operands of an op.
inline constexpr int most_operands = 6;

/// What a node is. Structural kinds change a value's relation to the batch and nothing else.
enum class kind : signed char {
  leaf,        ///< an input, a parameter or a tensor
  number,      ///< a C++ number
  compute,     ///< an op that writes its result
  view,        ///< an op that shares its operand's storage
  whole_leaf,  ///< all samples of an input
  gather,      ///< all rows of a per-sample value: the partial `concat`
  slice,       ///< the rows of a whole value that a chunk needs, as a view
  take_rows,   ///< the same as a copy, where the rows do not lie together (outer > 1)
};

/// One value.
struct graph_node {
  kind is = kind::compute;
  layout how = layout::dense;
  int n_in = 0;
  std::array<int, most_operands> in{-1, -1, -1, -1, -1, -1};
  const op_info* op = nullptr;
  handle<const object> attributes;
  dims d{};
  relation r{};
  handle<const leaf_state> leaf;
  double number = 0;
  work cost{};  ///< for the whole batch

  /// Whether the value of operand k is read, not just its dims.
  constexpr auto reads(int k) const -> bool { return op == nullptr || (op->shape_only >> k & 1U) == 0; }
  /// Shares storage with operand 0.
  constexpr auto is_view() const -> bool { return is == kind::view || is == kind::slice || is == kind::whole_leaf; }
  /// Resident before the step begins.
  constexpr auto is_resident() const -> bool { return is == kind::leaf; }
  constexpr auto name() const -> std::string_view {
    switch (is) {
      case kind::leaf: return leaf->name;
      case kind::number: return "number";
      case kind::whole_leaf: return "whole";
      case kind::gather: return "gather";
      case kind::slice: return "slice";
      case kind::take_rows: return "take_rows";
      default: return op->name;
    }
  }
};

namespace detail {

/// So many times the same: vector(n, x) is no constant expression on clang 19.
template <class T>
constexpr auto filled(std::size_t n, T v) -> std::vector<T> {
  std::vector<T> out;
  out.reserve(n);
  for (std::size_t i = 0; i < n; ++i) out.push_back(v);
  return out;
}

/// A hash table of node ids that also works in constant expressions. Keys are compared by the
/// caller.
class id_table {
 public:
  template <class Same>
  constexpr auto find(std::size_t hash, Same same) const -> int {
    if (slots_.empty()) return -1;
    for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
      if (slots_[i].id < 0) return -1;
      if (slots_[i].hash == hash && same(slots_[i].id)) return slots_[i].id;
    }
  }
  constexpr void insert(std::size_t hash, int id) {
    if (2 * ++used_ > slots_.size()) grow();
    put({hash, id});
  }

 private:
  struct entry {
    std::size_t hash = 0;
    int id = -1;
  };
  constexpr auto mask() const -> std::size_t { return slots_.size() - 1; }
  constexpr void put(entry e) {
    std::size_t i = e.hash & mask();
    while (slots_[i].id >= 0) i = (i + 1) & mask();
    slots_[i] = e;
  }
  constexpr void grow() {
    std::vector<entry> old;
    std::swap(old, slots_);
    const std::size_t size = old.empty() ? 64 : 2 * old.size();
    slots_.reserve(size);
    for (std::size_t i = 0; i < size; ++i) slots_.push_back({});  // vector(n, x) is no constant expression on clang 19
    for (const entry& e : old)
      if (e.id >= 0) put(e);
  }

  std::vector<entry> slots_;
  std::size_t used_ = 0;
};

/// Addresses cannot be hashed in constant expressions; there the table is a list.
constexpr auto hash_address(const void* p) -> std::size_t {
  if (std::is_constant_evaluated()) return 0;
  return mix(0, reinterpret_cast<std::size_t>(p));
}

}  // namespace detail

/// What a call says of its leaves: the dims of bound inputs, the extents of axes.
struct bindings {
  struct leaf_dims {
    const leaf_state* leaf;
    dims d;
    layout how;
    bool requires_grad = false;  // outside of the expression
  };
  struct axis_extent {
    std::string_view axis;
    index_t n;
  };
  std::vector<leaf_dims> leaves;
  std::vector<axis_extent> axes;

  constexpr auto requires_grad(const leaf_state& leaf) const -> bool {
    for (const auto& l : leaves)
      if (l.leaf == &leaf) return l.requires_grad;
    return leaf.is == leaf_state::tensor && leaf.requires_grad;
  }
  constexpr auto find(std::string_view axis) const -> index_t {
    for (const auto& a : axes)
      if (a.axis == axis) return a.n;
    return -1;
  }
  constexpr auto batch() const -> index_t { return find(axis_name<struct batch>); }
};

/// What a buffer is changed to when a run has succeeded.
struct buffer_update {
  handle<const leaf_state> leaf;
  int node;
};

/// Builds the graph of expressions for one set of bindings. All extents are known here.
struct builder {
  bindings bound;
  std::vector<graph_node> nodes;
  std::vector<buffer_update> updates;  ///< one for each buffer that changes
  std::vector<const fused_elements*> fused;  ///< kernels of several ops that were compiled for what is lowered
  /// Element-wise values are computed together where they can be (plan/fusion_groups.hpp): by
  /// koila's kernels, so on the host alone.
  bool fuses = true;
  /// Where given, what is asked for is noted down there, and no graph is made.
  graph_signature* notes = nullptr;

  constexpr explicit builder(bindings b) : bound(std::move(b)) {}

  /// A leaf, once. Throws shape_error when its dims are not known or an axis has two extents.
  constexpr auto leaf(const leaf_state& s) -> int {
    if (std::is_constant_evaluated()) return leaf_now(s);
    return leaf_compiled(s);
  }
  /// A C++ number.
  constexpr auto number(double v, const dims& d) -> int;
  /// Notes a kernel of several ops down, once: it may compute those ops of this graph that are as
  /// its tree says.
  void offer(const fused_elements& f) {
    if (notes != nullptr) return notes->offer(f);
    for (const fused_elements* known : fused)
      if (known == &f) return;
    fused.push_back(&f);
  }
  /// The result of an op, with what its operands need inserted; composites expanded. Throws
  /// shape_error as the rule says.
  constexpr auto add(const op_info& op, const int* in, int n, handle<const object> at) -> int {
    if (std::is_constant_evaluated()) return add_now(op, in, n, std::move(at));
    return add_compiled(op, in, n, std::move(at));
  }
  /// The whole of a value.
  constexpr auto whole(int v) -> int;
  /// The rows of a value along an axis.
  constexpr auto rows_of(int v, relation along) -> int;
  /// A value as the relation of another: what a cotangent must have.
  constexpr auto related(int v, relation r) -> int { return r.sampled() ? rows_of(v, r) : whole(v); }
  /// A contiguous copy where the value is not laid out as needed.
  constexpr auto laid_out(int v, layout worst) -> int;

  /// A contiguous copy.
  constexpr auto copy(int v) -> int;

  /// The value of a buffer after what has been lowered so far: a second batch_norm updates what the
  /// first has updated.
  constexpr auto updated(int v) const -> int {
    for (const buffer_update& u : updates)
      if (u.leaf == at(v).leaf) return u.node;
    return v;
  }
  constexpr void update(int buffer, int node) {
    for (buffer_update& u : updates)
      if (u.leaf == at(buffer).leaf) return void(u.node = node);
    updates.push_back({at(buffer).leaf, node});
  }

  /// What a shared subexpression, an erased expression or a leaf was lowered to; -1: not yet.
  constexpr auto find(const object* key) const -> int {
    return memo_.find(detail::hash_address(key),
                      [&](int k) { return keys_[static_cast<std::size_t>(k)].key.get() == key; });
  }
  constexpr auto lowered(const object* key) const -> int {
    const int k = find(key);
    return k < 0 ? -1 : keys_[static_cast<std::size_t>(k)].id;
  }
  constexpr auto remember(const object* key, int id) -> int {
    memo_.insert(detail::hash_address(key), static_cast<int>(keys_.size()));
    keys_.push_back({handle<const object>(key), id});
    return id;
  }
  /// Drops what was remembered, and with it expressions and leaves: nothing more of them is
  /// lowered.
  constexpr void forget() { memo_ = {}, keys_ = {}; }
  constexpr auto at(int i) -> graph_node& { return nodes[static_cast<std::size_t>(i)]; }
  constexpr auto at(int i) const -> const graph_node& { return nodes[static_cast<std::size_t>(i)]; }

  /// Gives a node the axes of `stated`, unless another node reads it already: that one was built
  /// without these axes. Returns the node.
  constexpr auto with_stated_axes(const dims& stated, int id) -> int;

 private:
  struct key_id {
    handle<const object> key;  // kept, so that its address stays taken
    int id;
  };
  detail::id_table memo_, cse_;
  std::vector<key_id> keys_;
  std::vector<graph_node> updating_;  // calls whose updates of buffers were made: the same call again is the same value

  // The same functions in constant expressions, and compiled once for the run time: users' files
  // compile them no more.
  constexpr auto leaf_now(const leaf_state& s) -> int;
  auto leaf_compiled(const leaf_state& s) -> int;
  constexpr auto add_now(const op_info& op, const int* in, int n, handle<const object> at) -> int;
  template <int Most>
  constexpr auto add_up_to(const op_info& op, const int* in, int n, handle<const object> at) -> int;
  auto add_compiled(const op_info& op, const int* in, int n, handle<const object> at) -> int;

  /// What a view of a part of joined values shows, where that is one of them, or a part of one, of
  /// the same dims; else -1.
  constexpr auto part_of_joined(const op_info& op, int x, const object* at, const dims& out) -> int;
  /// The operand that an op leaves as it is, since the other is a number for that, or shows one;
  /// else -1.
  constexpr auto left_as_it_is(const graph_node& n, const relation& r) const -> int;
  constexpr auto as_the_rule_says(const op_info& op, const dims& rule, int node) const -> int;
  /// What an op was expanded to, with the axes that its rule gives the result: steps that are
  /// joined again are an axis again. `known`: the nodes before; of those others may be told that
  /// they have no such axis.
  constexpr auto with_axes_of(const dims& out, int id, std::size_t known) -> int;
  /// Gives the unnamed dims of a node the axes of `out`. Returns its operand if it
  /// slices or gathers rows, else -1.
  constexpr auto name_axes(const dims& out, int id) -> int;
  constexpr auto is_new_update(const graph_node& n) -> bool;
  constexpr auto push(graph_node n) -> int;
  constexpr auto structural(kind k, int v, relation r, layout how) -> int;
  constexpr void bind_axes(const leaf_state& s, const dims& d);
  static constexpr auto hash(const graph_node& n) -> std::size_t;
  static constexpr auto same(const graph_node& a, const graph_node& b) -> bool;
};

}  // namespace koila
