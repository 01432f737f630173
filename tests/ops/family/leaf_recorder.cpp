// Records the leaves that a callable reads.
#include <koila/ops/family/leaf_recorder.hpp>

#include "ops/check.hpp"

namespace koila::test {

namespace {

using detail::leaf_recorder;

auto names(const leaf_recorder& n, const at::Tensor& t) -> bool {
  return std::any_of(n.leaves.begin(), n.leaves.end(),
                     [&](const detail::weak_leaf& l) { return l.lock().get() == t.unsafeGetTensorImpl(); });
}

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
  leaf_recorder::record_read(a);  // no recorder is active
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

}  // namespace koila::test
