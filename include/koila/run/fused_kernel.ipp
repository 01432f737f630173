// SPDX-License-Identifier: MIT
// Definitions of fused_kernel.hpp.
#include <koila/kernels/cpu/narrow_elements.ipp>
#include <koila/kernels/cpu/tile_sums.ipp>
#include <koila/ops/common/definitions.hpp>
#include <koila/run/fused_kernel.hpp>
#include <koila/torch/parallel.hpp>

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace koila::inline v0::detail {

/// Bytes of all tiles of a kernel. The tiles take only a part of the L1 cache. The rest of the
/// cache is for the tensors that the kernel reads and writes.
inline constexpr std::int64_t tile_bytes = 24 << 10;
/// If inner rows have at least this many elements, a tile lies within one row. Shorter rows are
/// copied, several of them to one tile.
inline constexpr std::int64_t long_row = 128;
/// The most elements of a tile. `longest_tile_ahead` applies if the kernel prefetches the next tile
/// into the L1 cache while it computes the current tile.
inline constexpr std::int64_t longest_tile = 512, longest_tile_ahead = 256;
/// The most elements of a tile if a single step reads tensors in place. Such a step reads memory
/// sequentially, so the processor prefetches without prefetch instructions.
inline constexpr std::int64_t longest_tile_alone = 1024;
/// The most bytes of all tiles plus the tensor elements of the current and the next tile, if the
/// tensors are not in a cache. This is half of the L1 cache.
inline constexpr std::int64_t tile_bytes_ahead = 16 << 10;
/// If the tensors that are used in place have at most this many bytes together, they are assumed to
/// be in a cache.
inline constexpr std::int64_t bytes_near = 2 << 20;
/// The fewest elements of one step that are worth a thread.
inline constexpr std::int64_t elements_for_thread = 32768;
/// The wanted number of elements of a tile in a kernel with row ops. A tile has several short rows,
/// and each step computes all of them. Such tiles are long, so the next tile is not prefetched.
inline constexpr std::int64_t tile_of_rows = most_in_tile;
/// `most_sum_parts` is the maximum number of parts into which the work of a kernel with sums is
/// cut. `rows_in_float32` is the number of rows that a column sum adds in float32 before it adds
/// the result in float64.
inline constexpr std::int64_t most_sum_parts = 64, rows_in_float32 = 32;

/// Writes the same number n times.
template <class T>
struct filled_elements {
  [[gnu::always_inline]] static void run(void* to, const void* from, index_t n) {
    each_of(n, [to = static_cast<T*>(to), x = *static_cast<const T*>(from)](index_t i) { to[i] = x; });
  }
};
/// Copies with non-temporal stores, which bypass the caches and do not read the destination.
/// `all_is_past_caches` must be called afterwards.
inline void copy_past_caches(char* to, const char* from, std::int64_t bytes) {
#ifdef __x86_64__
  const auto copy = [&](std::int64_t n) {
    std::memcpy(to, from, static_cast<std::size_t>(n));
    to += n, from += n, bytes -= n;
  };
  copy(std::min<std::int64_t>(bytes, -reinterpret_cast<std::intptr_t>(to) & 15));
  for (; bytes >= 16; to += 16, from += 16, bytes -= 16)
    _mm_stream_ps(reinterpret_cast<float*>(to), _mm_loadu_ps(reinterpret_cast<const float*>(from)));
#endif
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}
/// Makes the copies of `copy_past_caches` visible to other threads.
inline void all_is_past_caches() {
#ifdef __x86_64__
  _mm_sfence();
#endif
}
template <class T>
void copy_strided(char* to, const char* from, std::int64_t stride, std::int64_t n) {
  const T* const x = reinterpret_cast<const T*>(from);
  T* const y = reinterpret_cast<T*>(to);
  if (stride == 1) std::memcpy(y, x, static_cast<std::size_t>(n) * sizeof(T));
  else
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i * stride];
}

/// Working memory of one thread, on its stack.
struct fused_kernel::scratch {
  static constexpr std::int64_t bytes = most_bytes_of_tiles;  // enough for the tiles of any fusion group
  alignas(64) char tiles[bytes];
  alignas(64) std::uint16_t unstored[most_in_tile];  // receives the rounded elements of values without a buffer
  const char* filled[most_values];  // value -> the element that fills its tile now
};

fused_kernel::fused_kernel(const dims& d)
    : dims_(d), item_(bytes_of(computed_in(d.type))), stored_item_(bytes_of(d.type)) {
  for (int i = 0; i < d.rank; ++i) sizes_.push_back(d.e[i].n), count_ *= d.e[i].n;
}

