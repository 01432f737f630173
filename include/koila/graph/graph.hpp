// SPDX-License-Identifier: MIT
#pragma once
// The graph: values in order of computation, each with its relation to the batch. Common
// subexpressions are merged.
#include <koila/base/hash.hpp>
#include <koila/graph/graph_signature.hpp>

#include <array>
#include <vector>

namespace koila::inline v0::detail {

/// Maximum number of operands of an op.
inline constexpr int most_operands = 6;

/// Kind of a node. The structural kinds, from whole_leaf on, only change a value's relation to the
/// batch.
enum class node_kind : signed char {
  leaf,        ///< an input, a parameter or a tensor
  number,      ///< a C++ number
  compute,     ///< an op that writes its result
  alias,       ///< an op that shares its operand's storage
  whole_leaf,  ///< all samples of an input
  gather_rows, ///< all rows of a per-sample value: a partial value, combined by `concat`
  slice_rows,  ///< the rows of a whole value that a chunk needs, as a view
  take_rows,   ///< like slice_rows, but a copy, because the rows are not contiguous (outer > 1)
};

/// One value of the graph.
struct graph_node {
  node_kind kind = node_kind::compute;
  author::layout layout = author::layout::dense;
  int operand_count = 0;
  std::array<int, most_operands> operands{-1, -1, -1, -1, -1, -1};
  const op_info* op = nullptr;
  handle<const object> attributes;
  author::dims dims{};
  author::batch_relation batch_relation{};
  handle<const leaf_state> leaf;
  double number = 0;
  op_cost cost{};  ///< for the whole batch

  /// Returns true if the node reads the elements of operand k, and not only its dims.
  constexpr auto reads(int k) const -> bool { return op == nullptr || (op->shape_only >> k & 1U) == 0; }
  /// Returns true if the node shares the storage of operand 0.
  constexpr auto is_view() const -> bool {
    return kind == node_kind::alias || kind == node_kind::slice_rows || kind == node_kind::whole_leaf;
  }
  /// Returns true if the value is in memory before the step begins.
  constexpr auto is_resident() const -> bool { return kind == node_kind::leaf; }
  constexpr auto name() const -> std::string_view {
    switch (kind) {
      case node_kind::leaf: return leaf->name;
      case node_kind::number: return "number";
      case node_kind::whole_leaf: return "whole";
      case node_kind::gather_rows: return "gather";
      case node_kind::slice_rows: return "slice";
      case node_kind::take_rows: return "take_rows";
      default: return op->name;
    }
  }
};

/// Returns a vector of n copies of v. std::vector(n, v) is not a constant expression on clang 19.
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
    for (std::size_t i = 0; i < size; ++i) slots_.push_back({});  // not vector(n, x): see filled
    for (const entry& e : old)
      if (e.id >= 0) put(e);
  }

  std::vector<entry> slots_;
  std::size_t used_ = 0;
};

/// Hashes an address. Constant expressions cannot hash addresses. There, every hash is 0 and the
/// table becomes a list.
constexpr auto hash_address(const void* p) -> std::size_t {
  if (std::is_constant_evaluated()) return 0;
  return mix(0, reinterpret_cast<std::size_t>(p));
}

/// The bindings of a call: the dims of its inputs and the extents of axes.
struct bindings {
  struct leaf_dims {
    const leaf_state* leaf;
    author::dims dims;
    author::layout layout;
    bool requires_grad = false;  // the tensor requires a gradient outside of the expression
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
    return leaf.kind == leaf_state::tensor && leaf.requires_grad;
  }
  constexpr auto find(std::string_view axis) const -> index_t {
    for (const auto& a : axes)
      if (a.axis == axis) return a.n;
    return -1;
  }
  constexpr auto batch() const -> index_t { return find(axis_name<struct batch>); }
};

/// The node whose value a buffer gets after a successful run.
struct buffer_update {
  handle<const leaf_state> leaf;
  int node;
};

/// Builds the graph of expressions for one set of bindings. All extents are known here.
struct builder {
  bindings bound;
  std::vector<graph_node> nodes;
  std::vector<buffer_update> updates;  ///< one for each buffer that changes
  std::vector<const fused_elements*> fused;  ///< fused kernels that were compiled for the lowered expressions
  /// True if element-wise ops are fused (plan/fusion_groups.hpp). Fusion needs koila's own
  /// kernels, which run only on the host.
  bool fuses = true;
  /// If `notes` is set, the calls to the builder are recorded in `notes`, and no graph is built.
  graph_signature* notes = nullptr;

  constexpr explicit builder(bindings b) : bound(std::move(b)) {}

  /// Returns the node of a leaf. The first call for a leaf adds the node. Throws shape_error if
  /// the leaf's dims are not known or if an axis has two extents.
  constexpr auto leaf(const leaf_state& s) -> int {
    if (std::is_constant_evaluated()) return leaf_now(s);
    return leaf_compiled(s);
  }
  /// Returns the node of a C++ number.
  constexpr auto number(double v, const dims& d) -> int;
  /// Registers a fused kernel, if it is not registered yet. The kernel may compute the nodes of
  /// this graph that match its tree of ops.
  void offer(const fused_elements& f) {
    if (notes != nullptr) return notes->offer(f);
    for (const fused_elements* known : fused)
      if (known == &f) return;
    fused.push_back(&f);
  }
  /// Adds an op and returns the node of its result. Inserts the gathers, slices and copies that
  /// the op needs. Expands composite ops. Throws shape_error if the rule refuses the operands.
  constexpr auto add(const op_info& op, const int* operands, int n, handle<const object> attributes) -> int {
    if (std::is_constant_evaluated()) return add_now(op, operands, n, std::move(attributes));
    return add_compiled(op, operands, n, std::move(attributes));
  }
  /// Returns the node of the whole value, with the rows of all samples.
  constexpr auto whole(int v) -> int;
  /// Returns the node of a value's rows along an axis.
  constexpr auto rows_of(int v, batch_relation along) -> int;
  /// Returns the node of a value with the batch relation `r`. A cotangent needs the relation of
  /// its primal.
  constexpr auto related(int v, batch_relation r) -> int { return r.sampled() ? rows_of(v, r) : whole(v); }
  /// Returns v, or a contiguous copy of v if the layout of v is more general than `worst`.
  constexpr auto laid_out(int v, layout worst) -> int;

