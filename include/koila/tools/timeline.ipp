// SPDX-License-Identifier: MIT
// memory_plan::timeline: draws the bytes at each step of a plan as SVG.
#include <koila/ops/common/definitions.hpp>
#include <koila/plan/file.hpp>
#include <koila/plan/text.hpp>
#include <koila/tools/memory_record.hpp>
#include <koila/tools/report.hpp>

namespace koila::inline v0 {

namespace detail {

/// Draws a plot of the bytes at each step. To the right of the plot is a legend with the bytes of
/// each use and the largest values at the peak. Below the plot are the loops, the names of the
/// steps, and the reason for each barrier.
class timeline_writer {
 public:
  timeline_writer(const memory_plan& p, const memory_record* measured) : p_(p), r_(p), measured_(measured) {}
  auto text() -> std::string;

 private:
  const memory_plan& p_;
  const memory_report r_;
  const memory_record* measured_;
  text_writer os_;

  // Pixels.
  static constexpr double left = 84, width = 850, top = 152, height = 360, panel = 968, panel_width = 300;
  static constexpr double all_width = panel + panel_width + 24, line_height = 19;
  double bottom_ = 0;    // y of the lowest thing drawn so far
  double most_ = 1;      // bytes at the top of the plot
  double per_step_ = 1;  // width of a step in pixels

  auto x_of(std::size_t step) const -> double { return left + per_step_ * static_cast<double>(step); }
  auto y_of(index_t bytes) const -> double { return top + height * (1 - static_cast<double>(bytes) / most_); }
  auto budget_shown() const -> bool { return p_.allowed >= 0 && static_cast<double>(p_.allowed) <= most_; }

  /// Writes an attribute with a number: ` x="12.5"`.
  auto number(std::string_view name, double x) -> timeline_writer& {
    (os_ << " " << name << "=\"").fixed(x, 1) << "\"";
    return *this;
  }
  auto begin(std::string_view tag, std::string_view classes) -> timeline_writer& {
    os_ << "<" << tag << " class=\"" << classes << "\"";
    return *this;
  }
  void area(std::string_view classes, const std::vector<index_t>& under, const std::vector<index_t>& over);
  void rect(std::string_view classes, double x, double y, double w, double h, std::string_view title = {});
  void line(std::string_view classes, double x1, double y1, double x2, double y2);
  void write(std::string_view classes, double x, double y, std::string_view what, std::string_view more = {},
             std::string_view title = {});

