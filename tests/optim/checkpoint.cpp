// SPDX-License-Identifier: MIT
// Optimisers, steps and models in files. Resumed training continues with the same bits. If a file
// does not match the objects that it is loaded into, loading changes nothing.
#include "run/support.hpp"

#include <koila/nn/nn.hpp>
#include <koila/nn/serialize.hpp>

#include <torch/optim/adam.h>

#include <unistd.h>

#include <filesystem>

using namespace koila;
using namespace ::test;

namespace {

struct scratch_file {
  std::string name =
      (std::filesystem::temp_directory_path() / ("koila.checkpoint." + std::to_string(::getpid()) + ".pt")).string();
  ~scratch_file() { std::filesystem::remove(name); }
};

struct dropped_layers {
  nn::linear<8, 6> a{"a"};
  nn::dropout drop{0.5};
  nn::linear<6, 3> b{"b"};
  auto operator()(const auto& x) const { return b(drop(tanh(a(x)))); }
};
struct session {
  dropped_layers net;
  input<batch, 8> x{"x"};
  input<int64, batch> label{"label"};
  at::Tensor rows, labels;
  session() {
    const at::Generator own = at::detail::createCPUGenerator(11);
    rows = at::randn({30, 8}, own), labels = at::randint(3, {30}, own, at::TensorOptions(at::kLong));
  }
  auto loss() const { return cross_entropy(net(x), label); }
  /// Makes one step on rows that LibTorch's generator selects.
  void once(auto& train) const {
    const at::Tensor some = at::randperm(30, at::kLong).narrow(0, 0, 10);
    (void)train(x = rows.index_select(0, some), label = labels.index_select(0, some));
  }
  auto weights() const {
    std::vector<at::Tensor> out;
    for (const at::Tensor& t : parameters(net)) out.push_back(t.detach().clone());
    return out;
  }
};
auto are_same_bits(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) -> bool {
  bool all = a.size() == b.size();
  for (std::size_t k = 0; all && k < a.size(); ++k) all = identical(a[k], b[k]);
  return all;
}

/// Compares the weights after six steps: without interruption, and with new objects that load a
/// checkpoint after three steps.
template <class O>
void resumes(const O& optimizer) {
  koila::detail::random_numbers().seeded = false;
  const scratch_file f;
  const auto fresh = [&] {
    O o = optimizer;
    o.states = {};
    return o;
  };
  at::manual_seed(7);
  const session whole;
  auto train = step(whole.loss(), fresh());
  for (int i = 0; i < 3; ++i) whole.once(train);
  train.optimizer.lr /= 2;
  save(whole.net, train, f.name);
  for (int i = 0; i < 3; ++i) whole.once(train);
  const auto want = whole.weights();

  const auto go_on = [&](auto& s, auto& from) {
    CHECK(from.steps() == 3);
    CHECK(from.optimizer.lr == optimizer.lr / 2);
    for (int i = 0; i < 3; ++i) s.once(from);
    CHECK(are_same_bits(s.weights(), want));
  };
  at::manual_seed(99);
  const session other;
  auto resumed = step(other.loss(), fresh());
  load(other.net, resumed, f.name);
  go_on(other, resumed);
  load(other.net, resumed, f.name);  // loads the checkpoint a second time
  go_on(other, resumed);

  // An optimiser that loads the checkpoint before its step is made also resumes.
  const session third;
  O opt = fresh();
  load(third.net, opt, f.name);
  auto last = step(third.loss(), opt);
  go_on(third, last);
}

}  // namespace

