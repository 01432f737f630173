// SPDX-License-Identifier: MIT
#pragma once
// Helpers shared by the tests with failing allocations: memory counters, allocators that fail, and
// five models.
#include "run/support.hpp"

#include <koila/nn/nn.hpp>

#include <atomic>
#include <cstdlib>
#include <functional>

namespace test {

/// Counts the blocks and bytes that operator new has allocated and that are not freed, in the whole
/// process, LibTorch included. See heap.cpp.
struct heap {
  static std::atomic<std::int64_t> blocks, bytes;
  /// Makes the n-th call of operator new on this thread fail, once. If n is 0, no call fails.
  static void fail_at(std::int64_t n);
  static auto failed() -> bool;
  /// The number of operator new calls on this thread during f: from LibTorch's libraries, and from
  /// all other code.
  struct calls {
    int koila = 0, libtorch = 0;
  };
  static auto calls_in(const std::function<void()>& f) -> calls;
};

/// Replaces LibTorch's host allocator in this executable: counts allocations, and fails on request.
class tensor_memory final : public c10::Allocator {
 public:
  enum class thrown {
    out_of_memory,  ///< c10::OutOfMemoryError
    bad_alloc,      ///< std::bad_alloc
    /// A plain c10::Error, after a report to the profiler, as from LibTorch's own host allocator.
    as_libtorch,
  };
  static auto get() -> tensor_memory& {
    static tensor_memory one;
    return one;
  }
  void fail_at(std::int64_t n, thrown e) { left_ = n, error_ = e, failed_ = false; }
  /// Makes all allocations of `bytes` or more fail, from the n-th one on.
  void fail_from(std::int64_t n, std::int64_t bytes, thrown e) { fail_at(n, e), least_ = bytes; }
  void stop() { left_ = 0, least_ = 0; }
  auto failed() const { return failed_; }
  auto refused() const { return refused_; }
  auto live() const { return live_.load(); }
  /// Returns the most bytes alive at once since `begin_peak`, minus the bytes alive at the call of
  /// `begin_peak`.
  auto peak() const { return peak_.load() - begin_; }
  void begin_peak() { peak_ = begin_ = live_; }
  auto count() const { return count_.load(); }

  auto allocate(std::size_t n) -> c10::DataPtr override {
    if (left_ > 0 && static_cast<std::int64_t>(n) >= least_ && --left_ == 0) {
      failed_ = true;
      ++refused_;
      if (least_ > 0) left_ = 1;  // until stop() is called
      if (error_ == thrown::bad_alloc) throw std::bad_alloc();
      if (error_ == thrown::out_of_memory) TORCH_CHECK_WITH(OutOfMemoryError, false, "injected");
      c10::reportOutOfMemoryToProfiler(static_cast<std::int64_t>(n), 0, 0, c10::Device(c10::kCPU));
      TORCH_CHECK(false, "injected");
    }
    if (n == 0) return {nullptr, nullptr, &give_back, c10::Device(c10::kCPU)};
    auto* const p = static_cast<std::byte*>(std::aligned_alloc(line, (n + 2 * line - 1) / line * line)) + line;
    *reinterpret_cast<std::size_t*>(p - line) = n;
    live_ += static_cast<std::int64_t>(n);
    peak_ = std::max(peak_.load(), live_.load());
    ++count_;
    return {p, p, &give_back, c10::Device(c10::kCPU)};
  }
  auto raw_deleter() const -> c10::DeleterFnPtr override { return &give_back; }
  void copy_data(void* to, const void* from, std::size_t n) const override { std::memcpy(to, from, n); }

