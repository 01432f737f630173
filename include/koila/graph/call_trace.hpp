// SPDX-License-Identifier: MIT
#pragma once
// The trace of an op's gradient or expansion. It consists of the calls that the gradient or
// expansion makes on traced values. Calls are recorded first, and lowered when their results are
// needed.
#include <koila/graph/graph.hpp>

namespace koila::inline v0::detail {

/// Records the calls that an op's gradient or expansion makes on traced values. Recording a call
/// instantiates no expression type and adds no node. Lowering starts at the results and takes
/// operands from left to right, so that the graph does not depend on the compiler's order of
/// evaluation.
struct call_trace {
  struct call {
    const op_info* op = nullptr;  ///< null for a number
    int operand_count = 0;
    std::array<int, most_operands> operands{};  ///< i for node i, ~k for call k
    handle<const object> attributes;
    double number = 0;
    author::dims dims{};
    int node = -1;  ///< the call's node after it is lowered; -1 before
  };
  std::vector<call> calls;

  // This function is not inlined, because gradients call it in many places and run rarely.
  [[gnu::noinline]] constexpr auto record(const op_info& op, const int* inputs, int n, handle<const object> attributes)
      -> traced_value {
    call c;
    c.op = &op;
    c.operand_count = n;
    for (int k = 0; k < n; ++k) c.operands[static_cast<std::size_t>(k)] = inputs[k];
    c.attributes = std::move(attributes);
    return {this, push(std::move(c))};
  }
  [[gnu::noinline]] constexpr auto record(double number, const dims& d) -> int {
    call c;
    c.number = number;
    c.dims = d;
    return push(std::move(c));
  }
  /// Returns the node of a traced value. Lowers the call first if necessary.
  constexpr auto lower(builder& b, int id) -> int {
    if (id >= 0) return id;
    const auto k = static_cast<std::size_t>(~id);
    if (calls[k].node >= 0) return calls[k].node;
    int node = -1;
    if (calls[k].op == nullptr) {
      node = b.number(calls[k].number, calls[k].dims);
    } else {
      int in[most_operands] = {};
      for (int i = 0; i < calls[k].operand_count; ++i) in[i] = lower(b, calls[k].operands[static_cast<std::size_t>(i)]);
      node = b.add(*calls[k].op, in, calls[k].operand_count, calls[k].attributes);
    }
    return calls[k].node = node;
  }

 private:
  constexpr auto push(call c) -> int {
    calls.push_back(std::move(c));
    return -static_cast<int>(calls.size());
  }
};

template <class Op>
constexpr auto box_attributes(const attributes_t<Op>& a) -> handle<const object> {
  if constexpr (std::is_same_v<attributes_t<Op>, no_attributes>) return {};
  else return handle<const object>(new boxed<attributes_t<Op>>(a));
}

constexpr auto traced_operand(call_trace&, const traced_value& x) -> int { return x.id; }
template <Number N>
constexpr auto traced_operand(call_trace& s, N n) -> int {
  return s.record(constant_of(n), number_shape<N>::value);
}

/// Returns how many arguments of a call on traced values are operands. A number at position n is
/// an operand if the rule takes more than n operands.
template <class Op, class... Ts>
constexpr auto operands_among() -> std::size_t {
  constexpr bool traced[] = {is_traced_value<Ts>...}, is_number[] = {Number<Ts>...};
  constexpr bool numbers = (Number<Ts> || ...);
  std::size_t n = 0;
  for (; n < sizeof...(Ts) && traced[n]; ++n) {}
  if constexpr (numbers)
    for (; n < sizeof...(Ts) && (traced[n] || (is_number[n] && n < arity<Op>())); ++n) {}
  return n;
}

}  // namespace koila::inline v0::detail
