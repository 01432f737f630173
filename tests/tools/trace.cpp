// SPDX-License-Identifier: MIT
// The trace of a plan in Perfetto's JSON format: ops inside chunks inside loops, and the bytes by
// use.
#include "plan/support.hpp"

#include <map>
#include <memory>

using namespace koila;
using namespace ::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A JSON value. The parser is strict.
struct json_value {
  enum { null, boolean, number, string, list, object } kind = null;
  double n = 0;
  std::string s;
  std::vector<json_value> items;  // the elements of a list, or an object's members
  std::vector<std::string> keys;

  auto has(const std::string& key) const -> bool { return std::find(keys.begin(), keys.end(), key) != keys.end(); }
  auto operator[](const std::string& key) const -> const json_value& {
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (keys[i] == key) return items[i];
    throw std::runtime_error("no member " + key);
  }
};

class json_reader {
 public:
  explicit json_reader(std::string_view text) : text_(text) {}
  auto read() -> json_value {
    json_value v = value();
    space();
    if (at_ != text_.size()) fail("something behind the value");
    return v;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " at " + std::to_string(at_) + ": " + std::string(text_.substr(at_, 30)));
  }
  void space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  auto next() -> char { return at_ < text_.size() ? text_[at_] : '\0'; }
  void expect(char c) {
    space();
    if (next() != c) fail(std::string("no ") + c);
    ++at_;
  }
  auto word(std::string_view w) -> bool {
    if (!text_.substr(at_).starts_with(w)) return false;
    at_ += w.size();
    return true;
  }
  auto string() -> std::string {
    expect('"');
    std::string s;
    for (; next() != '"'; ++at_) {
      if (static_cast<unsigned char>(next()) < 0x20) fail("a control character");
      if (next() == '\\' && (++at_, next() != '"' && next() != '\\')) fail("an escape");
      s += next();
    }
    ++at_;
    return s;
  }
  template <class F>
  void several(char end, F one) {
    ++at_;
    space();
    if (next() == end) return void(++at_);
    for (;;) {
      one();
      space();
      if (next() == end) return void(++at_);
      expect(',');
    }
  }
  auto value() -> json_value {
    space();
    json_value v;
    const char c = next();
    if (c == '{') {
      v.kind = json_value::object;
      several('}', [&] {
        space();
        std::string key = string();
        if (v.has(key)) fail("a member twice: " + key);
        expect(':');
        v.keys.push_back(std::move(key));
        v.items.push_back(value());
      });
    } else if (c == '[') {
      v.kind = json_value::list;
      several(']', [&] { v.items.push_back(value()); });
    } else if (c == '"') {
      v.kind = json_value::string;
      v.s = string();
    } else if (word("null")) {
    } else if (word("true") || word("false")) {
      v.kind = json_value::boolean;
    } else {
      v.kind = json_value::number;
      const std::size_t begin = at_;
      if (next() == '-') ++at_;
      if (next() < '0' || next() > '9') fail("no value");
      while ((next() >= '0' && next() <= '9') || next() == '.') ++at_;
      v.n = std::stod(std::string(text_.substr(begin, at_ - begin)));
    }
    return v;
  }
};

auto traced(const memory_plan& p, const memory_record* measured = nullptr) -> json_value {
  const written_file f("memory.json");
  if (measured != nullptr) p.trace(f.path(), *measured);
  else p.trace(f.path());
  return json_reader(f.text()).read();
}
auto events(const json_value& trace, const std::string& phase, const std::string& name = "")
    -> std::vector<json_value> {
  std::vector<json_value> out;
  for (const json_value& e : trace["traceEvents"].items)
    if (e["ph"].s == phase && (name.empty() || e["name"].s == name)) out.push_back(e);
  return out;
}
/// The begin and end of a slice in whole nanoseconds.
auto begin_of(const json_value& e) -> std::int64_t { return std::llround(1e3 * e["ts"].n); }
auto end_of(const json_value& e) -> std::int64_t { return begin_of(e) + std::llround(1e3 * e["dur"].n); }

}  // namespace

TEST_CASE("the reader of JSON is strict") {
  CHECK(json_reader("{\"a\":[1,-2.5,\"x\\\"\",null,true,{}]}").read()["a"].items.size() == 6);
  for (const char* const wrong :
       {"{", "{\"a\":}", "[1,]", "{\"a\":1,\"a\":2}", "[1] 2", "\"\n\"", "[01x]", "{a:1}", "\"\\q\""})
    CHECK_THROWS(json_reader(wrong).read());
}

