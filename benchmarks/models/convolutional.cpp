// SPDX-License-Identifier: MIT
// Models of images.
#include "models/alexnet.hpp"
#include "models/conv_autoencoder.hpp"
#include "models/densenet.hpp"
#include "models/mobilenet.hpp"
#include "models/resnet.hpp"
#include "models/squeeze_excite.hpp"
#include "models/style.hpp"
#include "models/super_resolution.hpp"
#include "models/unet.hpp"
#include "models/vgg.hpp"
#include "models/video.hpp"

void models::add_convolutional(std::vector<entry>& to) {
  to.push_back({.name = "alexnet", .make = alexnet, .sixteen_bits = true});
  to.push_back({.name = "vgg", .make = vgg, .sixteen_bits = true});
  to.push_back({.name = "resnet", .make = resnet});
  to.push_back({.name = "mobilenet", .make = mobilenet});
  to.push_back({.name = "unet", .make = unet, .sixteen_bits = true});
  to.push_back({.name = "densenet", .make = densenet});
  to.push_back({.name = "conv_autoencoder", .make = conv_autoencoder, .sixteen_bits = true});
  to.push_back({.name = "squeeze_excite", .make = squeeze_excite, .sixteen_bits = true});
  to.push_back({.name = "video", .make = video, .sixteen_bits = true});
  to.push_back({.name = "super_resolution", .make = super_resolution, .sixteen_bits = true});
  to.push_back({.name = "style", .make = style, .sixteen_bits = true});
}
