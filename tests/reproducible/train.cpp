// SPDX-License-Identifier: MIT
// Trains a model for some steps. Prints the plan, and all bits of the losses and of the parameters.
// tests/reproducible/run runs this program.
//
//   koila_train <model> <samples> <steps>
//   koila_train flops    prints this processor's flop/s from its description, without measuring
#include <ATen/Parallel.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "models/pairs.hpp"

namespace {

using namespace koila;
using namespace koila::detail;

constexpr struct {
  std::string_view name;
  auto (*make)() -> models::pair;
} programs[] = {{"mlp", models::pairs::mlp},
                {"lenet", models::pairs::lenet},
                {"resnet", models::pairs::resnet},
                {"gpt", models::pairs::gpt},
                {"lstm", models::pairs::lstm}};

void add_bits(std::uint64_t& to, const at::Tensor& t) {
  const at::Tensor whole = t.detach().contiguous();
  const auto* const bytes = static_cast<const unsigned char*>(whole.const_data_ptr());
  for (std::size_t i = 0; i < whole.nbytes(); ++i) to = (to ^ bytes[i]) * 1099511628211ULL;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "flops")
    return std::printf("%.0f\n", machine_of(this_processor(), at::get_num_threads()).flops), 0;
  if (argc != 4) return std::fprintf(stderr, "koila_train: <model> <samples> <steps>\n"), 2;
  at::manual_seed(1);
  for (const auto& p : programs) {
    if (p.name != argv[1]) continue;
    const models::model made = p.make().koila;
    const bound_tensors given = made.bind(std::atoll(argv[2]), 1);
    auto train = step(made.loss, sgd{.lr = 0.01});
    std::uint64_t bits = 14695981039346656037ULL;
    for (int k = 0; k < std::atoi(argv[3]); ++k)
      add_bits(bits, train(binding<at::Tensor>{made.inputs[0].leaf, given[0].tensor},
                           binding<at::Tensor>{made.inputs[1].leaf, given[1].tensor}));
    for (const auto& leaf : made.parameters) add_bits(bits, tensor_of(*leaf));
    std::printf("%s, %s samples, %d threads: chunks", argv[1], argv[2], at::get_num_threads());
    for (const index_t c : train.plan().chunks) std::printf(" %lld", static_cast<long long>(c));
    std::printf(", %lld bytes, bits %016llx\n", static_cast<long long>(train.plan().peak_bytes()),
                static_cast<unsigned long long>(bits));
    return 0;
  }
  return std::fprintf(stderr, "koila_train: no model %s\n", argv[1]), 2;
}
