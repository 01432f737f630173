// SPDX-License-Identifier: MIT
// Tensors must agree with the rule of their op. If a user's op breaks its rule, the error must come
// before memory is read with wrong dims or a wrong dtype.
#include <ATen/ops/sum.h>

#include "run/support.hpp"

namespace koila::test {

using namespace detail;

namespace {

/// The rule says float64, but the view has the operand's dtype.
inline constexpr struct wrong_dtype : op<wrong_dtype, 1> {
  static constexpr std::string_view name = "wrong_dtype";
  static constexpr auto rule(const dims& x) -> verdict { return x.with(dtype::float64); }
  static void view(at::Tensor& y, const at::Tensor& x, const dims&, const no_attributes&) { y = x; }
} wrong_dtype;

/// The rule states one row more than the view has.
inline constexpr struct wrong_extent : op<wrong_extent, 1> {
  static constexpr std::string_view name = "wrong_extent";
  static constexpr auto rule(const dims& x) -> verdict {
    dims d = x;
    if (d.rank > 0 && d.e[0].known()) d.e[0] = {d.e[0].n + 1, {}, true};
    return d;
  }
  static void view(at::Tensor& y, const at::Tensor& x, const dims&, const no_attributes&) { y = x; }
} wrong_extent;

/// The view reads memory behind its operand.
inline constexpr struct too_far : op<too_far, 1> {
  static constexpr std::string_view name = "too_far";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& out) -> relations { return flows::elementwise(&x, 1, out); }
  static void view(at::Tensor& y, const at::Tensor& x, const dims&, const no_attributes&) {
    y = x.as_strided(x.sizes(), x.strides(), x.storage_offset() + 1);
  }
} too_far;

/// `view` returns a copy, which is made once and does not follow its operand.
inline constexpr struct no_view : op<no_view, 1> {
  static constexpr std::string_view name = "no_view";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static void view(at::Tensor& y, const at::Tensor& x, const dims&, const no_attributes&) { y = x.clone(); }
} no_view;

/// The kernel computes fewer elements than the rule states.
inline constexpr struct wrong_kernel : op<wrong_kernel, 1> {
  static constexpr std::string_view name = "wrong_kernel";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    const c10::WarningUtils::WarnAlways quiet{false};
    y.resize_(0);
    at::sum_out(y, x, at::IntArrayRef{1});
  }
} wrong_kernel;

/// Three ops that break the rules for results: the kernel replaces its result by another tensor,
/// replaces it only if x is zero, or transposes it.
inline constexpr struct assigns : op<assigns, 1> {
  static constexpr std::string_view name = "assigns";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& y) -> relations { return flows::elementwise(&x, 1, y); }
  static void evaluate(at::Tensor& y, const at::Tensor& x) { y = x * 2; }
} assigns;
inline constexpr struct assigns_at_zero : op<assigns_at_zero, 1> {
  static constexpr std::string_view name = "assigns_at_zero";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& y) -> relations { return flows::elementwise(&x, 1, y); }
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    if (x.eq(0).all().item<bool>()) y = at::zeros_like(x);
    else y.copy_(x);
  }
} assigns_at_zero;
inline constexpr struct transposes : op<transposes, 1> {
  static constexpr std::string_view name = "transposes";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& y) -> relations { return flows::elementwise(&x, 1, y); }
  static void evaluate(at::Tensor& y, const at::Tensor& x) { y.copy_(x).t_(); }
} transposes;

/// The op expands to an expression of another dtype.
inline constexpr struct wrong_expansion : op<wrong_expansion, 1> {
  static constexpr std::string_view name = "wrong_expansion";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto expand(const auto& x) { return gt(x, 0); }
} wrong_expansion;

/// Checks that the op throws a std::logic_error with this message. If `computed` is true, also
/// checks the op with an operand that koila computes, mul(x, 2).
template <class Op>
void told(const Op& op, const std::string& sentence, bool computed = true) {
  const at::Tensor t = at::ones({9, 3}).narrow(0, 2, 4);
  const input<any, any> x{"x"};
  const input<batch, any> rows{"rows"};
  const auto message = Catch::Matchers::Contains(sentence);
  CHECK_THROWS_WITH(op(t), message);
  CHECK_THROWS_AS(op(t), std::logic_error);
  CHECK_THROWS_WITH(run(op(x), x = t), message);
  CHECK_THROWS_AS(run(op(x), x = t), std::logic_error);
  CHECK_THROWS_WITH(run(op(rows), {.chunk = 2}, rows = t), message);
  if (!computed) return;
  CHECK_THROWS_WITH(run(op(mul(x, 2)), x = t), message);
  CHECK_THROWS_WITH(run(sum(op(mul(rows, 2))), {.chunk = 1}, rows = t), message);
}

}  // namespace

TEST_CASE(
    "trials A1: a view of another dtype, of other dims or of other memory than its rule says is told before anything runs") {
  told(wrong_dtype, "koila: wrong_dtype: its rule says float64 [");
  told(wrong_extent, "koila: wrong_extent: its rule says float32 [");
  told(too_far, "koila: too_far: its view shows more memory than its operand has", false);
  told(no_view, "koila: no_view: its view shows other memory than that of its operand", false);
}

TEST_CASE("trials A1: a kernel that makes something else of its result than its rule says is told of") {
  told(wrong_kernel, "koila: wrong_kernel: its kernel must write to the result that it is given");
}

TEST_CASE("trials A1: a kernel that exchanges the tensor of its result is told of") {
  told(assigns, "koila: assigns: its kernel must write to the result that it is given");
  told(transposes, "koila: transposes: its kernel must write to the result that it is given");
  const input<batch, any> x{"x"};
  const at::Tensor square = at::randn({4, 4}), zeros = at::zeros({4, 4});
  const auto message = Catch::Matchers::Contains("must write to the result that it is given");
  CHECK_THROWS_WITH(transposes(square), message);
  for (const index_t chunk : {4, 2}) {
    CHECK_THROWS_WITH(run(transposes(x), {.chunk = chunk}, x = at::randn({4, chunk})), message);
    CHECK_THROWS_WITH(run(sum(transposes(x)), {.chunk = chunk}, x = at::randn({4, chunk})), message);
  }
  for (int i = 0; i < 3; ++i) {  // also refused after correct runs, and later runs are correct too
    CHECK(::test::identical(run(assigns_at_zero(x) + 1.0, {.chunk = 2}, x = square), square + 1.0));
    CHECK_THROWS_WITH(run(assigns_at_zero(x) + 1.0, {.chunk = 2}, x = zeros), message);
  }
}

TEST_CASE("an op made of something else than its rule says is told of") {
  told(wrong_expansion, "koila: what wrong_expansion is made of has other dims or another dtype than its rule says");
}

}  // namespace koila::test