  /// Returns the node of a contiguous copy.
  constexpr auto copy(int v) -> int;

  /// Returns the node of a buffer's value after all updates that have been lowered. So a second
  /// batch_norm updates the result of the first batch_norm.
  constexpr auto updated(int v) const -> int {
    for (const buffer_update& u : updates)
      if (u.leaf == node(v).leaf) return u.node;
    return v;
  }
  constexpr void update(int buffer, int value) {
    for (buffer_update& u : updates)
      if (u.leaf == node(buffer).leaf) return void(u.node = value);
    updates.push_back({node(buffer).leaf, value});
  }

  /// Returns the position in keys_ of a shared subexpression, an erased expression or a leaf; -1 if
  /// it has not been lowered.
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
  /// Releases the expressions and leaves that were lowered. No expression may be lowered
  /// afterwards.
  constexpr void forget() { memo_ = {}, keys_ = {}; }
  constexpr auto node(int i) -> graph_node& { return nodes[static_cast<std::size_t>(i)]; }
  constexpr auto node(int i) const -> const graph_node& { return nodes[static_cast<std::size_t>(i)]; }

  /// Gives a node the axes of `stated`. If another node already reads this node, the node is left
  /// unchanged, because the reader was built without these axes. Returns the node.
  constexpr auto with_stated_axes(const dims& stated, int id) -> int;

 private:
  struct key_id {
    handle<const object> key;  // kept alive, so that its address is not reused
    int id;
  };
  detail::id_table memo_, cse_;
  std::vector<key_id> keys_;
  std::vector<graph_node> updating_;  // calls whose buffers were updated; an equal call does not update them again

  // Each of these functions has two versions. The version `_now` also runs in constant
  // expressions. The version `_compiled` is compiled once for run time, so users' files do not
  // compile it.
  constexpr auto leaf_now(const leaf_state& s) -> int;
  auto leaf_compiled(const leaf_state& s) -> int;
  constexpr auto add_now(const op_info& op, const int* operands, int n, handle<const object> attributes) -> int;
  template <int Most>
  constexpr auto add_up_to(const op_info& op, const int* operands, int n, handle<const object> attributes) -> int;
  auto add_compiled(const op_info& op, const int* operands, int n, handle<const object> attributes) -> int;

  // The passes of add_up_to, see add_call.hpp.
  template <int Most>
  struct new_call;
  template <int Most>
  constexpr void check(new_call<Most>& c) const;
  template <int Most>
  constexpr auto fold(const new_call<Most>& c) -> int;
  template <int Most>
  constexpr auto expand(const new_call<Most>& c) -> int;
  template <int Most>
  constexpr auto simplify(const new_call<Most>& c) -> int;
  template <int Most>
  constexpr auto sum_in_float32(const new_call<Most>& c, const relations& f) -> int;
  template <int Most>
  constexpr void arrange_operands(new_call<Most>& c, const relations& f);
  template <int Most>
  constexpr auto share(new_call<Most>& c, const batch_relation& r) -> int;

  /// Returns x, converted to another dtype.
  constexpr auto converted(int x, dtype to) -> int;
  /// Simplifies a view of a part of a concatenation. Returns an operand of the concatenation with
  /// dims `out`, or a view of a part of an operand. Returns -1 if the part does not lie in one
  /// operand.
  constexpr auto part_of_joined(const op_info& op, int x, const object* attributes, const dims& out) -> int;
  /// Returns the operand that the op leaves unchanged, because the other operand is the op's
  /// `identity_element` or a view of it. Returns -1 if there is no such operand.
  constexpr auto left_as_it_is(const graph_node& n, const batch_relation& r) const -> int;
  constexpr auto as_the_rule_says(const op_info& op, const dims& rule, int node) const -> int;
  /// Gives the result of an op's expansion the axes that the op's rule states. For example, a
  /// concatenation of slices regains the axis that the slices have lost. Nodes before `known` are
  /// not changed, because other nodes that read them may have been built without this axis.
  constexpr auto with_axes_of(const dims& out, int id, std::size_t known) -> int;
  /// Gives the unnamed dims of a node the axes of `out`, if the extents are equal. Returns the
  /// node's operand if the node slices or gathers rows, otherwise -1.
  constexpr auto name_axes(const dims& out, int id) -> int;
  constexpr auto is_new_update(const graph_node& n) -> bool;
  constexpr auto push(graph_node n) -> int;
  constexpr auto structural(node_kind k, int v, batch_relation r, layout its_layout) -> int;
  constexpr void bind_axes(const leaf_state& s, const dims& d);
  static constexpr auto hash(const graph_node& n) -> std::size_t;
  static constexpr auto equal_nodes(const graph_node& a, const graph_node& b) -> bool;
};

}  // namespace koila::inline v0::detail
