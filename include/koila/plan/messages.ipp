// SPDX-License-Identifier: MIT
// The message of memory_error, and the messages about options without effect.
#include <koila/plan/planner.hpp>
#include <koila/plan/text.hpp>

namespace koila::inline v0::detail {

void refuse_memory(const builder& b, const schedule& s, const std::vector<char>& external, index_t batch,
                   const std::vector<index_t>& chunk, index_t output_bytes, index_t allowed) {
  lifetimes l(b, s, external, batch, chunk);
  const index_t needed = assign_offsets(l.ranges) + output_bytes + l.workspace();
  const std::vector<index_t> bytes = alive_at(l.ranges);
  std::size_t worst = 0;
  for (std::size_t t = 0; t < l.step_node.size() && t < bytes.size(); ++t)
    if (bytes[t] > bytes[worst] || (bytes[t] == bytes[worst] && l.step_node[worst] < 0)) worst = t;
  const int at = l.step_node[worst];
  text_writer what;
  what << "koila: ";
  if (batch == 0) what << "it does not fit: ";
  else
    what << "not even " << (chunk.empty() ? batch : *std::min_element(chunk.begin(), chunk.end())) << " of " << batch
         << " samples at a time fit: ";
  what << needed << " bytes are needed";
  if (at >= 0) what << " at " << call_of(b, at);
  what << " and " << allowed << " are allowed. Alive there:";
  std::vector<sort_key> alive;
  for (std::size_t i = 0; i < l.ranges.size(); ++i)
    if (l.ranges[i].begin <= static_cast<int>(worst) && static_cast<int>(worst) <= l.ranges[i].end)
      alive.push_back({-l.ranges[i].bytes, 0, static_cast<int>(i)});
  sort_keys(alive);
  for (std::size_t k = 0; k < alive.size() && k < 5; ++k) {
    purpose is = l.what[static_cast<std::size_t>(alive[k].index)];
    for (const auto& next : l.later)
      if (next.range == alive[k].index && next.from <= static_cast<int>(worst)) is.node = next.node;
    const graph_node& x = b.node(is.node);
    const bool of_chunk = is.loop >= 0 && is.role != role::held;
    what << (k == 0 ? " " : ", ") << call_of(b, is.node) << " "
         << to_string(of_chunk ? dims_in_chunk(x, chunk[static_cast<std::size_t>(is.loop)]) : x.dims) << " "
         << -alive[k].first;
  }
  if (alive.size() > 5) what << " and " << static_cast<index_t>(alive.size() - 5) << " smaller ones";
  what << "; outputs " << output_bytes;
  if (l.workspace() > 0) what << "; workspace of kernels " << l.workspace();
  throw memory_error(what.s, needed, allowed);
}

auto without_effect(const builder& b, const schedule& s, const options& asked) -> std::string {
  const bool fixed = asked.chunk > 0, balances = asked.policy == chunk_policy::balanced;
  if (!fixed && !balances) return {};
  const index_t batch = b.bound.batch();
  const bool cut = s.loops > 0, in_parts = batch < 0 || asked.chunk < batch;  // false if .chunk holds the whole batch
  std::string reason, out;
  if (batch < 0) reason = "no input has the axis `batch`";
  for (std::size_t i = 0; i < b.nodes.size() && batch >= 0; ++i) {
    const graph_node& x = b.nodes[i];
    if (!s.nodes[i].is_live || x.op == nullptr) continue;
    for (int k = 0; k < x.operand_count; ++k)
      if (reason.empty() && x.reads(k) && b.node(x.operands[static_cast<std::size_t>(k)]).kind == node_kind::whole_leaf)
        reason = std::string(x.name()) + " asks for all samples at once";
  }
  if (reason.empty()) reason = "nothing is computed of each sample";
  const auto line = [&](const std::string& option, const std::string& reason) {
    out += option + " has no effect: " + reason + "\n";
  };
  if (fixed && !cut && in_parts) line(".chunk = " + std::to_string(asked.chunk), reason);
  if (balances && fixed) line(".policy = balanced", ".chunk is stated");
  else if (balances && !cut && batch != 0 && batch != 1) line(".policy = balanced", reason);
  return out;
}

}  // namespace koila::inline v0::detail
