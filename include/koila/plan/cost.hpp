#pragma once
// How long a plan will take: a model of calls, arithmetic and memory traffic, to choose among chunks that fit.
#include <koila/plan/lifetimes.hpp>

namespace koila {

/// What the model assumes of a machine. Defaults measured on one core of an AMD Zen 5; see docs/performance.md.
struct machine {
  double seconds_per_call = 1.5e-6;       ///< one operator on small tensors
  double flops = 1e11;                    ///< of large matrix products, per second
  double rows_of_half_speed = 12;         ///< a product of so few rows runs at half of that; each sample may have several
  double bytes_in_cache = 1.0e6;          ///< of a core's own cache
  double bandwidth_in_cache = 4e10;       ///< bytes per second
  double bandwidth_of_memory = 1.2e10;    ///< bytes per second
  double least_gain = 0.05;               ///< a batch is not split for less
};

/// What each node of a graph costs by the model, as a function of the chunk. Built once: no schedule has a part in it.
class cost_model {
 public:
  constexpr cost_model() = default;
  KOILA_COLD constexpr cost_model(const builder& b, index_t batch, const machine& m) : batch_(batch), machine_(m) {
    terms_.reserve(b.nodes.size());
    for (std::size_t i = 0; i < b.nodes.size(); ++i) terms_.push_back(term_of(b, b.nodes[i]));
  }

  /// Seconds of one node for the whole batch at once.
  constexpr auto seconds(int node) const -> double { return one(terms_[static_cast<std::size_t>(node)], batch_); }
  /// Seconds of one node in a loop, for all chunks of so many samples.
  constexpr auto seconds(int node, index_t chunk) const -> double {
    const index_t c = std::max<index_t>(1, std::min(chunk, batch_));
    const double times = batch_ > 0 ? static_cast<double>(chunks_of(batch_, c)) : 1.0;
    return times * one(terms_[static_cast<std::size_t>(node)], c);
  }
  /// Seconds of a schedule with so many samples per chunk of each loop.
  constexpr auto seconds(const schedule& s, const std::vector<index_t>& chunks) const -> double {
    double total = 0;
    for (const auto& nodes : s.section)
      for (const int i : nodes) total += seconds(i);
    for (std::size_t l = 0; l < chunks.size(); ++l)
      for (const int i : s.loop_of[l].body) total += seconds(i, chunks[l]);
    return total;
  }

 private:
  struct term {
    bool computed = false;                              // not a view, nor there already
    double flops = 0, bytes = 0;                        // whatever the chunk
    double flops_per_sample = 0, bytes_per_sample = 0;  // of the chunk
    double rows_per_sample = 0;                         // the most that a value of it has
  };
  index_t batch_ = 0;
  machine machine_;
  std::vector<term> terms_;  // of each node

  KOILA_COLD constexpr auto term_of(const builder& b, const gnode& x) const -> term {
    term t;
    if (x.is_view() || x.is == kind::leaf || x.is == kind::number) return t;
    t.computed = true;
    const double samples = batch_ > 0 ? static_cast<double>(batch_) : 1.0;
    const auto traffic = [&](const gnode& y) {
      const auto n = static_cast<double>(y.d.bytes());
      if (!y.r.sampled()) return void(t.bytes += n);
      t.bytes_per_sample += n / samples;
      const int columns = y.d.rank - 1;
      const auto row = static_cast<double>(columns > y.r.axis && y.d.e[columns].n > 0 ? y.d.e[columns].n : 1);
      t.rows_per_sample = std::max(t.rows_per_sample, static_cast<double>(y.d.count()) / row / samples);
    };
    traffic(x);
    bool sampled = x.r.sampled();
    for (int k = 0; k < x.n_in; ++k) {
      if (!x.reads(k)) continue;
      const gnode& y = b.at(x.in[static_cast<std::size_t>(k)]);
      sampled = sampled || y.r.sampled();
      traffic(y);
    }
    (sampled ? t.flops_per_sample : t.flops) += sampled ? x.cost.flops / samples : x.cost.flops;
    return t;
  }
  constexpr auto one(const term& t, index_t chunk) const -> double {
    if (!t.computed) return 0;
    const auto c = static_cast<double>(chunk);
    const double bytes = t.bytes + t.bytes_per_sample * c, flops = t.flops + t.flops_per_sample * c;
    const double rows = c * t.rows_per_sample;
    const double slow = t.flops_per_sample > 0 && rows > 0 ? 1.0 + machine_.rows_of_half_speed / rows : 1.0;
    const double wide = bytes <= machine_.bytes_in_cache ? machine_.bandwidth_in_cache : machine_.bandwidth_of_memory;
    return machine_.seconds_per_call + flops / machine_.flops * slow + bytes / wide;
  }
};

}  // namespace koila
