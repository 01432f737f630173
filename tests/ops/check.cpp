// SPDX-License-Identifier: MIT
#include "check.hpp"

#include "float32_bound.hpp"
#include "instructions.hpp"
#include "long.hpp"
#include "measure.hpp"

#include <koila/kernels/cpu/brgemm.ipp>
#include <koila/kernels/table.hpp>
#include <koila/torch/parallel.hpp>

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace koila::test {

namespace {

/// If KOILA_BY_OPERATORS is in the environment, LibTorch's operators compute everything, as on
/// devices without koila's kernels. In that case, the tests do not check how much memory the
/// operators allocate.
const bool by_operators = [] {
  const bool asked = std::getenv("KOILA_BY_OPERATORS") != nullptr;
  if (asked) detail::by_operators_only = true;
  return asked;
}();

/// If KOILA_ON_THREADS is in the environment, the same cases check that results have the same bits
/// on any number of threads. Each thread computes a part of every loop.
const bool on_threads = std::getenv("KOILA_ON_THREADS") != nullptr;

/// Fails the test if LibTorch warns while this object exists. LibTorch warns when it resizes a
/// result of the wrong size.
struct no_warnings : c10::WarningHandler {
  c10::WarningUtils::WarningHandlerGuard guard{this};
  c10::WarningUtils::WarnAlways always{true};
  std::string said;
  void process(const c10::Warning& w) override { said += w.msg() + "\n"; }
  ~no_warnings() override { CHECK(said == ""); }
};

using bindings_list = std::vector<binding<at::Tensor>>;

template <class F>
auto with(const bindings_list& b, const F& f) {
  switch (b.size()) {
    case 0: return f();
    case 1: return f(b[0]);
    case 2: return f(b[0], b[1]);
    case 3: return f(b[0], b[1], b[2]);
    case 4: return f(b[0], b[1], b[2], b[3]);
    case 5: return f(b[0], b[1], b[2], b[3], b[4]);
    default: return f(b[0], b[1], b[2], b[3], b[4], b[5]);
  }
}

template <Expression E>
auto value_of(const E& e, const options& o, const bindings_list& b) -> at::Tensor {
  return with(b, [&](const auto&... x) { return run(e, o, x...); });
}

/// Returns true if the loss has a gradient for a parameter.
template <Expression E>
auto has_gradients(const E& loss, const koila::detail::bound_tensors& bound) -> bool {
  const auto l = koila::detail::lower_with(koila::detail::lowering_of(loss), koila::detail::bindings_of(bound), true,
                                           koila::detail::is_trained);
  return std::any_of(l.gradients.begin(), l.gradients.end(), [](int g) { return g >= 0; });
}

/// Returns the value. Checks that the computation takes the predicted memory.
template <Expression E>
auto measured(const E& e, const options& o, const bindings_list& b) -> at::Tensor {
  // Plans only the value: `plan` of a scalar with parameters would include the gradients.
  const index_t predicted = with(b, [&](const auto&... x) {
    return koila::detail::plan_of(koila::detail::lowering_of(e), false, o, koila::detail::bound_of(x...)).peak_bytes();
  });
  const bench::measure here;
  at::Tensor y = value_of(e, o, b);
  CHECK((predicted == here.peak() || by_operators));
  return y;
}

/// Returns 0.5 * |y + 3|^2. The gradient, y + 3, differs between elements, and sums of the gradient
/// do not cancel.
constexpr auto loss_of(const anything& y) {
  const auto off = let(add(y, 3));
  return sum(mul(mul(off, off), 0.5));
}
auto loss_of(const at::Tensor& y) -> at::Tensor { return ((y + 3) * (y + 3) * 0.5).sum(); }

/// Returns true if an operand is float32. In that case `checker` also uses LibTorch's float64
/// result.
auto of_float32(const std::vector<bound>& xs) -> bool {
  return std::any_of(xs.begin(), xs.end(), [](const bound& x) { return x.value.scalar_type() == at::kFloat; });
}

auto fresh_leaves(const std::vector<bound>& xs, bool exact = false) -> std::vector<at::Tensor> {
  std::vector<at::Tensor> t;
  for (const bound& x : xs) {
    const at::Tensor v = exact && x.value.scalar_type() == at::kFloat ? x.value.to(at::kDouble) : x.value;
    t.push_back(v.detach().set_requires_grad(v.is_floating_point()));
  }
  return t;
}

/// LibTorch's result for the same operands (`value`), and LibTorch's result after float32 operands
/// are converted to float64 (`exact`).
struct wanted {
  at::Tensor value, exact;
};
/// Returns the typical magnitude of a partial sum if the elements of x have random signs and are
/// distributed over `results` sums.
auto sum_of(const at::Tensor& x, std::int64_t results) -> double {
  return x.numel() == 0 ? 0
                        : std::sqrt(x.to(at::kDouble).square().nan_to_num(0, 0, 0).sum().item<double>() /
                                    static_cast<double>(std::max<std::int64_t>(results, 1)));
}

/// Compares results with LibTorch's results for the same operands.
class checker {
 public:
  checker(const std::vector<bound>& xs, const wanted& y) : single_(of_float32(xs)) {
    terms_ = static_cast<double>(y.value.numel()), scale_ = std::max(1.0, ::test::largest_of(y.value));
    for (const bound& x : xs) {
      terms_ = std::max(terms_, static_cast<double>(x.value.numel()));
      if (x.value.is_floating_point())
        scale_ = std::max({scale_, ::test::largest_of(x.value), sum_of(x.value, y.value.numel())});
    }
  }
  /// Returns a checker for a function of the value. The function's error is up to `slope` times the
  /// value's error.
  auto times(double slope) const -> checker {
    checker c = *this;
    c.scale_ *= std::max(1.0, slope);
    return c;
  }
  void operator()(const at::Tensor& got, const wanted& want) const {
    if (!single_ || want.value.scalar_type() != at::kFloat) return same(got, want.value.detach(), !single_);
    REQUIRE(got.sizes() == want.value.sizes());
    REQUIRE(got.scalar_type() == at::kFloat);
    if (::test::is_as_exact(got, want.value, want.exact, terms_, scale_)) return;
    UNSCOPED_INFO("got\n"
                  << got << "\nwant\n"
                  << want.exact << "\nLibTorch's is off by " << ::test::largest_difference(want.value, want.exact)
                  << ", this by " << ::test::largest_difference(got, want.exact) << ", terms " << terms_ << ", scale "
                  << scale_);
    CHECK(::test::is_as_exact(got, want.value, want.exact, terms_, scale_));
  }

 private:
  bool single_;
  double terms_ = 1, scale_ = 1;
};

/// Returns LibTorch's gradient, or zeros if LibTorch has no gradient for x.
auto gradient_of_leaf(const at::Tensor& y, const at::Tensor& x, bool again) -> at::Tensor {
  if (!y.requires_grad()) return at::zeros_like(x);
  const at::Tensor g = torch::autograd::grad({y}, {x}, {}, true, again, true)[0];
  return g.defined() ? g : at::zeros_like(x);
}

auto to_string(const bound& x) -> std::string {
  std::ostringstream os;
  os << (x.leaf.state->kind == leaf_state::parameter ? "parameter " : "input ") << x.value.sizes() << " strides "
     << x.value.strides() << " " << x.value.scalar_type() << " batch at "
     << x.leaf.state->declared.find(axis_name<struct batch>);
  return os.str();
}

/// Compares the derivative of the loss in a random direction with a difference quotient. Uses the
/// step and the tolerances of torch.autograd.gradcheck, plus an allowance for the rounding of the
/// loss. The derivative is taken at a point near the operands, to avoid kinks.
void check_quotient(const anything& lazy, const std::vector<bound>& xs) {
  auto seeded = at::detail::createCPUGenerator(20261121);  // separate, so that other checks do not change it
  constexpr double h = 1e-6, rounding = 4 * 2.3e-16 / h;
  const auto loss = loss_of(lazy);
  std::vector<at::Tensor> near, direction;
  for (const bound& x : xs) {
    const bool moves = x.value.is_floating_point();
    near.push_back(moves ? x.value + at::randn(x.value.sizes(), seeded, at::kDouble) * 0.01 : x.value);
    direction.push_back(moves ? at::randn(x.value.sizes(), seeded, at::kDouble) : at::zeros_like(x.value));
  }
  const auto at_distance = [&](double t, const Expression auto& e) {
    bindings_list there;
    for (std::size_t a = 0; a < xs.size(); ++a) {
      const at::Tensor value = t == 0 || !near[a].is_floating_point() ? near[a] : near[a] + direction[a] * t;
      if (xs[a].leaf.state->kind == leaf_state::input) there.push_back({xs[a].leaf.state, value});
      else set(*xs[a].leaf.state, value);
    }
    return value_of(e, {.memory = 1_GiB}, there);
  };
  double slope = 0;
  for (std::size_t a = 0; a < xs.size(); ++a)
    if (near[a].is_floating_point())
      slope += (at_distance(0, gradient(loss, xs[a].leaf)) * direction[a]).sum().item<double>();
  const double above = at_distance(h, loss).item<double>(), below = at_distance(-h, loss).item<double>();
  for (const bound& x : xs)
    if (x.leaf.state->kind == leaf_state::parameter) set(*x.leaf.state, x.value);
  const double quotient = (above - below) / (2 * h);
  if (!std::isfinite(quotient)) return;
  INFO("the derivative in a direction is " << slope << ", the difference quotient " << quotient);
  CHECK(std::abs(slope - quotient) <= 1e-5 + 1e-3 * std::abs(quotient) + rounding * std::abs(above));
}

/// Compares f() on one thread with f() on three threads, and in a long run also on two. The results
/// must have the same bits (all NaNs count as equal), or agree up to rounding if `to_rounding`.
void same_on_threads(const char* name, const std::function<at::Tensor()>& f, bool to_rounding) {
  at::set_num_threads(1);
  const at::Tensor one = f();
  const ::test::while_set shared(detail::loops_are_always_shared, true);
  for (const int threads : of_sweep(std::vector<int>{3}, {2, 3})) {
    at::set_num_threads(threads);
    const at::Tensor several = f();
    INFO(name << " on " << threads << " threads");
    if (!to_rounding) CHECK(::test::same_bits(several, one));
    else same(several, one, false);
  }
  at::set_num_threads(1);
}

/// Compares values and gradients on different numbers of threads, for the whole batch and in
/// chunks.
void compare_on_threads(const anything& lazy, const bindings_list& bs, index_t batch, const std::vector<bound>& xs,
                        bool differentiable) {
  const auto loss = loss_of(lazy);
  constexpr index_t whole_batch = index_t{1} << 40;
  for (const index_t chunk : of_sweep(std::vector<index_t>{whole_batch}, {whole_batch, 3})) {
    if (chunk < whole_batch && chunk >= batch) continue;
    INFO("chunk " << chunk);
    const options o{.memory = 1_GiB, .chunk = chunk};
    const auto to_rounding = [&](const auto& e) {
      return with(bs, [&](const auto&... x) {
        return is_shared_by_libtorch(
            koila::detail::plan_of(koila::detail::lowering_of(e), false, o, koila::detail::bound_of(x...)));
      });
    };
    same_on_threads("the value", [&] { return value_of(lazy, o, bs); }, to_rounding(lazy));
    if (!differentiable) continue;
    for (std::size_t a = 0; a < xs.size(); ++a)
      if (xs[a].value.is_floating_point()) {
        const auto g = gradient(loss, xs[a].leaf);
        same_on_threads("a gradient", [&] { return value_of(g, o, bs); }, to_rounding(g));
      }
  }
}

}  // namespace

auto is_shared_by_libtorch(const memory_plan& p) -> bool {
  static const std::set<std::string_view> products{"mm",
                                                   "bmm",
                                                   "linear",
                                                   "conv1d",
                                                   "conv2d",
                                                   "conv3d",
                                                   "conv_like",
                                                   "conv_input",
                                                   "conv_weight",
                                                   "conv_transpose1d",
                                                   "conv_transpose2d",
                                                   "conv_transpose3d",
                                                   "attention",
                                                   "attention_backward",
                                                   "dropout_attention",
                                                   "dropout_attention_backward"};
  static const processor here = koila::detail::this_processor();
  static const std::set<std::string_view> softmaxes{"softmax", "softmax_backward", "log_softmax",
                                                    "log_softmax_backward"};
  const auto along_first = [](const graph_node& n) {
    const int dim =
        koila::detail::wrap(koila::detail::attributes_in<struct softmax>(n.attributes.get()).dim.value, n.dims.rank);
    for (int i = 0; i < dim; ++i)
      if (n.dims.e[i].axis != axis_name<struct batch> && n.dims.e[i].n != 1)
        return false;  // a chunk may have one sample
    return true;
  };
  return std::any_of(p.graph.nodes.begin(), p.graph.nodes.end(), [&](const graph_node& n) {
    if (n.op == nullptr) return false;
    // On Intel processors, BLAS computes large products of mm and linear.
    const bool large = (n.op->name == "mm" || n.op->name == "linear") &&
                       !koila::detail::prefers_blocks(here, static_cast<index_t>(n.cost.flops / 2));
    const bool by_blas = n.dims.type == dtype::float64 || n.op->name == "bmm" || !koila::detail::has_brgemm() || large;
    return n.op->name.starts_with("custom") || (by_blas && products.contains(n.op->name)) ||
           (softmaxes.contains(n.op->name) && along_first(n));
  });
}

auto leaf(const at::Tensor& t, int batch) -> bound {
  dims d = shape_of(t);
  for (int i = 0; i < d.rank; ++i) d.e[i].open = false;
  if (batch >= 0) d.e[batch] = {-1, axis_name<struct batch>};
  const auto matches = batch >= 0 ? leaf_state::input : leaf_state::parameter;
  return {tensor_leaf(make_handle<leaf_state>(batch >= 0 ? "x" : "w", d, matches)), t};
}

auto ways_to_lie() -> std::vector<std::pair<at::ScalarType, lie>> {
  static std::size_t calls = 0;
  using list = std::vector<std::pair<at::ScalarType, lie>>;
  const list dense{{at::kDouble, lie::dense}, {at::kFloat, lie::dense}};
  const list others{
      {at::kDouble, lie::reversed}, {at::kFloat, lie::spread}, {at::kFloat, lie::reversed}, {at::kDouble, lie::spread}};
  list all = dense;
  all.insert(all.end(), others.begin(), others.end());
  if (is_long_run()) return all;
  if (on_threads) return {all[calls++ % all.size()]};
  return {dense[0], dense[1], others[calls++ % others.size()]};
}

auto bind(const operand& x, at::ScalarType type, lie lies) -> bound {
  at::Tensor t = x.value.is_floating_point() ? x.value.to(type) : x.value;
  if (lies == lie::reversed && t.dim() > 1) t = t.transpose(0, -1).contiguous().transpose(0, -1);
  if (lies == lie::spread && t.dim() > 0) {
    auto wide = t.sizes().vec();
    wide.back() *= 2;
    t = at::zeros(wide, t.options()).slice(-1, 1, std::nullopt, 2).copy_(t);
  }
  return leaf(t, x.batch);
}

void same(const at::Tensor& got, const at::Tensor& want, bool in_float64) {
  REQUIRE(got.sizes() == want.sizes());
  REQUIRE(got.scalar_type() == want.scalar_type());
  if (want.numel() == 0) return;
  if (!want.is_floating_point()) {
    CHECK(at::equal(got, want));
    return;
  }
  const bool wide = in_float64 && want.scalar_type() == at::kDouble;
  const double largest = at::where(at::isfinite(want), want, 0).abs().max().item<double>();
  if (at::allclose(got.detach(), want.detach(), wide ? 1e-12 : 1.3e-6, wide ? 1e-12 * largest : 1e-5, true)) return;
  UNSCOPED_INFO("got\n" << got << "\nwant\n" << want);
  CHECK((got - want).abs().max().item<double>() <= (wide ? 1e-12 * largest : 1.3e-6 * largest + 1e-5));
}

void compare(const dims& stated, const anything& lazy, const at::Tensor& eager, const reference& want,
             const std::vector<bound>& xs, const ask& what) {
  [[maybe_unused]] static const bool one_thread =
      (at::set_num_threads(1), true);  // threads would mostly wait for each other
  bindings_list bs;
  index_t batch = -1;
  std::string spelt;
  bool wide = true;  // true if no operand is float32
  for (const bound& x : xs) {
    spelt += to_string(x) + "; ";
    wide = wide && x.value.scalar_type() != at::kFloat;
    if (x.leaf.state->kind != leaf_state::input) continue;
    bs.push_back({x.leaf.state, x.value});
    const int axis = x.leaf.state->declared.find(axis_name<struct batch>);
    if (axis >= 0) batch = x.value.size(axis);
  }
  INFO(spelt);
  const no_warnings quiet;
  const std::vector<at::Tensor> leaves = fresh_leaves(xs), exact_leaves = wide ? leaves : fresh_leaves(xs, true);
  const at::Tensor y = want(leaves), exact_y = wide ? y : want(exact_leaves);
  if (on_threads) return compare_on_threads(lazy, bs, batch, xs, what.gradients && y.requires_grad());
  const checker right(xs, {y, exact_y});
  right(eager, {y, exact_y});
  if (stated.ranked()) {
    CHECK(stated.rank == y.dim());
    for (int i = 0; i < stated.rank; ++i) CHECK((!stated.e[i].known() || stated.e[i].n == y.size(i)));
  }
  if (stated.type != dtype::unknown) CHECK(scalar_type(stated.type) == y.scalar_type());

  const bool differentiable = what.gradients && y.requires_grad();
  const auto plain = [](const bound& x) {
    return x.value.is_contiguous() && (!x.value.is_floating_point() || x.value.scalar_type() == at::kDouble);
  };
  if (differentiable && what.quotients && std::all_of(xs.begin(), xs.end(), plain)) check_quotient(lazy, xs);
  const auto loss = loss_of(lazy);
  const at::Tensor loss_value = differentiable ? loss_of(y) : at::Tensor();
  const at::Tensor exact_loss = differentiable && !wide ? loss_of(exact_y) : loss_value;
  const checker of_loss = right.times(::test::largest_of(exact_y + 3));
  const auto gradient_wanted = [&](std::size_t a, bool second) {
    const at::Tensor g = gradient_of_leaf(loss_value, leaves[a], second);
    return wanted{g, wide ? g : gradient_of_leaf(exact_loss, exact_leaves[a], false)};
  };
  constexpr index_t whole_batch = index_t{1} << 40;
  for (const index_t chunk : of_sweep(std::vector<index_t>{whole_batch, 1, 3}, {whole_batch, 1, 2, 3, 8})) {
    if (chunk < index_t{1} << 40 && chunk >= batch) continue;
    INFO("chunk " << chunk);
    // If .memory were not set, each call would read the free memory from the kernel's files.
    const options o{.memory = 1_GiB, .chunk = chunk};
    {
      INFO("the value");
      right(measured(lazy, o, bs), {y, exact_y});
    }
    if (!differentiable) continue;
    for (std::size_t a = 0; a < xs.size(); ++a) {
      if (!xs[a].value.is_floating_point()) continue;
      INFO("the gradient of operand " << a);
      const bool second = what.twice && xs[a].value.scalar_type() == at::kDouble;
      const wanted dx = gradient_wanted(a, second);
      const auto g = gradient(loss, xs[a].leaf);
      of_loss(measured(g, o, bs), dx);
      if (!second || chunk == 1) continue;
      const at::Tensor again = (dx.value * dx.value).sum();
      const auto square = let(g);
      for (std::size_t b = 0; b < xs.size(); ++b) {
        if (!xs[b].value.is_floating_point()) continue;
        INFO("and of it that of operand " << b);
        same(value_of(gradient(sum(mul(square, square)), xs[b].leaf), o, bs), gradient_of_leaf(again, leaves[b], false),
             wide);
      }
    }
    for (const bound& x : xs)
      if (x.leaf.state->kind == leaf_state::parameter) tensor_of(*x.leaf.state).mutable_grad().reset();
    const index_t predicted = with(bs, [&](const auto&... b) { return plan(loss, o, b...).peak_bytes(); });
    const bool trained = with(bs, [&](const auto&... b) { return has_gradients(loss, koila::detail::bound_of(b...)); });
    at::Tensor l;
    {
      const bench::measure here;
      l = trained ? with(bs, [&](const auto&... b) { return backward(loss, o, b...); }) : value_of(loss, o, bs);
      INFO("backward");
      CHECK((predicted == here.peak() || by_operators));
    }
    of_loss(l, {loss_value, exact_loss});
    if (!trained)
      CHECK_THROWS_AS(with(bs, [&](const auto&... b) { return backward(loss, o, b...); }), std::invalid_argument);
    for (std::size_t a = 0; a < xs.size(); ++a)
      if (xs[a].leaf.state->kind == leaf_state::parameter)
        if (const at::Tensor& g = tensor_of(*xs[a].leaf.state).grad(); g.defined())
          of_loss(g, gradient_wanted(a, false));
  }
}

void refused(const std::function<void()>& f, const std::string& sentence) {
  const bench::measure here;
  std::string said = "nothing was thrown";
  try {
    f();
  } catch (const shape_error& e) { said = e.what(); }
  CHECK(said == sentence);
  CHECK(here.count() == 0);
}

void out_of_range(const std::function<void()>& f) {
  if (!by_operators) CHECK_THROWS_AS(f(), c10::IndexError);
}

auto normal(at::IntArrayRef sizes) -> at::Tensor {
  // The generator restarts in each test case, so that a test case draws the same values whether it
  // runs alone or after other test cases.
  static std::string test;
  static auto seeded = at::detail::createCPUGenerator();
  if (const std::string now = Catch::getResultCapture().getCurrentTestName(); now != test) {
    seeded.set_current_seed(20240531);
    test = now;
  }
  return at::randn(sizes, seeded, at::kDouble);
}

auto positive(at::IntArrayRef sizes) -> at::Tensor { return normal(sizes).sigmoid() * 1.5 + 0.5; }

auto labels(std::int64_t n, std::int64_t classes, bool ignored) -> at::Tensor {
  at::Tensor t = (normal({n}).abs() * 1e6).to(at::kLong).remainder(classes);
  if (ignored) t.masked_fill_(normal({n}) > 0.5, -100);
  return t;
}

auto some_sizes(int least_rank, int most_rank) -> const std::vector<sizes_with_batch>& {
  static std::vector<sizes_with_batch> made[5][5];
  auto& list = made[least_rank][most_rank];
  if (!list.empty()) return list;
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  constexpr std::int64_t extents[] = {0, 1, 2, 3, 5, 7}, samples[] = {0, 1, 2, 3, 5, 8, 11};
  for (int k = 0; k < 14; ++k) {
    sizes_with_batch s;
    const int rank = least_rank + static_cast<int>(below(static_cast<std::size_t>(most_rank - least_rank + 1)));
    for (int i = 0; i < rank; ++i) s.sizes.push_back(extents[k % 5 == 0 ? below(6) : 1 + below(5)]);
    s.batch = rank == 0 ? -1 : static_cast<int>(below(static_cast<std::size_t>(rank)));
    if (rank > 0) s.sizes[static_cast<std::size_t>(s.batch)] = samples[static_cast<std::size_t>(k) % 7];
    list.push_back(s);
  }
  return list;
}

}  // namespace koila::test
