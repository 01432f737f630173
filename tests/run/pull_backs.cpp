// SPDX-License-Identifier: MIT
// Values that the kernel of their pull-back (their gradient op) can also compute. One kernel
// computes both if the pull-back does not need the value.
#include "run/support.hpp"

#include <ATen/ops/mv.h>
#include <ATen/ops/sum.h>

namespace mine {

using namespace koila;
using namespace koila::author;
using namespace koila::internal;

int calls_of_one = 0, calls_of_both = 0;

/// (samples) x (samples, n) -> (samples, n): repeats dy in each column.
inline constexpr struct row_total_backward : op<row_total_backward> {
  static constexpr std::string_view name = "row_total_backward";
  static constexpr auto rule(const dims&, const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value&, const value& x, const dims&) -> relations {
    relations f;
    if (!x.batch_relation.sampled()) return f;
    f.out = x.batch_relation;
    f.operand[0] = f.operand[1] = {need::rows, x.batch_relation};
    return f;
  }
  static void evaluate(at::Tensor& dx, const at::Tensor& dy, const at::Tensor&) {
    ++calls_of_one, dx.copy_(dy.unsqueeze(-1));
  }
} row_total_backward;

/// (samples, n) -> (samples): the sum of each row.
inline constexpr struct row_total : op<row_total> {
  static constexpr std::string_view name = "row_total";
  static constexpr auto rule(const dims& x) -> verdict { return x.ranked() ? rules::drop(x, 1, false) : x; }
  static constexpr auto flow(const value& x, const dims&) -> relations {
    relations f;
    if (!x.batch_relation.sampled()) return f;
    f.out = x.batch_relation;
    f.operand[0] = {need::rows, x.batch_relation};
    return f;
  }
  static void evaluate(at::Tensor& y, const at::Tensor& x) { ++calls_of_one, at::sum_out(y, x, -1); }
  using pull_back = struct row_total_backward;
  static void evaluate_both(at::Tensor& y, at::Tensor& dx, const at::Tensor& dy, const at::Tensor& x) {
    ++calls_of_both, at::sum_out(y, x, -1), dx.copy_(dy.unsqueeze(-1));
  }
  static constexpr auto gradient(const auto& dy, const auto&, const auto& x) {
    return gradients(row_total_backward(dy, x));
  }
} row_total;

}  // namespace mine

using namespace koila;
using namespace ::test;

namespace {

/// Counts the pull-backs of a plan: those that directly follow their value (`fused`), and all other
/// ones (`separate`).
struct places {
  int fused = 0, separate = 0;
};
auto places_of(const memory_plan& p) -> places {
  places out;
  const auto count = [&](const std::vector<int>& nodes) {
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (p.graph.node(nodes[k]).op != &info_of<struct koila::internal::softmax_cross_entropy_backward, 3>()) continue;
      ++(k > 0 && pulls_back(p.graph, nodes[k], nodes[k - 1]) ? out.fused : out.separate);
    }
  };
  for (const auto& nodes : p.order.section) count(nodes);
  for (const auto& loop : p.order.loop_of) count(loop.body);
  return out;
}

/// Checks that the loss and the gradient that backward computes have the same bits as a loss and a
/// gradient that are computed separately.
void check_bits(const auto& loss, const auto& parameter, const options& o, places expected, const auto&... bound) {
  const places now = places_of(plan(loss, o, bound...));
  CHECK(now.fused == expected.fused);
  CHECK(now.separate == expected.separate);
  tensor_of(parameter).mutable_grad().reset();
  const at::Tensor value = backward(loss, o, bound...);
  CHECK(at::equal(value, run(loss, o, bound...)));
  CHECK(at::equal(tensor_of(parameter).grad(), run(gradient(loss, parameter), o, bound...)));
}

