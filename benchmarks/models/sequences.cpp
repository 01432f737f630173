// SPDX-License-Identifier: MIT
// Models of sequences, texts and sets.
#include "models/bag_of_words.hpp"
#include "models/bidirectional_gru.hpp"
#include "models/decoder_transformer.hpp"
#include "models/deep_sets.hpp"
#include "models/encoder_transformer.hpp"
#include "models/lstm_classifier.hpp"
#include "models/mlp_mixer.hpp"
#include "models/rnn_regression.hpp"
#include "models/speech.hpp"
#include "models/temporal_convolution.hpp"
#include "models/translation.hpp"
#include "models/vision_transformer.hpp"

void models::add_sequences(std::vector<entry>& to) {
  to.push_back({.name = "lstm_classifier", .make = lstm_classifier, .sixteen_bits = true});
  to.push_back({.name = "bidirectional_gru", .make = bidirectional_gru, .sixteen_bits = true});
  to.push_back({.name = "rnn_regression", .make = rnn_regression, .sixteen_bits = true});
  to.push_back({.name = "encoder_transformer", .make = encoder_transformer, .sixteen_bits = true});
  to.push_back({.name = "decoder_transformer", .make = decoder_transformer, .sixteen_bits = true});
  to.push_back({.name = "translation", .make = translation, .sixteen_bits = true});
  to.push_back({.name = "vision_transformer", .make = vision_transformer, .sixteen_bits = true});
  to.push_back({.name = "mlp_mixer", .make = mlp_mixer, .sixteen_bits = true});
  to.push_back({.name = "temporal_convolution", .make = temporal_convolution, .sixteen_bits = true});
  to.push_back({.name = "bag_of_words", .make = bag_of_words, .sixteen_bits = true});
  to.push_back({.name = "speech", .make = speech});
  to.push_back({.name = "deep_sets", .make = deep_sets, .sixteen_bits = true});
}
