// SPDX-License-Identifier: MIT
// Records the leaves that a callable reads.
#include <koila/torch/leaf_recorder.hpp>

#include "pch.hpp"

namespace koila::test {

namespace {

using detail::leaf_recorder;

auto normal(at::IntArrayRef sizes) -> at::Tensor { return at::randn(sizes, at::kDouble); }
auto has(const std::vector<detail::weak_leaf>& leaves, const at::Tensor& t) -> bool {
  return std::any_of(leaves.begin(), leaves.end(),
                     [&](const detail::weak_leaf& l) { return l.lock().get() == t.unsafeGetTensorImpl(); });
}
auto names(const leaf_recorder& n, const at::Tensor& t) -> bool { return has(n.leaves, t) || has(n.of_runs, t); }

}  // namespace

TEST_CASE("the leaves in the autograd graph of a value are recorded") {
  const at::Tensor a = normal({3}).requires_grad_(), b = normal({3}).requires_grad_(), c = normal({3});
  leaf_recorder recorder;
  recorder.add(at::Tensor());
  recorder.add(c);
  recorder.add(a.detach() + c);
  CHECK(recorder.leaves.empty());
  recorder.add(a * c + a);
  CHECK(names(recorder, a));
  CHECK(!names(recorder, b));
  recorder.add(b);
  CHECK(names(recorder, b));
  CHECK(!names(recorder, c));
}

TEST_CASE("leaves that koila reads are recorded by the innermost recorder, in grad mode") {
  const at::Tensor a = normal({3}).requires_grad_(), b = normal({3}).requires_grad_();
  leaf_recorder::record_read(a);  // has no effect: no recorder is active
  leaf_recorder outer;
  {
    leaf_recorder inner;
    leaf_recorder::record_read(a);
    CHECK(names(inner, a));
  }
  CHECK(outer.leaves.empty());
  {
    const at::NoGradGuard none;
    leaf_recorder::record_read(b);
  }
  CHECK(outer.leaves.empty());
  leaf_recorder::record_read(b);
  CHECK(names(outer, b));
}

TEST_CASE("ops on plain tensors and run record the parameters that they read") {
  const parameter<float64, 3> w{"w"}, frozen{"frozen"};
  tensor_of(frozen).set_requires_grad(false);
  const at::Tensor t = normal({2, 3});
  for (const bool by_run : {false, true}) {
    leaf_recorder recorder;
    (void)(by_run ? run(lazy(t) * w * frozen) : mul(mul(t, w), frozen));
    CHECK(names(recorder, tensor_of(w)));
    CHECK(!names(recorder, tensor_of(frozen)));
  }
}

TEST_CASE("run records what its value would pass a gradient to") {
  const at::Tensor held = normal({2, 3}).requires_grad_(), bound = normal({2, 3}).requires_grad_();
  const at::Tensor detached = normal({2, 3}).requires_grad_(), compared = normal({2, 3}).requires_grad_();
  const input<float64, batch, 3> x{"x"};
  leaf_recorder recorder;
  (void)run(lazy(held * 2) * x + detach(lazy(detached)) * gt(lazy(compared), 0), x = bound);
  for (const at::Tensor& t : {held, bound}) {
    CHECK(has(recorder.of_runs, t));
    CHECK(!has(recorder.leaves, t));
  }
  for (const at::Tensor& t : {detached, compared}) CHECK(!names(recorder, t));
}

}  // namespace koila::test
