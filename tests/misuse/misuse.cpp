// SPDX-License-Identifier: MIT
// Calls every op with wrong ranks, extents, dtypes and attributes. Each call must be refused with a
// message before anything runs, or its result must be right. `tried` explains how the test checks
// that.
#include <koila/kernels/table.hpp>
#include <koila/ops/common/definitions.hpp>

#include <cmath>
#include <cstring>
#include <iostream>
#include <limits>

#include "call.hpp"
#include "leaks.hpp"
#include "long.hpp"
#include "reference.hpp"

namespace koila::test {

namespace {

/// The result of a call.
enum class outcome { refused, too_large, right, index_error };

struct fault : std::runtime_error {
  using runtime_error::runtime_error;
};

auto elements_of(const dims& d) -> double {
  double n = 1;
  for (int i = 0; i < d.rank; ++i) n *= static_cast<double>(d.e[i].n);
  return n;
}

/// Returns random values of a dtype. They are small values for which most ops are defined. If
/// `hostile`, most integers are not valid indices. If `special`, a third of the floating-point
/// values are NaN, infinite, zero or negative.
auto values(const dims& x, std::uint64_t seed, bool hostile, bool special = false) -> at::Tensor {
  dice d(seed);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double odd[] = {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, 0.0, -0.0, -1.0};
  at::Tensor t = at::empty(detail::sizes(x), at::kDouble);
  constexpr double strange[] = {-1, 5, 1e9, -1e9, 3, 1e18};
  double* const p = t.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < t.numel(); ++i)
    p[i] = is_floating(x.type) ? (special && d.one_in(3) ? d.among(odd) : static_cast<double>(1 + d.below(7)) / 8)
           : hostile           ? d.among(strange)
                               : static_cast<double>(d.below(2));
  return hostile && !is_floating(x.type) && x.type != int64 ? t.clamp(0, 1).to(scalar_type(x.type))
                                                            : t.to(scalar_type(x.type));
}

/// A tensor inside a larger block of memory that is filled with a pattern.
struct surrounded {
  static constexpr std::int64_t margin = 64;
  at::Tensor all, t, before;

