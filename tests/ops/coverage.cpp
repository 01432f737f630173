// SPDX-License-Identifier: MIT
// Checks of all ops: each op has tests, and docs/ops.md describes it correctly.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <sstream>

#include <koila/plan/file.hpp>

#include "check.hpp"
#include "every_op.hpp"

namespace koila::test {

namespace {

auto read(const std::string& file) -> std::string {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Returns operands that an op accepts, with extents of 4 and low ranks. The first operand has rank
/// 2 or more if possible. Returns nothing if the op needs attributes.
auto accepted(const described& op) -> std::vector<dims> {
  constexpr dtype types[] = {float32, int64, boolean};
  const std::size_t n = op.least();
  if (n == 0) return {};
  for (const int least : {2, 1, 0})
    for (std::size_t code = 0, all = static_cast<std::size_t>(std::pow(15, n)); code < all; ++code) {
      std::vector<dims> operands;
      bool low = false;
      std::size_t rest = code;
      for (std::size_t k = 0; k < n; ++k, rest /= 15) {
        operands.push_back(open_dims(static_cast<int>(rest % 5), types[rest / 5 % 3]));
        for (int i = 0; i < operands.back().rank; ++i) operands.back().e[i] = {4, {}, true};
        low = low || (k == 0 && operands.back().rank < least);
      }
      if (!low && op.info()->rule(operands.data(), op.attributes.get()).accepted()) return operands;
    }
  return {};
}

/// Describes the effect of the op on samples along dim 0 of its first operand.
auto batch_of(const described& op, const std::vector<dims>& operands) -> std::string {
  if (op.made_of_ops()) return "as its parts";
  if (op.info()->constant != nullptr) return "a constant";
  if (operands.empty()) return "by its attributes";
  if (operands[0].rank == 0 || op.info()->flow == nullptr) return "gathered";
  std::vector<value> v;
  for (const dims& d : operands) v.push_back({d, {}});
  for (std::size_t k = 0; k < v.size(); ++k)
    if (!(op.info()->shape_only >> k & 1U)) {
      v[k].batch_relation = samples_along(0);
      break;
    }
  const relations f =
      op.info()->flow(v.data(), op.info()->rule(operands.data(), op.attributes.get()).out, op.attributes.get());
  if (f.out.sampled()) return "per sample";
  if (f.out.kind == batch_relation::whole) return "gathered";
  constexpr const char* names[] = {"", "sum", "concat", "product", "maximum", "minimum", "mean and variance"};
  return std::string("partial: ") + names[static_cast<int>(f.out.combine)];
}

/// Lists the dtypes that the op accepts for its first operand.
auto dtypes_of(const described& op, const std::vector<dims>& operands) -> std::string {
  if (operands.empty()) return "by its attributes";
  const auto accepts = [&](dtype t) {
    std::vector<dims> other = operands;
    for (dims& d : other)
      if (d.type == operands[0].type) d.type = t;
    return op.info()->rule(other.data(), op.attributes.get()).accepted();
  };
  std::string out;
  const auto add = [&](bool yes, const char* what) {
    if (yes) out += (out.empty() ? "" : ", ") + std::string(what);
  };
  add(accepts(float32) && accepts(float64) && accepts(bfloat16) && accepts(float16), "floating");
  add(accepts(int64) && accepts(int32) && accepts(uint8), "integers");
  add(accepts(int64) && !accepts(int32), "int64");
  add(accepts(boolean), "bool");
  return out.empty() ? "by its attributes" : out;
}

auto documentation() -> std::string {
  const auto escaped = [](const std::string& s) { return std::regex_replace(s, std::regex(R"(\|)"), "\\|"); };
  std::ostringstream os;
  const auto& all = all_ops();
  os << "# Operations\n\nWritten by `scripts/ops --docs` from the op structs; a test fails when it is not what they say.\n\n"
        "*Attributes* are the names that a call may give, `sum(x, dim = 0_c)`, with their defaults; one without a default is "
        "required, or follows from the others. *Samples* says what becomes of a batch along dim 0 of the first operand: an op works per sample, combines the chunks, or "
        "gathers the whole batch. *Gradient* is the op's own, or that of the ops that it is made of. A name that C has too is an "
        "object of `koila::ops` and a function of `koila`. The op `t` and the attributes `p` and `steps` are in `koila::ops`, too, "
        "because many programs have these names.\n";
  // The folder of an op's header is the op's group. The last group has the ops that users do not
  // call.
  std::vector<const described*> in_groups;
  for (const described& op : all) in_groups.push_back(&op);
  const auto group_of = [](const described& op) { return op.header.substr(0, op.header.find('/')); };
  std::stable_sort(in_groups.begin(), in_groups.end(), [&](const described* a, const described* b) {
    const std::string x = group_of(*a), y = group_of(*b);
    return std::pair(x == "internal", x) < std::pair(y == "internal", y);
  });
  std::string group;
  for (const described* each : in_groups) {
    const described& op = *each;
    if (const std::string own = group_of(op); own != group) {
      group = own;
      os << "\n## " << static_cast<char>(std::toupper(own[0])) << own.substr(1) << "\n\n"
         << (own == "internal" ? "Only gradients and expansions call these.\n\n" : "")
         << "| op | what it computes | attributes | samples | gradient | dtypes |\n|---|---|---|---|---|---|\n";
    }
    const auto features = accepted(op);
    os << "| `" << op.name << "` | " << escaped(op.doc) << " | " << (op.settings.empty() ? "" : "`" + op.settings + "`")
       << " | " << batch_of(op, features) << " | "
       << (op.made_of_ops()      ? "of its parts"
           : op.differentiable() ? "its own"
                                 : "none")
       << " | " << dtypes_of(op, features) << " |\n";
  }
  os << "\n" << all.size() << " operations.\n";
  return os.str();
}

const std::string source = KOILA_SOURCE_DIR;

}  // namespace

TEST_CASE("every op has a test of its value, of its gradient and of a refusal") {
  const auto& all = all_ops();
  for (const described& op : all) {
    INFO(op.name << " in tests/ops/" << op.header << ".cpp");
    REQUIRE(op.accepts(op.least()));
    const std::string text = read(source + "/tests/ops/" + op.header + ".cpp");
    const auto has = [&](const char* what) { return std::regex_search(text, std::regex(what)); };
    CHECK(has(R"(TEST_CASE)"));
    // These functions check the value, and the gradient unless the call excludes it.
    CHECK(has(R"(\b(check\w*|compare|same)(<[^>]*>)?\()"));
    const bool differentiated = has(R"(\bcheck\w*(<[^>]*>)?\((?!ask\{\.gradients = false|\{\.gradients = false))") ||
                                has(R"(\b(gradient|backward|compare)\()");
    CHECK((!op.differentiable() || differentiated));
    CHECK(has(R"(\brefuse\w*\(|!Accepts<|\bcheck_unary<)"));  // check_unary checks a refusal
  }
  std::cout << all.size() << " ops have tests of value, gradient and refusal\n";
}

TEST_CASE("docs/ops.md is what the ops say") {
  const std::string file = source + "/docs/ops.md", now = documentation();
  if (const char* to = std::getenv("KOILA_WRITE_DOCS"); to != nullptr) koila::detail::write_file(to, now);
  INFO("run scripts/ops --docs");
  CHECK(read(file) == now);
}

}  // namespace koila::test