/// Returns the axes of a tensor that is broadcast to these sizes. Axes of extent 1 are dropped, and
/// neighbouring axes are merged where the strides allow it.
auto fused_kernel::merged_axes(const at::Tensor& t, const std::vector<std::int64_t>& sizes)
    -> std::vector<extent_stride> {
  std::vector<extent_stride> out;
  const auto rank = static_cast<std::int64_t>(sizes.size());
  for (std::int64_t i = 0; i < rank; ++i) {
    const std::int64_t n = sizes[static_cast<std::size_t>(i)], axis = i - (rank - t.dim());
    if (n == 1) continue;
    const std::int64_t stride = axis < 0 || t.size(axis) == 1 ? 0 : t.stride(axis);
    if (!out.empty() && out.back().stride == stride * n) out.back() = {out.back().n * n, stride};
    else out.push_back({n, stride});
  }
  if (out.empty()) out.push_back({1, 0});
  return out;
}

auto fused_kernel::read(const at::Tensor& t) -> int {
  for (std::size_t k = 0; k < values_.size(); ++k)
    if (values_[k].tensor == &t && values_[k].access == access::in_place) return static_cast<int>(k);
  values_.push_back({&t, access::in_place, is_narrow() && t.element_size() != stored_item_ ? t.element_size() : 0,
                     merged_axes(t, sizes_), -1, -1});
  return static_cast<int>(values_.size()) - 1;
}

auto fused_kernel::read_row(const at::Tensor& t) -> int {
  values_.push_back({&t, access::one_row, 0, {}, -1, -1});
  return static_cast<int>(values_.size()) - 1;
}

auto fused_kernel::compute(elements_function f, const void* attributes, const int* inputs, int n, at::Tensor* stored,
                           const op_info* op, bool only_here, std::int64_t row) -> int {
  const int out = static_cast<int>(values_.size());
  if (row > 0) {
    TORCH_INTERNAL_ASSERT(whole_row_ == 0 || whole_row_ == row);
    whole_row_ = row;
    of_rows_.push_back({attributes, row});
    attributes = &of_rows_.back();
  }
  step s{f, attributes, n, {}, out, op, only_here};
  for (int k = 0; k < n; ++k) { s.operands[static_cast<std::size_t>(k)] = inputs[k]; }
  values_.push_back({stored, access::computed, 0, {}, -1, -1});
  steps_.push_back(s);
  ++computed_;
  return out;
}

void fused_kernel::sum(int value, unsigned over, bool again) {
  const sum_shape s = sum_shape_of(dims_, over);
  using enum summed::reduction_kind;
  const auto reduction = s.kept == 1 ? whole : s.lead == 1 ? rows : s.each == 1 ? columns : channels;
  sums_.push_back(
      {value, reduction, again, s, row_of_sum(s), 0, reduction == columns || reduction == channels ? s.kept : 1});
}

/// Returns the length of the rows that tiles do not cross: the length of the shortest inner row, of
/// an operand or a sum, that has at least `long_row` elements. If there is no such row, all
/// elements are one row. In a kernel with row ops, the length is a multiple of the row ops' row
/// length.
auto fused_kernel::find_row() const -> std::int64_t {
  std::int64_t row = count_;
  for (const value& v : values_)
    if (v.access != access::computed && v.axes.size() > 1 && v.axes.back().n >= detail::long_row)
      row = std::min(row, v.axes.back().n);
  for (const summed& s : sums_)
    if (s.row_length >= detail::long_row) row = std::min(row, s.row_length);
  return whole_row_ > 0 && row % whole_row_ != 0 ? whole_row_ : row;
}

