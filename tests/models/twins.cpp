// SPDX-License-Identifier: MIT
// koila's models against the same models in LibTorch. In chunks of any size, koila's results are as
// exact as LibTorch's for the whole batch.
#include "models/check.hpp"
#include "models/taker.hpp"

using namespace ::test;

namespace {

auto entry_named(void (*list)(std::vector<models::entry>&), const std::string& name) -> models::entry {
  std::vector<models::entry> all;
  list(all);
  for (const models::entry& e : all)
    if (e.name == name) return e;
  throw std::logic_error("no model " + name);
}

using models::taker;

/// Makes a twin whose output is class scores.
auto classifier_twin(std::function<at::Tensor(taker&, const at::Tensor&)> f) -> twin_function {
  return [=](const std::vector<at::Tensor>& parameters, const std::vector<at::Tensor>& inputs) {
    taker take(parameters);
    const at::Tensor y = f(take, inputs[0]);
    REQUIRE(take.done());
    return std::pair(y, at::cross_entropy_loss(y.reshape({-1, y.size(-1)}), inputs[1].flatten()));
  };
}

}  // namespace

TEST_CASE("as exact as LibTorch: a perceptron") {
  check_twin(entry_named(models::add_perceptrons, "mlp"), classifier_twin([](taker& take, const at::Tensor& x) {
               at::Tensor h = x;
               for (int i = 0; i < 5; ++i) h = at::gelu(take.linear(h));
               return take.linear(h);
             }));
}

TEST_CASE("as exact as LibTorch: a convolutional network") {
  check_twin(entry_named(models::add_convolutional, "vgg"), classifier_twin([](taker& take, const at::Tensor& x) {
               at::Tensor h = x;
               for (int i = 0; i < 3; ++i) {
                 for (int k = 0; k < 2; ++k) {
                   const at::Tensor &w = take(), &b = take();
                   h = at::conv2d(h, w, b, 1, 1).relu();
                 }
                 h = at::max_pool2d(h, 2);
               }
               h = take.linear(h.flatten(1)).relu();
               return take.linear(h);
             }));
}

TEST_CASE("as exact as LibTorch: a transformer") {
  check_twin(entry_named(models::add_sequences, "decoder_transformer"),
             classifier_twin([](taker& take, const at::Tensor& text) {
               at::Tensor h = at::embedding(take(), text);
               h = h + take();
               for (int i = 0; i < 2; ++i) h = take.transformer_layer(h, 2, true);
               h = take.layer_norm(h);
               return at::linear(h, take());
             }));
}

TEST_CASE("as exact as LibTorch: an LSTM") {
  check_twin(entry_named(models::add_sequences, "lstm_classifier"),
             classifier_twin([](taker& take, const at::Tensor& x) {
               const at::Tensor h = take.lstm(x.transpose(0, 1));
               return take.linear(take.lstm(h).select(0, -1));
             }));
}
