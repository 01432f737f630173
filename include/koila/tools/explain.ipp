// SPDX-License-Identifier: MIT
// Plans as text: memory_plan::explain.
#include <koila/ops/common/definitions.hpp>
#include <koila/plan/planner.hpp>
#include <koila/plan/text.hpp>
#include <koila/tools/report.hpp>

#include <ostream>

namespace koila::inline v0 {

namespace detail {

/// Writes the text of memory_plan::explain for one plan.
class explanation {
 public:
  explicit explanation(const memory_plan& p) : p_(p), r_(p) {}
  auto text() -> std::string;

 private:
  const memory_plan& p_;
  const memory_report r_;
  text_writer os_;
  std::size_t step_ = 0;  // the next step to write

  void headline();
  void uses();
  void at_the_peak();
  void other_chunks();
  void barrier(std::size_t l);
  void loop_line(std::size_t l);
  void node_line();
  auto note(const memory_report::step& s) const -> std::string;
  auto until(const memory_report::step& s, std::size_t end) const -> std::string;
  auto list(const std::vector<int>& numbers) const -> std::string;
};

void explanation::headline() {
  const int loops = p_.order.loops;
  os_ << "batch " << p_.batch << ", chunk " << detail::chunks_to_string(p_.chunks, p_.batch) << ", " << loops
      << (loops == 1 ? " loop" : " loops") << ": peak " << human_bytes(p_.peak_bytes()) << " (" << p_.peak_bytes()
      << " bytes)";
  if (p_.allowed >= 0) os_ << " of " << human_bytes(p_.allowed) << " (" << p_.allowed << ") allowed";
  os_ << ", about " << human_seconds(r_.seconds) << "\n" << p_.without_effect() << "\n";
}

/// Writes the bytes that are allocated before the run, then the bytes of each use at the peak.
void explanation::uses() {
  const auto row = [&](std::string_view what, index_t bytes, std::string_view more) {
    (os_ << "  ").column(what, 20).right(grouped(bytes), 16) << (more.empty() ? "" : "  ") << more << "\n";
  };
  const memory_report::step& at = r_.steps[r_.peak_step];
  const bool of_chunk = at.in_loop && p_.chunks[static_cast<std::size_t>(at.loop_or_section)] < p_.batch;
  for (std::size_t i = 0; i < memory_uses; ++i) {
    const auto u = static_cast<memory_use>(i);
    if (u == memory_use::output) {
      row("there already", r_.peak.resident(), "");
      os_ << "\n";
    }
    if (r_.peak[u] == 0) continue;
    std::string more;
    if (u == memory_use::held) more = "of the whole batch, for later loops";
    if (u == memory_use::activation) more = of_chunk ? "of one chunk" : "of the whole batch";
    if (u == memory_use::workspace) more = "of " + r_.where(r_.workspace_step);
    if (u == memory_use::gap) more = "lost where they are placed";
    row(to_string(u), r_.peak[u], more);
  }
  row("peak", r_.peak.allocated(), "");
  os_ << "\n";
}

void explanation::at_the_peak() {
  os_ << "most is alive at " << r_.where(r_.peak_step) << "\n";
  const auto alive = r_.alive(r_.peak_step);
  constexpr std::size_t most = 8;
  index_t rest = 0;
  int more = 0;
  for (std::size_t k = 0; k < alive.size(); ++k) {
    if (k < most)
      (os_ << "  ").right(grouped(alive[k].bytes), 18)
          << "  " << alive[k].name() << " " << to_string(alive[k].dims) << "\n";
    else rest += alive[k].bytes, more += alive[k].count;
  }
  if (more > 0) (os_ << "  ").right(grouped(rest), 18) << "  " << more << " more\n";
  os_ << "\n";
}

void explanation::other_chunks() {
  const auto line = [&](const other_chunk& c) {
    if (c.chunks.empty()) return;
    os_ << "chunk " << detail::chunks_to_string(c.chunks, p_.batch) << " would need " << human_bytes(c.peak_bytes);
    const index_t more = c.peak_bytes - r_.now.peak_bytes;
    if (more == 0) os_ << ", the same";
    else os_ << ", " << human_bytes(more < 0 ? -more : more) << (more < 0 ? " less" : " more");
    if (p_.allowed >= 0 && c.peak_bytes > p_.allowed) os_ << " and more than is allowed";
    os_ << ", and take " << human_seconds(c.seconds);
    if (r_.now.seconds > 0) (os_ << " (").fixed(c.seconds / r_.now.seconds, 2) << " x)";
    os_ << "\n";
  };
  line(r_.smaller);
  line(r_.larger);
  if (!r_.smaller.chunks.empty() || !r_.larger.chunks.empty()) os_ << "\n";
}

/// Returns a list of numbers as text, such as " 1, 3 to 5".
auto explanation::list(const std::vector<int>& numbers) const -> std::string {
  std::string s;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    s += (k == 0 ? " " : ", ") + std::to_string(numbers[k]);
    const std::size_t first = k;
    while (k + 1 < numbers.size() && numbers[k + 1] == numbers[k] + 1) ++k;
    if (k > first) s += (k > first + 1 ? " to " : ", ") + std::to_string(numbers[k]);
  }
  return s;
}

auto explanation::note(const memory_report::step& s) const -> std::string {
  std::string out;
  const auto add = [&](const std::string& what) { out += (out.empty() ? "" : "; ") + what; };
  const auto i = static_cast<std::size_t>(s.node);
  if (s.kernel_begin < s.kernel_end && static_cast<int>(step_) == s.kernel_begin)
    add("one kernel with steps " + std::to_string(s.kernel_begin + 1) + " to " + std::to_string(s.kernel_end));
  if (!r_.gradient_of[i].empty()) add("gradient of " + r_.gradient_of[i]);
  for (const int o : p_.outputs)
    if (o == s.node && r_.gradient_of[i].empty()) {
      add("output");
      break;
    }
  if (p_.external[i] != 0) add("leaves");
  std::vector<int> held_for, others;
  for (std::size_t l = 0; l < p_.order.loop_of.size(); ++l)
    for (const int held : p_.order.loop_of[l].held_in)
      if (held == s.node) held_for.push_back(static_cast<int>(l));
  if (!held_for.empty()) add((held_for.size() == 1 ? "kept for loop" : "kept for loops") + list(held_for));
  for (const int l : r_.loops_of[i])
    if (s.in_loop && l != s.loop_or_section && !p_.graph.node(s.node).is_view()) others.push_back(l);
  // If the loop computes the value several times in a chunk, name the other steps that compute
  // it.
  const auto again_at = [&](std::size_t t) {
    const auto& o = r_.steps[t];
    return o.in_loop && o.loop_or_section == s.loop_or_section && o.node == s.node;
  };
  const bool may_be = s.in_loop && !p_.graph.node(s.node).is_view();
  for (std::size_t t = step_; may_be && t-- > 0;)
    if (again_at(t)) {
      add("computed again, as in step " + std::to_string(t));
      break;
    }
  for (std::size_t t = step_ + 1; may_be && t < r_.steps.size(); ++t)
    if (again_at(t)) {
      add("dropped until step " + std::to_string(t) + " computes it again");
      break;
    }
  if (!others.empty())
    add((others.front() < s.loop_or_section ? "computed again, as in loop" : "computed again in loop") + list(others));
  return out;
}

/// Returns text that says where a lifetime ends, such as ", to loop 2". Returns an empty string if
/// the lifetime ends in the loop or section of step `s`.
auto explanation::until(const memory_report::step& s, std::size_t end) const -> std::string {
  const memory_report::step& last = r_.steps[end];
  if (end + 1 == r_.steps.size()) return ", to the end";
  if (last.in_loop == s.in_loop && last.loop_or_section == s.loop_or_section) return "";
  if (!last.in_loop && last.loop_or_section == p_.order.loops) return ", after loops";
  return (last.in_loop ? ", to loop " : ", before ") + std::to_string(last.loop_or_section);
}

void explanation::node_line() {
  const memory_report::step& s = r_.steps[step_];
  const graph_node& x = p_.graph.node(s.node);
  const dims d = s.in_loop ? dims_in_chunk(x, p_.chunks[static_cast<std::size_t>(s.loop_or_section)]) : x.dims;
  std::string bytes, alive;
  if (x.is_view()) {
    bytes = "view of";
    alive = std::string(p_.graph.node(x.operands[0]).name()).substr(0, 20);
  } else if (s.in_cache) {
    bytes = "in cache";
  } else {
    bytes = "in place";  // replaced below if the value has its own buffer
    const int t = static_cast<int>(step_);
    for (const auto& b : r_.buffers) {
      if (b.node != s.node || b.end < t || (b.begin > t && x.batch_relation.kind != batch_relation::partial) ||
          b.role == role::part || b.role == role::accumulator || b.role == role::compensation)
        continue;
      bytes = grouped(b.bytes);
      alive = std::to_string(b.begin) + "-" + std::to_string(b.end) + until(s, static_cast<std::size_t>(b.end));
    }
  }
  const std::string more = note(s);
  (os_.right(std::to_string(step_), 5) << "  ").column(x.name(), 22) << " ";
  (os_.column(to_string(d), 26) << " ").right(bytes, 13) << "  ";
  os_.column(alive, 20) << " ";
  const bool peak = step_ == r_.peak_step;
  if (more.empty() && !peak) os_ << to_string(x);
  else os_.column(to_string(x), 24) << " " << more << (peak ? more.empty() ? "<- peak" : "  <- peak" : "");
  os_ << "\n";
  ++step_;
}

void explanation::barrier(std::size_t l) {
  constexpr std::size_t most = 8;
  const auto& causes = r_.barriers[l];
  os_ << "barrier: before loop " << static_cast<index_t>(l) << " begins, these values must be complete\n";
  for (std::size_t k = 0; k < causes.size() && k < most; ++k) os_ << "  - " << r_.reason(causes[k]) << "\n";
  if (causes.size() > most) os_ << "  - and " << static_cast<index_t>(causes.size() - most) << " more\n";
}

void explanation::loop_line(std::size_t l) {
  const index_t c = p_.chunks[l], last = c > 0 ? p_.batch - (r_.times[l] - 1) * c : 0;
  os_ << "loop " << static_cast<index_t>(l) << ": " << r_.times[l] << " x " << c << " samples";
  if (last != c) os_ << ", the last of " << last;
  os_ << "\n";
}

auto explanation::text() -> std::string {
  headline();
  uses();
  at_the_peak();
  other_chunks();
  (os_.right("step", 5) << "  ").column("value", 22) << " ";
  (os_.column("dims", 26) << " ").right("bytes", 13) << "  ";
  os_.column("alive", 20) << " relation to the batch\n";
  const auto loops = static_cast<std::size_t>(p_.order.loops);
  for (std::size_t l = 0; l <= loops; ++l) {
    if (l > 0 && l < loops) barrier(l);
    if (!p_.order.section[l].empty()) {
      if (l == loops) os_ << "after the loops\n";
      else os_ << "before loop " << static_cast<index_t>(l) << "\n";
    }
    for (std::size_t k = 0; k < p_.order.section[l].size(); ++k) node_line();
    if (l == loops) break;
    loop_line(l);
    ++step_;
    for (std::size_t k = 0; k < p_.order.loop_of[l].body.size(); ++k) node_line();
    ++step_;
  }
  return os_.s;
}

}  // namespace detail

auto memory_plan::without_effect() const -> std::string { return detail::without_effect(graph, order, asked); }
void memory_plan::explain(std::ostream& os) const { os << detail::explanation(*this).text(); }

}  // namespace koila::inline v0
