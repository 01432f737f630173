// SPDX-License-Identifier: MIT
// Definitions of region.hpp: values and gradients, computed by koila's planner.
#include <koila/graph/gradient.hpp>
#include <koila/graph/lower.hpp>
#include <koila/intercept/region.hpp>
#include <koila/intercept/running_statistics.ipp>
#include <koila/ops/common/definitions.hpp>
#include <koila/ops/random/rand_like.hpp>
#include <koila/plan/text.hpp>
#include <koila/run/run.hpp>
#include <koila/torch/thread_state.hpp>

#include <ATen/ops/add_ops.h>
#include <ATen/ops/mul_ops.h>

namespace koila::inline v0::detail {

/// Returns the leaf of a buffer. koila's cache of programs knows buffers by their leaves, so a
/// buffer has the same leaf in each run. The leaf holds no tensor between runs.
inline auto buffer_leaf(const at::Tensor& t) -> handle<leaf_state> {
  struct known_leaf {
    weak_tensor tensor;
    handle<leaf_state> leaf;
  };
  static std::mutex changing;
  static auto& all = *new std::unordered_map<const c10::TensorImpl*, known_leaf>;
  const std::lock_guard lock(changing);
  const c10::TensorImpl* const impl = t.unsafeGetTensorImpl();
  if (const auto known = all.find(impl); known != all.end() && !known->second.tensor.expired() &&
                                         same_extents(known->second.leaf->declared, shape_of(t)) &&
                                         known->second.leaf->declared.type == dtype_of(t))
    return known->second.leaf;
  std::erase_if(all, [](const auto& k) { return k.second.tensor.expired(); });
  auto leaf = make_handle<leaf_state>("a buffer", shape_of(t), leaf_state::buffer);
  all.insert_or_assign(impl, known_leaf{weak_tensor(t.getIntrusivePtr()), leaf});
  return leaf;
}

/// What one run of a region computes: values, and gradients from seeds.
class region_program final : public program_source {
 public:
  region_program(const region& r, std::vector<int> wanted, const std::vector<region_seed>& seeds)
      : r_(r), wanted_(std::move(wanted)), seeds_(seeds), needed_(r.values_.size(), 0), leaves_(r.values_.size()) {
    for (const int v : wanted_) needed_[region::index(v)] = 1;
    for (const region_seed& s : seeds_) needed_[region::index(s.value)] = 1;
    for (std::size_t v = 0; v < r.values_.size(); ++v)
      if (r.values_[v].pending_update) needed_[v] = 1;
    r.mark_operands(needed_, !seeds_.empty());
    r.require_unchanged(needed_);
    for (std::size_t v = 0; v < r.values_.size(); ++v)
      if (needed_[v] != 0) make_leaves(static_cast<int>(v));
    for (const region_seed& s : seeds_)
      cotangents_.push_back(s.cotangent.defined() ? leaf_of(s.cotangent, r.values_[region::index(s.value)].dims)
                                                  : handle<leaf_state>());
  }
  region_program(const region_program&) = delete;
  auto operator=(const region_program&) -> region_program& = delete;
  ~region_program() {
    for (const auto& [v, leaf] : buffers_) leaf->value = {};
  }

  void record(builder& b) const override {
    std::vector<int> nodes = lower_values(b);
    for (const int v : wanted_) (void)b.notes->gradient(nodes[region::index(v)], -1);
    for (std::size_t k = 0; k < seeds_.size(); ++k) {
      const int cotangent = cotangents_[k] ? b.leaf(*cotangents_[k]) : -2;
      (void)b.notes->gradient(nodes[region::index(seeds_[k].value)], cotangent);
    }
    for (const int v : differentiated()) (void)b.notes->gradient(-3, nodes[region::index(v)]);
  }

