// SPDX-License-Identifier: MIT
#pragma once
// Leaves: inputs, parameters, buffers and tensors. A leaf is a handle. Each call binds the tensor
// of an input. All other leaves store their tensors.
#include <koila/expr/node.hpp>
#include <koila/shape/flow.hpp>

#include <cstdint>
#include <stdexcept>

namespace koila::inline v0 {

/// Initial values of a parameter or a buffer.
struct initial {
  enum distribution_kind : signed char {
    fan_in,          ///< uniform in +-scale / sqrt(fan_in), as LibTorch's layers are initialised
    constant,        ///< every element is `scale`
    normal,          ///< normal with mean `shift` and standard deviation `scale`
    normal_padded,   ///< normal with mean 0 and standard deviation `scale`; zeros in row `shift` (padding_idx)
    uniform,         ///< uniform in [shift, shift + scale)
    xavier_uniform,  ///< uniform in +-scale * sqrt(6 / (fan_in + fan_out)), Glorot and Bengio 2010
    xavier_normal,   ///< normal with standard deviation scale * sqrt(2 / (fan_in + fan_out))
    kaiming_uniform, ///< uniform in +-scale * sqrt(3 / fan_in), He et al. 2015; scale is sqrt(2) for relu
    kaiming_normal,  ///< normal with standard deviation scale / sqrt(fan_in), He et al. 2015
    orthogonal,      ///< scale times a random matrix of orthonormal rows or columns, Saxe et al. 2013
  } distribution = fan_in;
  double scale = 1, shift = 0;
};

namespace detail {
/// The default names of parameters and buffers. named() compares the address of a leaf's name
/// with the addresses of these arrays. It does not compare the text.
inline constexpr char unnamed_parameter[] = "parameter", unnamed_buffer[] = "buffer";

inline std::uint64_t leaves_made = 0;
/// Returns a number that no other leaf of the process has, starting at 1. Returns 0 in constant
/// expressions.
constexpr auto next_leaf() -> std::uint64_t {
  if (std::is_constant_evaluated()) return 0;
  return __atomic_add_fetch(&leaves_made, 1, __ATOMIC_RELAXED);
}

/// The state that all copies of a leaf share.
struct leaf_state : object {
  enum leaf_kind : signed char { input, parameter, buffer, tensor };

  const char* name = "";
  std::uint64_t serial = detail::next_leaf();  // unlike an address, never reused
  dims declared{};
  leaf_kind kind = input;
  initial first;  // initial values of a parameter or a buffer
  handle<object> value;  // the leaf's tensor, wrapped in run/
  author::layout layout = author::layout::dense;  // layout of that tensor
  bool requires_grad = false;  // the leaf's tensor requires a gradient outside of the expression
  index_t fan_in = 0;  // for a parameter of rank 1, such as a bias: its layer's fan_in; 0 if unknown

  /// Returns true if the user gave the leaf a name.
  constexpr auto named() const -> bool { return name != detail::unnamed_parameter && name != detail::unnamed_buffer; }
  constexpr void note_fan_in(index_t n) const {
    auto& own = const_cast<leaf_state*>(this)->fan_in;  // not part of the value that `const` protects
    if (std::is_constant_evaluated()) own = n;
    else __atomic_store_n(&own, n, __ATOMIC_RELAXED);
  }

  constexpr leaf_state(const char* n, const dims& d, leaf_kind k, handle<object> v = {})
      : name(n), declared(d), kind(k), value(std::move(v)) {}
  constexpr leaf_state(const char* n, const dims& d, leaf_kind k, const initial& i)
      : name(n), declared(d), kind(k), first(i) {}
  constexpr ~leaf_state() override {}
};

/// Makes a leaf that holds a tensor; defined in run/.
auto hold_tensor(const at::Tensor& t) -> handle<leaf_state>;

}  // namespace detail

/// A tensor that one call binds to one input.
template <PlainTensor T>
struct binding {
  detail::handle<detail::leaf_state> leaf;
  T value;
};

/// An input. Each call binds the input's tensor: `input<batch, 784> x{"x"}; run(y, x = images)`.
/// The dtype is float32 unless the first argument is a dtype.
template <auto... D>
struct input : detail::shaped<typename detail::canonical_shape<D...>::type>, detail::evaluates<input<D...>> {
  detail::handle<detail::leaf_state> state;

  constexpr input() : input("input") {}
  constexpr explicit input(const char* name)
      : state(detail::make_handle<detail::leaf_state>(name, detail::shape_t<input>::value, detail::leaf_state::input)) {
  }
  constexpr input(const input&) = default;
  constexpr input(input&&) = default;
  auto operator=(const input&) -> input& = delete;  // `x = y` would silently rebind the handle

