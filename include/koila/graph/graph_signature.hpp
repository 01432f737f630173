// SPDX-License-Identifier: MIT
#pragma once
// The signature of an expression: the calls that lower it. Two expressions with equal signatures
// have the same graph if their inputs have the same sizes and strides. Comparing signatures takes
// far less time than building a graph.
#include <koila/graph/op_info.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace koila::inline v0::detail {

/// The calls to a builder in order. A leaf is recorded by its identity, a number by its bits, and
/// an op by its operands and attributes. Two expressions with equal signatures have equal graphs
/// if they are bound to tensors of the same sizes and strides.
/// Parameters and buffers are identified by address and serial number. Inputs and lazy tensors are
/// often new objects in each call, so they are identified by the order in which they first occur.
struct graph_signature {
  struct attributes_of {
    const op_info* op;
    handle<const object> value;
  };
  std::vector<std::uint64_t> words;
  std::vector<attributes_of> attributes;
  std::vector<const leaf_state*> given;  ///< inputs and tensors in order of first occurrence; not compared
  std::vector<handle<const leaf_state>>* parameters = nullptr;  ///< if set, each parameter is added once
  int count = 0;  ///< number of calls so far, which is the id of the next call
  bool owns = false;  ///< true if an attribute owns other objects

  auto leaf(const leaf_state& s) -> int {
    if (const handle<const leaf_state> own(&s); s.kind == leaf_state::parameter && parameters != nullptr)
      if (std::find(parameters->begin(), parameters->end(), own) == parameters->end()) parameters->push_back(own);
    if (s.kind == leaf_state::parameter || s.kind == leaf_state::buffer)
      return note(reinterpret_cast<std::uintptr_t>(&s), s.serial, a_leaf);
    const std::size_t known = index_of(s);
    if (known == given.size()) given.push_back(&s);
    return note(known, static_cast<std::uint64_t>(s.kind), a_given_leaf);
  }
  /// Returns the index of an input or tensor in `given`, or given.size() if `given` does not
  /// contain it.
  auto index_of(const leaf_state& s) const -> std::size_t {
    return static_cast<std::size_t>(std::find(given.begin(), given.end(), &s) - given.begin());
  }
  auto number(double v, const dims& d) -> int {
    const auto type = static_cast<std::uint64_t>(d.type) << 1U | static_cast<std::uint64_t>(d.number);
    return note(std::bit_cast<std::uint64_t>(v), type, a_number);
  }
  auto gradient(int result, int with_respect_to) -> int {
    return note(static_cast<std::uint64_t>(result), static_cast<std::uint64_t>(with_respect_to), a_gradient);
  }
  auto call(const op_info& op, const int* operands, int n, handle<const object> boxed) -> int {
    const int id = note(reinterpret_cast<std::uintptr_t>(&op), static_cast<std::uint64_t>(n), a_call);
    for (int k = 0; k < n; ++k) words.push_back(static_cast<std::uint64_t>(operands[k]));
    if (boxed) attributes.push_back({&op, std::move(boxed)});
    owns = owns || op.owns;
    return id;
  }
  void offer(const fused_elements& f) {
    words.push_back(reinterpret_cast<std::uintptr_t>(&f));
    words.push_back(a_kernel);
  }
  /// Records the stated shape of an erased expression. The shape is checked when a graph is built.
  /// The shape is a static constant, so its address identifies it.
  void stated(const dims& d) {
    words.push_back(reinterpret_cast<std::uintptr_t>(&d));
    words.push_back(a_shape);
  }
  void clear() { words.clear(), attributes.clear(), given.clear(), count = 0, owns = false; }

  friend auto operator==(const graph_signature& a, const graph_signature& b) -> bool {
    if (a.words != b.words || a.attributes.size() != b.attributes.size()) return false;
    for (std::size_t k = 0; k < a.attributes.size(); ++k) {
      const op_info& op = *a.attributes[k].op;
      if (op.same_attributes == nullptr ||
          !op.same_attributes(a.attributes[k].value.get(), b.attributes[k].value.get()))
        return false;
    }
    return true;
  }

 private:
  enum kind : std::uint64_t { a_leaf, a_given_leaf, a_number, a_gradient, a_call, a_kernel, a_shape };
  // Appends a call. The call's second word contains its kind, which determines how many words
  // follow.
  auto note(std::uint64_t what, std::uint64_t more, kind entry) -> int {
    words.push_back(what);
    words.push_back(more << 3U | entry);
    return count++;
  }
};

}  // namespace koila::inline v0::detail