TEST_CASE("trials B1: what is saved of a step is resumed to the bit, its settings and the random numbers included") {
  resumes(sgd{.lr = 0.1});
  resumes(sgd{.lr = 0.1, .momentum = 0.9, .dampening = 0.2, .weight_decay = 0.01});
  resumes(sgd{.lr = 0.1, .momentum = 0.9, .nesterov = true});
  resumes(adam{.lr = 0.02});
  resumes(adam{.lr = 0.02, .betas = {0.8, 0.9}, .weight_decay = 0.1, .amsgrad = true});
  resumes(adamw{.lr = 0.02, .amsgrad = true});
  resumes(rmsprop{.lr = 0.02, .momentum = 0.5, .centered = true});
  resumes(adagrad{.lr = 0.02, .lr_decay = 0.1, .initial_accumulator_value = 0.3});
  resumes(clip_grad_norm(adam{.lr = 0.02}, 0.3));
  resumes(clip_grad_value(sgd{.lr = 0.02, .momentum = 0.9}, 0.01));
}

namespace {

/// An optimiser with a setting of its own, and with a setting that has the same name as a setting
/// of clip_grad_value.
struct listing : sgd {
  double rho = 0, clip_value = 1;
  explicit listing(double r) : rho(r) {}
  static void settings(const auto& f, auto&... o) { f("rho", o.rho...); }
};

}  // namespace

TEST_CASE("trials B1: of clips of one kind around each other the settings of all are saved") {
  const auto around = [](const auto& o, double a, double b, double c, double d) {
    return clip_grad_norm(clip_grad_value(clip_grad_norm(clip_grad_norm(clip_grad_value(o, a), b), c), d), 9 * a);
  };
  const auto check = [&](const auto& inner, const auto& other, const auto& is_inner) {
    const scratch_file f;
    auto from = around(inner, 1, 2, 3, 4);
    auto to = around(other, 5, 6, 7, 8);
    using whole = decltype(from);
    save(from, f.name);
    load(to, f.name);
    using by_value = clip_grad_value<std::remove_cvref_t<decltype(inner)>>;
    using by_norm = clip_grad_norm<by_value>;
    using by_norms = clip_grad_norm<by_norm>;
    using by_values = clip_grad_value<by_norms>;
    static_assert(std::is_same_v<whole, clip_grad_norm<by_values>>);
    CHECK(static_cast<by_value&>(to).clip_value == 1);
    CHECK(static_cast<by_norm&>(to).max_norm == 2);
    CHECK(static_cast<by_norms&>(to).max_norm == 3);
    CHECK(static_cast<by_values&>(to).clip_value == 4);
    CHECK(to.max_norm == 9);
    CHECK(is_inner(to));
    // A step follows changes of the settings of every nested clip.
    const parameter<3> w{"w"};
    set(w, at::zeros({3}));
    auto train = step(sum(w), to);
    static_cast<by_norms&>(to).max_norm = 0.5;
    (void)train();
    CHECK(static_cast<by_norms&>(train.optimizer).max_norm == 0.5);
    CHECK(static_cast<by_norm&>(train.optimizer).max_norm == 2);
    CHECK(tensor_of(w).norm().template item<double>() == Approx(0.5 * to.lr));
  };
  check(sgd{.lr = 0.25}, sgd{.lr = 1}, [](const auto& o) { return o.lr == 0.25; });
  listing with(0.5), without(0);
  with.lr = 0.25, with.clip_value = 0.75;
  check(with, without, [](const auto& o) {
    return o.lr == 0.25 && o.rho == 0.5 && static_cast<const listing&>(o).clip_value == 0.75;
  });
}

