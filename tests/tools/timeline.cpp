// SPDX-License-Identifier: MIT
// The picture of a plan: well-formed SVG, drawn to scale, with the budget, the peak and every loop.
#include "plan/support.hpp"

using namespace koila;
using namespace ::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Returns the first mistake in XML text, or "": tags must be balanced, attributes quoted, and
/// every & must begin a predefined entity.
auto well_formed(const std::string& text) -> std::string {
  std::vector<std::string> open;
  int roots = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '&') {
      bool known = false;
      for (const std::string_view e : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
        known = known || std::string_view(text).substr(i).starts_with(e);
      if (!known) return "an & that begins no entity";
    }
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') return "a control character";
    if (c != '<') {
      if (open.empty() && c != '\n') return "text outside of the root";
      ++i;
      continue;
    }
    const std::size_t end = text.find('>', i);
    if (end == std::string::npos) return "a tag without an end";
    const std::string tag = text.substr(i + 1, end - i - 1);
    i = end + 1;
    if (tag.find('<') != std::string::npos) return "a < inside of a tag";
    if (count_of(tag, "\"") % 2 != 0) return "a quote without its twin: " + tag;
    for (std::size_t position = tag.find('='); position != std::string::npos;
         position = tag.find('=', tag.find('"', position + 2)))
      if (position + 1 >= tag.size() || tag[position + 1] != '"') return "an attribute without quotes: " + tag;
    if (tag.front() == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "closes what is not open: " + tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      roots += open.empty() ? 1 : 0;
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
    }
  }
  if (!open.empty()) return "not closed: " + open.back();
  return roots == 1 ? "" : "not one root";
}

auto drawn(const memory_plan& p) -> std::string {
  const written_file f("memory.svg");
  p.timeline(f.path());
  return f.text();
}
auto drawn(const memory_plan& p, const memory_record& measured) -> std::string {
  const written_file f("memory.svg");
  p.timeline(f.path(), measured);
  return f.text();
}

/// Returns a numeric attribute of the first element whose tag begins with `tag`, or -1.
auto attribute(const std::string& text, const std::string& tag, const std::string& name) -> double {
  const std::size_t position = text.find("<" + tag);
  if (position == std::string::npos) return -1;
  const std::size_t value = text.find(" " + name + "=\"", position) + name.size() + 3;
  return std::stod(text.substr(value));
}

}  // namespace

TEST_CASE("the checker of XML finds what is wrong") {
  CHECK(well_formed("<a x=\"1\"><b/>text &lt;</a>\n").empty());
  for (const char* const wrong :
       {"<a>", "<a></b>", "<a x=1></a>", "<a>&</a>", "<a/><", "<a></a><b></b>", "<a x=\"1></a>"})
    CHECK_FALSE(well_formed(wrong).empty());
}

TEST_CASE("the picture is well-formed and shows peak, budget, loops") {
  for_each_plan([](const std::string& name, const memory_plan& p) {
    CAPTURE(name, p.batch, p.chunk());
    const memory_report r(p);
    const std::string svg = drawn(p);
    CHECK(well_formed(svg) == "");
    CHECK_THAT(svg, ContainsSubstring(koila::detail::xml("peak at " + r.where(r.peak_step))));
    CHECK_THAT(svg, ContainsSubstring(">Peak " + koila::detail::human_bytes(p.peak_bytes())));
    CHECK_THAT(svg, ContainsSubstring("Largest at the peak: "));
    CHECK(count_of(svg, "class=\"budget\"") == (p.allowed >= 0 ? 1 : 0));
    CHECK(count_of(svg, "class=\"barrier\"") == std::max(0, p.order.loops - 1));
    CHECK(count_of(svg, "class=\"band\"") == p.order.loops);
    for (int l = 0; l < p.order.loops; ++l) {
      const auto position = static_cast<std::size_t>(l);
      CHECK_THAT(svg, ContainsSubstring("<title>loop " + std::to_string(l) + ": " + std::to_string(r.times[position]) +
                                        " \u00d7 " + std::to_string(p.chunks[position]) + " samples</title>"));
    }
    for (const auto& [use, classes] : {std::pair(memory_use::gradient, "gradient"),
                                       {memory_use::activation, "activation"},
                                       {memory_use::held, "held"},
                                       {memory_use::workspace, "workspace"}})
      if (r.peak[use] > 0) CHECK(count_of(svg, std::string("<path class=\"") + classes + "\"") == 1);
  });
}

