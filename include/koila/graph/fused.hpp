// SPDX-License-Identifier: MIT
#pragma once
// Fused kernels: one loop for several element-wise ops, compiled for an expression whose type
// contains these ops. Across `erased` and in gradients, no type contains the ops. For these ops,
// koila has a general kernel, which runs them one after the other for each tile. The general
// kernel takes up to twice as long at run time, but adds no compile time. A fused kernel may
// contract a product and a sum into a fused multiply-add, which does not round the product. So the
// kernel's results are at least as exact as the results of separate ops, but their bits may
// differ.
#include <koila/expr/op.hpp>
#include <koila/graph/info_of.hpp>
#include <koila/ops/common/element_math.hpp>

#include <utility>

namespace koila::inline v0::detail {

/// Limits of fused kernels. Fusing fewer than `least_fused` ops saves no time. Fusing more than
/// `most_fused` ops takes too long to compile. At most `most_fused_attributes` ops may have
/// attributes, because a separate loop is compiled for each combination of attributes.
inline constexpr std::size_t least_fused = 3, most_fused = 12, most_fused_attributes = 2;

/// A callback for `Op::element` that ignores its argument.
struct no_loop {
  void operator()(auto) const {}
};
/// Returns true if the op defines `element`, a function of one element of each operand; see
/// ops/common/elements.ipp.
template <class Op, class... X>
constexpr auto states_element() -> bool {
  if constexpr (std::is_same_v<attributes_t<Op>, no_attributes>) return requires(X... x) { Op::element(x...); };
  else return requires(const attributes_t<Op>& a) { Op::element(0.0F, a, no_loop()); };
}

/// A tuple of functions that g++ inlines completely. g++ does not inline the functions of
/// std::tuple into a function with an `optimize` attribute.
template <class... F>
struct functions {};
template <class F, class... More>
struct functions<F, More...> {
  F first;
  [[no_unique_address]] functions<More...> more;
};
template <std::size_t K, class F, class... More>
[[gnu::always_inline]] inline auto function_at(const functions<F, More...>& f) -> const auto& {
  if constexpr (K == 0) return f.first;
  else return function_at<K - 1>(f.more);
}

/// Concatenates type lists.
template <class... L>
struct lists_joined {
  using type = type_list<>;
};
template <class... A>
struct lists_joined<type_list<A...>> {
  using type = type_list<A...>;
};
template <class... A, class... B, class... L>
struct lists_joined<type_list<A...>, type_list<B...>, L...> : lists_joined<type_list<A..., B...>, L...> {};

/// An expression as a tree of element-wise ops: the number of ops, the ops, and the value of one
/// element. An expression that is not an element-wise op is an operand of the tree. The kernel
/// reads the operands from memory.
template <class E>
struct element_tree {
  static constexpr std::size_t ops = 0, operands = 1, size = 1;
  static constexpr bool sets_errno = false;
  using with_attributes = type_list<>;
  static void note(const op_info**& to) { *to++ = nullptr; }
  template <std::size_t Operand, std::size_t>
  [[gnu::always_inline]] static auto value(const float* const* x, index_t i, const auto&) -> float {
    return x[Operand][i];
  }
};
template <class Op, class Shape, class... Xs>
  requires(states_element<Op, std::enable_if_t<(sizeof(Xs) > 0), float>...>())
struct element_tree<node<Op, Shape, Xs...>> {
  static constexpr std::size_t ops = 1 + (element_tree<Xs>::ops + ...), operands = (element_tree<Xs>::operands + ...),
                               size = 1 + (element_tree<Xs>::size + ...);
  static constexpr bool sets_errno = (requires { Op::sets_errno; } || ... || element_tree<Xs>::sets_errno);
  static constexpr bool has_attributes = !std::is_same_v<attributes_t<Op>, no_attributes>;
  // The list is empty for a tree that is too large, because a long chain would instantiate many
  // lists.
  using with_attributes =
      typename std::conditional_t<(ops > most_fused), std::type_identity<type_list<>>,
                                  lists_joined<std::conditional_t<has_attributes, type_list<Op>, type_list<>>,
                                               typename element_tree<Xs>::with_attributes...>>::type;
  /// Writes the ops to `to` in prefix order, each op before its operands. An operand of the tree
  /// is written as null.
  static void note(const op_info**& to) {
    *to++ = &info_of<Op, sizeof...(Xs)>();
    (element_tree<Xs>::note(to), ...);
  }
  /// Returns element i of the value. `Operand` is the index of this tree's first operand in `x`.
  /// `Function` is the index in `f` of the first function of this tree's ops that have attributes.
  template <std::size_t Operand, std::size_t Function>
  [[gnu::always_inline]] static auto value(const float* const* x, index_t i, const auto& f) -> float {
    return value_of<Operand, Function>(x, i, f, std::index_sequence_for<Xs...>());
  }

