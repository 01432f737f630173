// SPDX-License-Identifier: MIT
// Definitions of region.hpp: recording.
#include <koila/graph/info_of.hpp>
#include <koila/intercept/region.hpp>
#include <koila/intercept/running_statistics.ipp>
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/pointwise/detach.hpp>
#include <koila/run/tensor.hpp>
#include <koila/torch/tensor.hpp>
#include <koila/torch/thread_state.hpp>

#include <ATen/ops/item_ops.h>

#include <algorithm>
#include <cstdio>

namespace koila::inline v0::detail {

inline auto version_of(const at::Tensor& t) -> std::uint32_t {
  return t.is_inference() ? 0 : static_cast<std::uint32_t>(t._version());
}

region::~region() {
  try {
    update_buffers();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "koila: intercept: running statistics were not updated: %s\n", e.what());
  }
}

/// The regions that this thread has made.
inline auto regions_of_this_thread() -> std::vector<std::weak_ptr<region>>& {
  static thread_local std::vector<std::weak_ptr<region>> all;
  return all;
}

auto region::make(index_t batch, at::Device device, const intercept_options& o) -> std::shared_ptr<region> {
  std::vector<std::weak_ptr<region>>& all = regions_of_this_thread();
  std::erase_if(all, [](const auto& r) { return r.expired(); });
  auto r = std::make_shared<region>(batch, device, o);
  all.push_back(r);
  return r;
}

auto region::reads_trained_tensors() const -> bool {
  return std::any_of(captured_.begin(), captured_.end(),
                     [](const captured_tensor& c) { return c.tensor.defined() && c.tensor.requires_grad(); });
}

void region::compute_others() const {
  const std::vector<std::weak_ptr<region>> all = regions_of_this_thread();
  for (const std::weak_ptr<region>& one : all) {
    const std::shared_ptr<region> other = one.lock();
    if (!other || other.get() == this) continue;
    const std::lock_guard lock(other->mutex_);
    if (other->is_running_ || !other->reads_trained_tensors()) continue;
    other->compute_all();
    other->forget_unreachable();
  }
}

auto region::open() -> std::shared_ptr<region> {
  std::shared_ptr<region> r = shared_from_this();
  while (r->is_closed_) {
    const std::lock_guard lock(r->mutex_);
    std::shared_ptr<region> next = r->next_.lock();
    if (!next) r->next_ = next = make(r->batch_, r->device_, r->options_);
    r = std::move(next);
  }
  return r;
}

auto region::node() -> gradient_node& {
  if (held_) return held_;
  held_ = node_.lock();
  if (held_) return held_;
  // All tensors that referred to the node are gone, so its outputs are, too.
  node_ = held_ = gradient_node(shared_from_this());
  outputs_.clear();
  edge_count_ = 0;
  for (captured_tensor& c : captured_) {
    if (c.edge < 0) continue;
    c.edge = c.tensor.defined() ? held_.add_edge(c.tensor) : -1;
    edge_count_ += c.edge >= 0 ? 1 : 0;
  }
  for (recorded_value& v : values_) v.was_read = false;
  return held_;
}

auto region::add_edge(recorded_value& v) -> bool {
  if (v.kind != recorded_value::captured || !v.requires_grad) return true;
  gradient_node& n = node();
  captured_tensor& c = captured_[index(v.tensor)];
  if (c.edge < 0) {
    c.edge = n.add_edge(c.tensor);
    edge_count_ += c.edge >= 0 ? 1 : 0;
  }
  return c.edge >= 0;
}