  auto lower(bindings bound) const -> lowered_expression override {
    lowered_expression out{builder(std::move(bound)), -1, {}, {}, {}};
    builder& b = out.graph;
    const std::vector<int> nodes = lower_values(b);
    std::vector<int> outputs;
    for (const int v : wanted_) outputs.push_back(nodes[region::index(v)]);
    if (!seeds_.empty()) {
      std::vector<gradient_seed> seeds;
      for (std::size_t k = 0; k < seeds_.size(); ++k) {
        const int at_node = nodes[region::index(seeds_[k].value)];
        seeds.push_back(
            {at_node, cotangents_[k] ? b.leaf(*cotangents_[k]) : b.number(1.0, scalar(b.node(at_node).dims.type))});
      }
      std::vector<int> wrt;
      for (const int v : differentiated()) wrt.push_back(nodes[region::index(v)]);
      const std::vector<int> all = add_gradients_from(b, seeds, wrt);
      dims none = scalar(dtype::float64);
      none.number = true;
      for (std::size_t k = 0; k < all.size(); ++k)  // the gradient of a piecewise constant op is 0
        outputs.push_back(all[k] >= 0 ? all[k] : materialised(b, b.number(0.0, none), wrt[k]));
    }
    // A run has at least one output. A region that only updates buffers has none of its own.
    if (outputs.empty()) outputs.push_back(b.number(0.0, scalar(dtype::float32)));
    require_own_memory(b, outputs);
    out.value = outputs[0];
    out.more.assign(outputs.begin() + 1, outputs.end());
    return out;
  }

  /// The captured tensors that get a gradient, in the order of the outputs.
  auto differentiated() const -> std::vector<int> {
    std::vector<int> out;
    if (seeds_.empty()) return out;
    const std::vector<char> reached = r_.reached_by(seeds_);
    for (std::size_t v = 0; v < reached.size(); ++v)
      if (const recorded_value& x = r_.values_[v]; reached[v] != 0 && x.kind == recorded_value::captured &&
                                                   x.requires_grad && r_.captured_[region::index(x.tensor)].edge >= 0)
        out.push_back(static_cast<int>(v));
    return out;
  }

 private:
  const region& r_;
  std::vector<int> wanted_;
  const std::vector<region_seed>& seeds_;
  std::vector<char> needed_;
  std::vector<handle<leaf_state>> leaves_, cotangents_;
  std::vector<std::pair<int, handle<leaf_state>>> buffers_;  // captured tensors whose updates are to come

  static auto leaf_of(const at::Tensor& t, const dims& d) -> handle<leaf_state> {
    at::Tensor own = ordinary_alias(t);
    dims its = shape_of(own);
    for (int i = 0; i < its.rank && its.rank == d.rank; ++i)
      if (d.e[i].named()) its.e[i] = {its.e[i].n, d.e[i].axis};
    auto leaf = make_handle<leaf_state>(its.find(axis_name<struct batch>) >= 0 ? "an input" : "a tensor", its,
                                        leaf_state::tensor, make_handle<tensor_box>(own));
    leaf->layout = layout_of(own);
    return leaf;
  }
  void make_leaves(int v) {
    const recorded_value& x = r_.value(v);
    if (x.kind == recorded_value::captured) leaves_[region::index(v)] = leaf_of(r_.tensor_of_value(v), x.dims);
    else if (x.kind == recorded_value::call && needed_[region::index(v)] == 2)
      leaves_[region::index(v)] = leaf_of(r_.computed_tensor(v), x.dims);
    if (!x.pending_update) return;
    for (int k = 3; k < x.operand_count; ++k) {
      const int operand = x.operands[region::index(k)];
      if (!r_.is_buffer(operand)) continue;
      const at::Tensor& t = r_.tensor_of_value(operand);
      auto leaf = buffer_leaf(t);
      const at::Tensor own = ordinary_alias(t);
      leaf->layout = layout_of(own);
      leaf->value = make_handle<tensor_box>(own);
      buffers_.emplace_back(operand, leaf);
    }
  }
  auto buffer_of(int operand) const -> const leaf_state* {
    for (const auto& [v, leaf] : buffers_)
      if (v == operand) return leaf.get();
    return nullptr;
  }