TEST_CASE("trials B1: an optimiser's file alone, read before the first step, after it, and by LibTorch's rules") {
  const scratch_file f;
  const parameter<float64, 3> w{"w"}, v{"v"};
  const input<float64, 3> x{"x"};
  const at::Tensor t = at::randn({3}, at::kDouble);
  const auto begin = [&] { set(w, at::ones({3}, at::kDouble)), set(v, at::full({3}, 2, at::kDouble)); };
  const auto loss = sum(square(w * x + v));
  begin();
  at::Tensor p = tensor_of(w).detach().clone().requires_grad_(), q = tensor_of(v).detach().clone().requires_grad_();
  torch::optim::Adam theirs({p, q}, torch::optim::AdamOptions(0.1));
  const auto their_step = [&] {
    theirs.zero_grad();
    (p * t + q).square().sum().backward();
    theirs.step();
  };
  adam opt{.lr = 0.1};
  auto train = step(loss, opt);
  for (int i = 0; i < 3; ++i) their_step(), (void)train(x = t);
  save(opt, f.name);
  const at::Tensor at_w = tensor_of(w).detach().clone(), at_v = tensor_of(v).detach().clone();
  for (int i = 0; i < 2; ++i) their_step();
  const auto goes_on = [&](auto& with) {
    set(w, at_w.clone()), set(v, at_v.clone());
    for (int i = 0; i < 2; ++i) (void)with(x = t);
    CHECK(relative_error(tensor_of(w), p) <= 1e-12);
    CHECK(relative_error(tensor_of(v), q) <= 1e-12);
  };
  adam later{};
  load(later, f.name);  // the optimiser has no parameters yet
  CHECK(later.lr == 0.1);
  auto by_order = step(loss, later);
  goes_on(by_order);
  load(opt, f.name);  // this optimiser has made steps since it was saved
  goes_on(train);
  auto own = step(loss, adam{});
  load(own, f.name);
  goes_on(own);
  save(own, f.name);  // after two more steps
  for (int i = 0; i < 2; ++i) their_step();
  const at::Tensor then_w = tensor_of(w).detach().clone(), then_v = tensor_of(v).detach().clone();
  load(own, f.name);
  set(w, then_w), set(v, then_v);
  for (int i = 0; i < 2; ++i) (void)own(x = t);
  CHECK(relative_error(tensor_of(w), p) <= 1e-12);
}

TEST_CASE("trials B1: groups, several models and steps in one file") {
  const scratch_file f;
  koila::detail::random_numbers().seeded = false;
  struct pair {
    session g, d;
    adam shared{.lr = 0.01};
    training_step<adamw> a = step(g.loss(), adamw{}, groups(group(g.net.a, {.lr = 0.1}), group(g.net.b)));
    training_step<adam> b = step(d.loss(), shared), c = step(d.loss() * 2.0, shared);
    void run(int n) {
      for (int i = 0; i < n; ++i) g.once(a), d.once(b), d.once(c);
    }
    auto weights() const {
      auto all = g.weights();
      for (const auto& t : d.weights()) all.push_back(t);
      return all;
    }
  };
  at::manual_seed(1);
  pair whole;
  whole.run(2);
  whole.a.group(1).weight_decay = 0.5;
  save(whole.g.net, whole.d.net, whole.a, whole.shared, f.name);
  whole.run(2);
  at::manual_seed(2);
  pair other;
  other.run(1);
  load(other.g.net, other.d.net, other.a, other.shared, f.name);
  CHECK(other.a.group(0).lr == 0.1);
  CHECK(other.a.group(1).weight_decay == 0.5);
  CHECK(other.b.steps() == 4);
  other.run(2);
  CHECK(are_same_bits(other.weights(), whole.weights()));
  CHECK_THROWS_WITH(load(other.g.net, other.d.net, other.a, other.shared, other.c, f.name),
                    "koila: load: the file has the state of 2 optimisers or steps alone");
  auto ungrouped = step(other.g.loss(), adamw{});
  CHECK_THROWS_WITH(load(other.g.net, other.d.net, ungrouped, other.shared, f.name),
                    "koila: load: the file has 2 groups of parameters, and there are 0");
}

TEST_CASE("trials B1: a model is read from a file that has more, and a step is not from one that has a model alone") {
  const scratch_file f;
  const session s, other;
  auto train = step(s.loss(), adam{});
  s.once(train);
  save(s.net, train, f.name);
  load(other.net, f.name);
  CHECK(are_same_bits(other.weights(), s.weights()));
  save(s.net, f.name);
  CHECK_THROWS_WITH(load(train, f.name), "koila: load: the file has no optimiser's state");
  CHECK_THROWS_AS(load(other.net, train, f.name), shape_error);
}

