// SPDX-License-Identifier: MIT
#pragma once
// Makes the table of an op's functions from the op's struct.
#include <koila/graph/add_call.hpp>
#include <koila/graph/call_trace.hpp>

namespace koila::inline v0::detail {

template <Expression E>
constexpr auto lower(builder& b, const E& e) -> int;
template <class Op, std::size_t N>
constexpr auto info_of() -> const op_info&;

template <class Op>
constexpr auto attributes_in([[maybe_unused]] const object* attributes) -> attributes_t<Op> {
  if constexpr (std::is_same_v<attributes_t<Op>, no_attributes>) return {};
  else return static_cast<const boxed<attributes_t<Op>>*>(attributes)->value;
}

/// Lowers the gradients that are wanted (bit k: gradient k) and writes their nodes to `out`. Other
/// elements of `out` are left unchanged.
constexpr void lower_wanted(builder& b, const traced_value* g, std::size_t n, unsigned wanted, int* out) {
  for (std::size_t k = 0; k < n; ++k)
    if ((wanted >> k & 1U) != 0 && g[k].trace != nullptr) out[k] = g[k].trace->lower(b, g[k].id);
}

template <class G>
inline constexpr std::size_t gradients_in = 0;
template <std::size_t N>
inline constexpr std::size_t gradients_in<traced_gradients<N>> = N;
template <class... G>
inline constexpr std::size_t gradients_in<hana::tuple<G...>> = sizeof...(G);

/// Returns true if an op's expansion takes its attributes. An op without attributes is excluded,
/// because an expansion with one more operand would accept `no_attributes` as that operand.
template <class Op, std::size_t... I>
constexpr auto expands_with_attributes() -> bool {
  if constexpr (std::is_same_v<attributes_t<Op>, no_attributes>) return false;
  else return requires(const traced_value& s, const attributes_t<Op>& a) { Op::expand(((void)I, s)..., a); };
}

/// Returns the functions with which `Kernel` computes the op for operands I. The functions must
/// be static members of `Kernel`, with the same names as in an op.
template <class Op, class Kernel, std::size_t... I>
constexpr auto kernel_functions_of(std::index_sequence<I...>) -> kernel_functions {
  using A = attributes_t<Op>;
  kernel_functions f;
  if constexpr (requires(at::Tensor& y, const at::Tensor& x, const A& a) { Kernel::evaluate(y, ((void)I, x)..., a); })
    f.evaluate = [](at::Tensor& y, const at::Tensor* const* operands, const object* attributes) {
      Kernel::evaluate(y, *operands[I]..., attributes_in<Op>(attributes));
    };
  else if constexpr (requires(at::Tensor& y, const at::Tensor& x) { Kernel::evaluate(y, ((void)I, x)...); })
    f.evaluate = [](at::Tensor& y, const at::Tensor* const* operands, const object*) {
      Kernel::evaluate(y, *operands[I]...);
    };
  if constexpr (requires(at::Tensor& y, const at::Tensor& x, const A& a) { Kernel::accumulate(y, ((void)I, x)..., a); })
    f.accumulate = [](at::Tensor& y, const at::Tensor* const* operands, const object* attributes) {
      Kernel::accumulate(y, *operands[I]..., attributes_in<Op>(attributes));
    };
  else if constexpr (requires(at::Tensor& y, const at::Tensor& x) { Kernel::accumulate(y, ((void)I, x)...); })
    f.accumulate = [](at::Tensor& y, const at::Tensor* const* operands, const object*) {
      Kernel::accumulate(y, *operands[I]...);
    };
  if constexpr (requires(at::Tensor& y, const at::Tensor& x, const A& a) {
                  Kernel::evaluate_both(y, y, x, ((void)I, x)..., a);
                })
    f.evaluate_both = [](at::Tensor& y, at::Tensor& dx, const at::Tensor* const* operands, const object* attributes) {
      Kernel::evaluate_both(y, dx, *operands[0], *operands[I + 1]..., attributes_in<Op>(attributes));
    };
  else if constexpr (requires(at::Tensor& y, const at::Tensor& x) { Kernel::evaluate_both(y, y, x, ((void)I, x)...); })
    f.evaluate_both = [](at::Tensor& y, at::Tensor& dx, const at::Tensor* const* operands, const object*) {
      Kernel::evaluate_both(y, dx, *operands[0], *operands[I + 1]...);
    };
  if constexpr (requires(at::Tensor& y, const at::Tensor& x, const A& a, const portion& p) {
                  Kernel::draw(y, ((void)I, x)..., a, p);
                })
    f.draw = [](at::Tensor& y, const at::Tensor* const* operands, const object* attributes, const portion& p) {
      Kernel::draw(y, *operands[I]..., attributes_in<Op>(attributes), p);
    };
  return f;
}

/// The kernels that are registered for an op of N operands, see kernels/table.hpp.
template <class Op, std::size_t N>
inline constinit std::atomic<const registered_kernel*> kernels_of{nullptr};

template <class Op, std::size_t... I>
constexpr auto make_info(std::index_sequence<I...>) -> op_info {
  using A = attributes_t<Op>;
  op_info o;
  o.name = Op::name;
  if constexpr (requires { Op::shape_only; }) o.shape_only = Op::shape_only;
  if constexpr (requires { Op::pushes_gather; }) o.pushes_gather = Op::pushes_gather;
  if constexpr (requires { Op::draws_anywhere; }) o.draws_anywhere = Op::draws_anywhere;
  if constexpr (requires { Op::draws_elsewhere; }) o.draws_elsewhere = Op::draws_elsewhere;
  if constexpr (requires { Op::stops_gradient; }) {
    constexpr bool expands =
        expands_with_attributes<Op, I...>() || requires(const traced_value& s) { Op::expand(((void)I, s)...); };
    static_assert(!(Op::stops_gradient && expands),
                  "an op that is made of other ops stops gradients by detach, as one of these");
    o.stops_gradient = Op::stops_gradient;
  }
  if constexpr (requires { Op::keeps_dtypes; }) o.keeps_dtypes = Op::keeps_dtypes;
  if constexpr (requires { Op::is_sum; }) o.is_sum = Op::is_sum;
  if constexpr (requires { Op::takes_numbers; }) o.takes_numbers = Op::takes_numbers;
  o.owns = !std::is_trivially_destructible_v<A>;

  o.rule = [](const dims* operands, const object* attributes) -> verdict {
    return ask_rule<Op>(attributes_in<Op>(attributes), operands[I]...);
  };
  o.refuse = [](reason r, const dims* operands, const object* attributes) {
    koila::detail::refuse(Op::name, r, operands, static_cast<int>(sizeof...(I)), attributes_in<Op>(attributes));
  };
  if constexpr (requires(const value& v, const dims& out, const A& a) { Op::flow(((void)I, v)..., out, a); })
    o.flow = [](const value* operands, const dims& out, const object* attributes) -> relations {
      return Op::flow(operands[I]..., out, attributes_in<Op>(attributes));
    };
  else if constexpr (requires(const value& v, const dims& out) { Op::flow(((void)I, v)..., out); })
    o.flow = [](const value* operands, const dims& out, const object*) -> relations {
      return Op::flow(operands[I]..., out);
    };
  if constexpr (requires(const dims& d, const dims& out, const A& a) { Op::cost(((void)I, d)..., out, a); })
    o.cost = [](const dims* operands, const dims& out, const object* attributes) -> op_cost {
      return Op::cost(operands[I]..., out, attributes_in<Op>(attributes));
    };
  else if constexpr (requires(const dims& d, const dims& out) { Op::cost(((void)I, d)..., out); })
    o.cost = [](const dims* operands, const dims& out, const object*) -> op_cost {
      return Op::cost(operands[I]..., out);
    };
  if constexpr (!std::is_same_v<A, no_attributes>)
    o.same_attributes = [](const object* a, const object* b) -> bool {
      return attributes_in<Op>(a) == attributes_in<Op>(b);
    };
  if constexpr (requires(const dims& d, const A& a) { Op::is_noop(((void)I, d)..., a); })
    o.is_noop = [](const dims* operands, const object* attributes) -> bool {
      return Op::is_noop(operands[I]..., attributes_in<Op>(attributes));
    };
  else if constexpr (requires(const dims& d) { Op::is_noop(((void)I, d)...); })
    o.is_noop = [](const dims* operands, const object*) -> bool { return Op::is_noop(operands[I]...); };
  if constexpr (requires(const A& a) { Op::fold(((void)I, 0.0)..., a); })
    o.fold = [](const double* x, const object* attributes) -> double {
      return Op::fold(x[I]..., attributes_in<Op>(attributes));
    };
  else if constexpr (requires { Op::fold(((void)I, 0.0)...); })
    o.fold = [](const double* x, const object*) -> double { return Op::fold(x[I]...); };
  if constexpr (requires { Op::identity_element; }) o.identity_element = &Op::identity_element;
  if constexpr (requires(const dims& d, const A& a) { Op::constant(((void)I, d)..., a); })
    o.constant = [](const dims* operands, const object* attributes) -> double {
      return Op::constant(operands[I]..., attributes_in<Op>(attributes));
    };
  if constexpr (requires(const dims& d) { Op::required_layout(0, d); })
    o.required_layout = [](int k, const dims& d) -> layout { return Op::required_layout(k, d); };
  if constexpr (requires(const dims& d) { Op::fan_in(((void)I, d)...); })
    o.fan_in = [](const dims* operands) -> index_t { return Op::fan_in(operands[I]...); };
  if constexpr (requires(const dims& d, const A& a) { Op::slice_of(d, a).drops; }) {
    o.slice_of = [](const dims& x, const object* attributes) -> dim_part {
      return Op::slice_of(x, attributes_in<Op>(attributes));
    };
    o.with_slice = [](const object* attributes, dim_part to) -> handle<const object> {
      A a = attributes_in<Op>(attributes);
      Op::set_slice(a, to);
      return box_attributes<Op>(a);
    };
  }
  if constexpr (requires(const dims& d, const A& a) { Op::placed(((void)I, d)..., a); })
    o.placed = [](const dims* operands, const object* attributes) -> dim_part {
      return Op::placed(operands[I]..., attributes_in<Op>(attributes));
    };
  if constexpr (requires(const dims& d, const A& a) { Op::concat_dim(d, a); })
    o.concat_dim = [](const dims& out, const object* attributes) -> int {
      return Op::concat_dim(out, attributes_in<Op>(attributes));
    };
  if constexpr (requires(const dims& d, const dims& out, const A& a) { Op::sums(((void)I, d)..., out, a); })
    o.sums = [](const dims* operands, const dims& out, const object* attributes) -> unsigned {
      return Op::sums(operands[I]..., out, attributes_in<Op>(attributes));
    };
  else if constexpr (requires(const dims& d, const dims& out) { Op::sums(((void)I, d)..., out); })
    o.sums = [](const dims* operands, const dims& out, const object*) -> unsigned {
      return Op::sums(operands[I]..., out);
    };

  constexpr kernel_functions own = kernel_functions_of<Op, Op>(std::index_sequence<I...>());
  o.operators = own;
  o.kernels = &kernels_of<Op, sizeof...(I)>;
  if constexpr (requires(A& a) { a.call.id = std::uint64_t{}; }) {
    o.call = [](const object* attributes) -> std::uint64_t { return attributes_in<Op>(attributes).call.id; };
    o.as_call = [](const object* attributes, std::uint64_t call) -> handle<const object> {
      A a = attributes_in<Op>(attributes);
      a.call.id = call;
      return box_attributes<Op>(a);
    };
  }
  if constexpr (requires { typename Op::pull_back; }) {
    static_assert(takes_operands<typename Op::pull_back, sizeof...(I) + 1>(),
                  "an op's pull_back takes dy and the op's operands");
    static_assert(std::is_same_v<A, attributes_t<typename Op::pull_back>>, "an op has the attributes of its pull_back");
    static_assert(own.evaluate_both != nullptr, "an op with a pull_back has evaluate_both");
    o.pull_back = &info_of<typename Op::pull_back, sizeof...(I) + 1>();
  }
  if constexpr (requires {
                  { Op::elements() } -> std::same_as<all_elements>;
                }) {
    o.elements_in = element_dtypes::all;
    o.elements = [] { return Op::elements(); };
  } else if constexpr (requires {
                         { Op::elements() } -> std::same_as<float_elements>;
                       }) {
    o.elements_in = element_dtypes::float32_only;
    o.elements = [] { return all_elements{Op::elements().float32, nullptr}; };
  }
  if constexpr (requires { Op::elements(); })
    o.plain_attributes = [](const object* attributes) -> const void* {
      if constexpr (std::is_same_v<A, no_attributes>) return nullptr;
      else return &static_cast<const boxed<A>*>(attributes)->value;
    };
  if constexpr (requires(const A& a) { Op::has_elements(a); })
    o.has_elements = [](const object* attributes) -> bool { return Op::has_elements(attributes_in<Op>(attributes)); };
  if constexpr (requires(const dims& d, const A& a) { Op::row_length(((void)I, d)..., a); })
    o.row_length = [](const dims* operands, const object* attributes) -> index_t {
      return Op::row_length(operands[I]..., attributes_in<Op>(attributes));
    };
  if constexpr (requires(at::Tensor& y, const at::Tensor& x, const dims& d, const A& a) { Op::view(y, x, d, a); })
    o.view = [](at::Tensor& y, const at::Tensor& x, const dims& to, const object* attributes) {
      Op::view(y, x, to, attributes_in<Op>(attributes));
    };
  if constexpr (requires(layout l, const dims& d, const A& a) { Op::view_layout(l, d, a); })
    o.view_layout = [](layout l, const dims& x, const object* attributes) -> layout {
      return Op::view_layout(l, x, attributes_in<Op>(attributes));
    };

  if constexpr (expands_with_attributes<Op, I...>())
    o.expand = [](builder& b, const int* operands, const object* attributes) -> int {
      call_trace s;
      return lower(
          b, Op::expand(traced_value{&s, operands[I], &b.node(operands[I]).dims}..., attributes_in<Op>(attributes)));
    };
  else if constexpr (requires(const traced_value& s) { Op::expand(((void)I, s)...); })
    o.expand = [](builder& b, const int* operands, const object*) -> int {
      call_trace s;
      return lower(b, Op::expand(traced_value{&s, operands[I], &b.node(operands[I]).dims}...));
    };

  if constexpr (requires(const traced_value& s, const A& a) { Op::updates(((void)I, s)..., a); })
    o.updates = [](builder& b, const int* operands, const object* attributes) {
      call_trace s;
      const int now[] = {(b.node(operands[I]).leaf ? b.updated(operands[I]) : operands[I])...};
      const auto u = Op::updates(traced_value{&s, now[I], &b.node(operands[I]).dims}..., attributes_in<Op>(attributes));
      for (std::size_t k = 0; k < sizeof...(I); ++k)
        if (u.gradients[k].trace != nullptr && b.node(operands[k]).leaf &&
            b.node(operands[k]).leaf->kind == leaf_state::buffer)
          b.update(operands[k], u.gradients[k].trace->lower(b, u.gradients[k].id));
    };

  if constexpr (requires(const dims& d, const A& a) { Op::when_differentiated(((void)I, d)..., a); })
    o.when_differentiated = [](const dims* operands, const object* attributes) -> handle<const object> {
      return box_attributes<Op>(Op::when_differentiated(operands[I]..., attributes_in<Op>(attributes)));
    };
  constexpr bool plain = requires(const traced_value& s) { Op::gradient(s, s, ((void)I, s)...); };
  if constexpr (plain || requires(const traced_value& s, const A& a) { Op::gradient(s, s, ((void)I, s)..., a); })
    o.gradient = [](builder& b, int y, int dy, const int* operands, [[maybe_unused]] const object* attributes,
                    unsigned wanted, int* out) {
      call_trace s;
      const traced_value sdy{&s, dy, &b.node(dy).dims}, sy{&s, y, &b.node(y).dims};
      const auto g = [&] {
        if constexpr (plain) return Op::gradient(sdy, sy, traced_value{&s, operands[I], &b.node(operands[I]).dims}...);
        else
          return Op::gradient(sdy, sy, traced_value{&s, operands[I], &b.node(operands[I]).dims}...,
                              attributes_in<Op>(attributes));
      }();
      using G = std::remove_cv_t<decltype(g)>;
      static_assert(gradients_in<G> == sizeof...(I),
                    "an op's gradient names one expression or no_gradient for each operand");
      if constexpr (requires { g.gradients; }) {
        lower_wanted(b, g.gradients, sizeof...(I), wanted, out);
      } else {  // not all gradients are traced values
        const auto one = [&](const auto& e, std::size_t k) {
          if constexpr (Expression<std::remove_cvref_t<decltype(e)>>)
            if ((wanted >> k & 1U) != 0) out[k] = lower(b, e);
        };
        (one(hana::at_c<I>(g), I), ...);
      }
    };
  return o;
}

template <class Op, std::size_t N>
constexpr auto table_entry() -> op_info {
  if constexpr (takes_operands<Op, N>()) return make_info<Op>(std::make_index_sequence<N>{});
  else return {};
}

/// The tables of an op, by number of operands. The tables of koila's own ops are compiled once,
/// see compiled_ops.hpp.
template <class Op>
struct op_table {
  static constexpr std::array<op_info, most_operands + 1> info = []<std::size_t... N>(std::index_sequence<N...>) {
    return std::array<op_info, most_operands + 1>{detail::table_entry<Op, N>()...};
  }(std::make_index_sequence<most_operands + 1>{});
};

/// Returns the table of an op called with N operands. This is a function, because an op's table
/// may refer to itself. For example, the gradient of bmm calls bmm twice.
template <class Op, std::size_t N>
constexpr auto info_of() -> const op_info& {
  return op_table<Op>::info[N];
}

template <class Op>
struct tracer {
  template <class... Ts>
  static constexpr auto call(const Ts&... ts) -> traced_value {
    constexpr std::size_t n = detail::operands_among<Op, Ts...>();
    call_trace* s = nullptr;
    ((s = s != nullptr ? s : trace_of(ts)), ...);
    int in[n] = {};
    attributes_t<Op> a{};
    [[maybe_unused]] std::size_t position = 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (assign<I, n>(*s, in, a, position, ts), ...);
    }(std::make_index_sequence<sizeof...(Ts)>{});
    return s->record(info_of<Op, n>(), in, static_cast<int>(n), detail::box_attributes<Op>(a));
  }
  template <class... Traced>
  static constexpr auto with(const attributes_t<Op>& a, const traced_value& x, const Traced&... rest) -> traced_value {
    const int in[] = {x.id, rest.id...};
    return x.trace->record(info_of<Op, 1 + sizeof...(rest)>(), in, static_cast<int>(1 + sizeof...(rest)),
                           detail::box_attributes<Op>(a));
  }

 private:
  static constexpr auto trace_of(const traced_value& x) -> call_trace* { return x.trace; }
  static constexpr auto trace_of(const auto&) -> call_trace* { return nullptr; }
  template <std::size_t I, std::size_t N, class T>
  static constexpr void assign(call_trace& s, int* operands, attributes_t<Op>& a, std::size_t& position,
                               const T& argument) {
    if constexpr (I < N) operands[I] = detail::traced_operand(s, argument);
    else detail::set_attribute(a, position, argument);
  }
};

}  // namespace koila::inline v0::detail