  /// Adds the values that are needed, and returns their nodes.
  auto lower_values(builder& b) const -> std::vector<int> {
    number_random_calls(b);
    std::vector<int> nodes(r_.values_.size(), -1);
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      if (needed_[v] == 0) continue;
      const recorded_value& x = r_.values_[v];
      if (leaves_[v]) nodes[v] = b.leaf(*leaves_[v]);
      else if (x.kind == recorded_value::number) nodes[v] = b.number(x.scalar, x.dims);
      else {
        int in[most_operands] = {};
        for (int k = 0; k < x.operand_count; ++k) {
          const int operand = x.operands[region::index(k)];
          const leaf_state* const buffer = x.pending_update && k >= 3 ? buffer_of(operand) : nullptr;
          in[k] = buffer != nullptr ? b.leaf(*buffer) : nodes[region::index(operand)];
        }
        nodes[v] = b.add(*x.op, in, x.operand_count, x.attributes);
      }
    }
    return nodes;
  }
  /// A program numbers its random calls in the order of its graph. A run may need only some of a
  /// region's calls, but must draw the numbers of all runs of the region. So the graph begins with
  /// one call for each number, whose values are not used.
  void number_random_calls(builder& b) const {
    if (r_.random_calls_ == 0) return;
    const int zero = b.number(0.0, scalar(dtype::float32));
    for (std::uint64_t k = 1; k <= r_.random_calls_; ++k) {
      attributes_t<struct rand_like> a;
      a.call.id = k;
      (void)b.add(info_of<struct rand_like, 1>(), &zero, 1, box_attributes<struct rand_like>(a));
    }
  }
  /// Copies outputs that would share the memory of another output.
  static void require_own_memory(builder& b, std::vector<int>& outputs) {
    std::vector<int> roots;
    for (int& o : outputs) {
      o = owned_output(b, o);
      const auto root = [&] {
        int i = o;
        while (b.node(i).is_view()) i = b.node(i).operands[0];
        return i;
      };
      while (std::find(roots.begin(), roots.end(), root()) != roots.end()) o = b.copy(o);
      roots.push_back(root());
    }
  }
};

/// Marks the operands of marked values. A value that was computed already is marked by 2 if its
/// operands are not needed.
void region::mark_operands(std::vector<char>& needed, bool differentiated) const {
  for (std::size_t v = values_.size(); v-- > 0;) {
    const recorded_value& x = values_[v];
    if (needed[v] == 0 || x.kind != recorded_value::call) continue;
    const bool is_known = !x.pending_update && !(differentiated && x.requires_grad) && !x.tensors.empty() &&
                          computed_tensor(static_cast<int>(v)).defined();
    if (is_known) {
      needed[v] = 2;
      continue;
    }
    if (x.op == nullptr)
      throw usage_error(
          "koila: intercept: a value is needed again after backward has released what computes it: call "
          "backward with retain_graph = true");
    for (int k = 0; k < x.operand_count; ++k) needed[index(x.operands[index(k)])] = 1;
  }
}

void region::require_unchanged(const std::vector<char>& needed) const {
  for (const captured_tensor& c : captured_) {
    if (needed[index(c.value)] == 0 || c.version == version_of(c.tensor)) continue;
    throw usage_error("koila: intercept: a tensor of the shape " + to_string(shape_of(c.tensor)) +
                      " was changed in place after an operator on it was recorded and before the result was needed: "
                      "read the result first, for example by data_ptr()");
  }
}

void region::become(int v, const at::Tensor& t) {
  value(v).was_read = true;
  for (const at::Tensor& lazy : lazy_tensors(v)) {
    as_lazy_tensor(lazy)->become(t);
    value(v).version = version_of(lazy);
  }
}

