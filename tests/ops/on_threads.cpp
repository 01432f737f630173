// SPDX-License-Identifier: MIT
// Runs every op on operands that are large enough for koila and LibTorch to divide their loops
// between several threads. The bits of the result must not depend on the number of threads.
#include "check.hpp"
#include "float32_bound.hpp"
#include "list.hpp"
#include "long.hpp"

#include <ATen/Parallel.h>

#include <cmath>
#include <iostream>
#include <set>

namespace koila::test {

namespace {

struct called_op {
  std::string name;
  const op_info* info;
  std::size_t operands;
  handle<const object> attributes;
};

auto called_ops() -> std::vector<called_op> {
  std::vector<called_op> all;
  for_each_op([&]<class Op>(const char*, const char*) {
    if constexpr (requires { Op::name; })
      for (std::size_t n = 1; n <= most_operands; ++n)
        if (op_table<Op>::info[n].rule != nullptr)
          all.push_back({std::string(Op::name), &op_table<Op>::info[n], n,
                         koila::detail::box_attributes<Op>(attributes_t<Op>{})});
  });
  return all;
}

/// An expression that calls an op that is known only at run time.
struct call_of_op final : erased_base {
  const called_op& op;
  std::vector<tensor_leaf> operands;
  call_of_op(const called_op& called, std::vector<tensor_leaf> leaves) : op(called), operands(std::move(leaves)) {}
  ~call_of_op() override {}
  auto lower_into(builder& b) const -> int override {
    int ids[most_operands] = {};
    for (std::size_t k = 0; k < operands.size(); ++k) ids[k] = lower(b, operands[k]);
    return b.add(*op.info, ids, static_cast<int>(operands.size()), op.attributes);
  }
  void below(std::vector<const erased_base*>&) const override {}
};

/// Returns the lowest rank of the first operand. The time of multilabel_margin is the square of the
/// number of classes, so one sample with as many classes as a vector has elements takes minutes.
auto least_rank(const called_op& op) -> int { return op.name.starts_with("multilabel_margin") ? 2 : 1; }

/// Returns operands with a common extent that an op accepts without attributes. Returns nothing if
/// the op needs attributes.
auto accepted(const called_op& op, dtype floating) -> std::vector<std::vector<dims>> {
  const dtype types[] = {floating, int64, boolean};
  std::vector<std::vector<dims>> out;
  const double all = std::min(std::pow(15.0, static_cast<double>(op.operands)), 60'000.0);
  for (std::size_t code = 0; static_cast<double>(code) < all && out.size() < of_sweep<std::size_t>(1, 2); ++code) {
    std::vector<dims> inputs;
    std::size_t rest = code;
    for (std::size_t k = 0; k < op.operands; ++k, rest /= 15) {
      inputs.push_back(open_dims(static_cast<int>(rest % 5), types[rest / 5 % 3]));
      for (int i = 0; i < inputs.back().rank; ++i) inputs.back().e[i] = {4, {}, true};
    }
    if (inputs[0].rank >= least_rank(op) && op.info->rule(inputs.data(), op.attributes.get()).accepted())
      out.push_back(inputs);
  }
  return out;
}

/// Returns values of these dims, with an extent that is large enough for LibTorch to divide its
/// loops between threads.
auto values(const std::vector<dims>& operands) -> std::vector<at::Tensor> {
  int most = 0;
  for (const dims& d : operands) most = std::max(most, d.rank);
  const std::int64_t extent = most == 1 ? 80'001 : most == 2 ? 283 : most == 3 ? 43 : 17;
  std::vector<at::Tensor> out;
  for (const dims& d : operands) {
    const std::vector<std::int64_t> sizes(static_cast<std::size_t>(d.rank), extent);
    if (is_floating(d.type))
      out.push_back(at::rand(sizes, scalar_type(d.type)) * 0.9 + 0.05);  // all functions are defined for these values
    else out.push_back(at::randint(d.type == boolean ? 2 : extent, sizes, at::kLong).to(scalar_type(d.type)));
  }
  return out;
}

}  // namespace

TEST_CASE("trials A6: sums have the same bits for any number of threads") {
  const int before = at::get_num_threads();
  std::set<std::string> tried;
  int exact = 0, not_exact = 0;
  for (const called_op& op : called_ops())
    for (const dtype type : {float32, float64})
      for (const std::vector<dims>& operands : accepted(op, type)) {
        at::manual_seed(1);
        const std::vector<at::Tensor> tensors = values(operands);
        std::vector<tensor_leaf> leaves;
        bound_tensors bound;
        std::string shapes;
        for (const at::Tensor& t : tensors) {
          dims d = shape_of(t);
          for (int i = 0; i < d.rank; ++i) d.e[i].open = false;
          leaves.push_back(tensor_leaf(make_handle<leaf_state>("x", d, leaf_state::input)));
          bound.push_back({leaves.back().state, t});
          shapes += " " + std::to_string(d.rank);
        }
        anything y = leaves[0];
        y.held = handle<const erased_base>(new call_of_op(op, leaves));
        std::vector<anything> results{y};
        const auto off = let(add(y, 3));
        if (op.info->gradient != nullptr || op.info->expand != nullptr)
          for (std::size_t k = 0; k < tensors.size(); ++k)
            if (tensors[k].is_floating_point()) results.push_back(gradient(sum(mul(mul(off, off), 0.5)), leaves[k]));
        for (std::size_t k = 0; k < results.size(); ++k) {
          CAPTURE(op.name, type == float32, shapes, k);
          const auto lowered = koila::detail::lowering_of(results[k]);
          const options o{.memory = 8_GiB, .chunk = index_t{1} << 40};
          at::Tensor first;
          bool shared = false;
          try {
            at::set_num_threads(1);
            shared = is_shared_by_libtorch(koila::detail::plan_of(lowered, false, o, bound));
            manual_seed(7);
            first = koila::detail::run_value(lowered, o, bound);
          } catch (const std::exception&) { break; }  // the op needs different values, or a batch
          tried.insert(op.name);
          ++(shared ? not_exact : exact);
          for (const int threads : is_long_run() ? std::vector{1, 2, 2, 4} : std::vector{2, 4}) {
            CAPTURE(threads);
            at::set_num_threads(threads);
            manual_seed(7);
            const at::Tensor again = koila::detail::run_value(lowered, o, bound);
            if (!shared || threads == 1) CHECK(::test::same_bits(again, first));
            else
              CHECK(at::allclose(again, first, type == float64 ? 1e-10 : 1e-3, type == float64 ? 1e-10 : 1e-3, true));
          }
        }
      }
  at::set_num_threads(before);
  std::cout << tried.size() << " ops have the same bits on 1, 2 and 4 threads in " << exact << " cases; " << not_exact
            << " more are shared by LibTorch's threads\n";
  CHECK(tried.size() > 200);
}

}  // namespace koila::test
