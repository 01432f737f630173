// SPDX-License-Identifier: MIT
// More models whose shapes the compiler knows.
#include "models/char_gpt.hpp"
#include "models/digits_lstm.hpp"
#include "models/encoder_layers.hpp"

void models::add_more_examples(std::vector<entry>& to) {
  to.push_back({.name = "char_gpt", .make = [](dtype t) {
                  return t == dtype::float64 ? char_gpt<dtype::float64>() : char_gpt<dtype::float32>();
                }});
  to.push_back({.name = "digits_lstm", .make = [](dtype) { return digits_lstm(); }, .single = true});
  to.push_back({.name = "encoder_layers", .make = [](dtype) { return encoder_layers(); }, .single = true});
}
