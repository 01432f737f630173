// SPDX-License-Identifier: MIT
#include <cmath>
#include <set>

#include "memory/report.hpp"

namespace memory {

namespace {

constexpr index_t plenty = index_t{1} << 40;

/// Asks for plans of one pass of a model, with a given number of samples and many budgets, and runs
/// the plans.
class questions {
 public:
  questions(const models::model& m, const bound_model& bound, pass p, index_t batch, report& into)
      : model_(m), bound_(bound), pass_(p), batch_(batch), into_(into) {}

  void ask() {
    const index_t whole = fixed();
    const index_t least = least_budget();
    // The plan for a larger budget must not be slower or have a smaller peak.
    double seconds = std::numeric_limits<double>::infinity();
    index_t peak = 0;
    for (const index_t budget : budgets(least, whole)) {
      const planned plan = answer("powers of two", {.memory = budget});
      if (!plan.fits) {
        into_.wrong.push_back(name() + ": nothing fits " + std::to_string(budget) + ", and " + std::to_string(least) +
                              " does");
        continue;
      }
      if (plan.running > seconds) into_.wrong.push_back(name() + ": slower with " + std::to_string(budget));
      if (plan.peak < peak) into_.wrong.push_back(name() + ": a smaller peak with " + std::to_string(budget));
      seconds = plan.running, peak = plan.peak;
    }
    if (least > bound_.kept(pass_)) refused(least - 1);
    for (const index_t c : std::set{std::min<index_t>(4, batch_), batch_}) under_budgets("fixed", {.chunk = c});
    if ((batch_ & (batch_ - 1)) != 0) under_budgets("balanced", {.policy = balanced});
  }

 private:
  const models::model& model_;
  const bound_model& bound_;
  pass pass_;
  index_t batch_;
  report& into_;

  auto name() const -> std::string {
    return model_.name + ", " + std::string(to_string(model_.type)) + ", batch " + std::to_string(batch_) + ", " +
           name_of(pass_);
  }
  void add(const char* policy, index_t budget, const planned& p, index_t measured) {
    into_.rows.push_back({model_.name, to_string(model_.type), name_of(pass_), policy, batch_, budget, p.peak, measured,
                          p.chunk, p.planning, p.again});
  }
  auto answer(const char* policy, const options& o) -> planned {
    const planned plan = bound_.plan(pass_, o);
    if (plan.fits) add(policy, o.memory == plenty ? -1 : o.memory, plan, bound_.run(pass_, o));
    return plan;
  }
  /// Asks for a plan with a budget of 0 bytes. If no plan fits, the result states the bytes that
  /// are needed.
  auto ask_for_the_least(const char* policy, options o) -> planned {
    o.memory = 0;
    const planned least = bound_.plan(pass_, o);
    if (!least.fits) add(policy, 0, least, 0);
    return least;
  }
  /// Returns the powers of two below the batch size, and the batch size.
  auto chunks() const -> std::set<index_t> {
    std::set<index_t> out{batch_};
    for (index_t c = 1; c < batch_; c *= 2) out.insert(c);
    return out;
  }
  /// Returns the chunk sizes to try if no plan fits the budget. No plan with one of these sizes may
  /// fit either. All sizes up to 16 are included, but only some larger sizes.
  auto chunks_to_search() const -> std::set<index_t> {
    auto out = chunks();
    for (index_t c = 1; c <= std::min<index_t>(batch_, 16); ++c) out.insert(c);
    for (index_t c = 24; c < batch_; c += 8) out.insert(c);
    return out;
  }
  /// Runs each fixed chunk size without a limit. Returns the peak of the whole batch in bytes.
  auto fixed() -> index_t {
    auto some = chunks();
    some.insert({std::min<index_t>(3, batch_), batch_ - batch_ / 3});
    index_t whole = 0;
    for (const index_t c : some) whole = answer("fixed", {.memory = plenty, .chunk = c}).peak;
    return whole;
  }
  /// Checks plans for which `o` fixes the chunk size or states another policy. It tries two
  /// budgets: the smallest one that fits, and the mean of this budget and of the peak of a plan
  /// without a limit.
  void under_budgets(const char* policy, options o) {
    const planned least = ask_for_the_least(policy, o);
    if (least.fits) return;
    o.memory = plenty;
    const index_t most = answer(policy, o).peak;
    for (const index_t budget : std::set{least.peak, (least.peak + most) / 2}) {
      o.memory = budget;
      if (!answer(policy, o).fits)
        into_.wrong.push_back(name() + ": " + policy + " chunks, " + std::to_string(o.chunk) + ", do not fit " +
                              std::to_string(budget));
    }
  }
  /// Returns the smallest budget into which a plan fits. Normally, it is the number of bytes that
  /// the refusal of the budget 0 states. If a plan fits into a smaller budget, records the refusal
  /// as overstated.
  auto least_budget() -> index_t {
    const planned first = ask_for_the_least("powers of two", {});
    if (first.fits) return first.peak;
    const index_t needed = first.peak;
    planned plan = bound_.plan(pass_, {.memory = needed});
    if (!plan.fits) into_.wrong.push_back(name() + ": " + std::to_string(needed) + " are needed, and not enough");
    index_t least = needed;
    while ((plan = bound_.plan(pass_, {.memory = least - 1})).fits) least = plan.peak;
    if (least != needed)
      into_.overstated.push_back(name() + ": " + std::to_string(needed) + " are needed, and " + std::to_string(least) +
                                 " enough");
    return least;
  }
  static auto budgets(index_t least, index_t whole) -> std::set<index_t> {
    std::set<index_t> out{least, std::max(least, whole)};
    constexpr int between = 5;
    const double step =
        std::pow(static_cast<double>(whole) / static_cast<double>(std::max<index_t>(least, 1)), 1.0 / between);
    for (int i = 1; i < between && step > 1; ++i)
      out.insert(static_cast<index_t>(static_cast<double>(least) * std::pow(step, i)));
    return out;
  }
  /// Checks a budget that is too small for every plan. The run must throw memory_error before it
  /// allocates anything, and no plan with a fixed chunk size may fit.
  void refused(index_t budget) {
    const planned none = bound_.plan(pass_, {.memory = budget});
    if (none.fits) return;
    const bench::measure m;
    try {
      (void)bound_.run(pass_, {.memory = budget});
      into_.wrong.push_back(name() + ": it ran though nothing fits " + std::to_string(budget));
    } catch (const memory_error&) {}
    if (m.peak() != 0)
      into_.wrong.push_back(name() + ": it allocated " + std::to_string(m.peak()) + " bytes before it refused");
    add("powers of two", budget, none, 0);
    for (const index_t c : chunks_to_search())
      if (bound_.plan(pass_, {.memory = budget, .chunk = c}).fits)
        into_.missed.push_back(name() + ": chunks of " + std::to_string(c) + " fit " + std::to_string(budget));
  }
};

}  // namespace

void ask(const models::model& m, const std::vector<index_t>& batches, report& into) {
  for (const index_t batch : batches) {
    if (batch < m.least) continue;
    const bound_model bound(m, batch);
    for (const pass p : {pass::forward, pass::backward, pass::step}) questions(m, bound, p, batch, into).ask();
    if (m.type == dtype::float32 && batch == batches.back())
      into.fusions.push_back({m.name, batch, bound.whole_peak(pass::step, false), bound.whole_peak(pass::step, true)});
  }
}

}  // namespace memory
