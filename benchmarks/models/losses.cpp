// SPDX-License-Identifier: MIT
// Models that test particular losses.
#include "models/class_weights.hpp"
#include "models/detector.hpp"
#include "models/distillation.hpp"
#include "models/gan.hpp"
#include "models/gradient_penalty.hpp"
#include "models/ordinal.hpp"
#include "models/triplet.hpp"

void models::add_losses(std::vector<entry>& to) {
  to.push_back({.name = "class_weights", .make = class_weights});
  to.push_back({.name = "triplet", .make = triplet});
  to.push_back({.name = "gan", .make = gan, .sixteen_bits = true});
  to.push_back({.name = "gradient_penalty", .make = gradient_penalty});
  to.push_back({.name = "distillation", .make = distillation, .sixteen_bits = true});
  to.push_back({.name = "detector", .make = detector});
  to.push_back({.name = "ordinal", .make = ordinal});
}
