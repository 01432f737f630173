// SPDX-License-Identifier: MIT
// memory_plan::trace: the plan in the trace event format, which Perfetto and chrome://tracing open.
#include <koila/ops/common/definitions.hpp>
#include <koila/plan/file.hpp>
#include <koila/plan/text.hpp>
#include <koila/tools/memory_record.hpp>
#include <koila/tools/report.hpp>

namespace koila::inline v0 {

namespace detail {

/// Writes nested events (loops contain chunks, and chunks contain ops) and the bytes of each use.
/// Times are whole nanoseconds, so that an inner event never ends after the outer event.
class trace_writer {
 public:
  trace_writer(const memory_plan& p, const memory_record* measured) : p_(p), r_(p), measured_(measured) {}
  auto text() -> std::string;

 private:
  const memory_plan& p_;
  const memory_report r_;
  const memory_record* measured_;
  text_writer os_;
  index_t now_ = 0;  // nanoseconds
  bool first_ = true;

  static constexpr index_t most_events = 20'000;

  auto event(std::string_view phase, std::string_view name, int process, index_t when) -> text_writer&;
  void name_process(int process, std::string_view name);
  void slice(std::string_view name, index_t begin, index_t end) { event("X", name, 1, begin), duration(end - begin); }
  void duration(index_t n) { os_ << ",\"dur\":", time(n); }
  void time(index_t n) { os_.fixed(static_cast<double>(n) / 1e3, 3); }
  void op(std::size_t t);
  void bytes(std::size_t t);
  auto lasts(std::size_t t) const -> index_t {
    return std::max<index_t>(r_.steps[t].node < 0 ? 0 : 1, static_cast<index_t>(r_.steps[t].seconds * 1e9));
  }
};

auto trace_writer::event(std::string_view phase, std::string_view name, int process, index_t when) -> text_writer& {
  os_ << (first_ ? "" : "},\n") << "{\"ph\":\"" << phase << "\",\"name\":\"" << json(name) << "\",\"pid\":" << process
      << ",\"tid\":1,\"ts\":";
  first_ = false;
  time(when);
  return os_;
}

void trace_writer::name_process(int process, std::string_view name) {
  event("M", "process_name", process, 0) << ",\"args\":{\"name\":\"" << json(name) << "\"}";
}

void trace_writer::bytes(std::size_t t) {
  const bytes_by_use& now = r_.steps[t].bytes;
  event("C", "alive", 1, now_) << ",\"args\":{\"bytes\":" << now.allocated() << "}";
  event("C", "by use", 1, now_) << ",\"args\":{";
  std::string_view glue = "";
  for (std::size_t i = 0; i < memory_uses; ++i) {
    const auto u = static_cast<memory_use>(i);
    if (is_resident(u) || u == memory_use::gap) continue;
    os_ << glue << "\"" << json(to_string(u)) << "\":" << now[u];
    glue = ",";
  }
  os_ << "}";
}

void trace_writer::op(std::size_t t) {
  const memory_report::step& s = r_.steps[t];
  bytes(t);
  if (s.node < 0) return;
  const graph_node& x = p_.graph.node(s.node);
  const dims d = s.in_loop ? dims_in_chunk(x, p_.chunks[static_cast<std::size_t>(s.loop_or_section)]) : x.dims;
  slice(x.name(), now_, now_ + lasts(t));
  os_ << ",\"args\":{\"of\":\"" << json(r_.describe(s.node)) << "\",\"dims\":\"" << json(to_string(d))
      << "\",\"bytes\":" << (x.is_view() ? 0 : d.bytes()) << ",\"relation\":\"" << json(to_string(x))
      << "\",\"workspace\":" << s.bytes[memory_use::workspace] << ",\"step\":" << static_cast<index_t>(t);
  if (const std::string& of = r_.gradient_of[static_cast<std::size_t>(s.node)]; !of.empty())
    os_ << ",\"gradient of\":\"" << json(of) << "\"";
  if (t == r_.peak_step) os_ << ",\"peak\":true";
  os_ << "}";
  now_ += lasts(t);
}

auto trace_writer::text() -> std::string {
  os_ << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"batch\":" << p_.batch << ",\"chunk\":" << p_.chunk()
      << ",\"peak bytes\":" << p_.peak_bytes() << ",\"resident bytes\":" << r_.peak.resident() << ",\"allowed bytes\":";
  if (p_.allowed >= 0) os_ << p_.allowed;
  else os_ << "null";
  os_ << "},\n\"traceEvents\":[\n";
  name_process(1, "koila: predicted");
  std::size_t t = 0;
  const auto loops = static_cast<std::size_t>(p_.order.loops);
  for (std::size_t l = 0; l <= loops; ++l) {
    for (std::size_t k = 0; k < p_.order.section[l].size(); ++k) op(t++);
    if (l == loops) break;
    const std::size_t begin = t, end = begin + p_.order.loop_of[l].body.size() + 1;
    index_t chunk = 0;
    for (std::size_t k = begin; k <= end; ++k) chunk += lasts(k);
    const index_t times = r_.times[l], events = static_cast<index_t>(end - begin) * 3;
    const index_t shown = std::min(times, std::max<index_t>(1, most_events / static_cast<index_t>(loops) / events));
    const std::string name = "loop " + std::to_string(l);
    slice(name, now_, now_ + times * chunk);
    os_ << ",\"args\":{\"chunks\":" << times << ",\"samples per chunk\":" << p_.chunks[l];
    for (std::size_t k = 0; k < r_.barriers[l].size(); ++k)
      os_ << ",\"waits for " << static_cast<index_t>(k) << "\":\"" << json(r_.reason(r_.barriers[l][k])) << "\"";
    os_ << "}";
    for (index_t c = 0; c < shown; ++c) {
      slice("chunk " + std::to_string(c), now_, now_ + chunk);
      for (t = begin; t <= end; ++t) op(t);
    }
    if (shown < times) slice(std::to_string(times - shown) + " more chunks", now_, now_ + (times - shown) * chunk);
    now_ += (times - shown) * chunk;
    t = end + 1;
  }
  bytes(t);
  if (measured_ != nullptr) {
    name_process(2, "measured");
    for (const auto& s : measured_->samples)
      event("C", "allocated", 2, static_cast<index_t>(s.seconds * 1e9)) << ",\"args\":{\"bytes\":" << s.bytes << "}";
  }
  os_ << "}\n]}\n";
  return os_.s;
}

}  // namespace detail

void memory_plan::trace(const std::string& path) const {
  detail::write_file(path, detail::trace_writer(*this, nullptr).text());
}
void memory_plan::trace(const std::string& path, const memory_record& measured) const {
  detail::write_file(path, detail::trace_writer(*this, &measured).text());
}

}  // namespace koila::inline v0
