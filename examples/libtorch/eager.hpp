// SPDX-License-Identifier: MIT
// Trains a network as a LibTorch program does. demo_libtorch.cpp compares this file with koila.hpp.
struct Net : torch::nn::Module {
  torch::nn::Linear fc1{nullptr}, fc2{nullptr}, fc3{nullptr};
  Net() {
    fc1 = register_module("fc1", torch::nn::Linear(784, 512));
    fc2 = register_module("fc2", torch::nn::Linear(512, 512));
    fc3 = register_module("fc3", torch::nn::Linear(512, 10));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::tanh(fc1->forward(x));
    x = torch::tanh(fc2->forward(x));
    return fc3->forward(x);
  }
};

inline float train(Net& net, torch::optim::Optimizer& optimizer, torch::Tensor images, torch::Tensor labels) {
  optimizer.zero_grad();
  torch::Tensor loss = torch::nn::functional::cross_entropy(net.forward(images), labels);
  loss.backward();
  optimizer.step();
  return loss.item<float>();
}
