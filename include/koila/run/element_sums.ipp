// SPDX-License-Identifier: MIT
// Definitions of fused_kernel.hpp: sums of the values that a kernel computes.
namespace koila::inline v0::detail {

/// The accumulators for one part of the work.
struct fused_kernel::totals {
  double* all;  // for all sums
  const destination* to;
  alignas(64) float few[most_sums];  // for column sums, before they are added to `all`
};

/// Adds n computed elements, beginning with element `first`, to the sums.
template <class T>
void fused_kernel::add_tile(totals& to, char* const* here, std::int64_t first, std::int64_t n) const {
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const summed& s = sums_[k];
    const char* const x = here[s.value];
    double* const total = to.all + s.position;
    if (s.reduction == summed::reduction_kind::columns) {
      const std::int64_t column = s.row_length < detail::long_row ? 0 : first % s.row_length;
      if constexpr (std::is_same_v<T, float>) add_(to.few + s.position + column, x, n);
      else add_(total + column, x, n);
      continue;
    }
    double sums[most_in_tile];
    const bool inside = s.reduction == summed::reduction_kind::whole ||
                        s.row_length >= detail::long_row;  // the tile lies within one row
    const std::int64_t rows = inside ? 1 : n / s.row_length,
                       row = s.reduction == summed::reduction_kind::whole ? 0 : first / s.row_length;
    sum_rows_(sums, x, rows, n / rows);
    if (s.reduction == summed::reduction_kind::whole) {
      *total += sums[0];
    } else if (s.reduction == summed::reduction_kind::channels) {
      for (std::int64_t r = 0; r < rows; ++r) total[(row + r) % s.shape.kept] += sums[r];
    } else {
      if (inside) sums[0] = *total += sums[0];
      if (inside && (first + n) % s.row_length != 0) continue;  // the row goes on in the next tile
      *total = 0;
      T* const y = static_cast<T*>(to.to[k].to->mutable_data_ptr()) + row;
      for (std::int64_t r = 0; r < rows; ++r) y[r] = static_cast<T>(sums[r]) + (to.to[k].add ? y[r] : T(0));
    }
  }
}

/// Combines the parts of a sum.
template <class T>
void fused_kernel::finish_sum(std::size_t k, const destination& to, const double* totals) const {
  const summed& s = sums_[k];
  T* const y = static_cast<T*>(to.to->mutable_data_ptr());
  const bool done = s.reduction == summed::reduction_kind::rows;
  if (done && count_ > 0) return;
  for (std::int64_t i = 0; i < s.shape.kept; ++i) {
    double sum = 0;
    for (std::int64_t p = 0; p < parts_ && !done; ++p)
      for (std::int64_t j = i; j < s.width; j += s.shape.kept) sum += totals[p * sum_width_ + s.position + j];
    y[i] = static_cast<T>(sum) + (to.add ? y[i] : T(0));
  }
}

void fused_kernel::run_with_sums(const destination* sums) const {
  double all[most_sums];
  std::fill_n(all, parts_ * sum_width_, 0.0);
  detail::parallel_for(0, parts_, 1, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t whole = tiles_ / tiles_per_part_;
    for (std::int64_t p = begin; p < end; ++p) {
      totals of;
      of.all = all + p * sum_width_;
      of.to = sums;
      std::fill_n(of.few, sum_width_, 0.F);
      const auto tile = [&](std::int64_t part) {
        return part == parts_ ? tiles_ : whole * part / parts_ * tiles_per_part_;
      };
      for (std::int64_t t = tile(p); t < tile(p + 1); t += round_) {
        run_tiles(t, std::min(tile(p + 1), t + round_), &of);
        for (const summed& s : sums_) {
          if (s.reduction != summed::reduction_kind::columns || item_ != 4) continue;
          for (std::int64_t i = s.position; i < s.position + s.width; ++i)
            of.all[i] += static_cast<double>(std::exchange(of.few[i], 0.F));
        }
      }
    }
  });
  for (std::size_t k = 0; k < sums_.size(); ++k)
    item_ == 4 ? finish_sum<float>(k, sums[k], all) : finish_sum<double>(k, sums[k], all);
}

}  // namespace koila::inline v0::detail
