#pragma once
// An expression as the calls that lower it: what tells whether two expressions have one graph, in
// far less time than a graph takes.
#include <koila/graph/op_info.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace koila {

/// The calls of a builder in their order: leaves by what identifies them, numbers by their bits,
/// ops with operands and attributes. Two expressions whose notes are equal have, bound to tensors
/// of the same sizes and strides, equal graphs. Parameters and buffers are themselves; inputs and
/// tensors made lazy are often made anew for each call, and are known by where they come up.
struct graph_signature {
  struct attributes_of {
    const op_info* op;
    handle<const object> value;
  };
  std::vector<std::uint64_t> words;
  std::vector<attributes_of> attributes;
  std::vector<const leaf_state*>
      given;  ///< the inputs and the tensors in the order in which they come up; not compared
  std::vector<handle<const leaf_state>>* parameters = nullptr;  ///< where parameters are written down, each once
  int count = 0;  ///< calls: each is known by its number
  bool owns = false;  ///< something in it keeps more alive than itself

  auto leaf(const leaf_state& s) -> int {
    if (const handle<const leaf_state> own(&s); s.is == leaf_state::parameter && parameters != nullptr)
      if (std::find(parameters->begin(), parameters->end(), own) == parameters->end()) parameters->push_back(own);
    if (s.is == leaf_state::parameter || s.is == leaf_state::buffer)
      return note(reinterpret_cast<std::uintptr_t>(&s), s.serial, a_leaf);
    const std::size_t known = place(s);
    if (known == given.size()) given.push_back(&s);
    return note(known, static_cast<std::uint64_t>(s.is), a_given_leaf);
  }
  /// Where that input or tensor comes up, or how many do where it does not.
  auto place(const leaf_state& s) const -> std::size_t {
    return static_cast<std::size_t>(std::find(given.begin(), given.end(), &s) - given.begin());
  }
  auto number(double v, const dims& d) -> int {
    const auto type = static_cast<std::uint64_t>(d.type) << 1U | static_cast<std::uint64_t>(d.number);
    return note(std::bit_cast<std::uint64_t>(v), type, a_number);
  }
  auto gradient(int of, int with_respect_to) -> int {
    return note(static_cast<std::uint64_t>(of), static_cast<std::uint64_t>(with_respect_to), a_gradient);
  }
  auto call(const op_info& op, const int* in, int n, handle<const object> at) -> int {
    const int id = note(reinterpret_cast<std::uintptr_t>(&op), static_cast<std::uint64_t>(n), a_call);
    for (int k = 0; k < n; ++k) words.push_back(static_cast<std::uint64_t>(in[k]));
    if (at) attributes.push_back({&op, std::move(at)});
    owns = owns || op.owns;
    return id;
  }
  void offer(const fused_elements& f) {
    words.push_back(reinterpret_cast<std::uintptr_t>(&f));
    words.push_back(a_kernel);
  }
  /// The stated shape of an erased expression, which is checked when a graph is made. It lives as
  /// long as the program.
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
  auto note(std::uint64_t what, std::uint64_t more, kind is)
      -> int {  // the kind of each second word tells how many follow
    words.push_back(what);
    words.push_back(more << 3U | is);
    return count++;
  }
};

}  // namespace koila