auto region::value_of(const at::Tensor& t) -> int {
  if (!t.defined() || t.device() != device_) return -1;
  const lazy_tensor* const l = as_lazy_tensor(t);
  if (l != nullptr && l->source().get() == this && l->value() >= 0)
    if ((l->is_lazy() || value(l->value()).version == version_of(t)) && has_own_history(t, l->value()))
      return l->value();
  if (is_wrapped_number(t)) {
    const bool is_real = at::isFloatingType(t.scalar_type());
    const dims d = is_real ? number_shape<double>::value : number_shape<index_t>::value;
    return number(at::_ops::item::call(ordinary_alias(t)).toDouble(),
                  t.scalar_type() == at::kBool ? number_shape<bool>::value : d);
  }
  if (const auto known = known_.find(t.unsafeGetTensorImpl()); known != known_.end())
    if (captured_[index(value(known->second).tensor)].version == version_of(t)) return known->second;
  if (!is_plain(t) || !t.has_storage()) return -1;
  recorded_value v;
  v.kind = recorded_value::captured;
  try {
    v.dims = shape_of(t);
  } catch (const shape_error&) {  // a dtype that koila does not have, or too many dims
    return -1;
  }
  const int dim = l != nullptr ? l->batch_dim() : -1;
  if (dim >= 0 && dim < v.dims.rank && v.dims.e[dim].n == batch_) v.dims.e[dim] = {batch_, axis_name<struct batch>};
  v.requires_grad = t.requires_grad();
  v.tensor = static_cast<int>(captured_.size());
  const int id = static_cast<int>(values_.size());
  captured_.push_back({t, version_of(t), id});
  known_[t.unsafeGetTensorImpl()] = id;
  values_.push_back(std::move(v));
  return id;
}

auto region::number(double x, const dims& d) -> int {
  recorded_value v;
  v.kind = recorded_value::number;
  v.scalar = x;
  v.dims = d;
  values_.push_back(std::move(v));
  return static_cast<int>(values_.size()) - 1;
}

auto region::call(const op_info& op, const int* operands, int n, handle<const object> attributes, bool updates) -> int {
  if (op.rule == nullptr) return -1;
  dims d[most_operands];
  for (int k = 0; k < n; ++k) d[k] = value(operands[k]).dims;
  recorded_value v;
  const verdict result = op.rule(d, attributes.get());
  if (!result.accepted() || !result.out.known() || result.out.type == dtype::unknown) return -1;
  v.dims = result.out;
  v.op = &op;
  v.operand_count = n;
  bool on_gradient = false;
  for (int k = 0; k < n; ++k) {
    recorded_value& x = value(operands[k]);
    v.operands[index(k)] = operands[k];
    on_gradient = on_gradient || (x.requires_grad && (op.shape_only >> k & 1U) == 0);
  }
  on_gradient = on_gradient && !op.stops_gradient && is_floating(v.dims.type);
  v.requires_grad = on_gradient && records_gradients();
  for (int k = 0; k < n && v.requires_grad; ++k)
    if (!add_edge(value(operands[k]))) {
      close();
      return -1;
    }
  v.attributes = std::move(attributes);
  if (updates) v.pending_update = announce_update(*this, v.operands.data(), n);
  values_.push_back(std::move(v));
  const int id = static_cast<int>(values_.size()) - 1;
  if (!on_gradient || records_gradients()) return id;
  return call(info_of<struct detach, 1>(), &id, 1, {});  // so that no gradient flows through this value later
}

auto region::has_own_history(const at::Tensor& t, int v) const -> bool {
  if (t.requires_grad() != value(v).requires_grad) return false;
  return !t.requires_grad() || node_.lock().made(t);
}

auto region::memory_of(int v) const -> int {
  while (value(v).view_of >= 0) v = value(v).view_of;
  return v;
}

auto region::lazy_tensors(int v) const -> std::vector<at::Tensor> {
  std::vector<at::Tensor> out;
  for (const weak_tensor& w : value(v).tensors)
    if (auto impl = w.lock())
      if (const auto& l = static_cast<const lazy_tensor&>(*impl);
          l.is_lazy() && l.value() == v && l.source().get() == this)
        out.emplace_back(std::move(impl));
  return out;
}

auto region::held_aliases(int v) const -> std::vector<int> {
  std::vector<int> out;
  const int memory = memory_of(v);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].tensors.empty() || memory_of(static_cast<int>(i)) != memory) continue;
    for (const weak_tensor& w : values_[i].tensors)
      if (const auto impl = w.lock(); impl && static_cast<const lazy_tensor&>(*impl).value() == static_cast<int>(i)) {
        out.push_back(static_cast<int>(i));
        break;
      }
  }
  return out;
}