void region::run(const std::vector<int>& wanted, const std::vector<region_seed>& seeds,
                 std::vector<at::Tensor>* of_edges) {
  const undisturbed ordinary;
  const struct running {
    bool& flag;
    ~running() { flag = false; }
  } until_the_end{is_running_};
  is_running_ = true;
  const region_program program_of_this(*this, wanted, seeds);
  const options o{.memory = options_.memory, .chunk = options_.chunk};
  std::vector<at::Tensor> outputs;
  const std::vector<int> differentiated = program_of_this.differentiated();
  run_prepared(
      prepared(program_of_this, !seeds.empty(), o, {}),
      [&](program& p) {
        const std::size_t count = p.plan().outputs.size() - p.plan().graph.updates.size();
        for (std::size_t k = 0; k < count; ++k) outputs.push_back(p.output(k));
        p.commit();
      },
      &seed_);
  for (recorded_value& x : values_) {
    if (!x.pending_update) continue;
    x.pending_update = false;
    withdraw_update(*this, x.operands.data(), x.operand_count);
    for (int k = 3; k < x.operand_count; ++k)
      if (is_buffer(x.operands[index(k)])) {
        captured_tensor& c = captured_[index(value(x.operands[index(k)]).tensor)];
        c.version = version_of(c.tensor);
      }
  }
  for (std::size_t k = 0; k < wanted.size(); ++k) become(wanted[k], outputs[k]);
  if (of_edges == nullptr) return;
  of_edges->assign(edge_count_, at::Tensor());
  std::size_t next = wanted.size();
  for (const int v : differentiated) (*of_edges)[index(captured_[index(value(v).tensor)].edge)] = outputs[next++];
}

auto region::root_among(const std::vector<int>& wanted) const -> int {
  for (auto v = wanted.rbegin(); v != wanted.rend(); ++v)
    if (value(*v).requires_grad && !value(*v).released && value(*v).dims.rank == 0) return *v;
  return -1;
}

void region::compute(int v) {
  const std::lock_guard lock(mutex_);
  const std::shared_ptr<region> alive = weak_from_this().lock();
  if (!is_lazy_now(v)) return;
  // Scalars that the program may read next are computed in the same pass over the batch.
  std::vector<int> wanted{v};
  for (const int other : lazy_values())
    if (other != v && value(other).dims.rank == 0) wanted.push_back(other);
  std::sort(wanted.begin(), wanted.end());
  // A loss that is read is the loss that is differentiated: both are computed in one pass.
  const int root = root_among(wanted);
  if (root < 0 || kept_.value >= 0) {
    run(wanted, {}, nullptr);
  } else {
    std::vector<at::Tensor> of_edges;
    run(wanted, {{root, {}}}, &of_edges);
    kept_ = {root, std::move(of_edges)};
  }
  forget_unreachable();
}

void region::compute_all() {
  const std::lock_guard lock(mutex_);
  if (const std::vector<int> wanted = lazy_values(); !wanted.empty()) run(wanted, {}, nullptr);
}

void region::update_buffers() {
  const std::lock_guard lock(mutex_);
  for (const recorded_value& x : values_)
    if (x.pending_update) return run({}, {}, nullptr);
}

auto region::gradients(const std::vector<at::Tensor>& cotangents) -> std::vector<at::Tensor> {
  const std::shared_ptr<region> alive = shared_from_this();
  for (const at::Tensor& dy : cotangents)
    if (const lazy_tensor* const l = as_lazy_tensor(dy)) l->require_value();
  const std::lock_guard lock(mutex_);
  std::vector<region_seed> seeds;
  differentiated_.clear();
  for (std::size_t k = 0; k < cotangents.size(); ++k) {
    if (!cotangents[k].defined()) continue;
    const int v = outputs_[k];
    if (value(v).released)
      throw usage_error(
          "koila: intercept: backward through a value a second time: call backward with retain_graph = true "
          "the first time");
    const auto known = std::find_if(seeds.begin(), seeds.end(), [&](const region_seed& s) { return s.value == v; });
    const at::Tensor dy = ordinary_alias(cotangents[k]);
    if (known == seeds.end()) seeds.push_back({v, dy});
    else known->cotangent = at::_ops::add_Tensor::call(known->cotangent, dy, 1);
    differentiated_.push_back(v);
  }
  std::vector<at::Tensor> out(edge_count_);
  if (seeds.empty()) return out;
  compute_others();
  at::Tensor scale;
  if (seeds.size() == 1 && value(seeds[0].value).dims.rank == 0) {
    scale = seeds[0].cotangent;
    seeds[0].cotangent = at::Tensor();
  }
  const std::vector<int> wanted = lazy_values();
  if (scale.defined() && kept_.value == seeds[0].value) {
    out = std::move(kept_.of_edges);
    kept_ = {};
    if (!wanted.empty()) run(wanted, {}, nullptr);
  } else {
    run(wanted, seeds, &out);
  }
  if (!scale.defined() || at::_ops::item::call(scale).toDouble() == 1) return out;
  for (at::Tensor& g : out)
    if (g.defined()) at::_ops::mul__Tensor::call(g, scale);
  return out;
}