template <dtype Type, index_t Classes>
void check_classes(at::ScalarType type) {
  CAPTURE(Classes, type);
  constexpr index_t samples = 96;
  const input<Type, batch, Classes> x{"x"};
  const input<int64, batch> label{"label"};
  parameter<Type, Classes> shift{"shift"};
  const at::Tensor logits = (at::randn({samples, Classes}) * 4).to(type), labels = labels_of(samples, Classes);
  labels.slice(0, 5, samples, 17).fill_(-100);
  set(shift, at::randn({Classes}).to(type));
  const auto loss = cross_entropy(x + shift, label);
  for (const index_t chunk : {0, 32, 7, 1})
    check_bits(loss, shift, {.chunk = chunk}, {1, 0}, x = logits, label = labels);
  // Values that do not depend on the samples.
  const input<int64, samples> classes{"classes"};
  parameter<Type, samples, Classes> scores{"scores"};
  set(scores, logits);
  check_bits(cross_entropy(scores, classes), scores, {}, {1, 0}, classes = labels);
  const at::Tensor known = logits.to(at::kDouble).requires_grad_();
  at::cross_entropy_loss(known, labels).backward();
  const at::Tensor slope = tensor_of(scores).grad().to(at::kDouble);
  CHECK(relative_error(slope, known.grad()) < (type == at::kDouble ? 1e-14 : type == at::kFloat ? 2e-6 : 5e-3));
}

}  // namespace

TEST_CASE("cross entropy at the loss and its gradient are of one kernel, with the bits that they have alone") {
  check_classes<float32, 8>(at::kFloat);
  check_classes<float32, 64>(at::kFloat);
  check_classes<float32, 65>(at::kFloat);
  check_classes<float32, 1000>(at::kFloat);
  check_classes<float64, 10>(at::kDouble);
  check_classes<bfloat16, 10>(at::kBFloat16);
}

TEST_CASE("weights of classes, and sums, leave the two together") {
  const input<batch, 10> x{"x"};
  const input<int64, batch> label{"label"};
  parameter<10> shift{"shift"};
  const at::Tensor logits = at::randn({64, 10}), labels = labels_of(64, 10), of_class = at::rand({10}) + 0.5;
  const auto scores = x + shift;
  const auto weighted = cross_entropy(scores, label, lazy(of_class));
  for (const index_t chunk : {0, 8}) {
    const options o{.chunk = chunk};
    check_bits(cross_entropy(scores, label, reduction = kSum), shift, o, {1, 0}, x = logits, label = labels);
    const places here = places_of(plan(weighted, o, x = logits, label = labels));
    CHECK((here.fused == 1 && here.separate == 0));
    tensor_of(shift).mutable_grad().reset();
    const at::Tensor known = tensor_of(shift).detach().clone().requires_grad_();
    const at::Tensor value = at::cross_entropy_loss(logits + known, labels, of_class);
    value.backward();
    CHECK(near(backward(weighted, o, x = logits, label = labels), value.detach()));
    CHECK(relative_error(tensor_of(shift).grad(), known.grad()) < 1e-5);
  }
}

TEST_CASE("a pull-back that needs the value comes after it") {
  const input<batch, 10> x{"x"};
  const input<int64, batch> label{"label"};
  parameter<10> shift{"shift"};
  const at::Tensor logits = at::randn({64, 10}), labels = labels_of(64, 10);
  const auto each = cross_entropy(x + shift, label, reduction = kNone);
  const at::Tensor known = tensor_of(shift).detach().clone().requires_grad_();
  at::cross_entropy_loss(logits + known, labels, {}, at::Reduction::None).square().sum().backward();
  for (const index_t chunk : {0, 8}) {
    check_bits(sum(square(each)), shift, {.chunk = chunk}, {0, 1}, x = logits, label = labels);
    CHECK(relative_error(tensor_of(shift).grad(), known.grad()) < 1e-5);
  }
}

TEST_CASE("a pull-back does not go past what is larger than the value") {
  const input<batch, 10> x{"x"};
  const input<int64, batch> label{"label"};
  parameter<10> shift{"shift"};
  parameter<10, 10> w{"w"};
  const at::Tensor logits = at::randn({64, 10}), labels = labels_of(64, 10);
  const auto first = cross_entropy(x + shift, label);
  const auto second = cross_entropy(linear(relu(x + shift), w), label);
  const places here = places_of(plan(first + second, {.chunk = 8}, x = logits, label = labels));
  CHECK(here.fused == 1);
  CHECK(here.separate == 1);
  check_bits(first + second, shift, {.chunk = 8}, here, x = logits, label = labels);
}