auto region::has_separate_view(const at::Tensor& t) const -> bool {
  const lazy_tensor& l = *as_lazy_tensor(t);
  int own = l.value();
  if (const auto known = known_.find(t.unsafeGetTensorImpl()); own < 0 && known != known_.end()) own = known->second;
  if (own < 0) return false;
  for (const int held : held_aliases(own))
    for (const weak_tensor& w : value(held).tensors)
      if (const auto impl = w.lock(); impl && impl.get() != t.unsafeGetTensorImpl()) {
        const auto& other = static_cast<const lazy_tensor&>(*impl);
        if (other.value() == held && (l.is_lazy() || other.is_lazy() || !at::Tensor(impl).is_alias_of(t))) return true;
      }
  return false;
}

auto region::is_buffer(int v) const -> bool {
  const recorded_value& x = value(v);
  return x.kind == recorded_value::captured && !x.requires_grad && as_lazy_tensor(tensor_of_value(v)) == nullptr;
}

void region::add_tensor(int v, const at::Tensor& t) {
  std::vector<weak_tensor>& all = value(v).tensors;
  std::erase_if(all, [](const weak_tensor& w) { return w.expired(); });
  all.emplace_back(t.getIntrusivePtr());
}

void region::attach(const at::Tensor& t, int v) {
  if (!value(v).requires_grad) return;
  (void)node().add_output(t);
  outputs_.push_back(v);
}

auto region::tensor_for(int v) -> at::Tensor {
  const dims d = value(v).dims;
  at::Tensor t =
      lazy_tensor::make(shared_from_this(), v, detail::sizes(d), scalar_type(d.type), device_, batch_dim_of(d));
  attach(t, v);
  return t;
}

void region::assign(const at::Tensor& self, int v) {
  lazy_tensor& l = *as_lazy_tensor(self);
  l.stand_for(shared_from_this(), v, batch_dim_of(value(v).dims));
  bump_version(self);
  drop_history(self);
  attach(self, v);
}

void region::rewind(const mark& m) {
  for (std::size_t i = m.values; i < values_.size(); ++i)
    if (values_[i].pending_update) withdraw_update(*this, values_[i].operands.data(), values_[i].operand_count);
  std::erase_if(known_, [&](const auto& k) { return k.second >= static_cast<int>(m.values); });
  values_.resize(m.values);
  while (!captured_.empty() && captured_.back().value >= static_cast<int>(m.values) && captured_.back().edge < 0)
    captured_.pop_back();
  random_calls_ = m.random_calls;
}

auto region::is_lazy_now(int v) const -> bool { return !lazy_tensors(v).empty(); }

auto region::lazy_values() const -> std::vector<int> {
  std::vector<int> out;
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (!values_[i].tensors.empty() && is_lazy_now(static_cast<int>(i))) out.push_back(static_cast<int>(i));
  return out;
}

auto region::is_node_shared() const -> bool {
  const gradient_node n = node_.lock();
  if (!n) return false;
  std::vector<const c10::TensorImpl*> outputs;
  for (const recorded_value& x : values_)
    for (const weak_tensor& w : x.tensors)
      if (auto impl = w.lock())
        if (const at::Tensor t(std::move(impl)); n.made(t)) outputs.push_back(t.unsafeGetTensorImpl());
  std::sort(outputs.begin(), outputs.end());
  const auto held_by_tensors = std::unique(outputs.begin(), outputs.end()) - outputs.begin();
  return n.use_count() - 1 - (held_ ? 1 : 0) > held_by_tensors;
}

auto region::has_live_gradient(int v) const -> bool {
  const recorded_value& x = value(v);
  if (!x.requires_grad || x.released) return false;
  if (x.was_read && is_node_shared()) return true;  // another node of autograd may refer to the value
  for (const weak_tensor& w : x.tensors)
    if (const auto impl = w.lock())
      if (static_cast<const lazy_tensor&>(*impl).value() == v) return true;
  return false;
}

auto region::computed_tensor(int v) const -> at::Tensor {
  for (const weak_tensor& w : value(v).tensors)
    if (auto impl = w.lock())
      if (const auto& l = static_cast<const lazy_tensor&>(*impl); !l.is_lazy() && l.value() == v) {
        const at::Tensor t(std::move(impl));
        if (version_of(t) == value(v).version) return ordinary_alias(t);
      }
  return {};
}

}  // namespace koila::inline v0::detail