/// The regions of this thread that `backward` has released since the last call of `intercept`.
inline auto released_regions() -> std::vector<std::weak_ptr<region>>& {
  static thread_local std::vector<std::weak_ptr<region>> all;
  return all;
}

auto region::reaches(std::size_t output, const std::vector<at::Tensor>& cotangents) -> bool {
  const std::lock_guard lock(mutex_);
  std::vector<region_seed> seeds;
  for (std::size_t k = 0; k < cotangents.size(); ++k)
    if (cotangents[k].defined()) seeds.push_back({outputs_[k], cotangents[k]});
  return reached_by(seeds)[index(outputs_[output])] != 0;
}

void region::release() {
  const std::lock_guard lock(mutex_);
  if (!node_.lock()) {  // LibTorch also calls this function when it deletes the node
    if (calls_ == 0 && !is_running_) forget_unreachable();
    else is_stale_ = true;
    return;
  }
  std::vector<region_seed> seeds;
  for (const int v : differentiated_) seeds.push_back({v, {}});
  const std::vector<char> reached = reached_by(seeds);
  for (std::size_t v = 0; v < reached.size(); ++v) values_[v].released = values_[v].released || reached[v] != 0;
  close();
  forget_unreachable();
  // LibTorch's engine still refers to the node, so some values seem to be needed.
  released_regions().push_back(weak_from_this());
}

void region::end_call() {
  held_ = {};
  if (--calls_ == 0 && is_stale_ && !is_running_) forget_unreachable();
}

void region::forget() {
  const std::lock_guard lock(mutex_);
  if (!is_running_) forget_unreachable();
}

/// Marks the values to which a gradient flows from the seeds.
auto region::reached_by(const std::vector<region_seed>& seeds) const -> std::vector<char> {
  std::vector<char> on(values_.size(), 0);
  for (const region_seed& s : seeds) on[index(s.value)] = 1;
  for (std::size_t v = values_.size(); v-- > 0;) {
    const recorded_value& x = values_[v];
    if (on[v] == 0 || x.kind != recorded_value::call || !x.requires_grad) continue;
    for (int k = 0; k < x.operand_count; ++k)
      if ((x.op->shape_only >> k & 1U) == 0) on[index(x.operands[index(k)])] = 1;
  }
  return on;
}

void region::forget_unreachable() {
  std::vector<char> needed(values_.size(), 0);
  bool any = false;
  for (std::size_t v = 0; v < values_.size(); ++v) {
    const int id = static_cast<int>(v);
    if (values_[v].pending_update || is_lazy_now(id) || has_live_gradient(id)) needed[v] = 1, any = true;
  }
  is_stale_ = false;
  if (!any) close();
  for (std::size_t v = values_.size(); v-- > 0;) {
    recorded_value& x = values_[v];
    if (needed[v] != 0) {
      for (int k = 0; k < x.operand_count; ++k) needed[index(x.operands[index(k)])] = 1;
      continue;
    }
    x.op = nullptr;
    x.operand_count = 0;
    x.attributes = {};
    if (x.kind == recorded_value::captured) {
      known_.erase(captured_[index(x.tensor)].tensor.unsafeGetTensorImpl());
      captured_[index(x.tensor)].tensor = at::Tensor();
    }
  }
  if (kept_.value >= 0 && !has_live_gradient(kept_.value)) kept_ = {};
}

auto region::plan_of_loss(int v) -> memory_plan {
  const std::lock_guard lock(mutex_);
  const std::vector<region_seed> seeds{{v, {}}};
  const region_program program_of_this(*this, lazy_values(), seeds);
  const options o{.memory = options_.memory, .chunk = options_.chunk};
  return plan_for(program_of_this.lower({}), o, true, {});
}

}  // namespace koila::inline v0::detail
