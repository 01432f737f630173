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

/// What a schedule costs by the model, as a function of the chunk: built once, asked for every candidate.
class cost_model {
 public:
  KOILA_COLD constexpr cost_model(const builder& b, const schedule& s, index_t batch, const machine& m)
      : batch_(batch), machine_(m) {
    for (int l = 0; l <= s.loops; ++l) {
      for (const int i : s.section[static_cast<std::size_t>(l)]) add(b, i, sections_);
      if (l == s.loops) break;
      loops_.push_back({});
      for (const int i : s.loop_of[static_cast<std::size_t>(l)].body) add(b, i, loops_.back());
    }
  }

  /// Seconds of one node for the whole batch.
  constexpr auto seconds_of(const builder& b, int i) const -> double {
    std::vector<term> one_node;
    add(b, i, one_node);
    return one_node.empty() ? 0 : one(one_node[0], batch_);
  }
  /// Seconds with `chunk` samples a chunk in every loop.
  constexpr auto seconds(index_t chunk) const -> double {
    double total = 0;
    for (const term& t : sections_) total += one(t, batch_);
    const index_t c = std::max<index_t>(1, std::min(chunk, batch_));
    const double times = batch_ > 0 ? static_cast<double>((batch_ + c - 1) / c) : 1.0;
    for (const auto& loop : loops_)
      for (const term& t : loop) total += times * one(t, c);
    return total;
  }

 private:
  struct term {
    double flops, bytes;                        // whatever the chunk
    double flops_per_sample, bytes_per_sample;  // of the chunk
    double rows_per_sample;                     // the most that a value of it has
  };
  index_t batch_;
  machine machine_;
  std::vector<term> sections_;
  std::vector<std::vector<term>> loops_;

  KOILA_COLD constexpr void add(const builder& b, int i, std::vector<term>& to) const {
    const gnode& x = b.at(i);
    if (x.is_view() || x.is == kind::leaf || x.is == kind::number) return;
    term t{};
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
    to.push_back(t);
  }
  constexpr auto one(const term& t, index_t chunk) const -> double {
    const auto c = static_cast<double>(chunk);
    const double bytes = t.bytes + t.bytes_per_sample * c, flops = t.flops + t.flops_per_sample * c;
    const double rows = c * t.rows_per_sample;
    const double slow = t.flops_per_sample > 0 && rows > 0 ? 1.0 + machine_.rows_of_half_speed / rows : 1.0;
    const double wide = bytes <= machine_.bytes_in_cache ? machine_.bandwidth_in_cache : machine_.bandwidth_of_memory;
    return machine_.seconds_per_call + flops / machine_.flops * slow + bytes / wide;
  }
};

}  // namespace koila