void fused_kernel::choose_tiles() {
  row_ = find_row();
  std::int64_t period = 1;  // elements after which broadcast operands repeat, if no row is long
  for (value& v : values_) {
    if (v.access == access::computed || v.access == access::one_row) continue;
    const extent_stride inner = v.axes.back();
    if (v.axes.size() == 1) {
      v.access = inner.stride == 1 || inner.n == 1 ? access::in_place
                 : inner.stride == 0               ? access::same
                                                   : access::gathered;
    } else if (inner.n % row_ == 0) {
      v.access = inner.stride == 1 ? access::in_rows : inner.stride == 0 ? access::same : access::gathered;
    } else {
      v.access = access::gathered;
      if (row_ == count_ && v.axes.front().stride == 0) period = std::max(period, count_ / v.axes.front().n);
    }
  }
  for (value& v : values_)
    if (v.access == access::gathered && v.axes.size() > 1 && v.axes.front().stride == 0 && row_ == count_ &&
        period % (count_ / v.axes.front().n) == 0 && period <= most_in_tile)
      v.access = access::repeated;
  for (value& v : values_)
    if (is_narrow() && (v.access == access::in_place || v.access == access::in_rows))
      v.access = v.wide != 0 ? access::same : access::gathered;
  std::int64_t streams = 0;  // tensors that are read or written in place
  for (const value& v : values_)
    if (v.tensor != nullptr &&
        (v.access == access::computed ? !is_narrow() : v.access == access::in_place || v.access == access::in_rows))
      ++streams;
  ahead_ = streams * count_ * item_ > detail::bytes_near;
  const bool again = std::any_of(sums_.begin(), sums_.end(), [](const summed& s) { return s.again; });
  far_ = streams * count_ * item_ > detail::bytes_far.load(std::memory_order_relaxed) && !is_narrow() && !again;
  assign_tiles();
  std::int64_t used = 1;
  for (const value& v : values_) used = std::max<std::int64_t>(used, v.tile + 1);
  const bool alone = steps_.size() == 1 && used == 1;
  if (alone) ahead_ = false;
  const std::int64_t most = scratch::bytes / (used * item_);
  std::int64_t wanted = ahead_ ? std::clamp<std::int64_t>(detail::tile_bytes_ahead / ((used + 2 * streams) * item_), 64,
                                                          detail::longest_tile_ahead)
                               : std::clamp<std::int64_t>(detail::tile_bytes / (used * item_), 64,
                                                          alone ? detail::longest_tile_alone : detail::longest_tile);
  // The elements of one tile are summed in the dtype of the sum, so the bits of the sum depend on
  // the size of the tile. If another kernel computes the same sum, both kernels must use the same
  // tiles, whatever else they compute.
  if (again) wanted = std::min(detail::longest_tile_ahead, most);
  choose_tile(period, wanted, most);
  tiles_in_row_ = (row_ + tile_ - 1) / tile_;
  tiles_ = count_ / row_ * tiles_in_row_;
  at_once_ = std::max<std::int64_t>(1, detail::elements_for_thread / (tile_ * work()));
  choose_parts();
  find_moves();
}

/// Decides how the address of a tile is computed for each value. For most values, the address is
/// computed from the row, the column and two strides (`moved`). This avoids the divisions in
/// `offset_of`, which take as long as the computation of a row.
void fused_kernel::find_moves() {
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const value& v = values_[k];
    const int number = static_cast<int>(k);
    const bool stored = v.access == access::computed && v.tensor != nullptr && !is_narrow() && !far_;
    if (stored || v.access == access::in_place) moved_.push_back({number, row_ * item_, item_});
    else if (v.access == access::computed || v.access == access::one_row) continue;
    else if (v.access == access::same && v.axes.size() == 1) filled_.push_back({number, 0, 0});
    else if ((v.access == access::same || v.access == access::in_rows) && v.axes.size() == 2 && v.axes[1].n == row_)
      (v.access == access::same ? filled_ : moved_)
          .push_back({number, v.axes[0].stride * stored_item_, v.axes[1].stride * stored_item_});
    else copied_.push_back(number);
  }
}

/// Chooses the number of elements of a tile. `period` is the number of elements after which
/// broadcast operands repeat. `wanted` is the preferred number, and `most` is the largest number.
void fused_kernel::choose_tile(std::int64_t period, std::int64_t wanted, std::int64_t most) {
  std::int64_t whole = std::max<std::int64_t>(1, whole_row_);  // a tile has whole rows, also of sums over short rows
  if (whole_row_ > 0) wanted = std::max(wanted, std::min(most, detail::tile_of_rows));
  for (const summed& s : sums_)
    if (s.row_length < detail::long_row) whole = std::max(whole, s.row_length);
  const bool repeats =
      std::any_of(values_.begin(), values_.end(), [](const value& v) { return v.access == access::repeated; });
  if (repeats && std::max(period, whole) <= most) whole = std::max(period, whole);
  else
    for (value& v : values_)
      if (v.access == access::repeated) v.access = access::gathered;
  tile_ = whole > 1 ? std::max<std::int64_t>(1, wanted / whole) * whole : std::max<std::int64_t>(wanted / 64 * 64, 64);
  tile_ = std::max<std::int64_t>(1, std::min({tile_, row_, count_}));
}

