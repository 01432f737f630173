// SPDX-License-Identifier: MIT
// Which parameters koila finds in a model, for all ways to compose a model, and which error it
// reports if it cannot find them.
#include "run/support.hpp"

#include <koila/nn/linear.hpp>
#include <koila/nn/normalization.hpp>
#include <koila/nn/sequential.hpp>
#include <koila/nn/serialize.hpp>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <queue>
#include <stack>

#include <unistd.h>

using namespace koila;
using namespace ::test;

namespace {

using layer = nn::linear<2, 2, nn::linear_options{.bias = false}>;

auto names(const auto& net) -> std::vector<std::string> {
  std::vector<std::string> out;
  for (const auto& l : named_parameters(net)) out.push_back(l.name);
  return out;
}
using strings = std::vector<std::string>;

struct tag {};
struct of_parts : tag {
  layer array[2];
  std::optional<layer> maybe{layer("maybe")}, none;
  std::shared_ptr<layer> shared = std::make_shared<layer>("shared");
  std::unique_ptr<layer> sole = std::make_unique<layer>();
  std::map<std::string, layer> by_key{{"a", layer{}}, {"b", layer{}}};
  std::pair<layer, layer> two{layer("first"), layer("second")};
  std::variant<int, layer> either{layer("either")};
  parameter<3> unnamed, also_unnamed;
};
struct of_others {
  std::string text = "text";
  std::vector<double> numbers{1, 2};
  std::function<int(int)> call{};
  std::filesystem::path path{"a/b"};
  at::Tensor tensor{};
  double table[2][3]{};
  int (*pointer)(int) = nullptr;
  nn::sequential<layer> needs_a_layer;  // has no default constructor
  std::vector<std::tuple<layer>> layers{std::tuple(layer{}), std::tuple(layer{})};
};
class hidden {
  layer inner{"inner"};

 public:
  explicit hidden(int) {}
  auto members() const { return std::tie(inner); }
  auto members() { return std::tie(inner); }
};
struct holds_hidden {
  hidden h{1};
  double scale = 2;
};

/// A class of a foreign library, with a constructor and without parameters.
class logger {
 public:
  explicit logger(std::string n) : name_(std::move(n)) {}

 private:
  std::string name_;
};
struct logged {
  logger log{"a"};
  layer l{"l"};
};

}  // namespace

template <>
inline constexpr bool koila::holds_no_parameters<logger> = true;

TEST_CASE(
    "a model's parts are found in arrays, optionals, smart pointers, maps, pairs, variants and behind members()") {
  CHECK(names(of_parts{}) == strings{"0.0.weight", "0.1.weight", "maybe.weight", "shared.weight", "4.weight",
                                     "5.a.weight", "5.b.weight", "6.first.weight", "6.second.weight", "either.weight",
                                     "8", "9"});
  const of_others others{.needs_a_layer = nn::sequential(layer{})};
  CHECK(names(others) == strings{"7.0.weight", "8.0.0.weight", "8.1.0.weight"});
  CHECK(names(holds_hidden{}) == strings{"0.inner.weight"});
  CHECK(names(logged{}) == strings{"l.weight"});
  CHECK(names(nn::sequential(layer{}, [](const auto& x) { return x; })) == strings{"0.weight"});
  CHECK(names(nn::sequential(layer{}, [s = 2.0](const auto& x) { return x * s; })) == strings{"0.weight"});
}

namespace {

struct referring;
/// A part of a model with a reference to the model.
struct referred {
  parameter<2> w{"w"};
  std::reference_wrapper<referring> around;
};
struct referring {
  parameter<3> own{"own"};
  referred part{.around = *this};
};

}  // namespace

TEST_CASE("trials B1: a reference_wrapper is followed as what it refers to") {
  nn::batch_norm<2> shared{"shared"};
  layer first{"first"};
  double factor = 2;
  struct model {
    std::reference_wrapper<nn::batch_norm<2>> norm;
    std::vector<std::reference_wrapper<const layer>> layers;
    std::reference_wrapper<double> scale;
    std::reference_wrapper<layer> again;
  } net{shared, {first}, factor, first};
  CHECK(names(net) == strings{"shared.weight", "shared.bias", "1.first.weight"});
  CHECK(named_buffers(net).size() == named_buffers(shared).size());
  CHECK(named_parameters(net)[2].tensor().is_same(tensor_of(first.weight)));
  set_training(net, false);
  CHECK_FALSE(shared.training);
  const std::string file =
      (std::filesystem::temp_directory_path() / ("koila.referred." + std::to_string(::getpid()))).string();
  save(net, file);
  const at::Tensor before = tensor_of(first.weight).detach().clone();
  set(first.weight, at::zeros({2, 2}));
  load(net, file);
  CHECK(identical(tensor_of(first.weight), before));
  std::remove(file.c_str());
  CHECK(names(referring{}) == strings{"own", "1.w"});
}

