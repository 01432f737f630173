// SPDX-License-Identifier: MIT
#include "memory/report.hpp"

#include <koila/plan/file.hpp>
#include <koila/plan/text.hpp>

#include <cstdio>
#include <cstdlib>
#include <set>

namespace memory {

void write_json(const report& r, const std::string& file) {
  std::string text = "[\n";
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    const row& x = r.rows[i];
    const auto number = [&](const char* name, auto n) { (((text += ", \"") += name) += "\": ") += std::to_string(n); };
    const auto string = [&](const char* name, std::string_view s) {
      ((text += std::string(text.back() == '{' ? "\"" : ", \"") + name + "\": \"") += koila::detail::json(s)) += '"';
    };
    text += "  {";
    string("model", x.model), number("batch", x.batch);
    if (x.budget < 0) text += ", \"budget\": null";
    else number("budget", x.budget);
    string("dtype", x.type), string("pass", x.kind), string("policy", x.policy);
    number("predicted", x.predicted), number("measured", x.measured), number("chunk", x.chunk);
    number("plan_seconds", x.plan_seconds);
    (text += ", \"new_budget\": ") += x.again ? "true" : "false";
    text += i + 1 < r.rows.size() ? "},\n" : "}\n";
  }
  koila::detail::write_file(file, text + "]\n");
}

auto summarise(const report& r, std::size_t models) -> bool {
  std::size_t refused = 0, under = 0, different = 0, over_budget = 0;
  index_t largest = 0;
  double unlimited = 0, limited = 0, again = 0;  // seconds
  std::set<std::string> told;
  const auto tell = [&](const row& x, const char* what) {
    if (told.insert(x.model + x.kind + x.type.data() + what).second && told.size() <= 40)
      std::printf("%s: %s, %s, %s, batch %lld, chunk %lld, %s: predicted %lld, measured %lld, budget %lld\n", what,
                  x.model.c_str(), x.type.data(), x.kind, static_cast<long long>(x.batch),
                  static_cast<long long>(x.chunk), x.policy, static_cast<long long>(x.predicted),
                  static_cast<long long>(x.measured), static_cast<long long>(x.budget));
  };
  for (const row& x : r.rows) {
    double& most = x.again ? again : x.budget < 0 ? unlimited : limited;
    most = std::max(most, x.plan_seconds);
    if (x.chunk == 0 && x.measured == 0) {
      ++refused;
      continue;
    }
    largest = std::max(largest, std::abs(x.predicted - x.measured));
    if (x.measured > x.predicted) ++under, tell(x, "underestimate");
    if (x.measured != x.predicted) ++different, tell(x, "mismatch");
    if (x.budget >= 0 && x.measured > x.budget) ++over_budget, tell(x, "over the budget");
  }
  for (const fusion& f : r.fusions)
    std::printf("memory: %s, step, batch %lld: %lld bytes without fusion, %lld with it (%+.1f %%)\n", f.model.c_str(),
                static_cast<long long>(f.batch), static_cast<long long>(f.without), static_cast<long long>(f.with),
                100 * (static_cast<double>(f.with) / static_cast<double>(f.without) - 1));
  const auto list = [](const std::vector<std::string>& all) {
    for (std::size_t i = 0; i < all.size() && i < 40; ++i) std::printf("%s\n", all[i].c_str());
  };
  list(r.missed), list(r.wrong), list(r.overstated);
  std::printf("memory: %zu rows of %zu models, %zu of them refused before anything ran\n", r.rows.size(), models,
              refused);
  std::printf("memory: %zu underestimates, %zu mismatches, largest error %lld bytes, %zu over the budget\n", under,
              different, static_cast<long long>(largest), over_budget);
  std::printf(
      "memory: %zu chunk sizes that fit where no plan did, %zu other faults, %zu refusals that say more than is needed\n",
      r.missed.size(), r.wrong.size(), r.overstated.size());
  std::printf("memory: slowest plan %.1f ms where all may be held, %.1f ms under a budget, %.1f ms for a new budget\n",
              unlimited * 1e3, limited * 1e3, again * 1e3);
  return different == 0 && over_budget == 0 && r.missed.empty() && r.wrong.empty();
}

}  // namespace memory