 private:
  static constexpr std::size_t operands_of[] = {element_tree<Xs>::operands...},
                               functions_of[] = {length<typename element_tree<Xs>::with_attributes>::value...};
  static constexpr auto before(const std::size_t* n, std::size_t k) -> std::size_t {
    std::size_t sum = 0;
    for (std::size_t j = 0; j < k; ++j) sum += n[j];
    return sum;
  }
  template <std::size_t Operand, std::size_t Function, std::size_t... K>
  [[gnu::always_inline]] static auto value_of(const float* const* x, index_t i, const auto& f,
                                              std::index_sequence<K...>) -> float {
    constexpr std::size_t own = has_attributes ? 1 : 0;
    // clang's `flatten` does not inline nested calls, so each call is marked.
    if constexpr (has_attributes) {
      const auto& own_function = function_at<Function>(f);
#ifdef __clang__
      [[clang::always_inline]]
#endif
      return own_function(
          element_tree<Xs>::template value<Operand + before(operands_of, K), Function + own + before(functions_of, K)>(
              x, i, f)...);
    } else {
#ifdef __clang__
      [[clang::always_inline]]
#endif
      return Op::element(
          element_tree<Xs>::template value<Operand + before(operands_of, K), Function + before(functions_of, K)>(x, i,
                                                                                                                 f)...);
    }
  }
};

/// Appends a function.
template <class G>
[[gnu::always_inline]] inline auto appended(const functions<>&, G g) -> functions<G> {
  return {g, {}};
}
template <class F, class... More, class G>
[[gnu::always_inline]] inline auto appended(const functions<F, More...>& f, G g) -> functions<F, More..., G> {
  return {f.first, appended(f.more, g)};
}

/// Calls k with the element functions of the ops that have attributes. `attributes` is an array
/// of pointers to the attributes of these ops.
template <class K, class... F>
[[gnu::always_inline]] inline void with_functions(type_list<>, const void* const*, K k, const functions<F...>& f) {
  k(f);
}
template <class Op, class... Ops, class K, class... F>
[[gnu::always_inline]] inline void with_functions(type_list<Op, Ops...>, const void* const* attributes, K k,
                                                  const functions<F...>& f) {
  Op::element(0.0F, *static_cast<const attributes_t<Op>*>(*attributes), [&](auto g) __attribute__((always_inline)) {
    with_functions(type_list<Ops...>(), attributes + 1, k, appended(f, g));
  });
}

/// The loop over the elements of a tree of ops, compiled for AVX2 and for AVX-512. Each version is
/// an `elements_function`. fused_elements describes its `attributes`.
template <class E>
struct fused_function {
  using tree = element_tree<E>;

  [[gnu::always_inline]] static void run(void* y, const void* const* inputs, const void* attributes, index_t n) {
    const float* x[tree::operands];
    for (std::size_t k = 0; k < tree::operands; ++k) x[k] = static_cast<const float*>(inputs[k]);
    float* const to = static_cast<float*>(y);
    with_functions(
        typename tree::with_attributes(), static_cast<const void* const*>(attributes),
        [&](const auto& f) __attribute__((always_inline)) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
          for (index_t i = 0; i < n; ++i) to[i] = tree::template value<0, 0>(x, i, f);
        },
        functions<>());
  }
#ifdef __x86_64__
#ifdef __clang__
  [[gnu::flatten, gnu::target("avx2,fma")]]
#else
  [[gnu::flatten, gnu::optimize("O3"), gnu::target("avx2,fma")]]
#endif
  static void avx2(void* y, const void* const* operands, const void* attributes, index_t n) {
    run(y, operands, attributes, n);
  }
#ifdef __clang__
  [[gnu::flatten, gnu::target("avx512f,avx512vl,avx512dq,avx2,fma"), clang::min_vector_width(512)]]
#else
  [[gnu::flatten, gnu::optimize("O3"), gnu::target("avx512f,avx512vl,avx512dq,avx2,fma,prefer-vector-width=512")]]
#endif
  static void avx512(void* y, const void* const* operands, const void* attributes, index_t n) {
    run(y, operands, attributes, n);
  }
#endif
};

/// Returns the description of an expression's fused kernel. Each expression type has one
/// description, a static variable, because graphs refer to it.
template <class E>
auto fused_of() -> const fused_elements* {
#ifdef __x86_64__
  using tree = element_tree<E>;
  static const op_info* ops[tree::size];
  static const fused_elements f = [] {
    const op_info** to = ops;
    tree::note(to);
    return fused_elements{ops, fused_function<E>::avx2, fused_function<E>::avx512};
  }();
  return &f;
#else
  return nullptr;
#endif
}

/// Returns true if the ops of an expression are fused into one kernel.
template <class E>
constexpr auto is_fused() -> bool {
  using tree = element_tree<E>;
  constexpr dtype type = shape_t<E>::value.type;
  if constexpr (!compiles_fused || tree::ops < least_fused || (tree::sets_errno && !compiles_fused_roots) ||
                (type != dtype::float32 && type != dtype::unknown))
    return false;
  else
    return tree::ops <= most_fused && tree::operands <= most_fused_operands &&
           length<typename tree::with_attributes>::value <= most_fused_attributes;
}

/// Passes the fused kernel of an expression to the builder. Called for each expression that no
/// element-wise op reads. If the expression has no fused kernel, passes the kernels of its
/// operands.
template <class E>
constexpr void offer_fused(builder& b) {
  if constexpr (is_fused<E>()) {
    if (!std::is_constant_evaluated()) b.offer(*fused_of<E>());
  } else if constexpr (compiles_fused && element_tree<E>::ops > least_fused) {
    []<class Op, class Shape, class... Xs>(builder& to, std::type_identity<node<Op, Shape, Xs...>>) {
      (offer_fused<Xs>(to), ...);
    }(b, std::type_identity<E>());
  }
}

}  // namespace koila::inline v0::detail