 private:
  tensor_memory() { c10::SetAllocator(c10::kCPU, this, 100); }
  static void give_back(void* p) {
    if (p == nullptr) return;
    auto* const begin = static_cast<std::byte*>(p) - line;
    live_ -= static_cast<std::int64_t>(*reinterpret_cast<const std::size_t*>(begin));
    std::free(begin);
  }
  static constexpr std::size_t line = 64;  // the header before each block, which stores the block's size
  inline static std::atomic<std::int64_t> live_ = 0, count_ = 0, peak_ = 0;
  std::int64_t left_ = 0, least_ = 0, refused_ = 0, begin_ = 0;
  thrown error_ = thrown::out_of_memory;
  bool failed_ = false;
};
inline tensor_memory& tensors = tensor_memory::get();

/// The number of samples that have gone through `tally` so far.
inline std::int64_t tallied = 0;

/// (batch, ...) -> (batch, ...): returns x and counts its samples.
inline constexpr struct tally : op<tally> {
  static constexpr std::string_view name = "tally";
  static constexpr auto rule(const dims& x) -> verdict { return x; }
  static constexpr auto flow(const value& x, const dims& out) -> relations { return flows::elementwise(&x, 1, out); }
  static void evaluate(at::Tensor& y, const at::Tensor& x) {
    y.copy_(x);
    tallied += x.size(0);
  }
  static constexpr auto gradient(const auto& dy, const auto&, const auto&) { return gradients(tally{}(dy)); }
} tally;

/// Returns the number of samples that a plan sends through `tally`.
inline auto tally_of(const memory_plan& p) -> index_t {
  index_t n = 0;
  for (const auto& loop : p.order.loop_of)
    for (const int i : loop.body)
      n += p.graph.node(i).op != nullptr && p.graph.node(i).op->name == "tally" ? p.batch : 0;
  return n;
}

/// Returns the state of LibTorch's random generator as bytes.
inline auto libtorch_state() -> at::Tensor { return at::detail::getDefaultCPUGenerator().get_state(); }

// ---- models: each has a loss, a value, bound inputs and tensors ---------------------------------

template <class Net>
struct model {
  Net net{};
  auto leaves() const {
    std::vector<at::Tensor> out;
    for (const auto& [name, leaf] : named_parameters(net)) out.push_back(tensor_of(*leaf));
    for (const auto& [name, leaf] : named_buffers(net)) out.push_back(tensor_of(*leaf));
    return out;
  }
};

struct mlp_net {
  nn::linear<12, 16> a{"a"};
  nn::linear<16, 5> b{"b"};
  auto operator()(const auto& x) const { return b(tanh(a(x))); }
};
struct mlp : model<mlp_net> {
  static constexpr index_t samples = 13;
  input<batch, 12> x{"x"};
  input<int64, batch> label{"label"};
  at::Tensor images = at::randn({samples, 12}), labels = labels_of(samples, 5);
  auto value() const { return net(tally(x)); }
  auto loss() const { return cross_entropy(value(), label); }
  auto bound() const { return std::make_tuple(x = images, label = labels); }
};

struct conv_net {
  nn::conv2d<2, 4, 3, nn::conv_options{.padding = 1}> conv{"conv"};
  nn::batch_norm<4> norm{"norm"};
  nn::linear<64, 5> out{"out"};
  auto operator()(const auto& x) const { return out(flatten(relu(norm(conv(x))), 1_c)); }
};
struct conv : model<conv_net> {
  static constexpr index_t samples = 10;
  input<batch, 2, 4, 4> x{"x"};
  input<int64, batch> label{"label"};
  at::Tensor images = at::randn({samples, 2, 4, 4}), labels = labels_of(samples, 5);
  auto value() const { return net(tally(x)); }
  auto loss() const { return cross_entropy(value(), label); }
  auto bound() const { return std::make_tuple(x = images, label = labels); }
};

struct dropout_net {
  nn::linear<12, 16> a{"a"};
  nn::dropout drop{0.3};
  nn::linear<16, 5> b{"b"};
  auto operator()(const auto& x) const { return b(drop(relu(a(drop(x))))); }
};
struct with_dropout : model<dropout_net> {
  static constexpr index_t samples = 11;
  input<batch, 12> x{"x"};
  at::Tensor images = at::randn({samples, 12});
  auto value() const { return net(tally(x)); }
  auto loss() const { return mean(value() * value()); }
  auto bound() const { return std::make_tuple(x = images); }
};

struct gru_net {
  nn::gru<6, 8> cells{"cells"};
  nn::linear<8, 3> out{"out"};
  auto operator()(const auto& x) const {
    const auto [y, h] = cells(transpose(x, 0_c, 1_c));  // (3, batch, 8), (1, batch, 8)
    return out(select(y, 0_c, 2_c));
  }
};
struct recurrent : model<gru_net> {
  static constexpr index_t samples = 9;
  input<batch, 3, 6> x{"x"};
  input<int64, batch> label{"label"};
  at::Tensor images = at::randn({samples, 3, 6}), labels = labels_of(samples, 3);
  auto value() const { return net(tally(x)); }
  auto loss() const { return cross_entropy(value(), label); }
  auto bound() const { return std::make_tuple(x = images, label = labels); }
};

struct transformer_net {
  nn::embedding<11, 8> words{"words"};
  nn::transformer_encoder_layer<8, 2, 16> block{"block"};
  nn::linear<8, 11> out{"out"};
  auto operator()(const auto& x) const { return out(block(words(x))); }
};
struct transformer : model<transformer_net> {
  static constexpr index_t samples = 6;
  input<int64, batch, 4> x{"x"};
  input<int64, batch, 4> next{"next"};
  at::Tensor words = at::randint(11, {samples, 4}, at::kLong), labels = at::randint(11, {samples, 4}, at::kLong);
  auto value() const { return net(tally(x)); }
  auto loss() const { return cross_entropy(reshape(value(), -1_c, 11_c), reshape(next, -1_c)); }
  auto bound() const { return std::make_tuple(x = words, next = labels); }
};

}  // namespace test
