// SPDX-License-Identifier: MIT
// Every model of scripts/memory: outputs, gradients and running statistics are the same in chunks
// of any size as for the whole batch.
#include "models/check.hpp"

using namespace ::test;

TEST_CASE("chunks of any size give the whole batch's results: examples") { check_models(models::add_examples); }
TEST_CASE("chunks of any size give the whole batch's results: more examples") {
  check_models(models::add_more_examples);
}
TEST_CASE("chunks of any size give the whole batch's results: models of vectors") {
  check_models(models::add_perceptrons);
}
TEST_CASE("chunks of any size give the whole batch's results: models of images") {
  check_models(models::add_convolutional);
}
TEST_CASE("chunks of any size give the whole batch's results: models of sequences") {
  check_models(models::add_sequences);
}
TEST_CASE("chunks of any size give the whole batch's results: models of losses") { check_models(models::add_losses); }
TEST_CASE("chunks of any size give the whole batch's results: models whose samples depend on each other") {
  check_models(models::add_coupled);
}
TEST_CASE("chunks of any size give the whole batch's results: random graphs") {
  check_models(models::add_random_graphs);
}