TEST_CASE("the trace is JSON: slices nest, times only grow, the most bytes are the plan's") {
  for_each_plan([](const std::string& name, const memory_plan& p) {
    CAPTURE(name, p.batch, p.chunk());
    const memory_report r(p);
    const json_value trace = traced(p);
    CHECK(trace["otherData"]["peak bytes"].n == static_cast<double>(p.peak_bytes()));
    CHECK((trace["otherData"]["allowed bytes"].kind == json_value::null) == (p.allowed < 0));

    std::vector<std::int64_t> open;  // ends of the enclosing slices
    std::int64_t before = 0;
    std::map<std::string, int> ops;
    for (const json_value& e : events(trace, "X")) {
      const auto begin = begin_of(e), end = end_of(e);
      CHECK(begin >= before);
      CHECK(end >= begin);
      while (!open.empty() && open.back() <= begin) open.pop_back();
      if (!open.empty()) CHECK(end <= open.back());
      open.push_back(end);
      before = begin;
      if (!e.has("args") || !e["args"].has("dims")) continue;
      ++ops[e["name"].s];
      CHECK(e["args"]["bytes"].kind == json_value::number);
      CHECK(!e["args"]["relation"].s.empty());
    }
    for (int l = 0; l < p.order.loops; ++l) {
      const auto loop = events(trace, "X", "loop " + std::to_string(l));
      REQUIRE(loop.size() == 1);
      CHECK(loop[0]["args"]["chunks"].n == static_cast<double>(r.times[static_cast<std::size_t>(l)]));
      CHECK(loop[0]["args"].has("waits for 0") == (l > 0));
      for (const int i : p.order.loop_of[static_cast<std::size_t>(l)].body)
        CHECK(ops[std::string(p.graph.node(i).name())] > 0);
    }

    double most = 0;
    for (const json_value& e : events(trace, "C", "alive")) most = std::max(most, e["args"]["bytes"].n);
    index_t expected = 0;
    for (const auto& s : r.steps) expected = std::max(expected, s.bytes.allocated());
    CHECK(most == static_cast<double>(expected));
    CHECK(most <= static_cast<double>(p.peak_bytes()));
    for (const json_value& e : events(trace, "C", "by use"))
      for (const json_value& bytes : e["args"].items) CHECK(bytes.n >= 0);
  });
}

TEST_CASE("the trace lasts as long as the plan is predicted to take") {
  const memory_plan p = planned(two_layers(), 1000, -1, {.chunk = 64});
  const memory_report r(p);
  std::int64_t end = 0;
  for (const json_value& e : events(traced(p), "X")) end = std::max(end, end_of(e));
  CHECK(std::abs(static_cast<double>(end) / (1e9 * r.seconds) - 1) < 1e-3);  // times are rounded to whole nanoseconds
}

TEST_CASE("of very many chunks some are written one by one") {
  const memory_plan p = planned(two_layers(), 100'000, -1, {.chunk = 1});
  const written_file f("memory.json");
  p.trace(f.path());
  CHECK(f.text().size() < 8'000'000);
  const json_value trace = json_reader(f.text()).read();
  const auto loop = events(trace, "X", "loop 1");
  REQUIRE(loop.size() == 1);
  std::int64_t end = 0;
  for (const json_value& e : events(trace, "X"))
    if (e["name"].s.ends_with(" more chunks") && begin_of(e) >= begin_of(loop[0])) end = end_of(e);
  CHECK(end == end_of(loop[0]));
}

TEST_CASE("the trace has what was measured, and any name") {
  const parameter<8, 8> w{"\"\\\n\t</w>"};
  const input<batch, 8> x{"x"};
  const memory_plan p = planned(mean(square(linear(x, w))), 64);
  memory_record seen;
  seen.samples = {{0.001, 100}, {0.002, 4'000'000'000}};
  seen.seconds = 0.003;
  const json_value trace = traced(p, &seen);
  const auto measured = events(trace, "C", "allocated");
  REQUIRE(measured.size() == 2);
  CHECK(measured[1]["args"]["bytes"].n == 4e9);
  CHECK(measured[1]["ts"].n == 2000);
  bool named = false;
  for (const json_value& e : events(trace, "X"))
    named = named || (e.has("args") && e["args"].has("gradient of") && e["args"]["gradient of"].s == "\"\\  </w>");
  CHECK(named);
}
