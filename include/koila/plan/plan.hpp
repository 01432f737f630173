#pragma once
// The plan of one run: the graph, its schedule, the chunk that fits, every buffer's place. Nothing has run yet.
#include <koila/graph/gradient.hpp>
#include <koila/plan/cost.hpp>

#include <iosfwd>
#include <optional>
#include <stdexcept>

namespace koila {

/// What a caller may fix.
struct options {
  /// Bytes that may be taken besides inputs and parameters, what an optimiser keeps included; negative: what is free now.
  index_t memory = -1;
  index_t chunk = 0;  ///< samples per chunk; 0: chosen
};

constexpr auto operator""_KiB(unsigned long long n) -> index_t { return static_cast<index_t>(n) << 10; }
constexpr auto operator""_MiB(unsigned long long n) -> index_t { return static_cast<index_t>(n) << 20; }
constexpr auto operator""_GiB(unsigned long long n) -> index_t { return static_cast<index_t>(n) << 30; }

/// Thrown before anything runs, when not even one sample at a time fits.
struct memory_error : std::runtime_error {
  index_t needed, allowed;  ///< bytes
  memory_error(const std::string& what, index_t need, index_t allow) : runtime_error(what), needed(need), allowed(allow) {}
};

/// What is computed: the value's node and the gradients' nodes, and whether they leave the arena as tensors of their own.
struct request {
  std::vector<int> outputs;
  std::vector<char> external;  ///< of each output
};

/// One way to run a graph: everything is known but the addresses.
struct memory_plan {
  builder graph;
  std::vector<int> outputs;    ///< as asked for, then what buffers are changed to
  std::vector<char> external;  ///< node -> its buffer is a tensor of its own
  std::vector<char> copied;    ///< output -> another output has the same storage: it is copied at the end
  schedule order;
  lifetimes buffers;
  std::vector<index_t> chunks;      ///< samples per chunk of each loop
  index_t batch = 0;                ///< samples
  index_t arena_bytes = 0;          ///< the block of all buffers
  index_t output_bytes = 0;         ///< tensors that leave
  index_t resident_bytes = 0;       ///< inputs and parameters, there already
  index_t optimizer_bytes = 0;      ///< what an optimiser keeps, there already
  double predicted_seconds = 0;
  index_t allowed = -1;             ///< the budget in bytes, negative: none

