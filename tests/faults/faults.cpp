// SPDX-License-Identifier: MIT
// Injected faults. For each allocation of a step, of backward and of run, one call is made in which
// that allocation fails. The call must either succeed, or throw and leave the whole state
// unchanged, bit for bit. Nothing may leak. Five models are tested.
#include "faults/support.hpp"
#include "instructions.hpp"
#include "run/environment.hpp"

using namespace koila;
using namespace ::test;

namespace {

enum class allocation { tensors, heap };

/// The kind of call that is tested. `step`: a step, which keeps its plans. `first`: a call that
/// plans. `kept`: a call that runs the program that an earlier call kept.
enum class calls { step, first, kept };

struct outcomes {
  int injected = 0, succeeded = 0, threw = 0;
};
outcomes all;  // NOLINT: over all models

/// An optimiser whose state the test can read.
template <class O>
struct watched : O {
  std::vector<at::Tensor>* kept = nullptr;
  auto state_for(const at::Tensor& p) const -> typename O::state {
    auto s = O::state_for(p);
    if constexpr (requires { s.momentum_buffer; }) kept->push_back(s.momentum_buffer);
    else kept->insert(kept->end(), {s.exp_avg, s.exp_avg_sq});
    return s;
  }
};

/// A copy of all state that a call may change.
class snapshot {
 public:
  snapshot(std::vector<at::Tensor> leaves, std::vector<at::Tensor> kept) : live_(std::move(leaves)) {
    live_.insert(live_.end(), kept.begin(), kept.end());
    for (const auto& t : live_) {
      values_.push_back(t.detach().clone());
      gradients_.push_back(t.grad().defined() ? t.grad().clone() : at::Tensor());
    }
  }
  auto unchanged() const -> bool {
    for (std::size_t k = 0; k < live_.size(); ++k) {
      const at::Tensor& g = live_[k].grad();
      if (!identical(live_[k], values_[k]) || g.defined() != gradients_[k].defined()) return false;
      if (g.defined() && !identical(g, gradients_[k])) return false;
    }
    const auto& r = koila::detail::random_numbers();
    return r.runs == runs_ && r.seed == seed_ && at::equal(libtorch_state(), random_);
  }
  void restore() const {
    for (std::size_t k = 0; k < live_.size(); ++k) {
      live_[k].detach().copy_(values_[k]);
      live_[k].mutable_grad() = gradients_[k].defined() ? gradients_[k].clone() : at::Tensor();
    }
    koila::detail::random_numbers().runs = runs_;
    at::Generator libtorch = at::detail::getDefaultCPUGenerator();
    libtorch.set_state(random_);
  }