TEST_CASE("trials B1: a file that does not fit changes nothing, and the sentence names what differs") {
  const scratch_file f;
  const session s;
  auto train = step(s.loss(), adam{.lr = 0.1});
  s.once(train);
  save(s.net, train, f.name);
  struct narrow_layers {
    nn::linear<8, 5> a{"a"};
    nn::linear<5, 3> b{"b"};
  } narrow;
  const input<batch, 8> x{"x"};
  const auto loss = mean(square(narrow.b(narrow.a(x))));
  const at::Tensor rows = at::randn({4, 8});
  auto other = step(loss, adam{.lr = 0.5});
  (void)other(x = rows);
  const auto weights = [&] {
    std::vector<at::Tensor> out;
    for (const at::Tensor& t : parameters(narrow)) out.push_back(t.detach().clone());
    return out;
  };
  const auto before = weights();
  const at::Tensor random = at::detail::getDefaultCPUGenerator().get_state();
  const auto unchanged = [&] {
    CHECK(are_same_bits(weights(), before));
    CHECK(other.optimizer.lr == 0.5);
    CHECK(other.steps() == 1);
    CHECK(at::equal(at::detail::getDefaultCPUGenerator().get_state(), random));
  };
  const auto refused = [&](const auto& f_, const std::string& message) {
    CAPTURE(message);
    CHECK_THROWS_AS(f_(), shape_error);
    CHECK_THROWS_WITH(f_(), Catch::Matchers::StartsWith(message));
    unchanged();
  };
  refused([&] { load(narrow, other, f.name); }, "weight: ");
  refused([&] { load(other, f.name); },
          "koila: load: the optimiser's state of a.weight is of Float[6, 8] in the file, and weight is Float[5, 8]");
  const parameter<6, 8> v{"v"};
  auto named = step(sum(v), adam{});
  CHECK_THROWS_WITH(load(named, f.name),
                    "koila: load: the file has an optimiser's state of a.weight where v is trained");
  auto too_few = step(mean(square(s.net.a(x))), adam{});
  CHECK_THROWS_WITH(load(too_few, f.name),
                    "koila: load: the file has an optimiser's state of b.weight, which the step does not train");
  CHECK_THROWS_WITH(load(s.net, too_few, f.name),
                    "koila: load: the file has an optimiser's state of b.weight, which the step does not train");
  auto another_kind = step(s.loss(), sgd{});
  CHECK_THROWS_WITH(load(another_kind, f.name),
                    Catch::Matchers::StartsWith("koila: load: the file is of another optimiser"));
  // An optimiser can load a file before its first step. If the file does not match the step's
  // parameters, the first step refuses it and changes nothing.
  adam opt{};
  save(train.optimizer, f.name);
  load(opt, f.name);
  auto late = step(loss, opt);
  refused([&] { (void)late(x = rows); },
          "koila: load: the optimiser's state of weight is of Float[6, 8] in the file, and weight is Float[5, 8]");
  CHECK(late.steps() == 1);
}

TEST_CASE("trials B1: what was changed in the optimiser that a step follows is saved with the step") {
  const scratch_file f;
  const session s;
  adam opt{.lr = 0.1};
  auto train = step(s.loss(), opt);
  s.once(train);
  opt.lr = 0.01;  // a schedule changes lr at the end of an epoch, before the checkpoint
  save(s.net, train, f.name);
  auto other = step(s.loss(), adam{});
  load(s.net, other, f.name);
  CHECK(other.optimizer.lr == 0.01);
  CHECK(other.steps() == 1);
  opt = adam{.lr = 0.5};
  load(s.net, opt, f.name);  // also restores the step, which follows this optimiser
  CHECK(train.steps() == 1);
  auto grouped = step(s.loss(), opt, groups(group(s.net)));
  opt.eps = 1e-3;
  save(s.net, grouped, f.name);
  auto again = step(s.loss(), adam{}, groups(group(s.net)));
  load(s.net, again, f.name);
  CHECK(again.optimizer.eps == 1e-3);
}