TEST_CASE("trials B1: functions, pointers that own nothing and classes without models are no parts of a model") {
  const auto shared = std::make_shared<layer>("shared");
  struct model {
    layer l{"l"};
    std::function<at::Tensor(const at::Tensor&)> activation = [](const at::Tensor& t) { return t.relu(); };
    std::weak_ptr<layer> elsewhere;
    layer* pointer = nullptr;
    std::stack<int> numbers{};
    std::queue<std::string> lines{};
  };
  const model net{.elsewhere = shared, .pointer = shared.get()};
  CHECK(names(net) == strings{"l.weight"});
  CHECK(names(clone(net)) == strings{"l.weight"});
}

TEST_CASE("a model may hold flags and numbers in vectors") {
  struct net {
    parameter<3> w{"w"};
    std::vector<bool> flags{true, false};
    std::vector<int> numbers{1, 2};
  };
  const net n;
  CHECK(named_parameters(n).size() == 1);
}

TEST_CASE("two parameters of one name are refused before anything is written or loaded") {
  struct {
    nn::linear<2, 2> a{"fc"}, b{"fc"};
  } twice;
  CHECK_THROWS_WITH(named_parameters(twice),
                    "koila: two parameters are named \"fc.bias\": give them, or their layers, different names");
  CHECK_THROWS_AS(named_buffers(twice), std::invalid_argument);
  CHECK_THROWS_AS(parameters(twice), std::invalid_argument);
  const std::string file =
      (std::filesystem::temp_directory_path() / ("koila.twice." + std::to_string(::getpid()))).string();
  CHECK_THROWS_AS(save(twice, file), std::invalid_argument);
  CHECK_FALSE(std::filesystem::exists(file));
  struct {
    layer a{"fc"};
  } once;
  save(once, file);
  const at::Tensor before = tensor_of(twice.b.weight).clone();
  CHECK_THROWS_AS(load(twice, file), std::invalid_argument);
  CHECK(identical(tensor_of(twice.b.weight), before));
  std::remove(file.c_str());

  const std::tuple one(buffer<2>("x"), buffer<2>("x"));
  CHECK_THROWS_WITH(named_buffers(one),
                    "koila: two buffers are named \"x\": give them, or their layers, different names");
  const std::tuple both(parameter<2>("x"), buffer<2>("x"));
  CHECK_THROWS_WITH(named_parameters(both),
                    "koila: a parameter and a buffer are named \"x\": give them, or their layers, different names");
}

TEST_CASE("layers and parameters without names are numbered, and one that is used twice has one name") {
  struct {
    layer a, b;
    parameter<2> c, d{"d"};
  } unnamed;
  CHECK(names(unnamed) == strings{"0.weight", "1.weight", "2", "d"});
  CHECK(names(std::tuple(unnamed.a, unnamed.a)) == strings{"0.weight"});
  CHECK(names(std::tuple(buffer<2>{}, buffer<2>{})).empty());
  CHECK(named_buffers(std::tuple(buffer<2>{}, buffer<2>{})).size() == 2);
}

TEST_CASE("a clone shares nothing with the model that a shared_ptr held, and what was shared stays shared") {
  struct model {
    std::shared_ptr<nn::sequential<layer>> a = std::make_shared<nn::sequential<layer>>(layer{}), b = a;
    std::shared_ptr<layer> none;
    std::shared_ptr<const std::string> text = std::make_shared<const std::string>("text");
    std::optional<layer> maybe{layer{}};
    layer array[2];
  };
  const model net;
  const model other = clone(net);
  CHECK(other.a != net.a);
  CHECK(other.a == other.b);
  CHECK(other.text == net.text);
  CHECK((!other.none && names(other) == names(net)));
  for (std::size_t k = 0; k < named_parameters(net).size(); ++k) {
    CHECK(identical(named_parameters(net)[k].tensor(), named_parameters(other)[k].tensor()));
    CHECK(named_parameters(net)[k].tensor().data_ptr() != named_parameters(other)[k].tensor().data_ptr());
  }
}

TEST_CASE("training is switched in what pointers, optionals and arrays hold") {
  struct {
    std::shared_ptr<nn::batch_norm<2>> a = std::make_shared<nn::batch_norm<2>>();
    std::optional<nn::batch_norm<2>> b{nn::batch_norm<2>{}};
    nn::batch_norm<2> c[2];
  } net;
  set_training(net, false);
  CHECK_FALSE((net.a->training || net.b->training || net.c[0].training || net.c[1].training));
}
