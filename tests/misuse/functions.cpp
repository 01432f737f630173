// SPDX-License-Identifier: MIT
// References for the ops that LibTorch has under a different name, with different arguments, or
// only in Python. Each is computed with LibTorch's operators.
#include "reference.hpp"

#include <cmath>
#include <numbers>

namespace koila::test {

using namespace internal;

namespace {

using tensors = std::vector<at::Tensor>;
using counterparts = std::map<std::string, counterpart>;

/// Returned for a call that is not compared, because LibTorch's function rejects it, or because its
/// result differs and docs/differences.md says so.
const at::Tensor left_out;

auto numbers_in(const attr_list& l) -> std::vector<std::int64_t> {
  std::vector<std::int64_t> v;
  for (int i = 0; i < l.n; ++i) v.push_back(l.e[i].value);
  return v;
}
/// A list with one number for each of n dims.
auto numbers_in(const attr_list& l, int n) -> std::vector<std::int64_t> {
  std::vector<std::int64_t> v;
  for (int i = 0; i < n; ++i) v.push_back(l[i].value);
  return v;
}
auto sizes_in(const rules::sizes& s) -> std::vector<std::int64_t> {
  std::vector<std::int64_t> v;
  for (int i = 0; i < s.rank; ++i) v.push_back(s.e[i].n);
  return v;
}
auto reduction_of(choice c) -> std::int64_t { return c == choice::none ? 0 : c == choice::mean ? 1 : 2; }
auto reduced_to(const at::Tensor& each, choice c) -> at::Tensor {
  return c == choice::none ? each : c == choice::mean ? each.mean() : each.sum();
}
auto optional_operand(const tensors& x, std::size_t k) -> std::optional<at::Tensor> {
  return k < x.size() ? std::optional(x[k]) : std::nullopt;
}

/// Returns true if all indices lie in [0, n), or in [-n, n).
auto are_within(const at::Tensor& index, std::int64_t n, bool from_end) -> bool {
  return index.ge(from_end ? -n : 0).logical_and(index.lt(n)).all().item<bool>();
}

/// Adds `f` as the reference of Op. `f` takes the attributes of the op and the operands.
template <class Op, class F>
void put(counterparts& all, const F& f) {
  all.emplace(type_name<Op>(),
              [f](const call& c, const tensors& x) { return f(detail::attributes_in<Op>(c.attributes.get()), x); });
}

void add_indexing(counterparts& all) {
  put<struct ops::select>(all, [](const auto& a, const tensors& x) { return x[0].select(a.dim.value, a.index.value); });
  put<struct narrow>(
      all, [](const auto& a, const tensors& x) { return x[0].narrow(a.dim.value, a.start.value, a.length.value); });
  put<struct slice>(all, [](const auto& a, const tensors& x) {
    return x[0].slice(a.dim.value, a.start.value, a.end.value, a.step.value);
  });
  put<struct internal::expand_op>(all, [](const auto& a, const tensors& x) { return x[0].expand(sizes_in(a.to)); });
  all.emplace(type_name<struct expand_like>(), [](const call& c, const tensors& x) {
    const auto& a = detail::attributes_in<struct expand_like>(c.attributes.get());
    at::Tensor y = c.operands[0].number ? x[0].to(x[1].scalar_type()) : x[0];
    for (std::int64_t d = 0; d < x[1].dim() && !a.all() && !a.keepdim.value; ++d)
      if ((a.bits(static_cast<int>(x[1].dim())) >> static_cast<unsigned>(d) & 1U) != 0) y = y.unsqueeze(d);
    return y.expand(x[1].sizes());
  });
  put<struct reshape>(all, [](const auto& a, const tensors& x) { return x[0].reshape(sizes_in(a.to)); });
  put<struct reshape_like>(all, [](const auto&, const tensors& x) { return x[0].reshape(x[1].sizes()); });
  put<struct flatten>(all,
                      [](const auto& a, const tensors& x) { return x[0].flatten(a.start_dim.value, a.end_dim.value); });
  put<struct unflatten>(
      all, [](const auto& a, const tensors& x) { return x[0].unflatten(a.dim.value, numbers_in(a.sizes)); });
  put<struct flip>(all, [](const auto& a, const tensors& x) { return x[0].flip(numbers_in(a.dim)); });
  put<struct roll>(all,
                   [](const auto& a, const tensors& x) { return x[0].roll(numbers_in(a.shifts), numbers_in(a.dim)); });
  put<struct repeat>(all, [](const auto& a, const tensors& x) { return x[0].repeat(numbers_in(a.repeats)); });
  put<struct permute>(all, [](const auto& a, const tensors& x) { return x[0].permute(numbers_in(a.order)); });
  put<struct movedim>(all, [](const auto& a, const tensors& x) {
    return x[0].movedim(numbers_in(a.source), numbers_in(a.destination));
  });
  put<struct transpose>(all,
                        [](const auto& a, const tensors& x) { return x[0].transpose(a.dim0.value, a.dim1.value); });
  put<struct chunk_part>(all, [](const auto& a, const tensors& x) {
    return x[0].chunk(a.chunks.value, a.dim.value).at(static_cast<std::size_t>(a.index.value));
  });
  put<struct split_part>(all, [](const auto& a, const tensors& x) {
    const auto position = static_cast<std::size_t>(a.index.value);
    return a.sizes.n == 1 ? x[0].split(a.sizes.e[0].value, a.dim.value).at(position)
                          : x[0].split(numbers_in(a.sizes), a.dim.value).at(position);
  });
  put<struct take_along_dim>(all, [](const auto& a, const tensors& x) {
    if (a.dim.all()) return at::take_along_dim(x[0], x[1]);
    const std::int64_t n = x[0].size(a.dim.value);
    if (!are_within(x[1], n, false)) return left_out;  // LibTorch takes indices modulo n
    return at::take_along_dim(x[0], x[1], a.dim.value);
  });
  put<struct index_add>(all, [](const auto& a, const tensors& x) {
    const std::int64_t n = x[0].dim() == 0 ? 1 : x[0].size(a.dim.value);
    if (x[0].numel() == 0 && !are_within(x[1], n, false)) return left_out;  // LibTorch does not check the indices
    return x[0].index_add(a.dim.value, x[1], x[2], a.alpha.value);
  });
  put<struct ops::index>(all, [](const auto& a, const tensors& x) {
    if (!a.mask.empty()) return left_out;  // koila's op gets the positions of true elements instead of the mask
    c10::List<std::optional<at::Tensor>> indices;
    bool exist = true;
    for (std::size_t k = 1; k < x.size(); ++k) {
      indices.push_back(x[k]);
      exist = exist && are_within(x[k], x[0].size(static_cast<std::int64_t>(k) - 1), true);
    }
    const at::Tensor y = at::index(x[0], indices);
    return y.numel() == 0 && !exist ? left_out : y;  // LibTorch does not check the indices if the result is empty
  });
}

void add_creation(counterparts& all) {
  put<struct arange>(all, [](const auto& a, const tensors&) {
    if (a.floating)
      return at::arange(a.template start<double>(), a.template end<double>(), a.template step<double>(), at::kFloat);
    return at::arange(a.template start<index_t>(), a.template end<index_t>(), a.template step<index_t>(), at::kLong);
  });
  put<struct eye>(
      all, [](const auto& a, const tensors&) { return at::eye(a.sizes.e[0].value, a.sizes.e[a.sizes.n - 1].value); });
  put<struct full>(all, [](const auto& a, const tensors&) {
    const auto sizes = numbers_in(a.sizes);
    switch (a.fill_value.type) {
      case dtype::int64: return at::full(sizes, a.fill_value.whole.value, at::kLong);
      case dtype::boolean: return at::full(sizes, a.fill_value.number.value != 0, at::kBool);
      default: return at::full(sizes, a.fill_value.number.value, at::kFloat);
    }
  });
  put<struct linspace>(all, [](const auto& a, const tensors&) {
    return at::linspace(a.start.value, a.end.value, a.steps.value, at::kFloat);
  });
  put<struct ones>(all, [](const auto& a, const tensors&) { return at::ones(numbers_in(a.sizes)); });
  put<struct zeros>(all, [](const auto& a, const tensors&) { return at::zeros(numbers_in(a.sizes)); });
}

void add_pointwise(counterparts& all) {
  put<struct logsigmoid>(all, [](const auto&, const tensors& x) { return at::log_sigmoid(x[0]); });
  put<struct softsign>(all, [](const auto&, const tensors& x) { return x[0] / (x[0].abs() + 1); });
  put<struct tanhshrink>(all, [](const auto&, const tensors& x) { return x[0] - x[0].tanh(); });
  put<struct threshold>(
      all, [](const auto& a, const tensors& x) { return at::threshold(x[0], a.threshold.value, a.value.value); });
  put<struct ops::fma>(all, [](const auto&, const tensors& x) { return at::addcmul(x[2], x[0], x[1]); });
}

/// Dropout is compared only if it draws no numbers: LibTorch's generator draws different numbers.
void add_dropout(counterparts& all) {
  const auto plain = [](const auto& a) { return !a.training.value || a.p.value == 0; };
  put<struct dropout>(all, [=](const auto& a, const tensors& x) {
    return plain(a) ? at::dropout(x[0], a.p.value, a.training.value) : left_out;
  });
  put<struct alpha_dropout>(all, [=](const auto& a, const tensors& x) {
    return plain(a) ? at::alpha_dropout(x[0], a.p.value, a.training.value) : left_out;
  });
  const auto of_features = [=](const auto& a, const tensors& x) {
    return plain(a) ? at::feature_dropout(x[0], a.p.value, a.training.value) : left_out;
  };
  put<struct dropout1d>(all, of_features);
  put<struct dropout2d>(all, of_features);
  put<struct dropout3d>(all, of_features);
  put<struct feature_alpha_dropout>(all, [=](const auto& a, const tensors& x) {
    return plain(a) ? at::feature_alpha_dropout(x[0], a.p.value, a.training.value) : left_out;
  });
}

void add_reductions(counterparts& all) {
  put<struct max>(all, [](const auto&, const tensors& x) { return x.size() == 1 ? x[0].max() : at::max(x[0], x[1]); });
  put<struct min>(all, [](const auto&, const tensors& x) { return x.size() == 1 ? x[0].min() : at::min(x[0], x[1]); });
  put<struct max_values>(
      all, [](const auto& a, const tensors& x) { return std::get<0>(x[0].max(a.dim.value, a.keepdim.value)); });
  put<struct max_indices>(
      all, [](const auto& a, const tensors& x) { return std::get<1>(x[0].max(a.dim.value, a.keepdim.value)); });
  put<struct min_values>(
      all, [](const auto& a, const tensors& x) { return std::get<0>(x[0].min(a.dim.value, a.keepdim.value)); });
  put<struct min_indices>(
      all, [](const auto& a, const tensors& x) { return std::get<1>(x[0].min(a.dim.value, a.keepdim.value)); });
  put<struct median>(all, [](const auto&, const tensors& x) { return x[0].median(); });
  put<struct median_values>(
      all, [](const auto& a, const tensors& x) { return std::get<0>(x[0].median(a.dim.value, a.keepdim.value)); });
  const auto where_median_lies = [](const auto& a, const tensors& x) {
    const at::Tensor in_order = std::get<0>(x[0].sort(a.dim.value));
    if (x[0].dim() > 0 && in_order.diff(1, a.dim.value).eq(0).any().template item<bool>())
      return left_out;  // LibTorch may return any of several equal elements
    return std::get<1>(x[0].median(a.dim.value, a.keepdim.value));
  };
  put<struct median_indices>(all, where_median_lies);
  put<struct median_index>(all, where_median_lies);
  put<struct sort_values>(
      all, [](const auto& a, const tensors& x) { return std::get<0>(x[0].sort(a.dim.value, a.descending.value)); });
  put<struct argsort>(all, [](const auto& a, const tensors& x) {
    return at::argsort(x[0], true, a.dim.value, a.descending.value);  // stable, because koila's sort is always stable
  });
  put<struct topk_values>(all, [](const auto& a, const tensors& x) {
    if (!a.sorted.value) return left_out;  // LibTorch does not specify the order
    return std::get<0>(x[0].topk(a.k.value, a.dim.value, a.largest.value, true));
  });
  put<struct softmin>(all, [](const auto& a, const tensors& x) { return at::softmax(-x[0], a.dim.value); });
}

/// The means of var_mean and std_mean. LibTorch's operator returns them as its second result.
void add_means(counterparts& all) {
  const auto second_of = [](const auto& f) {
    return [f](const auto& a, const tensors& x) {
      const auto dims = numbers_in(a.dim);
      return std::get<1>(f(x[0], dims.empty() ? at::OptionalIntArrayRef() : at::OptionalIntArrayRef(dims),
                           at::Scalar(a.correction.value), a.keepdim.value));
    };
  };
  put<struct var_mean_mean>(all, second_of([](const auto&... x) { return at::var_mean(x...); }));
  put<struct std_mean_mean>(all, second_of([](const auto&... x) { return at::std_mean(x...); }));
}

void add_losses(counterparts& all) {
  put<struct cross_entropy>(all, [](const auto& a, const tensors& x) {
    return at::cross_entropy_loss(x[0], x[1], optional_operand(x, 2), reduction_of(a.reduction.value),
                                  a.ignore_index.value, a.label_smoothing.value);
  });
  put<struct ctc_loss>(all, [](const auto& a, const tensors& x) {
    // If a label is not a class, LibTorch reads memory outside the log-probabilities.
    if (!are_within(x[1], x[0].size(2), false)) return left_out;
    return at::ctc_loss(x[0], x[1], x[2], x[3], a.blank.value, reduction_of(a.reduction.value), a.zero_infinity.value);
  });
  put<struct info_nce>(all, [](const auto& a, const tensors& x) {
    return at::cross_entropy_loss(x[0].matmul(x[1].t()) / a.temperature.value, at::arange(x[0].size(0)), {},
                                  reduction_of(a.reduction.value));
  });
  put<struct gaussian_nll_loss>(all, [](const auto& a, const tensors& x) {
    const auto is_number = [&](std::size_t k) { return x[k].unsafeGetTensorImpl()->is_wrapped_number(); };
    if (is_number(0) || is_number(1)) return left_out;  // LibTorch accepts a number only as the variance
    at::Tensor v = is_number(2) ? x[2] * at::ones_like(x[0]) : x[2];
    if (v.dim() + 1 == x[0].dim() && v.sizes() == x[0].sizes().slice(0, v.sizes().size())) v = v.unsqueeze(-1);
    v = v.clamp_min(a.eps.value);
    at::Tensor each = 0.5 * (v.log() + (x[0] - x[1]).square() / v);
    if (a.full.value) each = each + 0.5 * std::log(2 * std::numbers::pi);
    return reduced_to(each, a.reduction.value);
  });
  put<struct multi_margin_loss>(all, [](const auto& a, const tensors& x) {
    if (x[0].numel() == 0) return left_out;  // LibTorch does not write the result
    return at::multi_margin_loss(x[0], x[1], a.p.value, a.margin.value, optional_operand(x, 2),
                                 reduction_of(a.reduction.value));
  });
  put<struct multilabel_margin_loss>(all, [](const auto& a, const tensors& x) {
    if (x[0].numel() == 0) return left_out;  // LibTorch does not write the result
    return at::multilabel_margin_loss(x[0], x[1], reduction_of(a.reduction.value));
  });
  put<struct multilabel_margin>(
      all, [](const auto&, const tensors& x) { return at::multilabel_margin_loss(x[0], x[1], at::Reduction::None); });
  put<struct multilabel_margin_backward>(all, [](const auto&, const tensors& x) {
    const at::Tensor mask = std::get<1>(at::multilabel_margin_loss_forward(x[1], x[2], at::Reduction::None));
    return at::multilabel_margin_loss_backward(x[0], x[1], x[2], at::Reduction::None, mask);
  });
  put<struct multilabel_soft_margin_loss>(all, [](const auto& a, const tensors& x) {
    at::Tensor each = -(x[1] * at::log_sigmoid(x[0]) + (1 - x[1]) * at::log_sigmoid(-x[0]));
    if (x.size() == 3) each = each * x[2];
    return reduced_to(each.sum(-1) / x[0].size(-1), a.reduction.value);
  });
}

/// Returns x in float32 if x has 16 bits, for ops that koila computes in float32 and LibTorch in 16
/// bits.
auto widened(const at::Tensor& x) -> at::Tensor {
  return x.scalar_type() == at::kHalf || x.scalar_type() == at::kBFloat16 ? x.to(at::kFloat) : x;
}

/// torch.nn.functional.lp_pool, from the mean of the powers in each window.
auto lp_pooled(const lp_pool_attributes& a, const at::Tensor& x, int n, const at::Tensor& mean) -> at::Tensor {
  double elements = 1;
  for (int i = 0; i < n; ++i) elements *= static_cast<double>(a.kernel_size[i].value);
  const at::Tensor y = (at::sign(mean) * at::relu(at::abs(mean))).mul(elements).pow(1 / a.norm_type.value);
  return x.is_floating_point() ? y.to(x.scalar_type()) : y;
}

void add_networks(counterparts& all) {
  put<struct lp_pool1d>(all, [](const auto& a, const tensors& x) {
    return lp_pooled(a, x[0], 1,
                     at::avg_pool1d(widened(x[0]).pow(a.norm_type.value), numbers_in(a.kernel_size),
                                    numbers_in(a.stride), 0, a.ceil_mode.value));
  });
  put<struct lp_pool2d>(all, [](const auto& a, const tensors& x) {
    return lp_pooled(a, x[0], 2,
                     at::avg_pool2d(widened(x[0]).pow(a.norm_type.value), numbers_in(a.kernel_size),
                                    numbers_in(a.stride), 0, a.ceil_mode.value));
  });
  put<struct affine_grid>(all, [](const auto& a, const tensors& x) {
    auto sizes = sizes_in(a.size);
    sizes[0] = x[0].size(0);  // may be given as an axis
    return at::affine_grid_generator(x[0], sizes, a.align_corners.value);
  });
  put<struct grid_sample>(all, [](const auto& a, const tensors& x) {
    const int mode = a.mode.value == choice::bilinear ? 0 : a.mode.value == choice::nearest ? 1 : 2;
    const int padding = a.padding_mode.value == choice::zeros ? 0 : a.padding_mode.value == choice::border ? 1 : 2;
    return at::grid_sampler(widened(x[0]), widened(x[1]), mode, padding, a.align_corners.value).to(x[0].scalar_type());
  });
  put<struct unfold>(all, [](const auto& a, const tensors& x) {
    const bool has_elements = x[0].size(-1) > 0 && x[0].size(-2) > 0 && x[0].size(-3) > 0;
    if (!has_elements) return left_out;  // in LibTorch, only the batch dim may be 0
    return at::im2col(x[0], numbers_in(a.kernel_size, 2), numbers_in(a.dilation, 2), numbers_in(a.padding, 2),
                      numbers_in(a.stride, 2));
  });
  put<struct fold>(all, [](const auto& a, const tensors& x) {
    return at::col2im(x[0], numbers_in(a.output_size, 2), numbers_in(a.kernel_size, 2), numbers_in(a.dilation, 2),
                      numbers_in(a.padding, 2), numbers_in(a.stride, 2));
  });
  put<struct ops::einsum>(
      all, [](const auto& a, const tensors& x) { return at::einsum(std::string(a.equation.view()), x); });
  put<struct tensordot>(all, [](const auto& a, const tensors& x) {
    std::vector<std::int64_t> i = numbers_in(a.dims_self), j = numbers_in(a.dims_other);
    for (std::int64_t k = 0; a.has_number() && k < a.number.value; ++k) {
      i.push_back(x[0].dim() - a.number.value + k);
      j.push_back(k);
    }
    return at::tensordot(x[0], x[1], i, j);
  });
  put<struct scaled_dot_product_attention>(all, [](const auto& a, const tensors& x) {
    if (a.dropout_p.value != 0) return left_out;  // LibTorch draws different numbers
    if (a.is_causal.value && x.size() == 4) return left_out;  // LibTorch accepts either a mask or is_causal, not both
    const auto scale = std::isinf(a.scale.value) ? std::nullopt : std::optional(a.scale.value);
    return at::scaled_dot_product_attention(x[0], x[1], x[2], optional_operand(x, 3), 0.0, a.is_causal.value, scale);
  });
  put<struct pixel_shuffle>(all,
                            [](const auto& a, const tensors& x) { return at::pixel_shuffle(x[0], a.factor.value); });
  put<struct pixel_unshuffle>(all, [](const auto& a, const tensors& x) {
    if (x[0].numel() == 0) return left_out;  // LibTorch returns the operand with unchanged sizes
    return at::pixel_unshuffle(x[0], a.factor.value);
  });
  put<struct embedding>(all, [](const auto& a, const tensors& x) {
    if (a.zero_padding.value) return left_out;  // zero_padding is only for embedding_bag
    return at::embedding(x[1], x[0]);
  });
  put<struct embedding_bag>(all, [](const auto& a, const tensors& x) {
    const std::int64_t bags = x[0].size(0), k = x[0].size(1);
    const int mode = a.mode.value == choice::sum ? 0 : a.mode.value == choice::mean ? 1 : 2;
    const auto weights = x.size() == 3 ? std::optional(x[2].flatten()) : std::nullopt;
    const at::Tensor flat = x[0].flatten(), first = at::arange(bags) * k;
    if (a.padding_idx.value == no_padding)
      return std::get<0>(at::embedding_bag(x[1], flat, first, false, mode, false, weights));
    return std::get<0>(at::embedding_bag(x[1], flat, first, false, mode, false, weights, false, a.padding_idx.value));
  });
  put<struct local_response_norm>(all, [](const auto& a, const tensors& x) {
    // torch.nn.functional.local_response_norm: a mean over windows of padded channels.
    const std::int64_t n = a.size.value;
    if (n > 1000) return left_out;  // the padding needs memory proportional to n
    const at::Tensor squares = x[0].square().flatten(2).unsqueeze(1);  // (n, 1, c, elements)
    const at::Tensor padded = at::constant_pad_nd(squares, {0, 0, n / 2, (n - 1) / 2});
    const at::Tensor mean = at::avg_pool2d(padded, {n, 1}, {1, 1}).squeeze(1).view_as(x[0]);
    return x[0] / (mean * a.alpha.value + a.k.value).pow(a.beta.value);
  });
  put<struct pad>(all, [](const auto& a, const tensors& x) {
    const auto by = numbers_in(a.padding);
    const auto n = static_cast<std::int64_t>(by.size()) / 2, rank = x[0].dim();
    for (std::size_t i = 0; i < by.size(); i += 2)  // LibTorch crops before it pads
      if (x[0].size(rank - 1 - static_cast<std::int64_t>(i) / 2) + std::min<std::int64_t>(by[i], 0) +
              std::min<std::int64_t>(by[i + 1], 0) <
          0)
        return left_out;
    const bool is_image = n <= 3 && (rank == n + 1 || rank == n + 2);
    if (a.mode.value != choice::constant && !is_image) return left_out;  // LibTorch's other modes support only images
    switch (a.mode.value) {
      case choice::constant: return at::constant_pad_nd(x[0], by, a.fill_value.value);
      case choice::reflect: return at::pad(x[0], by, "reflect");
      case choice::replicate: return at::pad(x[0], by, "replicate");
      default: return at::pad(x[0], by, "circular");
    }
  });
  put<struct interpolate>(all, [](const auto& a, const tensors& x) {
    const auto n = static_cast<int>(x[0].dim()) - 2;
    std::vector<double> factors;
    for (int i = 0; i < n; ++i) factors.push_back(a.scale_factor[i].value);
    const std::vector<std::int64_t> extents = numbers_in(a.size, n);
    const bool by_size = !a.size.empty(), align = a.align_corners.value;
    const auto size = by_size ? at::OptionalIntArrayRef(extents) : at::OptionalIntArrayRef();
    const auto factor = by_size ? std::optional<at::ArrayRef<double>>() : std::optional<at::ArrayRef<double>>(factors);
    switch (a.mode.value) {
      case choice::nearest:
        return n == 1   ? at::upsample_nearest1d(x[0], size, factor)
               : n == 2 ? at::upsample_nearest2d(x[0], size, factor)
                        : at::upsample_nearest3d(x[0], size, factor);
      case choice::linear: return at::upsample_linear1d(x[0], size, align, factor);
      case choice::bilinear: return at::upsample_bilinear2d(x[0], size, align, factor);
      case choice::bicubic: return at::upsample_bicubic2d(x[0], size, align, factor);
      case choice::trilinear: return at::upsample_trilinear3d(x[0], size, align, factor);
      default: break;
    }
    std::vector<std::int64_t> to = extents;  // kArea
    for (int i = 0; i < n && !by_size; ++i)
      to[static_cast<std::size_t>(i)] =
          static_cast<std::int64_t>(static_cast<double>(x[0].size(i + 2)) * factors[static_cast<std::size_t>(i)]);
    return n == 1   ? at::adaptive_avg_pool1d(x[0], to)
           : n == 2 ? at::adaptive_avg_pool2d(x[0], to)
                    : at::adaptive_avg_pool3d(x[0], to);
  });
}

/// Returns the weights and biases for LibTorch's function, which takes two biases. If koila's op
/// has only one bias, the second one is zeros.
auto layer_weights(const tensors& x, std::size_t first, bool two_biases) -> tensors {
  tensors p(x.begin() + static_cast<std::ptrdiff_t>(first), x.end());
  if (p.size() == 3 && !two_biases) p.push_back(at::zeros_like(p[2]));
  return p;
}
/// Runs f(sequence) from the last step to the first if `reversed`.
template <class F>
auto along_time(const at::Tensor& x, bool reversed, const F& f) -> at::Tensor {
  return reversed ? f(x.flip(0)).flip(0) : f(x);
}

void add_recurrent(counterparts& all) {
  put<struct gru>(all, [](const auto& a, const tensors& x) {
    const tensors p = layer_weights(x, 2, true);
    return along_time(x[0], a.reverse.value, [&](const at::Tensor& features) {
      return std::get<0>(at::gru(features, x[1].unsqueeze(0), p, p.size() == 4, 1, 0.0, false, false, false));
    });
  });
  put<struct rnn_tanh>(all, [](const auto& a, const tensors& x) {
    const tensors p = layer_weights(x, 2, false);
    return along_time(x[0], a.reverse.value, [&](const at::Tensor& features) {
      return std::get<0>(at::rnn_tanh(features, x[1].unsqueeze(0), p, p.size() == 4, 1, 0.0, false, false, false));
    });
  });
  put<struct rnn_relu>(all, [](const auto& a, const tensors& x) {
    const tensors p = layer_weights(x, 2, false);
    return along_time(x[0], a.reverse.value, [&](const at::Tensor& features) {
      return std::get<0>(at::rnn_relu(features, x[1].unsqueeze(0), p, p.size() == 4, 1, 0.0, false, false, false));
    });
  });
  put<struct lstm>(all, [](const auto& a, const tensors& x) {
    const tensors p = layer_weights(x, 3, false), state{x[1].unsqueeze(0), x[2].unsqueeze(0)};
    return along_time(x[0], a.reverse.value, [&](const at::Tensor& features) {
      return std::get<0>(at::lstm(features, state, p, p.size() == 4, 1, 0.0, false, false, false));
    });
  });
  put<struct lstm_cell>(all, [](const auto&, const tensors& x) {
    const tensors p = layer_weights(x, 3, false);
    return std::get<0>(at::lstm_cell(x[0], {x[1], x[2]}, p[0], p[1], optional_operand(p, 2), optional_operand(p, 3)));
  });
  put<struct rnn_tanh_cell>(all, [](const auto&, const tensors& x) {
    const tensors p = layer_weights(x, 2, false);
    return at::rnn_tanh_cell(x[0], x[1], p[0], p[1], optional_operand(p, 2), optional_operand(p, 3));
  });
  put<struct rnn_relu_cell>(all, [](const auto&, const tensors& x) {
    const tensors p = layer_weights(x, 2, false);
    return at::rnn_relu_cell(x[0], x[1], p[0], p[1], optional_operand(p, 2), optional_operand(p, 3));
  });
}

}  // namespace

auto counterpart_of(const callable_op& op) -> const counterpart* {
  static const auto all = [] {
    counterparts table;
    for (const auto& part : {add_indexing, add_creation, add_pointwise, add_dropout, add_reductions, add_means,
                             add_losses, add_networks, add_recurrent})
      part(table);
    return table;
  }();
  const auto found = all.find(op.type);
  return found == all.end() ? nullptr : &found->second;
}

auto without_counterpart() -> const std::map<std::string, std::string>& {
  static const std::map<std::string, std::string> all{
      {"bernoulli", "LibTorch draws other numbers"},
      {"rand_like", "LibTorch draws other numbers"},
      {"randn_like", "LibTorch draws other numbers"},
      {"custom", "it needs a callable"},
  };
  return all;
}

}  // namespace koila::test