TEST_CASE("trials B1: a file is for optimisers of the same kind, as many, and for parameters that can be told apart") {
  const scratch_file f;
  const session s;
  adam one{.lr = 0.1}, two{.lr = 0.7};
  auto a = step(s.loss(), one), b = step(s.loss() * 2.0, two);
  s.once(a), s.once(b);
  save(s.net, a, f.name);
  auto decoupled = step(s.loss(), adamw{});
  CHECK_THROWS_WITH(load(s.net, decoupled, f.name),
                    "koila: load: the file is of another optimiser: of adam, and this is adamw");
  adamw alone{};
  CHECK_THROWS_AS(load(s.net, alone, f.name), shape_error);
  save(s.net, one, two, f.name);
  CHECK_THROWS_WITH(
      load(s.net, b, f.name),
      "koila: load: the file has the state of 2 optimisers or steps, and 1 is loaded: load all of them, in the order "
      "in which they were saved");
  CHECK(b.optimizer.lr == 0.7);
  const session other;
  load(other.net, f.name);  // loads only the model
  CHECK(are_same_bits(other.weights(), s.weights()));

  const parameter<4> w{"a.weight"}, broken{"two\nlines"};
  const input<4> x{"x"};
  auto beside = step(sum(w * x), one);
  (void)beside(x = at::ones({4}));
  CHECK_THROWS_WITH(
      save(s.net, one, f.name),
      Catch::Matchers::StartsWith("koila: save: the optimiser trains two parameters that would be a.weight"));
  auto lines = step(sum(broken * x), sgd{});
  CHECK_THROWS_WITH(save(lines, f.name),
                    Catch::Matchers::StartsWith("koila: save: a parameter's name has a line break"));
  CHECK_NOTHROW(load(other.net, f.name));  // failed saves left the file unchanged
}

TEST_CASE("trials B1: a rate set after a load is used, even if the optimiser that is followed had it before") {
  const scratch_file f;
  const session s;
  adam opt{.lr = 0.05};
  auto train = step(s.loss(), opt);
  s.once(train);
  save(s.net, train, f.name);
  adam later{.lr = 0.1};
  auto resumed = step(s.loss(), later), beside = step(s.loss() * 2.0, later);
  load(s.net, resumed, f.name);
  CHECK(later.lr == 0.05);  // the optimiser has the value from the file, and so have all its steps
  s.once(resumed), s.once(beside);
  CHECK((resumed.optimizer.lr == 0.05 && beside.optimizer.lr == 0.05));
  later.lr = 0.1;
  s.once(resumed);
  CHECK(resumed.optimizer.lr == 0.1);
  // A step keeps its own settings.
  resumed.optimizer.lr = 0.3;
  save(s.net, resumed, beside, f.name);
  later.lr = 0.7;
  load(s.net, resumed, beside, f.name);
  CHECK(later.lr == 0.1);
  s.once(resumed), s.once(beside);
  CHECK((resumed.optimizer.lr == 0.3 && beside.optimizer.lr == 0.1));
  // The same holds for settings of a clip around an optimiser, and after a move.
  auto clipped = clip_grad_norm(adam{.lr = 0.2}, 1.0);
  auto around = step(s.loss(), clipped);
  s.once(around);
  save(s.net, around, f.name);
  clipped.lr = 0.4, clipped.max_norm = 3;
  auto moved = std::move(clipped);
  load(s.net, around, f.name);
  CHECK((moved.lr == 0.2 && moved.max_norm == 1.0));
  moved.lr = 0.4;
  s.once(around);
  CHECK(around.optimizer.lr == 0.4);
}

namespace {

/// Two layers of one size, whose parameters have the same names and dims, and an additional
/// parameter `scale`.
struct twins {
  nn::linear<4, 4> a, b;
  auto operator()(const auto& x) const { return b(tanh(a(x))); }
};
struct of_twins {
  twins net;
  parameter<> scale{"scale"};
  input<batch, 4> x{"x"};
  at::Tensor rows = at::randn({6, 4}, at::detail::createCPUGenerator(5));  // (6, 4)

