// What plans say to people: memory_plan::explain, and the text of memory_error.
#include <koila/ops/family/definitions.hpp>

#include <iomanip>
#include <ostream>
#include <sstream>

namespace koila {

namespace detail {

inline auto spell(const dims& d) -> std::string {
  writer w;
  w.put(d);
  return std::string(w.view());
}

inline auto spell(const gnode& n) -> std::string {
  switch (n.r.is) {
    case relation::whole: return "whole";
    case relation::partial: return n.r.combine == monoid::concat ? "gathered" : "summed over chunks";
    default: break;
  }
  std::string s = "per sample, axis " + std::to_string(n.r.axis);
  if (n.r.outer != 1 || n.r.inner != 1) s += " (" + std::to_string(n.r.outer) + " x batch x " + std::to_string(n.r.inner) + ")";
  return s;
}

KOILA_INLINE void refuse_memory(const builder& b, const schedule& s, const std::vector<char>& external, index_t batch,
                                const std::vector<index_t>& chunk, index_t output_bytes, index_t allowed) {
  lifetimes l(b, s, external, batch, chunk);
  const index_t needed = place(l.ranges) + output_bytes + l.workspace;
  const std::vector<index_t> bytes = alive_at(l.ranges);
  std::size_t worst = 0;
  for (std::size_t t = 0; t < l.step_node.size() && t < bytes.size(); ++t)
    if (bytes[t] > bytes[worst] || (bytes[t] == bytes[worst] && l.step_node[worst] < 0)) worst = t;
  const int at = l.step_node[worst];
  std::ostringstream what;
  what << "koila: not even " << (chunk.empty() ? batch : chunk[0]) << " of " << batch << " samples at a time fit: " << needed
       << " bytes are needed";
  if (at >= 0) what << " at " << b.at(at).name();
  what << " and " << allowed << " are allowed. Alive there:";
  std::vector<std::pair<index_t, int>> alive;
  for (std::size_t i = 0; i < l.ranges.size(); ++i)
    if (l.ranges[i].begin <= static_cast<int>(worst) && static_cast<int>(worst) <= l.ranges[i].end)
      alive.push_back({l.ranges[i].bytes, l.what[i].node});
  std::sort(alive.begin(), alive.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  for (std::size_t i = 0; i < alive.size() && i < 5; ++i)
    what << (i == 0 ? " " : ", ") << b.at(alive[i].second).name() << " " << alive[i].first;
  what << "; outputs " << output_bytes;
  throw memory_error(what.str(), needed, allowed);
}

}  // namespace detail

KOILA_INLINE void memory_plan::explain(std::ostream& os) const {
  const auto idx = [](int i) { return static_cast<std::size_t>(i); };
  index_t inputs = 0, parameters = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].is == kind::leaf && order.live[i] != 0)
      (graph.nodes[i].leaf->is == leaf_state::parameter ? parameters : inputs) += graph.nodes[i].d.bytes();
  os << "batch " << batch << ", chunk " << chunk() << ", " << order.loops << (order.loops == 1 ? " loop" : " loops")
     << ", peak " << peak_bytes() << " bytes";
  if (allowed >= 0) os << " of " << allowed << " allowed";
  os << "\n  arena " << arena_bytes << ", outputs " << output_bytes << ", workspace " << buffers.workspace
     << "; resident: inputs " << inputs << ", parameters " << parameters << ", optimiser " << optimizer_bytes << "\n";
  std::vector<index_t> alive(buffers.step_node.size(), 0);
  for (const auto& r : buffers.ranges)
    for (int t = r.begin; t <= r.end; ++t) alive[idx(t)] += r.bytes;
  const index_t most = alive.empty() ? 0 : *std::max_element(alive.begin(), alive.end());
  std::size_t t = 0;
  const auto line = [&](int i, index_t samples) {
    const gnode& x = graph.at(i);
    os << "  " << std::left << std::setw(24) << x.name() << std::setw(28) << detail::spell(dims_in_chunk(x, samples));
    if (x.is_view()) os << std::setw(14) << "view";
    else os << std::setw(14) << dims_in_chunk(x, samples).bytes();
    os << detail::spell(x) << (alive[t] == most ? "  <- peak" : "") << "\n";
    ++t;
  };
  for (int l = 0; l <= order.loops; ++l) {
    if (!order.section[idx(l)].empty())
      os << (l == order.loops ? "after the loops" : "before loop " + std::to_string(l)) << "\n";
    for (const int i : order.section[idx(l)]) line(i, batch);
    if (l == order.loops) break;
    const index_t c = chunks[idx(l)];
    os << "loop " << l << ": " << (c > 0 ? (batch + c - 1) / c : 1) << " x " << c << " samples";
    if (l > 0) {
      os << "; it needs";
      std::string glue = " ";
      for (const int i : order.loop_of[idx(l - 1)].body)
        if (graph.at(i).r.is == relation::partial && std::find(outputs.begin(), outputs.end(), i) == outputs.end())
          os << glue << graph.at(i).name(), glue = ", ";
      os << " of the whole batch";
    }
    os << "\n";
    ++t;
    for (const int i : order.loop_of[idx(l)].body) line(i, c);
    ++t;
  }
}

}  // namespace koila
