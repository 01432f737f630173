// The leaves of which a callable computes.
#include <koila/ops/family/leaves_used.hpp>

#include "ops/check.hpp"

namespace koila::test {

namespace {

using detail::noting_leaves;

auto names(const noting_leaves& n, const at::Tensor& t) -> bool {
  return std::any_of(n.leaves.begin(), n.leaves.end(),
                     [&](const detail::weak_leaf& l) { return l.lock().get() == t.unsafeGetTensorImpl(); });
}

}  // namespace

TEST_CASE("leaves of which LibTorch has recorded that a value is computed are noted") {
  const at::Tensor a = normal({3}).requires_grad_(), b = normal({3}).requires_grad_(), c = normal({3});
  noting_leaves noted;
  noted.add(at::Tensor());
  noted.add(c);
  noted.add(a.detach() + c);
  CHECK(noted.leaves.empty());
  noted.add(a * c + a);
  CHECK(names(noted, a));
  CHECK(!names(noted, b));
  noted.add(b);
  CHECK(names(noted, b));
  CHECK(!names(noted, c));
}

TEST_CASE("leaves of which koila computes are noted while a callable's are, by the innermost, where LibTorch records") {
  const at::Tensor a = normal({3}).requires_grad_(), b = normal({3}).requires_grad_();
  noting_leaves::used(a);  // nobody asks
  noting_leaves outer;
  {
    noting_leaves inner;
    noting_leaves::used(a);
    CHECK(names(inner, a));
  }
  CHECK(outer.leaves.empty());
  {
    const at::NoGradGuard none;
    noting_leaves::used(b);
  }
  CHECK(outer.leaves.empty());
  noting_leaves::used(b);
  CHECK(names(outer, b));
}

TEST_CASE("ops on plain tensors and run tell of parameters") {
  const parameter<float64, 3> w{"w"}, frozen{"frozen"};
  tensor_of(frozen).set_requires_grad(false);
  const at::Tensor t = normal({2, 3});
  for (const bool by_run : {false, true}) {
    noting_leaves noted;
    (void)(by_run ? run(lazy(t) * w * frozen) : mul(mul(t, w), frozen));
    CHECK(names(noted, tensor_of(w)));
    CHECK(!names(noted, tensor_of(frozen)));
  }
}

}  // namespace koila::test
