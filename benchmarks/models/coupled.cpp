// SPDX-License-Identifier: MIT
// Models whose samples depend on each other.
#include "models/barlow.hpp"
#include "models/batch_statistics.hpp"
#include "models/clip.hpp"
#include "models/clusters.hpp"
#include "models/memory_bank.hpp"
#include "models/pairwise.hpp"
#include "models/ranking.hpp"
#include "models/siamese.hpp"
#include "models/simclr.hpp"
#include "models/softmax_over_batch.hpp"
#include "models/vicreg.hpp"

void models::add_coupled(std::vector<entry>& to) {
  to.push_back({.name = "siamese", .make = siamese});
  to.push_back({.name = "simclr", .make = simclr});
  to.push_back({.name = "clip", .make = clip});
  to.push_back({.name = "softmax_over_batch", .make = softmax_over_batch});
  to.push_back({.name = "barlow", .make = barlow});
  to.push_back({.name = "vicreg", .make = vicreg});
  to.push_back({.name = "batch_statistics", .make = batch_statistics});
  to.push_back({.name = "pairwise", .make = pairwise});
  to.push_back({.name = "ranking", .make = ranking});
  to.push_back({.name = "memory_bank", .make = memory_bank});
  to.push_back({.name = "clusters", .make = clusters});
}