TEST_CASE("with too little memory for both, a value is computed again and its gradient stays") {
  const input<batch, 10> x{"x"};
  const input<int64, batch> label{"label"};
  parameter<10> shift{"shift"};
  for (const index_t samples : {16, 96}) {
    const at::Tensor logits = at::randn({samples, 10}), labels = labels_of(samples, 10);
    const auto loss = cross_entropy(x + shift, label);
    for (const index_t chunk : {samples, index_t{8}}) {
      backward(loss, {.chunk = chunk}, x = logits, label = labels);
      const at::Tensor known = tensor_of(shift).grad().clone();
      index_t most = plan(loss, {.chunk = chunk}, x = logits, label = labels).peak_bytes();
      int plans = 0;
      for (index_t memory = most; memory > most / 4; memory -= 8) {
        const options o{.memory = memory, .chunk = chunk};
        tensor_of(shift).mutable_grad().reset();
        try {
          backward(loss, o, x = logits, label = labels);
        } catch (const memory_error&) { break; }
        CHECK(at::equal(tensor_of(shift).grad(), known));
        ++plans;
      }
      CHECK(plans > 0);
    }
  }
}

TEST_CASE("what reads something large between a value and its pull-back comes before both") {
  const input<batch, 10> x{"x"};
  const input<int64, batch> label{"label"};
  parameter<10> shift{"shift"};
  const at::Tensor logits = at::randn({64, 10}), labels = labels_of(64, 10);
  const auto h = let(tanh(x));
  const auto loss = cross_entropy(h + shift, label) + sum(amax(h, 1));
  const memory_plan p = plan(loss, {.chunk = 64}, x = logits, label = labels);
  CHECK(places_of(p).fused == 1);
  for (const auto& loop : p.order.loop_of) {
    int largest = -1, value = -1;
    for (std::size_t k = 0; k < loop.body.size(); ++k) {
      const op_info* const op = p.graph.node(loop.body[k]).op;
      if (op == &info_of<struct koila::amax, 1>()) largest = static_cast<int>(k);
      if (op == &info_of<struct koila::internal::softmax_cross_entropy, 2>()) value = static_cast<int>(k);
    }
    if (value >= 0) CHECK((largest >= 0 && largest < value));
  }
}

TEST_CASE("a pull-back of the value itself is computed after it") {
  const input<batch, 10> x{"x"};
  const input<int64, batch> label{"label"};
  const at::Tensor logits = at::randn({64, 10}), labels = labels_of(64, 10);
  const at::Tensor each = koila::internal::softmax_cross_entropy(logits, labels),
                   slope = koila::internal::softmax_cross_entropy_backward(each, logits, labels);
  const auto y = koila::internal::softmax_cross_entropy(x, label);
  for (const index_t chunk : {0, 8}) {
    const at::Tensor now =
        run(koila::internal::softmax_cross_entropy_backward(y, x, label), {.chunk = chunk}, x = logits, label = labels);
    CHECK(at::equal(now, slope));
  }
}

TEST_CASE("an op in a user's file, too: one call makes both, but not where the value is much of them") {
  const auto check = []<index_t N>(std::integral_constant<index_t, N>) {
    const input<float64, batch, N> x{"x"};
    parameter<float64, N> w{"w"};
    const at::Tensor values = at::randn({24, N}, at::kDouble), weights = at::randn({N}, at::kDouble);
    set(w, weights);
    const auto calls = [&](const auto& loss, index_t chunk) {
      mine::calls_of_one = mine::calls_of_both = 0;
      tensor_of(w).mutable_grad().reset();
      const options o{.chunk = chunk};
      const index_t predicted = plan(loss, o, x = values).peak_bytes();
      const measure m;
      backward(loss, o, x = values);
      CHECK(m.peak() == predicted);
      return std::pair{mine::calls_of_one, mine::calls_of_both};
    };
    const auto y = mine::row_total(x * w);
    for (const index_t chunk : {0, 8}) {
      CAPTURE(N, chunk);
      const int chunks = chunk == 0 ? 1 : 3;
      CHECK(calls(sum(y), chunk) == (N < 8 ? std::pair{2 * chunks, 0} : std::pair{0, chunks}));
      CHECK(relative_error(tensor_of(w).grad(), values.sum(0)) < 1e-14);
      CHECK(calls(sum(y * y), chunk) == std::pair{2 * chunks, 0});  // dy is 2 * y, so the pull-back needs the value
      CHECK(relative_error(tensor_of(w).grad(), 2 * at::mv(values.t(), at::mv(values, weights))) < 1e-13);
    }
  };
  check(std::integral_constant<index_t, 16>());
  check(std::integral_constant<index_t, 5>());
}