/// Cuts the work into parts. The parts do not depend on the number of threads, so that the sums
/// have the same bits for any number of threads.
void fused_kernel::choose_parts() {
  if (sums_.empty()) return;
  sum_width_ = 0;
  for (summed& s : sums_) {
    if (s.reduction == summed::reduction_kind::columns && s.row_length < detail::long_row) s.width = tile_;
    s.position = sum_width_;
    sum_width_ += s.width;
    const std::int64_t tiles = std::max<std::int64_t>(1, s.row_length / row_ * tiles_in_row_);  // tiles of a row
    if (s.reduction == summed::reduction_kind::rows && s.row_length >= detail::long_row)
      tiles_per_part_ = std::max(tiles_per_part_, tiles);
    if (s.reduction == summed::reduction_kind::columns)
      round_ = std::max(round_, detail::rows_in_float32 * (s.row_length < detail::long_row ? 1 : tiles));
  }
  if (round_ == 0) round_ = tiles_;
  // The bits of a sum depend on the number of parts. If another kernel must compute the same bits,
  // there is only one part. Sums of rows do not need this, because parts do not cut rows.
  const bool whole = std::any_of(sums_.begin(), sums_.end(), [](const summed& s) {
    return s.again && s.reduction != summed::reduction_kind::rows;
  });
  const std::int64_t wanted = whole ? 1 : count_ * work() / detail::elements_for_thread;
  parts_ = std::clamp<std::int64_t>(std::min(wanted, tiles_ / tiles_per_part_), 1,
                                    std::min<std::int64_t>(detail::most_sum_parts, most_sums / sum_width_));
}

/// Assigns a tile to each value that is not used in place. A step may write its result to the tile
/// of an operand that no later step reads.
void fused_kernel::assign_tiles() {
  for (std::size_t k = 0; k < steps_.size(); ++k)
    for (int i = 0; i < steps_[k].n; ++i)
      values_[static_cast<std::size_t>(steps_[k].operands[static_cast<std::size_t>(i)])].last = static_cast<int>(k);
  for (const summed& s : sums_) values_[static_cast<std::size_t>(s.value)].last = std::numeric_limits<int>::max();
  std::vector<int> free;
  int used = 0;
  for (value& v : values_)
    if (v.access != access::computed && v.access != access::in_place && v.access != access::in_rows &&
        v.access != access::one_row)
      v.tile = used++;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const step& s = steps_[k];
    for (int i = 0; i < s.n; ++i) {
      const value& x = values_[static_cast<std::size_t>(s.operands[static_cast<std::size_t>(i)])];
      const bool again = std::find(s.operands.begin(), s.operands.begin() + i,
                                   s.operands[static_cast<std::size_t>(i)]) != s.operands.begin() + i;
      if (x.access == access::computed && x.tile >= 0 && x.last == static_cast<int>(k) && !again)
        free.push_back(x.tile);
    }
    value& y = values_[static_cast<std::size_t>(s.out)];
    if (y.tensor != nullptr && !is_narrow() && !far_) continue;
    if (free.empty()) free.push_back(used++);
    y.tile = free.back();
    free.pop_back();
    if (y.last < 0) free.push_back(y.tile);
  }
}

void fused_kernel::prepare(const std::vector<const fused_elements*>& fused) {
  const bool again = std::any_of(sums_.begin(), sums_.end(), [](const summed& s) { return s.again; });
  if (dims_.type == dtype::float32 && !again)
    for (const fused_elements* f : fused) fuse(*f);
  const auto use = [this](const auto& sums) { sum_rows_ = sums.rows, add_ = sums.add; };
  item_ == 4 ? use(detail::tile_sums<float>()) : use(detail::tile_sums<double>());
  fill_ = item_ == 4 ? detail::functions_of<detail::filled_elements<float>, void*, const void*, index_t>::best()
                     : detail::functions_of<detail::filled_elements<double>, void*, const void*, index_t>::best();
  if (is_narrow()) {
    const detail::narrow_functions of = dims_.type == dtype::float16 ? detail::narrow_functions_of<at::Half>()
                                                                     : detail::narrow_functions_of<at::BFloat16>();
    widen_ = of.read, narrow_ = of.round;
  }
  for (const summed& s : sums_) sum_width_ += s.width;
  if (count_ > 0) choose_tiles();
}

void fused_kernel::run(const destination* sums) const {
  if (!sums_.empty()) return run_with_sums(sums);
  detail::parallel_for(0, tiles_, at_once_, [this](std::int64_t begin, std::int64_t end) { run_tiles(begin, end); });
}

/// Returns the offset of an element of a tensor, in elements from the first element.
auto fused_kernel::offset_of(const value& v, std::int64_t element) const -> std::int64_t {
  std::int64_t rest = element, offset = 0;
  for (std::size_t a = v.axes.size(); a-- > 0; rest /= v.axes[a].n) offset += rest % v.axes[a].n * v.axes[a].stride;
  return offset;
}