 private:
  std::vector<at::Tensor> live_, values_, gradients_;
  std::uint64_t runs_ = koila::detail::random_numbers().runs, seed_ = koila::detail::random_numbers().seed;
  at::Tensor random_ = libtorch_state();
};

struct fault {
  allocation failing;
  tensor_memory::thrown error;
  std::int64_t n;
};
void arm(const fault& f) {
  if (f.failing == allocation::tensors) tensors.fail_at(f.n, f.error);
  else heap::fail_at(f.n);
}
auto disarm() -> bool {  // returns true if an allocation failed
  const bool failed = tensors.failed() || heap::failed();
  tensors.stop();
  tensors.fail_at(0, tensor_memory::thrown::bad_alloc);
  heap::fail_at(0);
  return failed;
}

struct result {
  bool failed = false, threw = false;
  at::Tensor value;
  std::int64_t work = 0, leaked = 0;  // leaked: negative if a step has freed memory
};

/// Calls f with the fault armed. If f throws, the exception is destroyed before this function
/// returns.
template <class F>
auto call_with(const fault& injected, const F& f) -> result {
  result r;
  const auto blocks = heap::blocks.load(), bytes = tensors.live(), before = tallied;
  arm(injected);
  try {
    r.value = f();
  } catch (const std::bad_alloc&) { r.threw = true; } catch (const c10::OutOfMemoryError&) {
    r.threw = true;
  } catch (const memory_error&) { r.threw = true; } catch (const c10::Error&) {
    r.threw = injected.error == tensor_memory::thrown::as_libtorch;
    if (!r.threw) throw;
  }
  r.failed = disarm();
  r.work = tallied - before;
  r.leaked = std::max(heap::blocks - blocks, tensors.live() - bytes);
  return r;
}

/// The memory that is allocated during a sweep and still allocated at its end.
struct growth {
  std::int64_t blocks = 0, bytes = 0;
};

/// Calls f once for each n = 1, 1 + stride, ..., and lets the n-th allocation of that call fail.
/// Ends when f makes fewer than n allocations. `most`: the largest number of samples that a
/// successful call may process. After a failed allocation, a step uses smaller plans for some
/// calls. Therefore extra calls without faults follow, until the step uses the usual plan again.
template <class F>
auto sweep(allocation failing, tensor_memory::thrown error, std::int64_t stride, const snapshot& before,
           const at::Tensor& expected, index_t most, calls allowed, const F& f) -> growth {
  const auto settle = [&] {
    for (int i = 0; allowed == calls::step && i < 3; ++i) (void)f();
    before.restore();
    if (allowed == calls::step) return;
    drop_kept_programs();
    if (allowed == calls::kept) (void)f();
    before.restore();
  };
  // Reads these counters while no CAPTURE is alive, because CAPTURE allocates.
  std::int64_t blocks = -1, bytes = 0, blocks_now = 0, bytes_now = 0;
  settle();
  for (std::int64_t n = 1;; n += stride) {
    blocks_now = heap::blocks, bytes_now = tensors.live();
    if (n == 1 + 4 * stride) blocks = blocks_now, bytes = bytes_now;
    CAPTURE(static_cast<int>(failing), static_cast<int>(error), n);
    const fault here{failing, error, n};
    result r = call_with(here, f);
    if (!r.failed) {
      before.restore();
      return blocks >= 0 ? growth{blocks_now - blocks, bytes_now - bytes} : growth{};
    }
    ++all.injected;
    if (r.threw) {
      ++all.threw;
      CHECK(before.unchanged());
      settle();
      // LibTorch and koila allocate some memory only once. A second call must not leak.
      if (r.leaked != 0) r = call_with(here, f);
      CHECK(r.threw);
      CHECK(r.leaked <= 0);
      settle();
    } else {
      ++all.succeeded;
      CHECK(at::allclose(r.value, expected, 1e-5, 1e-6));
      CHECK(r.work <= most);
      settle();
    }
  }
}

/// Repeats the sweep, at most three times, until a sweep leaves no additional memory allocated.
/// `settled`: f has already made all its plans, so one of these sweeps must leave none. If
/// `settled` is false, there is only one sweep. When a fault leads to some code of LibTorch or of
/// the C++ library for the first time, this code allocates memory that it keeps. This is not a
/// leak, and the next sweep leaves no such memory. A real leak grows in each sweep.
template <class F>
void fail_in_turn(allocation failing, tensor_memory::thrown error, std::int64_t stride, const snapshot& before,
                  const at::Tensor& expected, index_t most, calls allowed, bool settled, const F& f) {
  constexpr int sweeps = 3;
  for (int k = 1; k <= sweeps; ++k) {
    const growth left_over = sweep(failing, error, stride, before, expected, most, allowed, f);
    CAPTURE(static_cast<int>(failing), static_cast<int>(error), left_over.blocks, left_over.bytes);
    if (!settled || (left_over.blocks == 0 && left_over.bytes == 0)) return;
    CHECK(k < sweeps);
  }
}

/// Returns the largest number of samples that may go through `tally`: the number for the loss's
/// plan or for the next smaller plan, whichever is larger, plus one chunk.
template <class E, class... B>
auto most_work(const E& e, const options& o, const B&... bound) -> index_t {
  const memory_plan p = plan(e, o, bound...);
  index_t n = tally_of(p);
  try {
    n = std::max(n, tally_of(plan(e, {.memory = p.peak_bytes() - 1, .chunk = o.chunk}, bound...)));
  } catch (const memory_error&) {}
  return n + p.chunk();
}

constexpr auto errors = {tensor_memory::thrown::out_of_memory, tensor_memory::thrown::bad_alloc,
                         tensor_memory::thrown::as_libtorch};

/// Tests every allocation of a step that has already run, and of a new step.
template <class M, class O>
void check_step(const M& m, O optimizer, const options& o) {
  const auto loss = m.loss();
  std::vector<at::Tensor> kept;
  watched<O> looked_at{{optimizer}, &kept};
  const auto call = [&](auto& train) { return std::apply([&](const auto&... b) { return train(b...); }, m.bound()); };
  const index_t most = std::apply([&](const auto&... b) { return most_work(loss, o, b...); }, m.bound());
  auto train = step(loss, looked_at, o);
  for (int i = 0; i < 2; ++i) call(train);
  const snapshot before(m.leaves(), kept);
  const at::Tensor expected = call(train).clone();
  before.restore();
  for (const auto e : errors)
    fail_in_turn(allocation::tensors, e, 1, before, expected, most, calls::step, false, [&] { return call(train); });
  for (const bool settled : {false, true})
    fail_in_turn(allocation::heap, {}, 1, before, expected, most, calls::step, settled, [&] { return call(train); });
  CHECK(at::allclose(call(train), expected, 1e-5, 1e-6));
  before.restore();
  const auto first = [&] {
    O own = optimizer;
    own.states = {};
    auto fresh = step(loss, std::move(own), o);
    return call(fresh);
  };
  for (const auto e : errors)
    fail_in_turn(allocation::tensors, e, 1, before, expected, most, calls::first, true, first);
  fail_in_turn(allocation::heap, {}, 97, before, expected, most, calls::first, true, first);
}

template <class M>
void check_calls(const M& m, const options& o) {
  const auto loss = m.loss();
  const auto value = m.value();
  const auto check = [&](const auto& f, index_t most, bool gradients) {
    const snapshot before(m.leaves(), {});
    const at::Tensor expected = f().clone();
    before.restore();
    for (const calls allowed : {calls::first, calls::kept}) {
      for (const auto e : errors) fail_in_turn(allocation::tensors, e, 1, before, expected, most, allowed, true, f);
      fail_in_turn(allocation::heap, {}, allowed == calls::first ? 89 : 3, before, expected, most, allowed, true, f);
    }
    if (gradients) CHECK(before.unchanged());
  };
  std::apply(
      [&](const auto&... b) {
        const auto add = [&] { return backward(loss, o, b...); };
        check(add, most_work(loss, o, b...), true);  // creates .grad()
        add();
        check(add, most_work(loss, o, b...), true);  // adds to .grad()
        for (const auto& t : m.leaves()) t.mutable_grad() = at::Tensor();
      },
      m.bound());
  const auto x = std::get<0>(m.bound());  // the value does not read the labels
  check([&] { return run(value, o, x); }, most_work(value, o, x), false);
}

template <class M>
void check_model() {
  at::manual_seed(3);
  const M m;
  (void)m.leaves();  // creates the parameters
  const outcomes before = all;
  for (const options& o : {options{.memory = 1_GiB}, options{.memory = 1_GiB, .chunk = 4}}) {
    CAPTURE(o.chunk);
    check_step(m, sgd{.lr = 0.1, .momentum = 0.9}, o);
    check_step(m, adam{.lr = 0.01}, o);
    check_calls(m, o);
  }
  const int injected = all.injected - before.injected, succeeded = all.succeeded - before.succeeded;
  CHECK(injected > 200);
  CHECK(succeeded > 20);
  std::printf("faults: %d injected, %d calls succeeded, %d threw\n", injected, succeeded, all.threw - before.threw);
}

}  // namespace

