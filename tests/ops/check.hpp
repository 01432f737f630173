// SPDX-License-Identifier: MIT
#pragma once
// Checks shared by the tests of all ops. They compare values, gradients and memory with LibTorch,
// for the whole batch and in chunks, lazily and eagerly.
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "pch.hpp"

namespace koila::test {

using namespace detail;
using namespace internal;

/// An operand. Floating-point operands are tested in float64 and in float32. `batch`: the batch
/// dim, or -1 for a parameter.
struct operand {
  at::Tensor value;
  int batch = -1;
};
inline auto per_sample(const at::Tensor& t, int batch = 0) -> operand { return {t, batch}; }
inline auto whole(const at::Tensor& t) -> operand { return {t, -1}; }

/// A leaf and the tensor that is bound to it.
struct bound {
  tensor_leaf leaf;
  at::Tensor value;
  template <Leaf L>
  bound(const L& l, at::Tensor t) : leaf(l.state), value(std::move(t)) {
    if (leaf.state->kind == leaf_state::parameter) set(*leaf.state, value);
  }
};

/// An expression of any shape and dtype.
using anything = erased<dtype::unknown, unranked>;
using reference = std::function<at::Tensor(const std::vector<at::Tensor>&)>;

/// Selects what is checked besides the value: first derivatives, second derivatives, and whether
/// first derivatives agree with difference quotients. `quotients` is false for gradients that
/// differ from the derivative by design.
struct ask {
  bool gradients = true, twice = true, quotients = true;
};

/// The memory layout of an operand: contiguous, with reversed dims, or every second element of a
/// larger tensor.
enum class lie { dense, reversed, spread };

/// Returns a leaf with this tensor's dims and dtype: an input with batch dim `batch`, or a
/// parameter if `batch` is -1.
auto leaf(const at::Tensor& t, int batch = -1) -> bound;
auto bind(const operand& x, at::ScalarType type, lie lies) -> bound;
/// Runs all checks of one expression with bound leaves. `stated`: what the compiler knows about the
/// result's dims.
void compare(const dims& stated, const anything& lazy, const at::Tensor& eager, const reference& want,
             const std::vector<bound>& xs, const ask& what);
/// Runs f and requires a shape_error with this message. f must not allocate tensor memory before it
/// throws.
void refused(const std::function<void()>& f, const std::string& sentence);
/// Runs f, in which an index is out of range, and requires a c10::IndexError. Does nothing if
/// LibTorch's operators compute, because they throw different errors.
void out_of_range(const std::function<void()>& f);
/// Requires equal sizes, dtypes and values. The tolerance is 1e-12 of the largest value if all
/// operands are float64, otherwise LibTorch's own tolerance.
void same(const at::Tensor& got, const at::Tensor& want, bool in_float64 = true);

/// Returns standard normal values. They are the same in every run of a test case.
auto normal(at::IntArrayRef sizes) -> at::Tensor;
/// Returns random values from 0.5 to 2.
auto positive(at::IntArrayRef sizes) -> at::Tensor;
/// Returns random labels from 0 to `classes` - 1. If `ignored`, some of the labels are -100.
auto labels(std::int64_t n, std::int64_t classes, bool ignored = false) -> at::Tensor;

/// Returns the dtypes and layouts that the next call of `check` compares. A long run compares all
/// of them. A short run compares contiguous operands in both dtypes, and one further layout, which
/// changes from call to call. A short run that compares threads uses only one combination per call,
/// which also changes.
auto ways_to_lie() -> std::vector<std::pair<at::ScalarType, lie>>;

/// Sizes of ranks 1 to 4 with extents 0, 1 and primes. Any dim may be the batch dim.
struct sizes_with_batch {
  std::vector<std::int64_t> sizes;
  int batch;
};
auto some_sizes(int least_rank = 1, int most_rank = 4) -> const std::vector<sizes_with_batch>&;
/// Calls f with each dim from -2 to 1 that is valid for a value of these sizes.
template <class F>
void for_dims(const std::vector<std::int64_t>& sizes, const F& f) {
  const int rank = static_cast<int>(sizes.size());
  for (int d = -2; d < 2; ++d)
    if (d >= -rank && d < rank) f(d);
}
/// Returns true if the number of threads may change the last bits of a plan's result. This is the
/// case for products by BLAS, for LibTorch's softmax along the first dim, and for custom callables.
/// See docs/architecture/determinism.md.
auto is_shared_by_libtorch(const memory_plan& p) -> bool;

/// Batch sizes.
inline constexpr std::int64_t batches[] = {0, 1, 2, 3, 5, 8, 13};

/// Compares `f` of leaves, and `f` of plain tensors, with LibTorch's `g`, in the dtypes and layouts
/// that `ways_to_lie` returns.
template <class F, class G, std::same_as<operand>... X>
void check(const ask& what, const F& f, const G& g, const X&... xs) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const reference want = [&](const std::vector<at::Tensor>& t) -> at::Tensor { return g(t[I]...); };
    for (const auto& [type, how] : ways_to_lie()) {
      const std::vector<bound> b{bind(xs, type, how)...};
      const auto y = f(b[I].leaf...);
      compare(shape_t<decltype(y)>::value, y, f(b[I].value...), want, b, what);
    }
  }(std::index_sequence_for<X...>{});
}
template <class F, class G, std::same_as<operand>... X>
void check(const F& f, const G& g, const X&... xs) {
  check(ask{}, f, g, xs...);
}