  surrounded(const at::Tensor& v, int pattern) : surrounded(v.sizes(), v.scalar_type(), pattern) {
    t.copy_(v);
    before = all.clone();
  }
  surrounded(at::IntArrayRef sizes, at::ScalarType type, int pattern) {
    const std::int64_t n = c10::multiply_integers(sizes);
    all = at::empty({n + 2 * margin}, type);
    std::memset(all.mutable_data_ptr(), type == at::kBool ? pattern & 1 : pattern, all.nbytes());
    t = all.narrow(0, margin, n).view(sizes);
    before = all.clone();
  }
  static auto same_bytes(const at::Tensor& a, const at::Tensor& b) -> bool {
    return a.nbytes() == b.nbytes() &&
           (a.nbytes() == 0 || std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0);
  }
  auto untouched() const -> bool { return same_bytes(all, before); }
  auto margins_untouched() const -> bool {
    const auto n = all.numel() - margin;
    return same_bytes(all.narrow(0, 0, margin).contiguous(), before.narrow(0, 0, margin).contiguous()) &&
           same_bytes(all.narrow(0, n, margin).contiguous(), before.narrow(0, n, margin).contiguous());
  }
};

auto to_string(const at::Tensor& t) -> std::string {
  std::ostringstream os;
  os << t.scalar_type() << t.sizes();
  return os.str();
}

/// Throws if a tensor does not have the dims and the dtype that the rule states.
void require_dims(const at::Tensor& y, const dims& want, const char* what) {
  const bool same = y.scalar_type() == scalar_type(want.type) && y.sizes() == at::IntArrayRef(detail::sizes(want));
  if (same) return;
  detail::writer w;
  w.put(to_string(want.type)), w.put(want);
  throw fault(std::string(what) + " is " + to_string(y) + " where the rule says " + std::string(w.view()));
}

/// Throws if two tensors differ by more than the rounding errors of the less exact dtype.
void require_close(const at::Tensor& got, const at::Tensor& want, double tolerance, const char* what) {
  if (got.sizes() != want.sizes())
    throw fault(std::string(what) + ": sizes " + to_string(got) + " and " + to_string(want));
  const at::Tensor a = got.to(at::kDouble), b = want.to(at::kDouble);
  const at::Tensor close = at::isclose(a, b, tolerance, tolerance, true);
  const at::Tensor overflowed = at::isinf(a).logical_and(b.abs() > 6e4).logical_and(a.sign() == b.sign());
  const at::Tensor right = got.scalar_type() == at::kHalf ? close.logical_or(overflowed) : close;
  if (right.all().item<bool>()) return;
  std::ostringstream os;
  os << what << ": " << a.flatten().slice(0, 0, 6) << " and " << b.flatten().slice(0, 0, 6);
  throw fault(os.str());
}
/// Like require_close, but ignores elements that are infinite or NaN in either tensor: hostile
/// numbers may overflow in different ways.
void require_close_if_finite(const at::Tensor& got, const at::Tensor& want, double tolerance, const char* what) {
  if (got.sizes() != want.sizes()) return require_close(got, want, tolerance, what);
  const at::Tensor both = at::isfinite(got).logical_and(at::isfinite(want));
  require_close(got.masked_select(both), want.masked_select(both), tolerance, what);
}
auto tolerance_of(dtype t) -> double {
  return t == float64 ? 1e-9 : t == float32 ? 2e-4 : t == float16 || t == bfloat16 ? 0.06 : 1e-9;
}

struct operands {
  std::vector<at::Tensor> t;
  std::vector<const at::Tensor*> p;
  void add(at::Tensor x) { t.push_back(std::move(x)); }
  auto pointers() -> const at::Tensor* const* {
    p.clear();
    for (const at::Tensor& x : t) p.push_back(&x);
    p.resize(most_operands, nullptr);
    return p.data();
  }
};

double number_value(const dims& d, std::uint64_t seed) {
  dice r(seed);
  return d.type == float64 ? r.among({0.5, 0.25, 2.0}) : static_cast<double>(r.below(2) + (d.type == int64 ? 1 : 0));
}

/// Returns the operands of a call. Numbers are wrapped as LibTorch wraps them.
auto operands_of(const call& c) -> std::vector<at::Tensor> {
  std::vector<at::Tensor> xs;
  for (std::size_t k = 0; k < c.operands.size(); ++k)
    xs.push_back(c.operands[k].number ? detail::wrapped(number_value(c.operands[k], c.seed + k), c.operands[k])
                                      : values(c.operands[k], c.seed + k, c.hostile_values, c.special_values));
  return xs;
}

/// A graph of one op whose operands are leaves or numbers.
struct one_op {
  const call& c;
  std::vector<handle<leaf_state>> leaves;
  static auto lower(const void* self, builder& b) -> int {
    const auto& e = *static_cast<const one_op*>(self);
    int ids[most_operands + 1] = {};
    for (std::size_t k = 0; k < e.c.operands.size(); ++k)
      ids[k] = e.c.operands[k].number ? b.number(number_value(e.c.operands[k], e.c.seed + k), e.c.operands[k])
                                      : b.leaf(shared_state(e.leaves[k]));
    return b.add(*e.c.op->info, ids, static_cast<int>(e.c.operands.size()), e.c.attributes);
  }
  /// Returns true if the op draws random numbers.
  auto draws() const -> bool {
    const memory_plan p = detail::plan_of({this, lower}, false, {}, {});
    bool any = false;
    for (const graph_node& x : p.graph.nodes) any = any || (x.op != nullptr && x.op->operators.draw != nullptr);
    return any;
  }
  auto run(const options& o = {}, const bound_tensors& bound = {}) const -> at::Tensor {
    return detail::run_value({this, lower}, o, bound);
  }
};

/// Runs the call in chunks: dims that have a common extent become the batch dim. Returns false if
/// no dim can be the batch dim.
auto in_chunks(const call& c, const std::vector<at::Tensor>& xs, at::Tensor& y) -> bool {
  dice d(c.seed);
  index_t samples = 0;
  for (const dims& x : c.operands)
    if (x.rank > 0 && !d.one_in(3)) samples = x.e[d.below(static_cast<std::size_t>(x.rank))].n;
  if (samples < 2) return false;
  one_op e{c, {}};
  bound_tensors bound;
  for (std::size_t k = 0; k < xs.size(); ++k) {
    dims stated = open_dims(c.operands[k].rank, c.operands[k].type);
    std::vector<int> may;
    for (int i = 0; i < stated.rank; ++i)
      if (c.operands[k].e[i].n == samples) may.push_back(i);
    if (!may.empty() && !d.one_in(5)) stated.e[may[d.below(may.size())]] = {-1, axis_name<struct batch>};
    e.leaves.push_back(make_handle<leaf_state>("x", stated, leaf_state::input));
    if (!c.operands[k].number) bound.push_back({e.leaves.back(), xs[k]});
  }
  y = e.run({.memory = 1_GiB, .chunk = 1 + static_cast<index_t>(d.below(2))}, bound);
  return true;
}

std::size_t compared_in_chunks = 0, refused_in_chunks = 0;
coverage with_libtorch;

/// Returns true if, according to the op's documentation, the op accepts more calls than LibTorch's
/// operator of the same name.
auto takes_more(std::string_view name) -> bool {
  return name == "batch_norm" || name == "instance_norm";  // also without running statistics
}

/// Returns true if a hostile eps divides rounding errors of LibTorch's mean and variance.
auto divides_errors(const call& c) -> bool {
  return c.hostile_attributes && (c.op->name == "batch_norm" || c.op->name == "instance_norm");
}

/// Returns true if LibTorch rounds eps to 16 bits, which gives 0, and divides by it.
auto rounds_eps(const call& c, dtype result) -> bool {
  return bytes_of(result) == 2 && (c.op->name == "cosine_similarity" || c.op->name == "cosine_embedding_loss");
}

/// Returns true if LibTorch refuses a valid call because it has no kernel for the dtype, because
/// isclose broadcasts in place into a smaller tensor, or because 16 bits cannot represent the value
/// of masked_fill, which is a tensor. See docs/differences.md.
auto is_lacking(const std::string& refused) -> bool {
  for (const char* const known : {"not implemented for", "could not create a primitive",
                                  "doesn't match the broadcast shape", "value cannot be converted to type c10::Half"})
    if (refused.find(known) != refused.npos) return true;
  return false;
}

/// Tries one call. The rule must refuse it, or the result must be right, which means:
///   - the result has the dims and the dtype of the rule;
///   - the result does not depend on the memory around the operands, which stays unchanged, or on
///     the previous content of the result's memory;
///   - the results of eager, lazy and chunked calls are the same;
///   - the result agrees with the float64 result for the same numbers;
///   - the result agrees with LibTorch's operator of that name, or with the function in
///     functions.cpp, if there is one for such arguments;
///   - the rule also accepts the operands if the compiler knows less about them.
auto tried(const call& c) -> outcome {
  const op_info& op = *c.op->info;
  for (const dims& x : c.operands)
    if (elements_of(x) > 1e5) return outcome::too_large;
  const author::verdict v = c.verdict();
  const int n = c.op->operands;
  if (!v.accepted()) return outcome::refused;
  if (!v.out.known() || v.out.type == dtype::unknown) {  // the operands are known, so the rule must state all dims
    one_op e{c, {}};
    for (const dims& x : c.operands)
      e.leaves.push_back(x.number ? handle<leaf_state>() : hold_tensor(values(x, c.seed, false)));
    try {
      e.run({.memory = 1_GiB});
    } catch (const shape_error&) { return outcome::refused; }
    throw fault("the rule accepts and does not say what comes out");
  }
  if (elements_of(v.out) > 1e5) return outcome::too_large;

  for (unsigned hidden = 1; hidden < 8; ++hidden) {  // each bit removes facts that the compiler may not know
    std::vector<dims> less = c.operands;
    for (dims& x : less) {
      if (x.number) continue;
      if ((hidden & 1) != 0) x.type = dtype::unknown;
      if ((hidden & 2) != 0) x = dims(x.type);
      if ((hidden & 4) != 0)
        for (int i = 0; i < x.rank; ++i) x.e[i] = {};
    }
    const author::verdict early = op.rule(less.data(), c.attributes.get());
    if (!early.accepted()) throw fault("refused where less is known: " + std::string(author::to_string(early.reason)));
    if (early.out.type != dtype::unknown && early.out.type != v.out.type)
      throw fault("another dtype where less is known");
    if (rules::same_shape(early.out, v.out) == tristate::no) throw fault("other dims where less is known");
  }

  const std::vector<at::Tensor> xs = operands_of(c);
  const at::AutoDispatchBelowADInplaceOrView below;

  // Calls the kernel itself, twice.
  if (op.is_computed()) {
    const kernel_functions kernel = kernels::functions_for(op, at::kCPU);
    at::Tensor y[2];
    bool numbers = false;  // numbers become scalars of the dtype in which the op computes
    for (const dims& x : c.operands) numbers = numbers || (x.number && !op.takes_numbers);
    for (const int pattern : {0, 1}) {
      if (numbers) break;
      const int bytes = pattern == 0 ? 0x5A : 0xC5;
      std::vector<surrounded> inputs;
      operands all;
      for (std::size_t k = 0; k < xs.size(); ++k) {
        if (!c.operands[k].number) inputs.emplace_back(xs[k], bytes);
        all.add(c.operands[k].number ? xs[k] : inputs.back().t);
      }
      if (op.view != nullptr) {
        op.view(y[pattern], all.t[0], v.out, c.attributes.get());
        require_dims(y[pattern], v.out, "the view");
        if (y[pattern].storage().data_ptr().get() == all.t[0].storage().data_ptr().get() && y[pattern].numel() > 0) {
          std::int64_t first = y[pattern].storage_offset(), last = first;
          for (std::int64_t i = 0; i < y[pattern].dim(); ++i) {
            const std::int64_t way = (y[pattern].size(i) - 1) * y[pattern].stride(i);
            (way < 0 ? first : last) += way;
          }
          const std::int64_t begin = all.t[0].storage_offset();
          if (first < begin || last >= begin + all.t[0].numel()) throw fault("the view leaves its operand");
        }
        y[pattern] = y[pattern].clone();
      } else {
        surrounded out(detail::sizes(v.out), scalar_type(v.out.type), bytes);
        const at::Tensor shown = out.t;
        if (op.operators.draw != nullptr)
          detail::draw(op, kernel, out.t, all.pointers(), c.attributes.get(), {{}, 0, 7});
        else kernel.evaluate(out.t, all.pointers(), c.attributes.get());
        if (!out.t.is_same(shown)) throw fault("the kernel exchanges its result");
        require_dims(out.t, v.out, "the result");
        if (!out.margins_untouched()) throw fault("the kernel writes beside its result");
        y[pattern] = out.t.clone();
        if (kernel.accumulate != nullptr && v.out.type != boolean) {
          out.t.fill_(1);
          kernel.accumulate(out.t, all.pointers(), c.attributes.get());
          if (!out.margins_untouched()) throw fault("the kernel that adds writes beside its result");
          require_close(out.t, y[pattern] + 1, tolerance_of(v.out.type), "added to 1, and 1 added");
        }
      }
      for (const surrounded& x : inputs)
        if (!x.untouched()) throw fault("the kernel writes to its operands, or beside them");
    }
    // The bits of a NaN are not specified.
    if (!numbers && c.special_values) require_close(y[0], y[1], 0, "the result in other memory");
    else if (!numbers && !surrounded::same_bytes(y[0].contiguous(), y[1].contiguous()))
      throw fault("the result depends on what lies around the operands, or was in its memory");
    operands all;
    for (const at::Tensor& x : xs) all.add(x);
    const at::Tensor eager = detail::run_eagerly(op, all.pointers(), v.out, n, c.attributes.get());
    require_dims(eager, v.out, "the result at once");
    if (op.operators.draw == nullptr && !numbers) require_close(eager, y[0], 0, "at once, and by the kernel");
  }

  // Runs the call lazily.
  one_op e{c, {}};
  for (std::size_t k = 0; k < c.operands.size(); ++k)
    e.leaves.push_back(c.operands[k].number ? handle<leaf_state>() : hold_tensor(xs[k]));
  at::Tensor y = e.run({.memory = 1_GiB});
  if (!c.operands.empty() && c.operands[0].number && op.is_noop != nullptr &&
      op.is_noop(c.operands.data(), c.attributes.get()))
    y = y.to(scalar_type(v.out.type));  // the result is still a number
  require_dims(y, v.out, "the result");
  if (e.draws()) return outcome::right;
  const double least = tolerance_of(v.out.type);
  // docs/differences.md lists what koila's element-wise kernels compute for infinities and NaN. At
  // once, LibTorch's operators run.
  const bool differs = c.special_values && detail::includes(op.elements_in, v.out.type);
  if (op.is_computed() && op.view == nullptr && op.operators.draw == nullptr && !differs) {
    operands all;
    for (const at::Tensor& x : xs) all.add(x);
    const at::Tensor eager = detail::run_eagerly(op, all.pointers(), v.out, n, c.attributes.get());
    (c.hostile_attributes || c.special_values ? require_close_if_finite : require_close)(y, eager, least,
                                                                                         "lazily, and at once");
  }
  at::Tensor cut;
  double of_operands = least;  // values of the whole batch are rounded to the operands' dtype, sums of chunks are not
  for (const dims& x : c.operands)
    if (is_floating(x.type) && !x.number) of_operands = std::max(of_operands, tolerance_of(x.type));
  try {
    if (in_chunks(c, xs, cut)) {
      require_close(cut, y, of_operands, "in chunks, and whole");
      ++compared_in_chunks;
    }
  } catch (const shape_error&) { ++refused_in_chunks; }  // an axis cannot stand for a number

  // Compares with float64, unless all operands are integers: integers may be computed differently
  // in float64. For example, differences of uint8 are never negative.
  call wide = c;
  bool floating = false, is_unsigned = false;
  double worst = least;
  for (dims& x : wide.operands) {
    if (x.number || x.type == boolean) continue;
    floating = floating || is_floating(x.type);
    is_unsigned = is_unsigned || x.type == uint8;
    worst = std::max(worst, tolerance_of(x.type));
    x.type = float64;
  }
  // Hostile numbers are left out: the narrower dtype may round them to 0 or to infinity.
  if (floating && !is_unsigned && !c.special_values && !c.hostile_values && !c.hostile_attributes &&
      wide.verdict().accepted()) {
    one_op w{wide, {}};
    for (std::size_t k = 0; k < c.operands.size(); ++k)
      w.leaves.push_back(c.operands[k].number ? handle<leaf_state>()
                                              : hold_tensor(xs[k].to(scalar_type(wide.operands[k].type))));
    const at::Tensor exact = w.run({.memory = 1_GiB});
    if (is_floating(v.out.type)) require_close(y, exact, worst, "in the dtypes given, and in float64");
    else if (exact.sizes() != y.sizes()) throw fault("other sizes in float64");
  }

  // For an empty operand, LibTorch's group_norm still returns the statistics of every requested
  // group.
  if (c.hostile_attributes && y.numel() == 0) return outcome::right;
  // ops/every_element.cpp compares infinities and NaN with LibTorch's scalar code.
  if (differs) return outcome::right;
  const compared theirs = called_in_libtorch(c, xs);
  if (!theirs.found || divides_errors(c)) return outcome::right;
  bool numbers = false;
  for (const dims& x : c.operands) numbers = numbers || x.number;
  if (numbers) worst = std::max(worst, 1e-6);  // LibTorch computes functions of plain numbers in float32
  // For empty tensors and for numbers, LibTorch may have no operator that accepts the call.
  if (theirs.gave.empty() && (y.numel() == 0 || numbers)) return outcome::right;
  if (theirs.gave.empty() && takes_more(c.op->name)) return outcome::right;
  if (theirs.gave.empty() && is_lacking(theirs.refused)) return outcome::right;
  if (theirs.gave.empty()) throw fault("LibTorch refuses: " + theirs.refused);
  with_libtorch.count(*c.op);
  std::string unlike;
  if (c.op->name == "hardsigmoid_backward")
    worst = std::max(worst, 1e-7);  // LibTorch rounds 1 / 6 to float32, even in float64
  for (const at::Tensor& t : theirs.gave) {
    try {
      // For numbers, some of LibTorch's losses return a float64 tensor. koila's result stays a
      // number.
      const bool wider = numbers && t.scalar_type() == at::kDouble && is_floating(v.out.type);
      require_dims(wider ? t.to(scalar_type(v.out.type)) : t, v.out, "LibTorch's result");
      // Hostile integers overflow 16 bits, in which LibTorch computes more often than koila does.
      // docs/differences.md lists which results at infinity and NaN differ from LibTorch's.
      const bool overflows =
          c.hostile_attributes || c.special_values || (c.hostile_values && bytes_of(v.out.type) == 2);
      (overflows || rounds_eps(c, v.out.type) ? require_close_if_finite : require_close)(y, t, worst,
                                                                                         "the result, and LibTorch's");
      return outcome::right;
    } catch (const fault& f) { unlike = f.what(); }
  }
  throw fault(unlike);
}

struct tally {
  std::size_t calls = 0, accepted = 0, refused = 0, of_values = 0, too_large = 0;
  std::map<std::string, std::vector<std::string>> faults;
};

void note(tally& all, const call& c) {
  static const bool traced = std::getenv("KOILA_MISUSE_TRACE") != nullptr;
  const std::string said = c.to_string();
  if (traced) std::cerr << said << std::endl;
  ++all.calls;
  const auto wrong = [&](const std::string& what) {
    auto& list = all.faults[c.op->name];
    if (list.size() < 4) list.push_back(said + "\n      " + what.substr(0, 400));
  };
  try {
    switch (tried(c)) {
      case outcome::refused: ++all.refused; break;
      case outcome::too_large: ++all.too_large; break;
      default: ++all.accepted;
    }
  } catch (const fault& e) { wrong(e.what()); } catch (const shape_error& e) {
    ++all.refused;  // an op in this op's expansion refuses, before anything runs
    if (c.op->info->expand == nullptr) wrong(std::string("accepted, then refused: ") + e.what());
  } catch (const memory_error&) { ++all.too_large; } catch (const std::exception& e) {
    const std::vector<at::Tensor> xs = operands_of(c);
    if (refuses_values(e, c, xs, called_in_libtorch(c, xs))) ++all.of_values;
    else wrong(message_of(e).substr(0, 300));
  }
}

}  // namespace