TEST_CASE("faults at every allocation: a perceptron") { check_model<mlp>(); }
TEST_CASE("faults at every allocation: convolutions and batch norm in training") { check_model<conv>(); }
TEST_CASE("faults at every allocation: dropout") { check_model<with_dropout>(); }
TEST_CASE("faults at every allocation: a recurrent network") { check_model<recurrent>(); }
TEST_CASE("faults at every allocation: a transformer") { check_model<transformer>(); }

TEST_CASE("memory that is short where a machine's file is read is not for ever") {
  const ::test::while_set<const machine*> as_users_have_it(koila::detail::stated_machine, nullptr);
  const ::test::own_folder folder;
  machine m;
  m.flops = 1.25e11;
  m.threads = at::get_num_threads();
  int failures = 0;
  for (bool failed = true; failed; failures += failed) {
    const std::string path = folder.file(std::to_string(failures));  // koila reads each file once
    koila::detail::machine_file(path, koila::detail::machine_key()).add(m);
    const ::test::with_variable file("KOILA_MACHINE_FILE", path);
    heap::fail_at(failures + 1);
    std::optional<machine> first;
    try {
      first = koila::detail::this_machine();
    } catch (const std::exception&) {}
    failed = heap::failed();
    heap::fail_at(0);
    CAPTURE(failures);
    CHECK((!first || *first == m));
    CHECK(koila::detail::this_machine() == m);
  }
  CHECK(failures > 3);
}
