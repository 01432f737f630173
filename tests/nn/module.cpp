// SPDX-License-Identifier: MIT
// Models as structs: names, sharing, cloning, saving and loading.
#include "run/support.hpp"

#include <koila/nn/convolution.hpp>
#include <koila/nn/linear.hpp>
#include <koila/nn/sequential.hpp>
#include <koila/nn/serialize.hpp>

#include <torch/csrc/api/include/torch/ordered_dict.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace koila;
using namespace ::test;

namespace {

struct block {
  nn::linear<8, 8> inner{"inner"};
  nn::linear<8, 8, nn::linear_options{.bias = false}> unnamed;
  buffer<8> seen{"seen"};
  bool training = true;
  auto operator()(const auto& x) const { return unnamed(relu(inner(x))); }
};
struct model {
  parameter<8, 4> w{"w"};
  nn::repeated<block, 2> blocks{"blocks"};
  nn::linear<8, 3> head{"head"};
  auto operator()(const auto& x) const { return head(blocks[1](blocks[0](linear(x, w)))); }
};

auto names(const std::vector<named_leaf>& leaves) -> std::vector<std::string> {
  std::vector<std::string> out;
  for (const auto& l : leaves) out.push_back(l.name);
  return out;
}

/// The subset of a torch::nn module's interface that load uses.
struct theirs {
  torch::OrderedDict<std::string, at::Tensor> p, b;
  auto named_parameters() const { return p; }
  auto named_buffers() const { return b; }
};

struct file {
  std::string name = (std::filesystem::temp_directory_path() / ("koila." + std::to_string(::getpid()))).string();
  ~file() { std::remove(name.c_str()); }
};

}  // namespace

TEST_CASE("parameters and buffers are found by name, in the order of their declaration, and are shared by copies") {
  const model net;
  CHECK(names(named_parameters(net)) == std::vector<std::string>{"w", "blocks.0.inner.weight", "blocks.0.inner.bias",
                                                                 "blocks.0.1.weight", "blocks.1.inner.weight",
                                                                 "blocks.1.inner.bias", "blocks.1.1.weight",
                                                                 "head.weight", "head.bias"});
  CHECK(names(named_buffers(net)) == std::vector<std::string>{"blocks.0.seen", "blocks.1.seen"});
  CHECK(parameters(net).size() == 9);
  const model shared = net;
  CHECK(named_parameters(shared)[1].leaf == named_parameters(net)[1].leaf);

  const std::tuple twice(net.head, net.head);  // a weight that is used twice is listed once
  CHECK(names(named_parameters(twice)) == std::vector<std::string>{"head.weight", "head.bias"});
  const nn::sequential s(nn::linear<4, 8>{}, relu, nn::sequential("inside", nn::linear<8, 2>{}));
  CHECK(names(named_parameters(s)) ==
        std::vector<std::string>{"0.weight", "0.bias", "inside.0.weight", "inside.0.bias"});
  const at::Tensor x = at::randn({5, 4});
  CHECK(identical(s(x), s(x)));
  CHECK(s(x).sizes() == at::IntArrayRef({5, 2}));
}

TEST_CASE("a clone has weights of its own") {
  const model net;
  const at::Tensor x = at::randn({5, 4}), y = net(x);  // (5, 4), (5, 3)
  tensor_of(net.head.bias).set_requires_grad(false);
  const model other = clone(net);
  CHECK(identical(other(x), y));
  CHECK(!tensor_of(other.head.bias).requires_grad());  // frozen as well
  CHECK(tensor_of(other.w).requires_grad());
  tensor_of(other.w).detach().zero_();
  set(other.head.bias, at::ones({3}));
  CHECK(identical(net(x), y));
  CHECK_FALSE(identical(other(x), y));
  const std::tuple tied(net.head, net.head);
  const auto cloned = clone(tied);
  CHECK(named_parameters(cloned).size() == 2);
}

TEST_CASE("training is switched for every layer that knows it") {
  model net;
  set_training(net, false);
  CHECK((!net.blocks[0].training && !net.blocks[1].training));
  set_training(net, true);
  CHECK((net.blocks[0].training && net.blocks[1].training));
}

TEST_CASE("weights are loaded by name, all or none") {
  const nn::linear<4, 3> net;
  const at::Tensor w = at::randn({3, 4}), b = at::randn({3});
  theirs from;
  from.p.insert("weight", w);
  const at::Tensor before = tensor_of(net.weight).detach().clone();
  CHECK_THROWS_WITH(load(net, from), "koila: load: there is no bias");
  from.p.insert("bias", at::randn({4}));
  CHECK_THROWS_WITH(load(net, from), "bias: [3] x [4]: the shape is not the declared one");
  CHECK(identical(tensor_of(net.weight), before));
  from.p["bias"] = b;
  load(net, from);
  CHECK((identical(tensor_of(net.weight), w) && identical(tensor_of(net.bias), b)));
  CHECK(tensor_of(net.weight).data_ptr() != w.data_ptr());
  from.b.insert("num_batches_tracked", at::zeros({}, at::kLong));
  load(net, from);
  from.b.insert("running_mean", b);
  CHECK_THROWS_WITH(load(net, from), "koila: load: the model has no running_mean");
}

TEST_CASE("a model is saved and loaded again") {
  const model net, other;
  const file f;
  save(net, f.name);
  load(other, f.name);
  for (std::size_t k = 0; k < named_parameters(net).size(); ++k)
    CHECK(identical(named_parameters(net)[k].tensor(), named_parameters(other)[k].tensor()));
  std::ifstream in(f.name, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  // torch.load refuses files that contain this text, unless it may execute code.
  CHECK(bytes.find("torch.jit") == std::string::npos);
  const nn::linear<4, 3> another;
  CHECK_THROWS_AS(load(another, f.name), shape_error);
  CHECK_THROWS_WITH(load(net, f.name + ".not"),
                    "koila: load: cannot read " + f.name + ".not: No such file or directory");
  std::ofstream(f.name) << "no model";
  CHECK_THROWS_WITH(load(net, f.name), "koila: load: " + f.name + " is no dictionary of tensors; of a state_dict " +
                                           "torch.save(dict(net.state_dict()), file) writes one");
  CHECK_THROWS_AS(save(net, "/no/such/folder/file"), std::runtime_error);
}

TEST_CASE("loading changes the tensors that optimisers hold, and keeps their gradients") {
  const model net, other;
  const std::vector<at::Tensor> held = parameters(net);
  held[0].mutable_grad() = at::ones_like(held[0]);
  const file f;
  save(other, f.name);
  load(net, f.name);
  const std::vector<at::Tensor> now = parameters(net), want = parameters(other);
  for (std::size_t k = 0; k < now.size(); ++k) {
    CHECK(now[k].is_same(held[k]));
    CHECK(identical(now[k], want[k]));
  }
  CHECK(now[0].grad().defined());
}

TEST_CASE("a bias begins as LibTorch's does, also before its layer has run") {
  const nn::linear<64, 32> l;
  const nn::conv2d<4, 8, 3> c;
  for (const auto& [bias, bound] : {std::pair{tensor_of(l.bias), 1 / 8.0}, {tensor_of(c.bias), 1 / 6.0}}) {
    CHECK(bias.abs().max().item<double>() <= bound);
    CHECK(bias.abs().max().item<double>() > bound / 4);
  }
}
