// SPDX-License-Identifier: MIT
// Whole training steps: forward, backward and SGD. Compares koila with its chosen chunks, eager
// LibTorch with the whole batch, eager LibTorch with the fastest power of two as the chunk size,
// and a lower bound. The lower bound computes only the step's matrix products, each in the fastest
// of several ways (see `bare`). Argument: the number of samples. `peak` is in bytes, without inputs
// and parameters.
//
// koila keeps its memory between steps. Eager LibTorch frees its memory to malloc, which keeps
// small blocks and returns large blocks to the system, unless scripts/bench runs with --reuse.
#include <koila/kernels/cpu/packed_product.ipp>

#include <ATen/Parallel.h>
#if __has_include(<ATen/native/CPUBlas.h>)
#include <ATen/native/CPUBlas.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <iterator>
#include <map>
#include <string>

#include "models.hpp"
#include "models/pairs.hpp"

namespace {

using namespace koila;
using namespace koila::detail;
using models::pair, models::product;

constexpr double lr = 1e-3;

/// Returns CPU seconds if LibTorch uses one thread, because the machine may be busy with other
/// work. Otherwise returns seconds of wall-clock time.
auto seconds_now() -> double {
  timespec now{};
  clock_gettime(at::get_num_threads() == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
/// Returns the shortest time of several calls, in seconds.
template <class F>
auto least_seconds(int times, F f) -> double {
  double least = INFINITY;
  for (int i = 0; i < times; ++i) {
    const double start = seconds_now();
    f();
    least = std::min(least, seconds_now() - start);
  }
  return least;
}

/// A model with its inputs, trained by koila or by eager LibTorch from the same parameters.
class trained {
 public:
  trained(auto (*make)()->pair, index_t batch) : pair_(make()), batch_(batch), in_(pair_.koila.bind(batch, 1)) {
    for (const auto& leaf : pair_.koila.parameters)
      eager_.push_back(tensor_of(*leaf).detach().clone().requires_grad_());
  }
  auto step(const options& o) const { return koila::step(pair_.koila.loss, sgd{.lr = lr}, o); }
  auto once(auto& train) const -> at::Tensor {
    return train(binding<at::Tensor>{pair_.koila.inputs[0].leaf, in_[0].tensor},
                 binding<at::Tensor>{pair_.koila.inputs[1].leaf, in_[1].tensor});
  }
  /// Runs a step of LibTorch in chunks of `chunk` samples. The loss of each chunk is weighted by
  /// the chunk's share of the batch.
  auto eager_once(index_t chunk) -> double {
    double loss = 0;
    for (index_t i = 0; i < batch_; i += chunk) {
      const index_t n = std::min(chunk, batch_ - i);
      bound_tensors part = in_;
      for (auto& b : part) b.tensor = b.tensor.narrow(0, i, n);
      models::taker take(eager_);
      at::Tensor of_part = pair_.eager(take, part);
      if (n < batch_) of_part = of_part * (static_cast<double>(n) / static_cast<double>(batch_));
      of_part.backward();
      loss += of_part.item<double>();
    }
    const at::NoGradGuard no_grad;
    for (at::Tensor& w : eager_) {
      w.add_(w.grad(), -lr);
      w.mutable_grad().reset();
    }
    return loss;
  }
  auto products() const -> std::vector<product> {
    std::vector<product> out;
    models::taker take(eager_, &out);
    (void)pair_.eager(take, in_);
    return out;
  }
  auto batch() const -> index_t { return batch_; }
  auto mixes_samples() const -> bool { return pair_.mixes_samples; }

 private:
  pair pair_;
  index_t batch_;
  bound_tensors in_;
  std::vector<at::Tensor> eager_;
};

void koila_step(benchmark::State& state, auto (*make)()->pair, const options& o) {
  trained model(make, state.range(0));
  auto train = model.step(o);
  double loss = 0;
  const auto peak = bench::peak_of([&] { loss = model.once(train).template item<double>(); });
  if (const double eager = model.eager_once(model.batch()); std::abs(loss - eager) > 1e-4 * std::abs(eager))
    return state.SkipWithError("another loss than eager LibTorch's");
  for (auto _ : state) benchmark::DoNotOptimize(model.once(train));
  state.counters["peak"] = static_cast<double>(peak);
  state.counters["chunk"] = static_cast<double>(train.plan().chunk());
  state.SetLabel("memory reused");
}

void run_eager(benchmark::State& state, trained& model, index_t chunk) {
  const auto peak = bench::peak_of([&] { (void)model.eager_once(chunk); });
  for (auto _ : state) benchmark::DoNotOptimize(model.eager_once(chunk));
  state.counters["peak"] = static_cast<double>(peak);
  state.counters["chunk"] = static_cast<double>(chunk);
  state.SetLabel(bench::eagers_memory());
}
void eager_step(benchmark::State& state, auto (*make)()->pair) {
  trained model(make, state.range(0));
  run_eager(state, model, model.batch());
}
/// Times eager steps with the fastest chunk size. The search for this size tries each size with two
/// steps, and is not timed.
void eager_in_chunks(benchmark::State& state, auto (*make)()->pair) {
  trained model(make, state.range(0));
  static std::map<std::pair<pair (*)(), index_t>, index_t> known;  // the benchmark is called several times
  index_t& best = known[{make, model.batch()}];
  if (best == 0) {
    double least = INFINITY;
    for (index_t c = 1; c < 2 * model.batch(); c *= 2) {
      if (c < model.batch() / 64) continue;
      const double seconds = least_seconds(2, [&] { (void)model.eager_once(std::min(c, model.batch())); });
      if (seconds < least) least = seconds, best = std::min(c, model.batch());
    }
  }
  run_eager(state, model, best);
}

/// Returns true if LibTorch has oneDNN's block kernels on this machine.
auto has_blocks() -> bool {
#ifdef CPUBLAS_BRGEMM_F32F32F32
  static const bool has = [] {
    const float a = 2, b = 3;
    float c = 0;
    try {
      at::native::cpublas::brgemm(1, 1, 1, 1, 1, 1, false, &a, &b, &c);
    } catch (const c10::Error&) { return false; }
    return c == 6;
  }();
  return has;
#else
  return false;
#endif
}

/// Computes a matrix product in the fastest way.
class bare {
 public:
  explicit bare(const product& p)
      : p_(p), a_(at::rand({p.m, p.k})), b_(at::rand({p.k, p.n})), b_columns_(b_.t().contiguous().t()),
        c_(at::empty({p.m, p.n})) {
    choose();
  }
  void run() {
    for (index_t i = 0; i < p_.times; ++i) how_(*this);
  }

 private:
  product p_;
  at::Tensor a_, b_, b_columns_, c_;
  void (*how_)(bare&) = nullptr;

  /// Chooses the fastest way once for all products of these sizes, because the benchmark is called
  /// several times.
  void choose() {
    static std::map<std::array<index_t, 3>, void (*)(bare&)> known;
    auto& chosen = known[{p_.m, p_.n, p_.k}];
    if (chosen == nullptr) chosen = fastest();
    how_ = chosen;
  }
  auto fastest() -> void (*)(bare&) {
    void (*out)(bare&) = nullptr;
    double least = INFINITY;
    std::vector<void (*)(bare&)> ways{by_rows, by_columns, by_koila};
    if (has_blocks()) ways.insert(ways.end(), {in_blocks<32>, in_blocks<64>, in_blocks<256>});
    for (const auto chosen : ways) {
      const double seconds = least_seconds(3, [&] { chosen(*this); });
      if (seconds < least) least = seconds, out = chosen;
    }
    return out;
  }
  static void by_rows(bare& x) { at::mm_out(x.c_, x.a_, x.b_); }
  static void by_columns(bare& x) { at::mm_out(x.c_, x.a_, x.b_columns_); }
  /// Computes the product as koila does: with block kernels if they are faster than BLAS.
  static void by_koila(bare& x) {
    if (!koila::detail::multiply_in_blocks(x.c_, x.a_, x.b_, nullptr)) by_rows(x);
  }
  /// Computes blocks of `Rows` rows and 64 columns, with 512 elements of the inner dim at a time.
  /// All blocks of rows read one part of b before a block reads the next part.
  template <index_t Rows>
  static void in_blocks(bare& x) {
#ifdef CPUBLAS_BRGEMM_F32F32F32
    const product& p = x.p_;
    const auto *a = koila::detail::data<float>(x.a_), *b = koila::detail::data<float>(x.b_);
    auto* const c = x.c_.mutable_data_ptr<float>();
    for (index_t k = 0; k < p.k; k += 512)
      for (index_t j = 0; j < p.n; j += 64)
        for (index_t i = 0; i < p.m; i += Rows)
          at::native::cpublas::brgemm(std::min(Rows, p.m - i), std::min<index_t>(64, p.n - j),
                                      std::min<index_t>(512, p.k - k), p.k, p.n, p.n, k > 0, a + i * p.k + k,
                                      b + k * p.n + j, c + i * p.n + j);
#else
    (void)x;
#endif
  }
};

void floor_step(benchmark::State& state, auto (*make)()->pair) {
  const at::NoGradGuard no_grad;
  std::vector<product> all;
  {
    const at::AutoGradMode with(true);
    all = trained(make, state.range(0)).products();
  }
  std::vector<bare> ready;
  double flops = 0;
  for (const product& p : all) {
    ready.emplace_back(p);
    flops += 2. * static_cast<double>(p.m * p.n) * static_cast<double>(p.k * p.times);
  }
  for (auto _ : state) {
    for (bare& b : ready) b.run();
    benchmark::ClobberMemory();
  }
  state.counters["flops"] = benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel("memory reused");
}

/// Compares the chosen chunk size with the whole batch and with powers of two down to a 256th of
/// the batch. In each iteration, all sizes run one after the other. Reports the shortest time of
/// each size in milliseconds, and the time that the cost model predicts.
void chunks(benchmark::State& state, auto (*make)()->pair) {
  trained model(make, state.range(0));
  using train = decltype(model.step({}));
  struct fixed {
    train step;
    double least = INFINITY;
  };
  std::map<index_t, fixed> all;
  const auto machine = koila::detail::this_machine();
  for (index_t c = 1; c < 2 * model.batch(); c *= 2)
    if (c >= model.batch() / 256)
      all.emplace(std::min(c, model.batch()),
                  fixed{model.step({.chunk = std::min(c, model.batch()), .machine = machine})});
  train chosen = model.step({});
  (void)model.once(chosen);
  const index_t chunk = chosen.plan().chunk();
  // The fixed size `chunk` is left out if its plan equals the chosen plan. Otherwise the same plan
  // would be timed twice, and the chosen plan could look slower than the best.
  const auto same = all.find(chunk);
  if (same != all.end()) (void)model.once(same->second.step);  // makes the plan
  const bool listed = same != all.end() && same->second.step.plan().chunks == chosen.plan().chunks;
  if (listed) all.erase(same);
  double least = INFINITY;
  const int times = static_cast<int>(std::clamp(0.02 / least_seconds(1, [&] { (void)model.once(chosen); }), 1., 200.));
  for (auto _ : state) {
    const double seconds = least_seconds(times, [&] { (void)model.once(chosen); });
    state.SetIterationTime(seconds);
    least = std::min(least, seconds);
    for (auto& [chunk, x] : all) x.least = std::min(x.least, least_seconds(times, [&] { (void)model.once(x.step); }));
  }
  double best = least;
  for (const auto& [chunk, x] : all) {
    state.counters["ms_" + std::to_string(chunk)] = 1e3 * x.least;
    state.counters["model_ms_" + std::to_string(chunk)] = 1e3 * x.step.plan().predicted_seconds;
    best = std::min(best, x.least);
  }
  if (listed) {
    state.counters["ms_" + std::to_string(chunk)] = 1e3 * least;
    state.counters["model_ms_" + std::to_string(chunk)] = 1e3 * chosen.plan().predicted_seconds;
  }
  state.counters["chunk"] = static_cast<double>(chunk);
  state.counters["over_best"] = least / best;
  state.SetLabel("memory reused");
}

using sizes = std::vector<int>;

/// `eighths`: the batch sizes for which koila also runs with an eighth of eager LibTorch's memory.
void register_model(const char* model, auto (*make)()->pair, const sizes& samples, const sizes& eighths,
                    benchmark::TimeUnit unit) {
  const auto add = [&](const std::string& name, const sizes& shape, auto f) {
    auto* const b = benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& s) { f(s); });
    for (const int n : shape) b->Arg(n);
    return b->Unit(unit);
  };
  const std::string name = model + std::string("_step");
  const bool mixes = make().mixes_samples;
  add(name + "/koila", samples, [=](benchmark::State& s) { koila_step(s, make, {}); })->UseRealTime();
  add(name + "/eager", samples, [=](benchmark::State& s) { eager_step(s, make); })->UseRealTime();
  if (!mixes)
    add(name + "/eager_in_chunks", samples, [=](benchmark::State& s) { eager_in_chunks(s, make); })->UseRealTime();
  add(name + "/floor", samples, [=](benchmark::State& s) { floor_step(s, make); })->UseRealTime();
  sizes quick;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(quick), [](int n) { return n <= 4096; });
  add("chunks/" + std::string(model), quick, [=](benchmark::State& s) { chunks(s, make); })
      ->UseManualTime()
      ->Iterations(5);
  if (eighths.empty()) return;
  // The budget is an eighth of the memory that eager LibTorch needs for the whole batch.
  add(name + "_in_an_eighth/koila", eighths, [=](benchmark::State& s) {
    std::int64_t allowed = 0;
    {
      trained model(make, s.range(0));
      allowed = bench::peak_of([&] { (void)model.eager_once(model.batch()); }) / 8;
    }
    koila_step(s, make, {.memory = allowed});
    s.counters["allowed"] = static_cast<double>(allowed);
  })->UseRealTime();
}

const int registered = [] {
  namespace pairs = models::pairs;
  register_model("small_mlp", pairs::small_mlp, {32}, {}, benchmark::kMicrosecond);
  register_model("mlp", pairs::mlp, {64, 512, 4096, 32768}, {4096, 32768}, benchmark::kMillisecond);
  register_model("feed_forward", pairs::feed_forward, {64}, {64}, benchmark::kMillisecond);
  register_model("lenet", pairs::lenet, {256}, {256}, benchmark::kMillisecond);
  register_model("resnet", pairs::resnet, {64}, {64}, benchmark::kMillisecond);
  register_model("gpt", pairs::gpt, {32}, {32}, benchmark::kMillisecond);
  register_model("lstm", pairs::lstm, {256}, {256}, benchmark::kMillisecond);
  return 0;
}();

}  // namespace