  void scale();
  void style();
  void head();
  void axes();
  void areas();
  void levels();
  void peak();
  void measured();
  void loops();
  void names();
  void barriers();
  void legend();
  auto advice() const -> std::string;
};

/// Shortens a UTF-8 string of more than `most` bytes and appends an ellipsis.
inline auto clipped(std::string s, std::size_t most) -> std::string {
  if (s.size() <= most) return s;
  std::size_t n = most - 1;
  while (n > 0 && (static_cast<unsigned char>(s[n]) & 0xC0U) == 0x80) --n;
  s.resize(n);
  return s + "\u2026";
}

/// The uses from the bottom of the stack to its top, and the CSS class that colours each use.
inline constexpr memory_use stack_of_uses[] = {memory_use::gradient, memory_use::output,     memory_use::whole,
                                               memory_use::held,     memory_use::activation, memory_use::cotangent,
                                               memory_use::workspace};
inline auto color_of(memory_use u) -> std::string_view {
  switch (u) {
    case memory_use::gradient: return "gradient";
    case memory_use::output: return "output";
    case memory_use::whole: return "whole";
    case memory_use::held: return "held";
    case memory_use::activation: return "activation";
    case memory_use::cotangent: return "cotangent";
    case memory_use::workspace: return "workspace";
    default: return "rest";
  }
}

void timeline_writer::rect(std::string_view classes, double x, double y, double w, double h, std::string_view title) {
  begin("rect", classes).number("x", x).number("y", y).number("width", w).number("height", h);
  if (title.empty()) os_ << "/>\n";
  else os_ << "><title>" << xml(title) << "</title></rect>\n";
}
void timeline_writer::line(std::string_view classes, double x1, double y1, double x2, double y2) {
  begin("line", classes).number("x1", x1).number("y1", y1).number("x2", x2).number("y2", y2);
  os_ << "/>\n";
}
void timeline_writer::write(std::string_view classes, double x, double y, std::string_view what, std::string_view more,
                            std::string_view title) {
  begin("text", classes).number("x", x).number("y", y);
  os_ << more << ">" << xml(what);
  if (!title.empty() && title != what) os_ << "<title>" << xml(title) << "</title>";
  os_ << "</text>\n";
}

void timeline_writer::scale() {
  index_t most = std::max<index_t>(p_.peak_bytes(), 1);
  if (measured_ != nullptr) most = std::max(most, measured_->peak_bytes);
  if (p_.allowed >= 0 && p_.allowed < 2 * most) most = std::max(most, p_.allowed);
  most_ = 1.1 * static_cast<double>(most);
  per_step_ = width / static_cast<double>(std::max<std::size_t>(r_.steps.size(), 1));
}

void timeline_writer::style() {
  os_ << R"(<style>
svg { --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --rule: #d1d9e0; --band: #f0f3f6; --alarm: #c9252d; --seen: #bf3989 }
@media (prefers-color-scheme: dark) {
svg { --paper: #0d1117; --ink: #e6edf3; --faint: #9198a1; --rule: #30363d; --band: #1b222b; --alarm: #ff7b72; --seen: #f778ba }
}
text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif; fill: var(--ink) }
.title { font-size: 19px; font-weight: 600 } .bold { font-weight: 600 }
.faint { fill: var(--faint) } .small { font-size: 11px } .alarm { fill: var(--alarm) }
.middle { text-anchor: middle } .end { text-anchor: end }
.paper { fill: var(--paper) } .rule { stroke: var(--rule); stroke-width: 1 } .band { fill: var(--band) }
.axis { stroke: var(--faint); stroke-width: 1 } .barrier { stroke: var(--faint); stroke-width: 1; stroke-dasharray: 2 3 }
.budget { stroke: var(--alarm); stroke-width: 2; stroke-dasharray: 8 4 } .mark { fill: var(--ink) }
.top { stroke: var(--ink); stroke-width: 1.2 } .at { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 4 3 }
.measured { fill: none; stroke: var(--seen); stroke-width: 2; stroke-linejoin: round }
.reserved { fill: var(--faint); fill-opacity: 0.13 } .hover { fill-opacity: 0 } .hover:hover { fill: var(--ink); fill-opacity: 0.12 }
.gradient { fill: #4e79a7 } .output { fill: #9c755f } .whole { fill: #76b7b2 } .held { fill: #b07aa1 }
.activation { fill: #59a14f } .cotangent { fill: #edc948 } .workspace { fill: #f28e2b } .rest { fill: #9aa0a6 }
</style>
)";
}

/// Returns advice on how to need less memory, based on the largest use at the peak.
auto timeline_writer::advice() const -> std::string {
  memory_use most = memory_use::output;
  for (std::size_t u = 0; u < memory_uses; ++u)
    if (!is_resident(static_cast<memory_use>(u)) && r_.peak.bytes[u] > r_.peak[most]) most = static_cast<memory_use>(u);
  std::string s;
  const other_chunk& c = r_.smaller;
  const index_t saved = r_.now.peak_bytes - c.peak_bytes;
  if (!c.chunks.empty() && saved > 0) {
    text_writer w;
    w << "Chunks of " << chunks_to_string(c.chunks, p_.batch) << " would save " << human_bytes(saved) << " (";
    w.fixed(100 * static_cast<double>(saved) / static_cast<double>(r_.now.peak_bytes), 0) << " %)";
    if (r_.now.seconds > 0) (w << " and take ").fixed(c.seconds / r_.now.seconds, 2) << " x the time";
    s = w.s + ". ";
  } else if (!c.chunks.empty()) {
    s = "Smaller chunks would save nothing. ";
  }
  switch (most) {
    case memory_use::gradient: return s + "Most is gradients of parameters, which no chunk makes smaller.";
    case memory_use::held:
      return s + "Most is kept between loops: with less memory allowed some of it is computed again.";
    case memory_use::whole:
      return s + "Most does not depend on the sample or is needed whole: see what the loops wait for.";
    case memory_use::output: return s + "Most is what the run returns.";
    default: return s;
  }
}

void timeline_writer::head() {
  text_writer title;
  title << "Peak " << human_bytes(p_.peak_bytes());
  if (p_.allowed >= 0) title << " of " << human_bytes(p_.allowed) << " allowed";
  write("title", 24, 36, title.s);
  text_writer w;
  w << "batch " << p_.batch << (p_.chunk() < p_.batch ? " in chunks of " : ", not split: chunk ")
    << chunks_to_string(p_.chunks, p_.batch) << ", " << p_.order.loops << (p_.order.loops == 1 ? " loop" : " loops")
    << ", about " << human_seconds(r_.seconds);
  if (measured_ != nullptr)
    w << ". Measured: peak " << human_bytes(measured_->peak_bytes) << ", " << human_seconds(measured_->seconds);
  write("faint", 24, 58, w.s);
  const auto alive = r_.alive(r_.peak_step);
  if (!alive.empty()) {
    text_writer hint;
    hint << "Largest at the peak: " << clipped(alive[0].name(), 90) << ", " << human_bytes(alive[0].bytes) << " of "
         << human_bytes(p_.peak_bytes());
    write("", 24, 82, hint.s);
    write("", 24, 102, advice());
  }
}

void timeline_writer::axes() {
  index_t tick = 1;
  while (most_ / static_cast<double>(tick) > 8) tick *= 2;
  for (index_t at = 0; static_cast<double>(at) <= most_; at += tick) {
    line(at == 0 ? "axis" : "rule", left, y_of(at), left + width, y_of(at));
    write("faint end", left - 8, y_of(at) + 4, at == 0 ? std::string("0") : human_bytes(at));
  }
}

/// Draws the area between two step functions of bytes.
void timeline_writer::area(std::string_view classes, const std::vector<index_t>& under,
                           const std::vector<index_t>& over) {
  const std::size_t n = over.size();
  begin("path", classes).os_ << " d=\"M";
  os_.fixed(left, 1) << " ";
  os_.fixed(y_of(over[0]), 1);
  const auto go = [&](std::size_t edge, index_t bytes) {
    (os_ << "H").fixed(x_of(edge), 1) << "V";
    os_.fixed(y_of(bytes), 1);
  };
  for (std::size_t t = 1; t < n; ++t)
    if (over[t] != over[t - 1]) go(t, over[t]);
  go(n, under[n - 1]);
  for (std::size_t t = n - 1; t > 0; --t)
    if (under[t] != under[t - 1]) go(t, under[t - 1]);
  (os_ << "H").fixed(left, 1) << "Z\"/>\n";
}

/// Draws the bytes of all uses as stacked areas.
void timeline_writer::areas() {
  std::vector<index_t> under(r_.steps.size(), 0);
  for (const memory_use u : stack_of_uses) {
    std::vector<index_t> over = under;
    for (std::size_t t = 0; t < over.size(); ++t) over[t] += r_.steps[t].bytes[u];
    if (over != under) area(color_of(u), under, over);
    under = std::move(over);
  }
  // The arena is allocated as one block. So the bytes of the arena that no value uses at a step
  // are drawn, too.
  std::vector<index_t> block = under;
  for (index_t& bytes : block) bytes = std::max(bytes, p_.arena_bytes + p_.output_bytes);
  if (block != under) area("reserved", under, block);
}

void timeline_writer::levels() {
  line("top", left, y_of(p_.peak_bytes()), left + width, y_of(p_.peak_bytes()));
  const bool room = !budget_shown() || y_of(p_.peak_bytes()) - y_of(p_.allowed) > 18;
  write("bold", left + 6, y_of(p_.peak_bytes()) + (room ? -5 : 15), "peak " + human_bytes(p_.peak_bytes()));
  if (p_.allowed < 0) return;
  const double y = budget_shown() ? y_of(p_.allowed) : top;
  line("budget", left, y, left + width, y);
  const std::string allowed = human_bytes(p_.allowed) + " allowed";
  if (budget_shown()) write("alarm bold end", left + width - 4, y - 5, allowed);
  else write("alarm bold end", left + width - 4, y + 15, allowed + ", far above this scale");
}

void timeline_writer::peak() {
  const double x = x_of(r_.peak_step) + per_step_ / 2;
  line("at", x, top, x, top + height);
  (os_ << "<path class=\"mark\" d=\"M").fixed(x - 5, 1) << " ";
  os_.fixed(top - 7, 1) << "h10l-5 8Z\"/>\n";
  const bool at_left = x < left + width / 2;
  write(at_left ? "bold" : "bold end", at_left ? x - 5 : x + 5, top - 12,
        "peak at " + clipped(r_.where(r_.peak_step), 80));
}

/// Draws the measured bytes from the first allocation on. A sample at some fraction of the
/// measured time is drawn at the step that the cost model predicts for the same fraction of the
/// run. A loop is drawn as wide as its steps, so all its chunks share this width.
void timeline_writer::measured() {
  if (measured_ == nullptr || measured_->samples.empty()) return;
  std::vector<std::pair<double, double>> at{{0, left}};  // predicted seconds so far, x in pixels
  for (std::size_t t = 0; t < r_.steps.size(); ++t) {
    const auto& s = r_.steps[t];
    const double times = s.in_loop ? static_cast<double>(r_.times[static_cast<std::size_t>(s.loop_or_section)]) : 1;
    const double seconds = at.back().first + times * s.seconds;
    const bool same_loop =
        t > 0 && s.in_loop && r_.steps[t - 1].in_loop && r_.steps[t - 1].loop_or_section == s.loop_or_section;
    if (same_loop) at.back() = {seconds, x_of(t + 1)};
    else at.emplace_back(seconds, x_of(t + 1));
  }
  std::size_t k = 1;
  os_ << "<path class=\"measured\" d=\"M";
  os_.fixed(left, 1) << " ";
  os_.fixed(y_of(0), 1);
  double before = -1;
  index_t highest = 0;
  const auto flush = [&](double x, index_t bytes) {
    (os_ << "H").fixed(x, 1);
    if (highest > bytes) (os_ << "V").fixed(y_of(highest), 1);
    (os_ << "V").fixed(y_of(bytes), 1);
    highest = 0;
  };
  const double first = measured_->samples[0].seconds, lasts = measured_->seconds - first;
  for (const auto& s : measured_->samples) {
    const double now = lasts > 0 ? (s.seconds - first) / lasts * r_.seconds : 0;
    while (k + 1 < at.size() && at[k].first < now) ++k;
    const double span = at[k].first - at[k - 1].first;
    const double part = span > 0 ? std::min(1.0, (now - at[k - 1].first) / span) : 0;
    const double x = at[k - 1].second + part * (at[k].second - at[k - 1].second);
    highest = std::max(highest, s.bytes);
    if (x < before + 1 && &s != &measured_->samples.back()) continue;  // draw only the largest sample of a pixel
    flush(x, s.bytes);
    before = x;
  }
  (os_ << "H").fixed(left + width, 1) << "\"/>\n";
}

void timeline_writer::loops() {
  constexpr double band = 36;
  const double y = top + height;
  std::size_t t = 0;
  for (std::size_t l = 0; l < p_.order.loop_of.size(); ++l) {
    const double before = x_of(t);
    t += p_.order.section[l].size();
    if (l > 0) line("barrier", before, top, before, y + band);
    const std::size_t end = t + p_.order.loop_of[l].body.size() + 2;
    const double x = x_of(t), w = x_of(end) - x;
    const std::string name = "loop " + std::to_string(l);
    const std::string chunks = std::to_string(r_.times[l]) + " \u00d7 " + std::to_string(p_.chunks[l]);
    rect("band", x + 1, y + 4, w - 2, band - 4, name + ": " + chunks + " samples");
    if (w >= 56) {
      write("middle bold", x + w / 2, y + 19, name);
      write("middle faint small", x + w / 2, y + 33, w >= 110 ? chunks + " samples" : chunks);
    } else if (w >= 13) {
      write("middle bold", x + w / 2, y + 24, std::to_string(l));
    }
    t = end;
  }
  bottom_ = y + band;
  for (t = 0; t < r_.steps.size() && r_.steps.size() <= 4000; ++t)
    rect("hover", x_of(t), top, per_step_, height, r_.where(t) + ": " + human_bytes(r_.steps[t].bytes.allocated()));
}

/// Writes the name of each step's node, if there is room.
void timeline_writer::names() {
  if (per_step_ < 11) return;
  std::size_t longest = 0;
  for (std::size_t t = 0; t < r_.steps.size(); ++t) {
    if (r_.steps[t].node < 0) continue;
    const std::string name = clipped(std::string(p_.graph.node(r_.steps[t].node).name()), 22);
    longest = std::max(longest, name.size());
    text_writer turn;
    const double x = x_of(t) + per_step_ / 2 + 4, y = bottom_ + 10;
    (turn << " transform=\"rotate(-60 ").fixed(x, 1) << " ";
    turn.fixed(y, 1) << ")\"";
    write(t == r_.peak_step ? "end small bold" : "end small faint", x, y, name, turn.s);
  }
  bottom_ += 14 + 5.4 * static_cast<double>(longest);
}

void timeline_writer::barriers() {
  constexpr std::size_t most = 12, characters = 128;
  bottom_ += 26;
  std::size_t shown = 0, left_out = 0;
  for (std::size_t l = 1; l < r_.barriers.size(); ++l) {
    const auto& causes = r_.barriers[l];
    if (causes.empty()) continue;
    if (shown == most) {
      ++left_out;
      continue;
    }
    if (shown++ == 0) write("bold", 24, bottom_, "What the loops wait for");
    bottom_ += line_height;
    const std::string more = causes.size() > 1 ? " (and " + std::to_string(causes.size() - 1) + " more)" : "";
    write("faint", 24, bottom_, "loop " + std::to_string(l));
    std::string every;
    for (const auto& c : causes) every += (every.empty() ? "" : "; ") + r_.reason(c);
    write("", left, bottom_, clipped(r_.reason(causes[0]), characters) + more, {}, every);
  }
  if (left_out > 0)
    write("faint", 24, bottom_ += line_height, "and " + std::to_string(left_out) + " more: explain() says");
}

void timeline_writer::legend() {
  const double right = panel + panel_width;
  double y = top + 2;
  const auto row = [&](std::string_view classes, std::string_view what, index_t bytes, std::string_view color) {
    if (!color.empty()) rect(color, panel, y - 10, 12, 12);
    write(classes, panel + 20, y, what);
    write(std::string(classes) + " end", right, y, human_bytes(bytes));
    y += line_height;
  };
  write("bold", panel, top - 20, "At the peak");
  for (std::size_t k = std::size(stack_of_uses); k-- > 0;) {
    const memory_use u = stack_of_uses[k];
    bool ever = r_.peak[u] > 0;
    for (const auto& s : r_.steps) ever = ever || s.bytes[u] > 0;
    if (ever) row("", to_string(u), r_.peak[u], color_of(u));
  }
  if (p_.arena_bytes > 0) row("", "allocated, not in use", r_.peak[memory_use::gap], "reserved");
  line("rule", panel, y - 13, right, y - 13);
  y += 3;
  row("bold", "peak", p_.peak_bytes(), "");
  if (measured_ != nullptr) {
    line("measured", panel, y - 4, panel + 12, y - 4);
    row("bold", "measured", measured_->peak_bytes, "");
  }
  y += 8;
  write("bold", panel, y, "There already");
  y += line_height;
  for (const memory_use u : {memory_use::input, memory_use::parameter, memory_use::optimizer})
    if (r_.peak[u] > 0) row("faint", to_string(u), r_.peak[u], "");
  y += 8;
  write("bold", panel, y, "Largest at the peak");
  y += 8;
  const auto alive = r_.alive(r_.peak_step);
  const auto room = static_cast<std::size_t>(std::clamp((bottom_ - y) / 30, 4.0, 12.0));
  for (std::size_t k = 0; k < alive.size() && k < room && 500 * alive[k].bytes > p_.peak_bytes(); ++k) {
    y += 13;
    write("small", panel, y, clipped(alive[k].name(), 38), {}, alive[k].name());
    write("small end", right, y, human_bytes(alive[k].bytes));
    y += 5;
    const double w =
        panel_width * static_cast<double>(alive[k].bytes) / static_cast<double>(std::max<index_t>(alive[0].bytes, 1));
    rect(color_of(alive[k].use), panel, y, std::max(w, 1.0), 6);
    y += 12;
  }
  bottom_ = std::max(bottom_, y);
}

auto timeline_writer::text() -> std::string {
  scale();
  head();
  axes();
  areas();
  levels();
  peak();
  measured();
  loops();
  names();
  barriers();
  legend();
  std::string body;
  std::swap(body, os_.s);
  const double tall = bottom_ + 28;
  os_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ";
  os_.fixed(all_width, 0) << " ";
  os_.fixed(tall, 0) << "\"";
  number("width", all_width).number("height", tall);
  os_ << ">\n";
  style();
  rect("paper", 0, 0, all_width, tall);
  return os_.s + body + "</svg>\n";
}

}  // namespace detail

void memory_plan::timeline(const std::string& path) const {
  detail::write_file(path, detail::timeline_writer(*this, nullptr).text());
}
void memory_plan::timeline(const std::string& path, const memory_record& measured) const {
  detail::write_file(path, detail::timeline_writer(*this, &measured).text());
}

}  // namespace koila::inline v0