TEST_CASE("the picture is to scale") {
  const memory_plan p = planned(two_layers(), 1000, 200_KiB);
  const std::string svg = drawn(p);
  const double zero = attribute(svg, "line class=\"axis\"", "y1");
  const double peak = attribute(svg, "line class=\"top\"", "y1"),
               budget = attribute(svg, "line class=\"budget\"", "y1");
  REQUIRE(peak < zero);
  REQUIRE(budget < peak);
  const double expected = static_cast<double>(p.peak_bytes()) / static_cast<double>(p.allowed);
  CHECK(std::abs((zero - peak) / (zero - budget) - expected) < 1e-3);  // coordinates are tenths of a pixel
  SECTION("a budget far above is drawn at the top and said to be") {
    const std::string far = drawn(planned(two_layers(), 1000, 1_GiB));
    CHECK_THAT(far, ContainsSubstring("1.00 GiB allowed, far above this scale"));
    CHECK(attribute(far, "line class=\"budget\"", "y1") < attribute(far, "line class=\"top\"", "y1"));
  }
  SECTION("none is none") { CHECK_THAT(drawn(planned(two_layers(), 1000)), !ContainsSubstring("allowed<")); }
}

TEST_CASE("what was measured is drawn over it") {
  const memory_plan p = planned(two_layers(), 1000, 200_KiB);
  CHECK_THAT(drawn(p), !ContainsSubstring("Measured"));
  memory_record seen;
  seen.samples = {{0.5, p.arena_bytes}, {0.75, p.peak_bytes()}, {0.8, p.arena_bytes}, {1.0, 0}};
  seen.seconds = 1;
  seen.peak_bytes = p.peak_bytes();
  const std::string svg = drawn(p, seen);
  CHECK(well_formed(svg) == "");
  CHECK(count_of(svg, "<path class=\"measured\"") == 1);
  CHECK_THAT(svg, ContainsSubstring("Measured: peak " + koila::detail::human_bytes(p.peak_bytes()) + ", 1.00 s"));
  SECTION("more than was predicted enlarges the scale") {
    seen.samples[1].bytes = seen.peak_bytes = 3 * p.peak_bytes();
    const std::string more = drawn(p, seen);
    CHECK(attribute(more, "line class=\"top\"", "y1") > attribute(svg, "line class=\"top\"", "y1"));
  }
  SECTION("nothing was") {
    CHECK(well_formed(drawn(p, {})) == "");
    CHECK(count_of(drawn(p, {}), "<path class=\"measured\"") == 0);
  }
  SECTION("very much was, as many lines as pixels are enough") {
    seen.samples.clear();
    for (int i = 0; i < 100'000; ++i) seen.samples.push_back({i * 1e-5, i % 2 == 0 ? p.peak_bytes() : 0});
    CHECK(drawn(p, seen).size() < 300'000);
  }
}

TEST_CASE("a name may be anything") {
  const input<batch, 8> x{"a<b>&\"c\"\n"};
  const parameter<8, 8> w{"]]><script>"};
  const memory_plan p = planned(mean(square(linear(x, w))), 64);
  const std::string svg = drawn(p);
  CHECK(well_formed(svg) == "");
  CHECK_THAT(svg, ContainsSubstring("]]&gt;&lt;script&gt;"));
}

TEST_CASE("a path that cannot be written is an error that names it") {
  const memory_plan p = planned(two_layers(), 10);
  const std::string path = "/no/such/folder/memory.svg";
  const auto message = [&](const auto& f) -> std::string {
    try {
      f();
    } catch (const std::runtime_error& e) { return e.what(); }
    return "";
  };
  CHECK_THAT(message([&] { p.timeline(path); }), ContainsSubstring("cannot write " + path));
  CHECK_THAT(message([&] { p.timeline(path, {}); }), ContainsSubstring(path));
  CHECK_THAT(message([&] { p.trace(path); }), ContainsSubstring(path));
  if (std::filesystem::exists("/dev/full"))
    CHECK_THAT(message([&] { p.trace("/dev/full"); }), ContainsSubstring("/dev/full"));
}