/// Like `check`, for leaves whose shapes the compiler knows: `check_typed(f, g, std::pair{x, t},
/// std::pair{w, u})`.
template <class F, class G, class... L>
void check_typed(const F& f, const G& g, const std::pair<L, at::Tensor>&... xs) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const reference want = [&](const std::vector<at::Tensor>& t) -> at::Tensor { return g(t[I]...); };
    const auto y = f(xs.first...);
    compare(shape_t<decltype(y)>::value, y, f(xs.second...), want, {bound(xs.first, xs.second)...}, {});
  }(std::index_sequence_for<L...>{});
}

/// Compares `f` and `g` of a tensor and a dim, for integers, 16-bit floats and, by default,
/// booleans.
template <class F, class G>
void check_other_dtypes(const F& f, const G& g, bool booleans = true) {
  for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong, at::kHalf, at::kBFloat16}) {
    if (type == at::kBool && !booleans) continue;
    for (const int d : {0, 1}) {
      const bound x = leaf(at::arange(21).view({7, 3}).remainder(5).to(type), 0);  // (samples, 3)
      compare({}, f(x.leaf, d), f(x.value, d), [&](const auto& t) { return g(t[0], d); }, {x}, {.gradients = false});
    }
  }
}

/// Returns pairs of operands that broadcast. One operand or both have samples, along any dim.
inline auto broadcasting_pairs(at::Tensor (*a)(at::IntArrayRef) = normal, at::Tensor (*b)(at::IntArrayRef) = normal)
    -> std::vector<std::pair<operand, operand>> {
  std::vector<std::pair<operand, operand>> list{{whole(a({2, 3})), whole(b({3}))}, {whole(a({})), whole(b({}))}};
  for (const auto n : batches) {
    list.push_back({per_sample(a({n, 3})), per_sample(b({n, 3}))});
    list.push_back({per_sample(a({n, 1})), whole(b({4}))});
    list.push_back({whole(a({4, 1})), per_sample(b({n}))});
    list.push_back({per_sample(a({2, n}), 1), whole(b({2, 1}))});
    list.push_back({whole(a({})), per_sample(b({n, 2}))});
    list.push_back({per_sample(a({n, 1, 3})), per_sample(b({n, 2, 1}))});
    list.push_back({per_sample(a({2, n}), 1), per_sample(b({3, 1, n}), 2)});
  }
  return list;
}
template <class F, class G>
void check(const ask& what, const F& f, const G& g, const std::vector<std::pair<operand, operand>>& pairs) {
  for (const auto& [a, b] : pairs) check(what, f, g, a, b);
}

/// Compares `f` and `g` of two operands for all pairs of dtypes. The second operand has dims, or is
/// a scalar.
template <class F, class G>
void check_promotion(const F& f, const G& g, std::initializer_list<at::ScalarType> types) {
  const reference want = [&](const std::vector<at::Tensor>& t) -> at::Tensor { return g(t[0], t[1]); };
  for (const auto s : types)
    for (const auto t : types)
      for (const bool scalar : {false, true}) {
        const at::Tensor a = positive({5, 3}).mul(2).to(s), b = (scalar ? positive({}) : positive({5, 3})).mul(2).to(t);
        const std::vector<bound> xs{leaf(a, 0), scalar ? leaf(b) : leaf(b, 0)};
        const auto y = f(xs[0].leaf, xs[1].leaf);
        compare(shape_t<decltype(y)>::value, y, f(a, b), want, xs, {.twice = false});
      }
}

}  // namespace koila::test