TEST_CASE("trials A1: every op called with what does not fit refuses, or gives what LibTorch gives") {
  const char* const only = std::getenv("KOILA_MISUSE_OP");
  constexpr int few = 7;
  const auto seeds = seeds_of_sweep(20261127);
  const int all_tries = of_sweep(few, 40), tries = all_tries / static_cast<int>(seeds.size());
  tally all;
  std::vector<std::string> never;
  for (const callable_op& op : callable_ops()) {
    if (only != nullptr && op.name != only) continue;
    std::size_t found = 0;
    for (const std::uint64_t seed : seeds) {
      dice d(detail::mix(seed, std::hash<std::string>{}(op.header) + static_cast<std::size_t>(op.operands)));
      for (int k = 0; k < tries; ++k) {
        const auto c = accepted_call(op, d);
        if (!c) break;
        ++found;
        note(all, *c);
        for (int m = 0, many = of_sweep(6, 12); m < many; ++m) {
          const call once = changed(*c, d);
          note(all, once);
          if (d.one_in(3)) note(all, changed(once, d));
        }
      }
    }
    if (found == 0) never.push_back(op.name + "/" + std::to_string(op.operands));
  }
  std::cout << all.calls << " calls of " << callable_ops().size() << " ops and numbers of operands: " << all.accepted
            << " accepted and right, " << all.refused << " refused, " << all.of_values << " with values out of range, "
            << all.too_large << " too large to run, " << with_libtorch.calls()
            << " compared with LibTorch's operators, " << compared_in_chunks << " with themselves in chunks, and "
            << refused_in_chunks << " refused in chunks alone\n";
  const bool traced = is_long_run() || std::getenv("KOILA_MISUSE_TRACE") != nullptr;
  if (only == nullptr) std::cout << with_libtorch.to_string(traced);
  for (const std::string& name : never) std::cout << "  no accepted call of " << name << "\n";
  for (const auto& [name, list] : all.faults)
    for (const std::string& f : list) std::cout << "  " << f << "\n";
  CHECK(all.faults.empty());
  // With a different seed, an op that is seldom compared may never be compared.
  if (only == nullptr && std::getenv("KOILA_TEST_SEED") == nullptr) {
    std::vector<std::string> not_compared;
    for (const auto& [type, reason] : without_counterpart()) not_compared.push_back(type);
    CHECK(with_libtorch.never() == not_compared);
  }
  CHECK((only != nullptr || compared_in_chunks > 100 * refused_in_chunks));
  for (const std::string& name : never) CHECK(name.substr(0, 6) == "custom");  // `custom` needs a callable
  CHECK((only != nullptr || all.calls >= static_cast<std::size_t>(all_tries) * 20'000 / few));
}

}  // namespace koila::test
