// SPDX-License-Identifier: MIT
// Definitions of intercept/. CMakeLists.txt compiles this file into koila::koila.
#include <koila/graph/compiled_ops.hpp>
#include <koila/intercept/intercept.hpp>
#include <koila/intercept/recorder.ipp>
#include <koila/intercept/region.ipp>
#include <koila/intercept/run.ipp>
#include <koila/intercept/spellings.ipp>
#include <koila/torch/gradient_node.ipp>
#include <koila/torch/recorder.ipp>

#include <utility>

namespace koila::inline v0 {

namespace detail {

/// The region that the last call of `intercept` on this thread made or joined.
inline auto current_region() -> std::weak_ptr<region>& {
  static thread_local std::weak_ptr<region> current;
  return current;
}

auto intercept_tensors(const std::vector<at::Tensor>& tensors, const intercept_options& o) -> std::vector<at::Tensor> {
  set_recorder(&record);
  require_options({.memory = o.memory, .chunk = o.chunk});
  index_t samples = -1;
  for (const at::Tensor& t : tensors) {
    if (!t.defined()) throw shape_error("koila: intercept: a tensor is undefined");
    const int d = wrap(o.batch_dim, static_cast<int>(t.dim()));
    if (d < 0)
      throw shape_error("koila: intercept: a tensor of the shape " + to_string(shape_of(t)) + " has no dim " +
                        std::to_string(o.batch_dim));
    if (samples >= 0 && t.size(d) != samples)
      throw shape_error("koila: intercept: the tensors have " + std::to_string(samples) + " and " +
                        std::to_string(t.size(d)) + " samples");
    samples = t.size(d);
  }
  if (samples <= 1) return tensors;
  for (const std::weak_ptr<region>& released : std::exchange(released_regions(), {}))
    if (const auto r = released.lock()) r->forget();
  std::shared_ptr<region> r = current_region().lock();
  if (r) r = r->open();
  if (!r || r->batch() != samples || !(r->settings() == o) || r->device() != tensors[0].device())
    r = region::make(samples, tensors[0].device(), o);
  current_region() = r;
  std::vector<at::Tensor> out;
  for (const at::Tensor& t : tensors) {
    const lazy_tensor* const l = as_lazy_tensor(t);
    const bool is_plain_now = is_plain(t) && l == nullptr;
    out.push_back(is_plain_now ? lazy_tensor::over(r, t, wrap(o.batch_dim, static_cast<int>(t.dim()))) : t);
  }
  return out;
}

}  // namespace detail

auto is_lazy(const at::Tensor& t) -> bool {
  const detail::lazy_tensor* const l = detail::as_lazy_tensor(t);
  return l != nullptr && l->is_lazy();
}

auto plan(const at::Tensor& loss) -> memory_plan {
  const detail::lazy_tensor* const l = detail::as_lazy_tensor(loss);
  if (l == nullptr || !l->is_lazy() || !loss.requires_grad() || loss.dim() != 0)
    throw usage_error("koila: plan: the tensor is not a recorded loss whose value was not computed yet");
  return std::static_pointer_cast<detail::region>(l->source())->plan_of_loss(l->value());
}

}  // namespace koila::inline v0
