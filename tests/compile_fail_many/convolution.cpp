// Convolutions, pools and what is made of windows.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;

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
#ifdef MISTAKE
  adaptive_avg_pool1d(image, 2_c);  // says: adaptive_avg_pool1d:
  adaptive_avg_pool1d(line, list(2_c, 2_c));  // says: adaptive_avg_pool1d:
  adaptive_avg_pool2d(line, list(2_c, 2_c, 2_c));  // says: adaptive_avg_pool2d:
  adaptive_avg_pool2d(n2, 2_c);  // says: adaptive_avg_pool2d:
  adaptive_avg_pool3d(line, 2_c);  // says: adaptive_avg_pool3d:
  adaptive_max_pool1d(n1, 2_c);  // says: adaptive_max_pool1d:
  adaptive_max_pool2d(image, -1_c);  // says: adaptive_max_pool2d:
  adaptive_max_pool3d(line, 2_c);  // says: adaptive_max_pool3d:
  avg_pool(line);  // says: avg_pool:
  avg_pool1d(line, kernel_size = 9_c);  // says: avg_pool1d:
  avg_pool1d(n1, kernel_size = 2_c);  // says: avg_pool1d:
  avg_pool2d(image, kernel_size = 9_c);  // says: avg_pool2d:
  avg_pool2d(image, kernel_size = 2_c, padding = 2_c);  // says: avg_pool2d:
  avg_pool3d(line, kernel_size = 2_c);  // says: avg_pool3d:
  avg_pool_backward(line, line);  // says: avg_pool_backward:
  conv1d(line, c1);  // says: conv1d:
  conv1d(image, w1);  // says: conv1d:
  conv2d(image, c2);  // says: conv2d:
  conv2d(image, large);  // says: conv2d:
  conv2d(image, wide);  // says: conv2d:
  conv2d(n2, w2);  // says: conv2d:
  conv2d(image, w2, five);  // says: conv2d:
  conv2d(image, w2, groups = 4_c);  // says: conv2d:
  conv2d(image, w2, stride = 0_c);  // says: conv2d:
  conv2d(image, w2, stride = 2_c, padding = kSame);  // says: conv2d:
  conv2d(image, w2, stride = list(1_c, 1_c, 1_c));  // says: conv2d:
  conv3d(body, c3);  // says: conv3d:
  conv3d(image, w3);  // says: conv3d:
  conv_input(image, w3, image);  // says: conv_input:
  conv_like(image, w3, image);  // says: conv_like:
  conv_weight(image, image, w3);  // says: conv_weight:
  conv_transpose1d(line, w1);  // says: conv_transpose1d:
  conv_transpose2d(image, w2);  // says: conv_transpose2d:
  conv_transpose2d(image, transpose(w2, 0_c, 1_c), stride = 2_c, output_padding = 2_c);  // says: conv_transpose2d:
  conv_transpose3d(body, w3);  // says: conv_transpose3d:
  conv_transpose3d(image, w3);  // says: conv_transpose3d:
  fold(line, output_size = 8_c, kernel_size = 3_c);  // says: fold:
  fold(body, output_size = 8_c, kernel_size = 3_c);  // says: fold:
  fold(line, output_size = 8_c, kernel_size = 2_c);  // says: fold:
  interpolate(line, size = 4_c, scale_factor = 2_c);  // says: interpolate:
  interpolate(line);  // says: interpolate:
  interpolate(line, size = 4_c, mode = kBilinear);  // says: interpolate:
  interpolate(n2, size = 4_c);  // says: interpolate:
  interpolate(image, size = 4_c, mode = kSum);  // says: interpolate:
  max_pool1d(line, kernel_size = 9_c);  // says: max_pool1d:
  max_pool1d(body, kernel_size = 2_c);  // says: max_pool1d:
  max_pool2d(image, kernel_size = 9_c);  // says: max_pool2d:
  max_pool2d(n2, kernel_size = 2_c);  // says: max_pool2d:
  max_pool2d(image, kernel_size = 3_c, padding = 2_c);  // says: max_pool2d:
  max_pool3d(line, kernel_size = 2_c);  // says: max_pool3d:
  max_pool_at(line, image);  // says: max_pool_at:
  max_pool_backward(line, image);  // says: max_pool_backward:
  unfold(line, kernel_size = 9_c);  // says: unfold:
  unfold(body, kernel_size = 2_c);  // says: unfold:
  unfold(n2, kernel_size = 2_c);  // says: unfold:
  upsample(line);  // says: upsample:
  upsample_backward(line, line);  // says: upsample_backward:
#endif
}