void fused_kernel::fill(const value& v, char* tile, const char* element, std::int64_t n) const {
  float number = 0;
  if (is_narrow()) {
    if (v.wide == 0) widen_(&number, element, 1, 1);
    else
      number = v.wide == 4 ? *reinterpret_cast<const float*>(element)
                           : static_cast<float>(*reinterpret_cast<const double*>(element));
    element = reinterpret_cast<const char*>(&number);
  }
  fill_(tile, element, n);
}

/// Copies n elements of a value to `tile`, beginning with element `first` of the value.
void fused_kernel::gather(const value& v, const char* tensor, char* tile, std::int64_t first, std::int64_t n) const {
  const extent_stride inner = v.axes.back();
  while (n > 0) {
    const std::int64_t here = std::min(n, inner.n - first % inner.n);
    const char* const x = tensor + offset_of(v, first) * stored_item_;
    if (inner.stride == 0) fill(v, tile, x, here);
    else if (is_narrow()) widen_(reinterpret_cast<float*>(tile), x, inner.stride, here);
    else if (item_ == 4) detail::copy_strided<float>(tile, x, inner.stride, here);
    else detail::copy_strided<double>(tile, x, inner.stride, here);
    tile += here * item_;
    first += here;
    n -= here;
  }
}

void fused_kernel::run_tiles(std::int64_t begin, std::int64_t end, totals* sums) const {
  scratch own;
  char* base[most_values];  // value -> the first element of its tensor, or null
  char* here[most_values];  // value -> its elements in the current tile
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const value& v = values_[k];
    base[k] = v.tensor == nullptr ? nullptr : const_cast<char*>(static_cast<const char*>(v.tensor->const_data_ptr()));
    here[k] = v.tile >= 0 ? own.tiles + v.tile * tile_ * item_ : base[k];
    own.filled[k] = nullptr;
  }
  std::int64_t row = begin / tiles_in_row_, in_row = begin % tiles_in_row_ * tile_;
  for (std::int64_t t = begin; t < end; ++t) {
    const std::int64_t first = row * row_ + in_row;
    const std::int64_t n = std::min(tile_, row_ - in_row);
    const auto start = [&](const moved& m) { return base[m.value] + row * m.row_stride + in_row * m.column_stride; };
    for (const moved& m : moved_) here[m.value] = start(m);
    for (const moved& m : filled_)
      if (char* const x = start(m); std::exchange(own.filled[m.value], x) != x)
        fill(values_[static_cast<std::size_t>(m.value)], here[m.value], x, std::min(tile_, row_));
    for (const int k : copied_) {
      const value& v = values_[static_cast<std::size_t>(k)];
      if (v.access == access::repeated) {
        if (own.filled[k] == nullptr) gather(v, base[k], here[k], 0, std::min(tile_, count_));
        own.filled[k] = here[k];
      } else if (v.access == access::gathered) {
        gather(v, base[k], here[k], first, n);
      } else {
        char* const x = base[k] + offset_of(v, first) * stored_item_;
        if (v.access == access::in_rows) here[k] = x;
        else if (std::exchange(own.filled[k], x) != x) fill(v, here[k], x, std::min(tile_, row_));
      }
    }
    // Prefetches the next tile while this one is computed.
    if (ahead_ && whole_row_ == 0 && t + 1 < end)
      for (std::size_t k = 0; k < values_.size(); ++k)
        if (values_[k].tensor != nullptr && values_[k].tile < 0)
          for (std::int64_t i = 0; i < tile_ * item_; i += 64) __builtin_prefetch(here[k] + n * item_ + i, 0, 3);
    for (const step& s : steps_) {
      const void* in[most_fused_operands];
      for (int i = 0; i < s.n; ++i) in[i] = here[s.operands[static_cast<std::size_t>(i)]];
      s.f(here[s.out], in, s.attributes, n);
      if (is_narrow()) {
        char* const to = base[s.out];
        narrow_(reinterpret_cast<float*>(here[s.out]),
                to != nullptr ? static_cast<void*>(to + first * stored_item_) : own.unstored, n);
      } else if (far_ && base[s.out] != nullptr) {
        detail::copy_past_caches(base[s.out] + first * item_, here[s.out], n * item_);
      }
    }
    if (sums != nullptr) item_ == 4 ? add_tile<float>(*sums, here, first, n) : add_tile<double>(*sums, here, first, n);
    in_row += tile_;
    if (in_row >= row_) in_row = 0, ++row;
  }
  if (far_) detail::all_is_past_caches();
}

}  // namespace koila::inline v0::detail

#include <koila/run/element_sums.ipp>
#include <koila/run/fused_steps.ipp>