  explicit of_twins(const of_twins* like = nullptr) {
    set(scale, at::ones({}));
    if (like == nullptr) return;
    const auto from = like->tensors(), to = tensors();
    for (std::size_t k = 0; k < to.size(); ++k) to[k].detach().copy_(from[k]);
  }
  auto tensors() const -> std::vector<at::Tensor> {
    auto all = parameters(net);
    all.push_back(tensor_of(scale));
    return all;
  }
  auto plain() const { return mean(square(net(x))); }
  /// The loss with `scale` as its first parameter, or as its last.
  auto scaled_first() const { return square(scale) + mean(square(net(x))); }
  auto scaled_last() const { return mean(square(net(x))) + square(scale); }
  void freeze_first(bool is_frozen) const {
    for (const at::Tensor& t : parameters(net.a)) t.requires_grad_(!is_frozen);
  }
  void once(auto& train) const { (void)train(x = rows); }
};

}  // namespace

TEST_CASE("trials B1: states find their parameters where names and dims are the same, if some were frozen before") {
  const scratch_file f;
  for (const bool is_frozen_later : {false, true}) {
    const of_twins one;
    const adam opt{.lr = 0.05};
    auto train = step(one.plain(), opt);
    one.freeze_first(true);
    one.once(train), one.once(train);
    one.freeze_first(false);
    one.once(train);  // until now, `b` was trained three times and `a` once
    save(opt, f.name);
    const of_twins two(&one);
    adam other{};
    load(other, f.name);
    auto resumed = step(two.plain(), other);
    for (const bool is_frozen : {is_frozen_later, false}) {
      one.freeze_first(is_frozen), two.freeze_first(is_frozen);
      one.once(train), two.once(resumed);
    }
    CHECK(are_same_bits(two.tensors(), one.tensors()));
    CHECK(resumed.state_bytes() == train.state_bytes());
  }
}

TEST_CASE("trials B1: a parameter beside the model goes by its name, and those of the model by theirs") {
  const scratch_file f;
  const of_twins one;
  adam opt{.lr = 0.05};
  auto train = step(one.scaled_first(), opt);
  one.once(train), one.once(train);
  const auto goes_on = [&](const of_twins& two, auto& resumed) {
    const of_twins copy(&one);
    auto same = step(copy.scaled_first(), adam{});
    load(copy.net, same, f.name);
    copy.once(same), two.once(resumed);
    CHECK(are_same_bits(two.tensors(), copy.tensors()));
    CHECK(resumed.steps() == 3);
  };
  save(one.net, train, f.name);
  const of_twins two(&one), three(&one), four(&one);
  auto transposed = step(two.scaled_last(), adam{});
  load(two.net, transposed, f.name);
  goes_on(two, transposed);
  save(one.net, opt, f.name);
  adam fresh{};
  load(three.net, fresh, f.name);
  auto later = step(three.scaled_last(), fresh);
  goes_on(three, later);
  adam known{};
  auto before = step(four.scaled_last(), known);
  const auto values = four.tensors();
  four.once(before);
  for (std::size_t k = 0; k < values.size(); ++k) four.tensors()[k].detach().copy_(one.tensors()[k]);
  load(four.net, known, f.name);
  goes_on(four, before);
}

TEST_CASE("trials B1: koila's own seed goes along") {
  const scratch_file f;
  manual_seed(5);
  const session s;
  auto train = step(s.loss(), sgd{.lr = 0.1});
  s.once(train);
  save(s.net, train, f.name);
  s.once(train), s.once(train);
  const auto want = s.weights();
  manual_seed(6);
  koila::detail::random_numbers().seeded = false;
  load(s.net, train, f.name);
  s.once(train), s.once(train);
  CHECK(are_same_bits(s.weights(), want));
  koila::detail::random_numbers().seeded = false;
}

TEST_CASE("trials B1: what has nothing to save is told at run time where the compiler cannot know") {
  const scratch_file f;
  const std::vector<nn::linear<2, 2>> none;
  CHECK_THROWS_WITH(save(none, f.name), "koila: save: there is nothing to save: the model has no parameters");
  CHECK_FALSE(std::filesystem::exists(f.name));
}
