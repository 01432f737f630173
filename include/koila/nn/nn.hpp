// SPDX-License-Identifier: MIT
#pragma once
// Every layer.
#include <koila/nn/convolution.hpp>
#include <koila/nn/dropout.hpp>
#include <koila/nn/embedding.hpp>
#include <koila/nn/linear.hpp>
#include <koila/nn/normalization.hpp>
#include <koila/nn/rnn.hpp>
#include <koila/nn/sequential.hpp>
#include <koila/nn/transformer.hpp>