  /// Bytes that the run allocates at most, on top of what is resident.
  constexpr auto peak_bytes() const -> index_t { return arena_bytes + output_bytes + buffers.workspace; }
  /// Samples per chunk; the whole batch where it is not split.
  constexpr auto chunk() const -> index_t {
    index_t c = batch;
    for (const index_t x : chunks) c = std::min(c, x);
    return c;
  }
  /// Writes what will run, what is alive when, and why each barrier is there.
  void explain(std::ostream& os) const;
};

namespace detail {

/// Outputs must be storage of their own, each element once: a leaf, a number, a view of one, or a repeating view is copied.
KOILA_COLD constexpr auto owned_output(builder& b, int o) -> int {
  o = b.whole(o);
  int root = o;
  bool repeats = false;
  for (; b.at(root).is_view(); root = b.at(root).in[0])
    repeats = repeats || b.at(root).d.count() != b.at(b.at(root).in[0]).d.count();
  if (b.at(root).is != kind::leaf && b.at(root).is != kind::number && !repeats) return o;
  if (b.at(o).is == kind::number) o = b.number(b.at(o).number, b.at(o).d.with(b.at(o).d.type));
  return b.copy(o);
}

/// Says which step needs how much, and for what, where the candidate that needs least does not fit.
[[noreturn]] void refuse_memory(const builder& b, const schedule& s, const std::vector<char>& external, index_t batch,
                                const std::vector<index_t>& chunk, index_t output_bytes, index_t allowed);

/// What may be held across barriers between everything and nothing, from more to less and from less to more: of what is held where
/// the most bytes are alive the cheapest to compute again is dropped, or what saves most work for its bytes is held.
auto hold_ladder(const builder& b, const schedule& nothing, const schedule& everything, const std::vector<char>& external,
                 index_t batch, const machine& m) -> std::vector<hold_set>;

struct candidate {
  std::size_t rung;
  index_t chunk;
  double seconds;
  index_t peak;
  constexpr auto better_than(const candidate& o) const -> bool {
    return seconds != o.seconds ? seconds < o.seconds : peak < o.peak;
  }
};

}  // namespace detail

/// Plans a graph. Candidates are the whole batch and the powers of two below it; of those that fit the fastest is taken.
/// Throws memory_error when none fits `budget` (bytes; negative: no limit).
KOILA_COLD constexpr auto make_plan(builder b, request want, const options& o, index_t budget, const machine& m = {})
    -> memory_plan {
  const auto idx = [](auto i) { return static_cast<std::size_t>(i); };
  for (const buffer_update& u : b.updates) want.outputs.push_back(u.node), want.external.push_back(0);
  for (std::size_t k = 0; k < want.outputs.size(); ++k) want.outputs[k] = detail::owned_output(b, want.outputs[k]);

  const schedule first(b, want.outputs);

  std::vector<char> external, copied;
  index_t output_bytes = 0;
  for (std::size_t i = 0; i < b.nodes.size(); ++i) external.push_back(0);
  for (std::size_t k = 0; k < want.outputs.size(); ++k) {
    const int owner = first.owner[idx(want.outputs[k])];
    char again = 0;
    if (want.external[k] != 0) {
      again = external[idx(owner)];
      external[idx(owner)] = 1;
      output_bytes += again != 0 ? b.at(want.outputs[k]).d.bytes() : b.at(owner).d.bytes();
    }
    copied.push_back(again);
  }

  const index_t batch = std::max<index_t>(b.bound.batch(), 0);
  const auto same_chunk = [&](index_t c) {
    std::vector<index_t> out;
    for (int l = 0; l < first.loops; ++l) out.push_back(c);
    return out;
  };
  // Rungs of what is held: nothing, everything, and where that does not do the ladders between.
  std::vector<hold_set> rungs(1);
  std::vector<detail::candidate> all;
  std::optional<schedule> second, other;
  const auto order_of = [&](std::size_t rung) -> const schedule& {
    if (rung == 0) return first;
    std::optional<schedule>& order = rung == 1 ? second : other;
    if (rung > 1 || !order) order.emplace(first, b, rungs[rung]);
    return *order;
  };
  const auto consider_rung = [&](std::size_t rung) {
    const schedule& order = order_of(rung);
    const cost_model model(b, order, batch, m);
    const auto consider = [&](const lifetimes& buffers, index_t c) {
      // To split must gain more than the model can tell. No budget has a part in this, so a larger one never gives a slower plan.
      const double margin = c < batch ? 1 / (1 - m.least_gain) : 1;
      all.push_back({rung, c, margin * model.seconds(c), peak_of(buffers.ranges) + output_bytes + buffers.workspace});
    };
    const index_t whole = o.chunk > 0 ? std::min(o.chunk, batch) : batch;
    consider(lifetimes(b, order, external, batch, same_chunk(whole)), whole);
    if (o.chunk > 0 || batch < 2 || order.loops == 0) return;
    lifetimes split(b, order, external, batch, same_chunk(1));
    for (index_t c = 1; c < batch; c *= 2) {
      split.resize(b, c);
      consider(split, c);
    }
  };
  consider_rung(0);
  if (first.loops > 1) {
    rungs.emplace_back();
    for (std::size_t i = 0; i < b.nodes.size(); ++i) rungs[1].push_back(1);
    consider_rung(1);
  }
  // Of those that fit the fastest, then the smallest. Placed, a candidate may be larger than the bytes alive in it. The fastest of
  // all holds everything; where it does not fit, the ladders are asked: only then, since they take their time.
  const auto before = [](const detail::candidate& x, const detail::candidate& y) { return x.better_than(y); };
  for (std::size_t tried = 0; tried < all.size(); ++tried) {
    if (tried == 1 && !std::is_constant_evaluated() && first.loops > 1 && batch > 1) {
      for (hold_set& hold : detail::hold_ladder(b, first, order_of(1), external, batch, m)) {
        rungs.push_back(std::move(hold));
        consider_rung(rungs.size() - 1);
      }
    }
    std::swap(all[tried], *std::min_element(all.begin() + static_cast<std::ptrdiff_t>(tried), all.end(), before));
    const detail::candidate c = all[tried];
    if (budget >= 0 && c.peak > budget) continue;
    schedule order = order_of(c.rung);
    lifetimes buffers(b, order, external, batch, same_chunk(c.chunk));
    const index_t arena = place(buffers.ranges);
    const index_t peak = arena + output_bytes + buffers.workspace;
    if (budget >= 0 && peak > budget) continue;
    index_t resident = 0;
    for (std::size_t i = 0; i < b.nodes.size(); ++i)
      if (b.nodes[i].is == kind::leaf && order.live[i] != 0) resident += b.nodes[i].d.bytes();
    return {std::move(b),
            std::move(want.outputs),
            std::move(external),
            std::move(copied),
            std::move(order),
            std::move(buffers),
            same_chunk(c.chunk),
            batch,
            arena,
            output_bytes,
            resident,
            0,
            c.seconds,
            budget};
  }
  const auto& least = *std::min_element(all.begin(), all.end(), [](const auto& x, const auto& y) {
    return x.peak != y.peak ? x.peak < y.peak : x.chunk < y.chunk;
  });
  detail::refuse_memory(b, order_of(least.rung), external, batch, same_chunk(least.chunk), output_bytes, budget);
}

/// What to compute of an expression: the value, or with it the gradients of every parameter.
struct lowered_expression {
  builder graph;
  int value = -1;
  std::vector<int> parameters, gradients;  ///< nodes; -1: the value does not depend on it
};

namespace detail {

/// `trained` says of which parameters the gradients are wanted.
template <class Lower, class Trained>
constexpr auto lower_with(const Lower& into, bindings bound, bool with_gradients, const Trained& trained)
    -> lowered_expression {
  lowered_expression out{builder(std::move(bound)), -1, {}, {}};
  out.value = into(out.graph);
  if (!with_gradients) return out;
  for (std::size_t i = 0; i < out.graph.nodes.size(); ++i)
    if (const gnode& x = out.graph.nodes[i]; x.is == kind::leaf && x.leaf->is == leaf_state::parameter && trained(*x.leaf))
      out.parameters.push_back(static_cast<int>(i));
  out.gradients = add_gradients(out.graph, out.value, out.parameters);
  return out;
}

}  // namespace detail

/// Lowers an expression, and its gradients where `with_gradients`.
template <Expression E>
constexpr auto lower_expression(const E& e, bindings bound, bool with_gradients) -> lowered_expression {
  const auto all = [](const leaf_state&) { return true; };
  return detail::lower_with([&](builder& b) { return lower(b, e); }, std::move(bound), with_gradients, all);
}

/// Whether the compiler and the planner take an expression for a loss: a floating-point scalar.
template <Expression E>
inline constexpr bool is_scalar = shape_t<E>::value.rank == 0;

/// The peak bytes of a step, in a constant expression: `static_assert(peak_bytes([] { ...; return loss; }, batch = 64) <= 24_MiB)`.
/// With gradients where the value is a scalar of parameters. Other axes are bound alike; every dim must be known.
template <class Make, class... Tags>
constexpr auto peak_bytes(Make make, axis_binding<Tags>... axes) -> index_t {
  bindings bound;
  (bound.axes.push_back({axis_binding<Tags>::name, axes.extent}), ...);
  const auto e = make();
  auto l = lower_expression(e, std::move(bound), is_scalar<decltype(e)>);
  request want;
  for (const int g : l.gradients)
    if (g >= 0) want.outputs.push_back(g), want.external.push_back(1);
  want.outputs.push_back(l.value), want.external.push_back(1);
  return make_plan(std::move(l.graph), std::move(want), {.chunk = std::numeric_limits<index_t>::max()}, -1).peak_bytes();
}

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/plan/explain.ipp>
#include <koila/plan/ladder.ipp>
#endif
