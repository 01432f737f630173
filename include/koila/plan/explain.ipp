// What plans say to people: memory_plan::explain, and the text of memory_error.
#include <koila/ops/family/definitions.hpp>

#include <ostream>

namespace koila {

namespace detail {

/// A string that numbers are written to: a stream's formatting takes users' compilers long.
struct text_writer {
  std::string s;
  auto operator<<(std::string_view x) -> text_writer& { return s += x, *this; }
  auto operator<<(index_t n) -> text_writer& { return s += std::to_string(n), *this; }
  /// In a column of so many characters.
  auto column(std::string_view x, std::size_t width) -> text_writer& {
    s += x;
    if (x.size() < width) s.append(width - x.size(), ' ');
    return *this;
  }
};

inline auto spell(const dims& d) -> std::string {
  writer w;
  w.put(d);
  return std::string(w.view());
}

inline auto spell(monoid m) -> std::string {
  switch (m) {
    case monoid::sum: return "summed over chunks";
    case monoid::prod: return "multiplied over chunks";
    case monoid::max: return "the largest of all chunks";
    case monoid::min: return "the smallest of all chunks";
    case monoid::moments: return "mean and variance over chunks";
    case monoid::concat: return "gathered";
    case monoid::none: break;
  }
  return "";
}

inline auto spell(const gnode& n) -> std::string {
  switch (n.r.is) {
    case relation::whole: return "whole";
    case relation::partial: return spell(n.r.combine);
    default: break;
  }
  std::string s = "per sample, axis " + std::to_string(n.r.axis);
  if (n.r.outer != 1 || n.r.inner != 1) s += " (" + std::to_string(n.r.outer) + " x batch x " + std::to_string(n.r.inner) + ")";
  return s;
}

KOILA_COLD KOILA_INLINE void refuse_memory(const builder& b, const schedule& s, const std::vector<char>& external,
                                           index_t batch, const std::vector<index_t>& chunk, index_t output_bytes,
                                           index_t allowed) {
  lifetimes l(b, s, external, batch, chunk);
  const index_t needed = place(l.ranges) + output_bytes + l.workspace;
  const std::vector<index_t> bytes = alive_at(l.ranges);
  std::size_t worst = 0;
  for (std::size_t t = 0; t < l.step_node.size() && t < bytes.size(); ++t)
    if (bytes[t] > bytes[worst] || (bytes[t] == bytes[worst] && l.step_node[worst] < 0)) worst = t;
  const int at = l.step_node[worst];
  text_writer what;
  what << "koila: not even " << (chunk.empty() ? batch : chunk[0]) << " of " << batch << " samples at a time fit: " << needed
       << " bytes are needed";
  if (at >= 0) what << " at " << b.at(at).name();
  what << " and " << allowed << " are allowed. Alive there:";
  std::vector<sort_key> alive;
  for (std::size_t i = 0; i < l.ranges.size(); ++i)
    if (l.ranges[i].begin <= static_cast<int>(worst) && static_cast<int>(worst) <= l.ranges[i].end)
      alive.push_back({-l.ranges[i].bytes, 0, l.what[i].node});
  sort(alive);
  for (std::size_t i = 0; i < alive.size() && i < 5; ++i)
    what << (i == 0 ? " " : ", ") << b.at(alive[i].index).name() << " " << -alive[i].first;
  what << "; outputs " << output_bytes;
  throw memory_error(what.s, needed, allowed);
}

}  // namespace detail

KOILA_COLD KOILA_INLINE void memory_plan::explain(std::ostream& stream) const {
  detail::text_writer os;
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
  const std::vector<index_t> alive = alive_at(buffers.ranges);
  const index_t most = peak_of(buffers.ranges);
  std::size_t t = 0;
  const auto line = [&](int i, index_t samples) {
    const gnode& x = graph.at(i);
    os << "  ";
    os.column(x.name(), 24).column(detail::spell(dims_in_chunk(x, samples)), 28);
    os.column(x.is_view() ? "view" : std::to_string(dims_in_chunk(x, samples).bytes()), 14);
    os << detail::spell(x) << (t < alive.size() && alive[t] == most ? "  <- peak" : "") << "\n";
    ++t;
  };
  for (int l = 0; l <= order.loops; ++l) {
    if (!order.section[idx(l)].empty())
      os << (l == order.loops ? std::string("after the loops") : "before loop " + std::to_string(l)) << "\n";
    for (const int i : order.section[idx(l)]) line(i, batch);
    if (l == order.loops) break;
    const index_t c = chunks[idx(l)];
    os << "loop " << l << ": " << (c > 0 ? (batch + c - 1) / c : 1) << " x " << c << " samples";
    if (l > 0) {
      os << "; it needs";
      std::string_view glue = " ";
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
  stream << os.s;
}

}  // namespace koila
