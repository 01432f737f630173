// SPDX-License-Identifier: MIT
// Models whose shapes the compiler knows, from examples/.
#include "models/digits_resnet.hpp"
#include "models/lenet.hpp"
#include "models/readme.hpp"

void models::add_examples(std::vector<entry>& to) {
  const auto made = [&](const char* name, model (*single)(), model (*twice)()) {
    to.push_back({.name = name, .make = [=](dtype t) { return t == dtype::float64 ? twice() : single(); }});
  };
  made("readme", readme<dtype::float32>, readme<dtype::float64>);
  made("lenet", lenet<dtype::float32>, lenet<dtype::float64>);
  made("digits_resnet", digits_resnet<dtype::float32>, digits_resnet<dtype::float64>);
}