  template <class S>
  void operator=(const detail::shaped<S>&) const = delete;  // an input can be bound only to a tensor
  template <PlainTensor T>
  auto operator=(const T& t) const -> binding<T> {
    return {state, t};
  }
#line 1 "koila's input"
  template <class T, author::reason Reason = author::reason::not_a_tensor,
            detail::text Message = author::message<Reason>("input")>
    requires(!PlainTensor<T> && !Expression<T>)
  void operator=(const T&) const = delete;
};

/// A tensor that training changes. Copies share the tensor. The tensor is initialised on first
/// use. The default is the same as for the weight of a LibTorch layer: uniform in
/// +-1/sqrt(fan_in), where fan_in is the product of all dims except the first. A bias has the
/// fan_in of its weight. A bias is zero if it is initialised before an expression uses it
/// together with its weight.
template <auto... D>
struct parameter : detail::shaped<typename detail::canonical_shape<D...>::type>, detail::evaluates<parameter<D...>> {
  static_assert(detail::canonical_shape<D...>::type::value.known(), "every dim of a parameter is a number");
  detail::handle<detail::leaf_state> state;

  constexpr parameter() : parameter(detail::unnamed_parameter) {}
  constexpr explicit parameter(const char* name, const initial& first = {})
      : state(detail::make_handle<detail::leaf_state>(name, detail::shape_t<parameter>::value,
                                                      detail::leaf_state::parameter, first)) {}
  constexpr parameter(const parameter&) = default;
  constexpr parameter(parameter&&) = default;
  auto operator=(const parameter&) -> parameter& = delete;  // copy to share; use set(parameter, tensor) for new values
};

/// A tensor without a gradient that a run may change, such as running statistics. Copies share
/// the tensor. By default the tensor is initialised with zeros.
template <auto... D>
struct buffer : detail::shaped<typename detail::canonical_shape<D...>::type>, detail::evaluates<buffer<D...>> {
  static_assert(detail::canonical_shape<D...>::type::value.known(), "every dim of a buffer is a number");
  detail::handle<detail::leaf_state> state;

  constexpr buffer() : buffer(detail::unnamed_buffer) {}
  constexpr explicit buffer(const char* name, const initial& first = {initial::constant, 0})
      : state(detail::make_handle<detail::leaf_state>(name, detail::shape_t<buffer>::value, detail::leaf_state::buffer,
                                                      first)) {}
  constexpr buffer(const buffer&) = default;
  constexpr buffer(buffer&&) = default;
  auto operator=(const buffer&) -> buffer& = delete;
};

namespace detail {
template <class T>
inline constexpr bool is_buffer = false;
template <auto... D>
inline constexpr bool is_buffer<buffer<D...>> = true;
/// True for parameters and buffers. A call runs immediately if one of its operands is a plain
/// tensor and the others are plain tensors, parameters or buffers. So a model called with a
/// tensor returns a tensor.
template <class T>
inline constexpr bool owns_tensor = is_buffer<T>;
template <auto... D>
inline constexpr bool owns_tensor<parameter<D...>> = true;
}  // namespace detail

/// A plain tensor as an operand of an expression. Its dims are known only at run time.
struct tensor_leaf : detail::shaped<shape<unranked>>, detail::evaluates<tensor_leaf> {
  detail::handle<detail::leaf_state> state;
  constexpr explicit tensor_leaf(detail::handle<detail::leaf_state> s) : state(std::move(s)) {}
};

/// A tensor made lazy by `lazy<...>(tensor)`. The compiler knows its stated dims, but not its
/// dtype.
template <class Shape>
struct lazy_leaf : detail::shaped<Shape>, detail::evaluates<lazy_leaf<Shape>> {
  detail::handle<detail::leaf_state> state;
  explicit lazy_leaf(detail::handle<detail::leaf_state> s) : state(std::move(s)) {}
};

namespace detail {

struct call_trace;

}  // namespace detail

/// A value in an op's gradient or expansion. A traced value is either an operand, whose dims are
/// known at run time, or the result of a call on traced values. Such calls are recorded in a
/// call_trace (graph/call_trace.hpp), so all results have this type.
struct traced_value {
  using shape_type = shape<unranked>;
  using is_expression = void;
  detail::call_trace* trace = nullptr;
  int id = 0;
  const author::dims* dims = nullptr;  // dims of an operand; null for a result
};

/// Returns the dims of an operand in a gradient or an expansion. Throws usage_error for the result
/// of a call, because its dims are not known yet. If unknown dims were returned instead, an
/// unknown dtype could be mistaken for a dtype that needs no handling.
constexpr auto dims_of(const traced_value& s) -> author::dims {
  if (s.dims == nullptr)
    throw usage_error("koila: the dims of a value are asked for in the expansion that computes it");
  return *s.dims;
}
template <Expression E>
constexpr auto dims_of(const E&) -> author::dims {
  return detail::shape_t<E>::value;
}

/// Expressions that are leaves of the graph.
template <class T>
concept Leaf = Expression<T> && requires(const T& t) { t.state->declared; };

namespace detail {

/// Returns the state that a leaf's copies share. Throws usage_error if the leaf is a moved-from
/// object.
template <class T>
constexpr auto shared_state(const handle<T>& state) -> T& {
  if (!state) throw usage_error("koila: a leaf is used that was moved from");
  return *state;
}

}  // namespace detail

}  // namespace koila::inline v0
