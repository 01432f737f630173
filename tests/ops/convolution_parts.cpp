// SPDX-License-Identifier: MIT
// Convolutions that are large enough to be computed in parts: tiles of positions, blocks of
// channels, several threads. Tested with and without the processor's block kernels.
#include <koila/kernels/table.hpp>
#include "check.hpp"
#include "float32_bound.hpp"
#include "instructions.hpp"

#include "measure.hpp"

#include <koila/kernels/cpu/brgemm.ipp>

#include <ATen/Parallel.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/rand.h>

#include <array>

namespace koila::test {

namespace {

struct shapes {
  std::vector<std::int64_t> x, w, stride, padding, dilation;
  std::int64_t groups = 1;
  bool transposed = false;
};
const shapes all[] = {
    {{3, 40, 21, 19}, {33, 40, 3, 3}, {1, 1}, {1, 1}, {1, 1}},  // blocks of channels, tiles of lines
    {{2, 6, 7, 900}, {5, 6, 3, 5}, {1, 1}, {1, 2}, {1, 1}},  // tiles of parts of lines
    {{2, 12, 31, 17}, {18, 4, 3, 3}, {2, 1}, {0, 2}, {1, 2}, 3},  // groups, strides, dilation
    {{2, 24, 40, 40}, {24, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 24},  // a group for each channel
    {{2, 300, 23, 23}, {40, 300, 1, 1}, {1, 1}, {0, 0}, {1, 1}},  // a 1 x 1 kernel: no unfolded columns
    {{3, 20, 4000}, {16, 20, 9}, {1}, {4}, {1}},  // one spatial dim
    {{2, 9, 9, 10, 11}, {7, 9, 3, 3, 3}, {1, 2, 1}, {1, 1, 1}, {1, 1, 1}},  // three spatial dims
    {{1, 2, 50, 50}, {3, 2, 17, 17}, {1, 1}, {8, 8}, {1, 1}},  // more kernel elements than a block has rows
    {{2, 40, 11, 13}, {40, 30, 3, 3}, {2, 2}, {1, 1}, {1, 1}, 1, true},
    {{3, 12, 14, 14}, {13, 12, 5, 5}, {1, 1}, {0, 0}, {1, 1}},  // vectors that cross the ends of lines
    {{2, 40, 90, 20}, {9, 40, 3, 3}, {1, 1}, {1, 1}, {1, 1}},  // tiles of padded lines
    {{2, 8, 16, 18}, {12, 4, 3, 3}, {1, 1}, {3, 4}, {2, 1}, 2},  // more padding than the windows cover
    {{2, 12, 10, 20}, {12, 5, 3, 4}, {1, 1}, {1, 2}, {1, 2}, 1, true},
};

/// The value, and the gradients of 0.5 * |y|^2 with respect to x, w and b.
using results = std::vector<at::Tensor>;

auto by_libtorch(const shapes& s, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) -> results {
  const std::vector<std::int64_t> none(s.stride.size(), 0);
  const at::Tensor y = at::convolution(x, w, b, s.stride, s.padding, s.dilation, s.transposed, none, s.groups);
  const auto [dx, dw, db] = at::convolution_backward(y, x, w, at::IntArrayRef(b.sizes()), s.stride, s.padding,
                                                     s.dilation, s.transposed, none, s.groups, {true, true, true});
  return {y, dx, dw, db};
}
auto by_koila(const shapes& s, const at::Tensor& x, const at::Tensor& w, const at::Tensor& b, index_t chunk)
    -> results {
  const bound features = leaf(x, 0), weight = leaf(w.clone().requires_grad_()), bias = leaf(b.clone().requires_grad_());
  const auto each = [](const std::vector<std::int64_t>& v) {
    attr_list l;
    l.n = static_cast<int>(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) l.e[i] = v[i];
    return l;
  };
  const auto call = [&](const auto& op) -> anything {
    return let(op(features.leaf, weight.leaf, bias.leaf, stride = each(s.stride), padding = each(s.padding),
                  dilation = each(s.dilation), groups = s.groups));
  };
  const anything y = s.transposed           ? call(conv_transpose2d)
                     : s.stride.size() == 1 ? call(conv1d)
                     : s.stride.size() == 2 ? call(conv2d)
                                            : call(conv3d);
  const auto loss = sum(y * y) * 0.5;
  const options o{.memory = 1_GiB, .chunk = chunk};
  const binding<at::Tensor> here{features.leaf.state, x};
  results out;
  const auto add = [&](const auto& e) {
    const memory_plan p = plan(e, o, here);
    const bench::measure m;
    out.push_back(run(e, o, here));
    CHECK((m.peak() == p.peak_bytes() || koila::detail::by_operators_only));
  };
  add(y);
  for (const bound* x_w_or_b : {&features, &weight, &bias}) add(gradient(loss, x_w_or_b->leaf));
  return out;
}
auto error_of(const at::Tensor& got, const at::Tensor& want) -> double {
  return ((got.to(at::kDouble) - want).norm() / want.norm()).item<double>();
}

}  // namespace

TEST_CASE("convolutions: the weight's gradient of very many positions") {
  // One product computes the positions of a tile. koila adds the products of the tiles itself.
  constexpr double terms_of_tile = 4096;
  for (const auto& [samples, channels, side] :
       {std::array<std::int64_t, 3>{64, 1, 224}, {16, 2, 320}, {60'000, 1, 1}}) {
    const shapes s{{}, {}, {1, 1}, {0, 0}, {1, 1}};
    const at::Tensor x = at::rand({samples, channels, side, side}), w = at::rand({2, channels, 1, 1}),
                     b = at::rand({2});
    const auto d = [](const at::Tensor& t) { return t.to(at::kDouble); };
    const at::Tensor want = by_libtorch(s, d(x), d(w), d(b))[2];
    const double whole = error_of(by_libtorch(s, x, w, b)[2], want);
    for (const index_t chunk : {samples, samples / 2, std::int64_t{7}}) {
      CAPTURE(samples, chunk);
      double eager = whole;
      // For the whole batch, LibTorch's operator is sometimes more exact than the sum of its
      // results for such chunks. In 5 % of the cases the difference exceeds this bound.
      if (koila::detail::by_operators_only) {
        at::Tensor sum = at::zeros_like(w);
        for (const at::Tensor& part : x.split(chunk)) sum += by_libtorch(s, part, w, b)[2];
        eager = std::max(whole, error_of(sum, want));
      }
      CHECK(error_of(by_koila(s, x, w, b, chunk)[2], want) <= ::test::float32_bound(terms_of_tile, eager));
    }
  }
}

TEST_CASE("convolutions in parts") {
  const int threads = at::get_num_threads();
  for (const shapes& s : all) {
    CAPTURE(s.x, s.w);
    const at::Tensor x = normal(s.x), w = normal(s.w) * 0.1, b = normal({s.transposed ? s.w[1] : s.w[0]});
    const results want = by_libtorch(s, x, w, b);
    const auto f = [](const at::Tensor& t) { return t.to(at::kFloat); };
    const at::Tensor xf = f(x), wf = f(w), bf = f(b);
    const results rounded = by_libtorch(s, xf.to(at::kDouble), wf.to(at::kDouble), bf.to(at::kDouble));
    const results eager = by_libtorch(s, xf, wf, bf);
    using detail::instructions;
    for (const auto& [without, set] : {std::pair{false, instructions::avx512},
                                       {false, instructions::avx2},
                                       {false, instructions::baseline},
                                       {true, instructions::avx512}}) {
      const ::test::while_set blocks(detail::without_brgemm, without);
      const ::test::while_set only(detail::most_instructions, set);
      for (const index_t chunk : {index_t{1}, s.x[0]}) {
        CAPTURE(without, static_cast<int>(set), chunk);
        const results exact = by_koila(s, x, w, b, chunk), single = by_koila(s, xf, wf, bf, chunk);
        for (std::size_t k = 0; k < want.size(); ++k) {
          CAPTURE(k);
          CHECK(error_of(exact[k], want[k]) <= 1e-12);
          CHECK(error_of(single[k], rounded[k]) <=
                ::test::float32_bound(static_cast<double>(x.numel()), error_of(eager[k], rounded[k])));
        }
        // BLAS and LibTorch divide the work between threads in ways that koila does not control.
        if (!detail::has_brgemm() || detail::by_operators_only) continue;
        for (const int n : {1, 3, 11}) {  // the same bits for any number of threads
          at::set_num_threads(n);
          const results again = by_koila(s, xf, wf, bf, chunk);
          for (std::size_t k = 0; k < want.size(); ++k) CHECK(at::equal(again[k], single[k]));
        }
        at::set_num_threads(threads);
      }
    }
  }
}

}  // namespace koila::test
