// SPDX-License-Identifier: MIT
// Saves and loads repeatedly. In each call, a different allocation fails. After each failure, the
// file or the model has either all of its old contents or all of its new contents, never a mixture.
#include "faults/support.hpp"

#include <koila/nn/serialize.hpp>

#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace koila;
using namespace ::test;

namespace {

namespace fs = std::filesystem;
using named_tensors = std::vector<std::pair<std::string, at::Tensor>>;

struct work_folder {
  fs::path path = fs::temp_directory_path() / ("koila_faults_" + std::to_string(::getpid()));
  work_folder() {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  work_folder(const work_folder&) = delete;
  auto operator=(const work_folder&) -> work_folder& = delete;
  ~work_folder() { fs::remove_all(path); }
  auto files() const { return std::distance(fs::directory_iterator(path), fs::directory_iterator()); }
};

auto bytes_of(const std::string& file) -> std::string {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

struct counts {
  int injected = 0, threw = 0;
};

/// Calls f repeatedly. In the n-th call of a sweep, the n-th allocation fails. The first sweep
/// counts the allocations of operator new, the other sweeps those of tensors. The last call of each
/// sweep has no failure. `check` receives whether f threw, and restores what f has changed.
template <class F, class Check>
auto fail_in_turn(const F& f, const Check& check) -> counts {
  counts c;
  const auto sweep = [&](const auto& arm, const auto& failed) {
    for (int n = 1;; ++n) {
      CAPTURE(n);
      arm(n);
      bool threw = false;
      try {
        f();
      } catch (const std::bad_alloc&) { threw = true; } catch (const c10::Error&) {
        threw = true;
      }
      const bool did = failed();
      heap::fail_at(0), tensors.stop();
      c.injected += did ? 1 : 0, c.threw += threw ? 1 : 0;
      check(threw);
      if (did) continue;
      CHECK_FALSE(threw);
      return;
    }
  };
  sweep([](int n) { heap::fail_at(n); }, [] { return heap::failed(); });
  using thrown = tensor_memory::thrown;
  for (const thrown e : {thrown::out_of_memory, thrown::bad_alloc, thrown::as_libtorch})
    sweep([&](int n) { tensors.fail_at(n, e); }, [] { return tensors.failed(); });
  return c;
}

}  // namespace

TEST_CASE("trials G: saving survives the failure of any allocation, and the file is the old one or the new one") {
  const work_folder f;
  const std::string file = (f.path / "net.pt").string();
  named_tensors old;
  for (int k = 0; k < 4; ++k)
    old.push_back({"layer." + std::to_string(k) + ".weight_of_some_length", at::randn({5, 7})});
  named_tensors now = old;  // includes tensors that must be copied before they are written
  now[0].second = at::randn({7, 5}).t();
  now[1].second = at::randn({9, 7}).slice(0, 2, 7);
  koila::detail::write_tensors(now, file);
  const std::string new_bytes = bytes_of(file);
  koila::detail::write_tensors(old, file);
  const std::string old_bytes = bytes_of(file);
  const auto blocks = heap::blocks.load(), live = tensors.live();
  const counts c = fail_in_turn([&] { koila::detail::write_tensors(now, file); },
                                [&](bool threw) {
                                  CHECK(bytes_of(file) == (threw ? old_bytes : new_bytes));
                                  CHECK(f.files() == 1);
                                  if (!threw) koila::detail::write_tensors(old, file);
                                });
  CHECK(c.injected > 40);
  CHECK(c.threw > 40);
  CHECK(tensors.live() == live);
  CHECK(heap::blocks - blocks < 10);  // LibTorch allocates some memory only once
  std::printf("saving: %d faults, %d of them thrown\n", c.injected, c.threw);
}

TEST_CASE("trials G: a model is saved whole or not at all, whatever allocation fails") {
  const work_folder f;
  const std::string file = (f.path / "net.pt").string();
  const mlp m;
  save(m.net, file);
  const std::string bytes = bytes_of(file);
  const counts c = fail_in_turn([&] { save(m.net, file); },
                                [&](bool) {
                                  CHECK(bytes_of(file) == bytes);
                                  CHECK(f.files() == 1);
                                });
  CHECK(c.threw > 40);
}

TEST_CASE("a model takes all of the values that are loaded, or none, whatever allocation fails") {
  const conv m;
  std::vector<named_leaf> leaves = named_parameters(m.net);
  for (const named_leaf& b : named_buffers(m.net)) leaves.push_back(b);
  named_tensors from, before;
  for (const named_leaf& l : leaves) {
    const at::Tensor t = at::randn(l.tensor().sizes());
    // A transposed tensor has a different memory layout than the leaf.
    from.push_back({l.name, t.dim() == 2 ? t.t().contiguous().t() : t});
    before.push_back({l.name, l.tensor().detach().clone()});
  }
  const auto have = [&](const named_tensors& want) {
    for (std::size_t k = 0; k < leaves.size(); ++k)
      if (!at::equal(leaves[k].tensor(), want[k].second)) return false;
    return true;
  };
  const counts c = fail_in_turn([&] { koila::detail::load_leaves(leaves, from); },
                                [&](bool threw) {
                                  CHECK(have(threw ? before : from));
                                  koila::detail::load_leaves(leaves, before);
                                });
  CHECK(c.threw > 40);
}

TEST_CASE("trials B1: steps that share a new optimiser are loaded together or not at all, whatever allocation fails") {
  const work_folder f;
  const std::string file = (f.path / "steps.pt").string();
  const nn::linear<4, 3> first, second;
  const input<batch, 4> x{"x"};
  const at::Tensor rows = at::randn({6, 4});  // (6, 4)
  const auto loss_of = [&](const auto& net) { return mean(square(net(x))); };
  {
    const adam opt{.lr = 0.3};
    auto a = step(loss_of(first), opt), b = step(loss_of(second), opt);
    (void)a(x = rows), (void)b(x = rows);
    save(a, b, file);
  }
  std::optional<adam> fresh;
  std::optional<training_step<adam>> a, b;
  const auto renew = [&] {
    a.reset(), b.reset();
    fresh.emplace().lr = 0.1;
    a.emplace(step(loss_of(first), *fresh)), b.emplace(step(loss_of(second), *fresh));
  };
  renew();
  const named_tensors saved = koila::detail::read_tensors(file);
  const counts c =
      fail_in_turn([&] { koila::detail::load_all({koila::detail::to_load(*a), koila::detail::to_load(*b)}, saved); },
                   [&](bool threw) {
                     const auto& table = *fresh->states.table();
                     CHECK(table.all.size() == (threw ? 0U : 4U));
                     CHECK(table.promised == 0);
                     CHECK((a->steps() == (threw ? 0 : 2) && b->steps() == (threw ? 0 : 2)));
                     CHECK((fresh->lr == (threw ? 0.1 : 0.3) && a->optimizer.lr == fresh->lr));
                     renew();
                   });
  CHECK(c.threw > 40);
}
