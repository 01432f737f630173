// SPDX-License-Identifier: MIT
// Convolutions, pools and other ops on windows.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;
using namespace koila::internal;

int main() {
  input<batch, 4, 8> line{"line"};
  input<batch, 4, 8, 8> image{"image"};
  input<batch, 4, 8, 8, 8> body{"body"};
  input<int64, batch, 4, 8> n1{"n1"};
  input<int64, batch, 4, 8, 8> n2{"n2"};
  input<int64, batch, 4, 8, 8, 8> n3{"n3"};
  input<6, 4, 3> w1{"w1"};
  input<6, 4, 3, 3> w2{"w2"};
  input<6, 4, 3, 3, 3> w3{"w3"};
  input<6, 5, 3> c1{"c1"};
  input<6, 5, 3, 3> c2{"c2"};
  input<6, 5, 3, 3, 3> c3{"c3"};
  input<6, 4, 9, 9> large{"large"};
  input<float64, 6, 4, 3, 3> wide{"wide"};
  input<5> five{"five"};
  input<batch, 2, 3> theta{"theta"};
  input<batch, 8, 8, 2> grid{"grid"};
#ifdef MISTAKE
  affine_grid(theta);  // says: affine_grid: [batch, 2, 3]: not each dim is given once
  affine_grid(theta, list_of(batch, 3_c, 8_c, 0_c));  // says: affine_grid: [batch, 2, 3], size [batch, 3, 8, 0]: a size is out of range
  affine_grid(line, list_of(batch, 3_c, 8_c, 8_c));  // says: affine_grid: [batch, 4, 8], size [batch, 3, 8, 8]: shapes differ
  adaptive_avg_pool1d(image, 2_c);  // says: adaptive_avg_pool1d: [batch, 4, 8, 8], output_size 2: no rule for these ranks
  adaptive_avg_pool1d(line, list_of(2_c, 2_c));  // says: adaptive_avg_pool1d: [batch, 4, 8], output_size (2, 2): not each dim is given once
  adaptive_avg_pool2d(line, list_of(2_c, 2_c, 2_c));  // says: adaptive_avg_pool2d: [batch, 4, 8], output_size (2, 2, 2): not each dim is given once
  adaptive_avg_pool2d(n2, 2_c);  // says: adaptive_avg_pool2d: int64[batch, 4, 8, 8], output_size 2: not a floating-point dtype
  adaptive_avg_pool3d(line, 2_c);  // says: adaptive_avg_pool3d: [batch, 4, 8], output_size 2: no rule for these ranks
  adaptive_max_pool1d(n1, 2_c);  // says: adaptive_max_pool1d: int64[batch, 4, 8], output_size 2: not a floating-point dtype
  adaptive_max_pool2d(image, -1_c);  // says: adaptive_max_pool2d: [batch, 4, 8, 8], output_size -1: a size is out of range
  adaptive_max_pool3d(line, 2_c);  // says: adaptive_max_pool3d: [batch, 4, 8], output_size 2: no rule for these ranks
  avg_pool(line);  // says: avg_pool: [batch, 4, 8]: no rule for these ranks
  avg_pool1d(line, kernel_size = 9_c);  // says: avg_pool1d: [batch, 4, 8], kernel_size 9: the kernel is larger than the input
  avg_pool1d(n1, kernel_size = 2_c);  // says: avg_pool1d: int64[batch, 4, 8], kernel_size 2: not a floating-point dtype
  avg_pool2d(image, kernel_size = 9_c);  // says: avg_pool2d: [batch, 4, 8, 8], kernel_size 9: the kernel is larger than the input
  avg_pool2d(image, kernel_size = 2_c, padding = 2_c);  // says: avg_pool2d: [batch, 4, 8, 8], kernel_size 2, padding 2: a size is out of range
  avg_pool3d(line, kernel_size = 2_c);  // says: avg_pool3d: [batch, 4, 8], kernel_size 2: no rule for these ranks
  avg_pool_backward(line, line);  // says: avg_pool_backward: [batch, 4, 8] x [batch, 4, 8]: no rule for these ranks
  conv1d(line, c1);  // says: conv1d: [batch, 4, 8] x [6, 5, 3]: the channels differ
  conv1d(image, w1);  // says: conv1d: [batch, 4, 8, 8] x [6, 4, 3]: no rule for these ranks
  conv2d(image, c2);  // says: conv2d: [batch, 4, 8, 8] x [6, 5, 3, 3]: the channels differ
  conv2d(image, large);  // says: conv2d: [batch, 4, 8, 8] x [6, 4, 9, 9]: the kernel is larger than the input
  conv2d(image, wide);  // says: conv2d: [batch, 4, 8, 8] x float64[6, 4, 3, 3]: dtypes differ
  conv2d(n2, w2);  // says: conv2d: int64[batch, 4, 8, 8] x [6, 4, 3, 3]: dtypes differ
  conv2d(image, w2, five);  // says: conv2d: [batch, 4, 8, 8] x [6, 4, 3, 3] x [5]: the bias is not (out_features)
  conv2d(image, w2, groups = 4_c);  // says: conv2d: [batch, 4, 8, 8] x [6, 4, 3, 3], groups 4: the channels are not divisible by the groups
  conv2d(image, w2, stride = 0_c);  // says: conv2d: [batch, 4, 8, 8] x [6, 4, 3, 3], stride 0: a size is out of range
  conv2d(image, w2, stride = 2_c, padding = kSame);  // says: conv2d: [batch, 4, 8, 8] x [6, 4, 3, 3], stride 2, padding same: the choice is none of the op's
  conv2d(image, w2, stride = list_of(1_c, 1_c, 1_c));  // says: conv2d: [batch, 4, 8, 8] x [6, 4, 3, 3], stride (1, 1, 1): not each dim is given once
  conv3d(body, c3);  // says: conv3d: [batch, 4, 8, 8, 8] x [6, 5, 3, 3, 3]: the channels differ
  conv3d(image, w3);  // says: conv3d: [batch, 4, 8, 8] x [6, 4, 3, 3, 3]: the channels differ
  conv_input(image, w3, image);  // says: conv_input: [batch, 4, 8, 8] x [6, 4, 3, 3, 3] x [batch, 4, 8, 8]: the channels differ
  conv_like(image, w3, image);  // says: conv_like: [batch, 4, 8, 8] x [6, 4, 3, 3, 3] x [batch, 4, 8, 8]: the channels differ
  conv_weight(image, image, w3);  // says: conv_weight: [batch, 4, 8, 8] x [batch, 4, 8, 8] x [6, 4, 3, 3, 3]: the channels differ
  conv_transpose1d(line, w1);  // says: conv_transpose1d: [batch, 4, 8] x [6, 4, 3]: the channels differ
  conv_transpose2d(image, w2);  // says: conv_transpose2d: [batch, 4, 8, 8] x [6, 4, 3, 3]: the channels differ
  conv_transpose2d(image, transpose(w2, 0_c, 1_c), stride = 2_c, output_padding = 2_c);  // says: conv_transpose2d: [batch, 4, 8, 8] x [4, 6, 3, 3], stride 2, output_padding 2: a size is out of range
  conv_transpose3d(body, w3);  // says: conv_transpose3d: [batch, 4, 8, 8, 8] x [6, 4, 3, 3, 3]: the channels differ
  conv_transpose3d(image, w3);  // says: conv_transpose3d: [batch, 4, 8, 8] x [6, 4, 3, 3, 3]: the channels differ
  fold(line, output_size = 8_c, kernel_size = 3_c);  // says: fold: [batch, 4, 8], output_size 8, kernel_size 3: the dim is not divisible by it
  fold(body, output_size = 8_c, kernel_size = 3_c);  // says: fold: [batch, 4, 8, 8, 8], output_size 8, kernel_size 3: no rule for these ranks
  fold(line, output_size = 8_c, kernel_size = 2_c);  // says: fold: [batch, 4, 8], output_size 8, kernel_size 2: the numbers of elements differ
  grid_line(n1);  // says: grid_line: int64[batch, 4, 8], steps 1: not a floating-point dtype
  grid_sample(image, image);  // says: grid_sample: [batch, 4, 8, 8] x [batch, 4, 8, 8]: shapes differ
  grid_sample(line, grid);  // says: grid_sample: [batch, 4, 8] x [batch, 8, 8, 2]: no rule for these ranks
  grid_sample(image, grid, padding_mode = kReflect);  // says: grid_sample: [batch, 4, 8, 8] x [batch, 8, 8, 2]: the choice is none of the op's
  grid_sampler(n2, grid);  // says: grid_sampler: int64[batch, 4, 8, 8] x [batch, 8, 8, 2]: not a floating-point dtype
  grid_sampler_grid_backward(line, image, grid);  // says: grid_sampler_grid_backward: [batch, 4, 8] x [batch, 4, 8, 8] x [batch, 8, 8, 2]: shapes differ
  grid_sampler_input_backward(line, image, grid);  // says: grid_sampler_input_backward: [batch, 4, 8] x [batch, 4, 8, 8] x [batch, 8, 8, 2]: shapes differ
  interpolate(line, size = 4_c, scale_factor = 2_c);  // says: interpolate: [batch, 4, 8], size 4: a dim is given twice
  interpolate(line);  // says: interpolate: [batch, 4, 8]: not each dim is given once
  interpolate(line, size = 4_c, mode = kBilinear);  // says: interpolate: [batch, 4, 8], size 4: no rule for these ranks
  interpolate(n2, size = 4_c);  // says: interpolate: int64[batch, 4, 8, 8], size 4: not a floating-point dtype
  interpolate(image, size = 4_c, mode = kSum);  // says: interpolate: [batch, 4, 8, 8], size 4: the choice is none of the op's
  lp_pool1d(line, kernel_size = 2_c);  // says: lp_pool1d: [batch, 4, 8], kernel_size 2: no number is given
  lp_pool1d(line, 2, 9_c);  // says: lp_pool1d: [batch, 4, 8], kernel_size 9: the kernel is larger than the input
  lp_pool2d(image, 2, kernel_size = 9_c);  // says: lp_pool2d: [batch, 4, 8, 8], kernel_size 9: the kernel is larger than the input
  lp_pool2d(body, 2, kernel_size = 2_c);  // says: lp_pool2d: [batch, 4, 8, 8, 8], kernel_size 2: no rule for these ranks
  max_pool1d(line, kernel_size = 9_c);  // says: max_pool1d: [batch, 4, 8], kernel_size 9: the kernel is larger than the input
  max_pool1d(body, kernel_size = 2_c);  // says: max_pool1d: [batch, 4, 8, 8, 8], kernel_size 2: no rule for these ranks
  max_pool2d(image, kernel_size = 9_c);  // says: max_pool2d: [batch, 4, 8, 8], kernel_size 9: the kernel is larger than the input
  max_pool2d(n2, kernel_size = 2_c);  // says: max_pool2d: int64[batch, 4, 8, 8], kernel_size 2: not a floating-point dtype
  max_pool2d(image, kernel_size = 3_c, padding = 2_c);  // says: max_pool2d: [batch, 4, 8, 8], kernel_size 3, padding 2: a size is out of range
  max_pool3d(line, kernel_size = 2_c);  // says: max_pool3d: [batch, 4, 8], kernel_size 2: no rule for these ranks
  max_pool_at(line, image);  // says: max_pool_at: [batch, 4, 8] x [batch, 4, 8, 8]: shapes differ
  max_pool_backward(line, image);  // says: max_pool_backward: [batch, 4, 8] x [batch, 4, 8, 8]: no rule for these ranks
  unfold(line, kernel_size = 9_c);  // says: unfold: [batch, 4, 8], kernel_size 9: the kernel is larger than the input
  unfold(body, kernel_size = 2_c);  // says: unfold: [batch, 4, 8, 8, 8], kernel_size 2: no rule for these ranks
  unfold(n2, kernel_size = 2_c);  // says: unfold: int64[batch, 4, 8, 8], kernel_size 2: not a floating-point dtype
  upsample(line);  // says: upsample: [batch, 4, 8]: not each dim is given once
  upsample_backward(line, line);  // says: upsample_backward: [batch, 4, 8] x [batch, 4, 8]: not each dim is given once
#endif
}
