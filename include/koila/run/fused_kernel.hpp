// SPDX-License-Identifier: MIT
#pragma once
// A fused kernel. It computes element-wise ops tile by tile, so that intermediate values stay in
// the L1 cache of a core.
#include <koila/plan/fusion_groups.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <vector>

namespace at {
class Tensor;
}

namespace koila::inline v0::detail {

/// If a kernel reads and writes more than this many bytes, its results bypass the caches
/// (non-temporal stores), because they would soon be evicted. Tests change this value.
inline std::atomic<std::int64_t> bytes_far{std::int64_t{64} << 20};

/// A kernel that computes values of the same dims from tensors that are broadcast to these dims.
/// Calls of `read`, `compute` and `sum` describe the computation, in order, and a call of `prepare`
/// ends the description. Then `run` executes the kernel, any number of times, on the tensors'
/// current data. `run` does not allocate.
class fused_kernel {
 public:
  /// `d` has the dims and the dtype of the computed values. The dtype must be float32, float64 or
  /// a 16-bit dtype. 16-bit values are computed in float32, and each result is rounded to 16
  /// bits.
  explicit fused_kernel(const dims& d);

  /// Adds a tensor that the kernel reads, and returns the tensor's number. The tensor must be
  /// broadcastable to the kernel's dims and must have the kernel's dtype. In a 16-bit kernel, the
  /// tensor may also be a single number in float32 or float64. The tensor's strides must not change
  /// between runs, but its data pointer may.
  auto read(const at::Tensor& t) -> int;
  /// Adds an operand of a row op, such as the weight of a layer norm. The operand is a single row,
  /// which the kernel uses for every row. Returns the operand's number.
  auto read_row(const at::Tensor& t) -> int;
  /// Adds a value that `f` computes from the `n` values with the numbers `operands`. Returns the
  /// number of the new value. `stored` is the contiguous tensor that receives the value, or null if
  /// only this kernel reads the value. `op` is the op that `f` computes. `only_here` is true if no
  /// other kernel computes the value. In that case, a function for several ops (see `prepare`) may
  /// compute the value instead of `f`, with different bits. `row` is the row length of a row op, or
  /// 0 for an element-wise op.
  auto compute(elements_function f, const void* attributes, const int* operands, int n, at::Tensor* stored,
               const op_info* op = nullptr, bool only_here = true, std::int64_t row = 0) -> int;
  /// Adds the sum of a value over the dims whose bits are set in `over`. `again` must be true if
  /// another kernel may compute the same sum, because both sums must have the same bits.
  void sum(int value, unsigned over, bool again = false);
  /// Ends the description. Replaces several steps by one step if a function in `fused` computes all
  /// their ops.
  void prepare(const std::vector<const fused_elements*>& fused = {});
  /// The contiguous tensor that receives a sum. If `add` is true, the sum is added to the
  /// elements of the tensor instead of replacing them.
  struct destination {
    at::Tensor* to;
    bool add;
  };
  /// Computes the values. Writes the sums to `sums`, in the order of the calls of `sum`. Runs on
  /// LibTorch's threads; results do not depend on the number of threads.
  void run(const destination* sums = nullptr) const;

  /// The number of values that the kernel computes, and the number of steps that compute them.
  auto computed() const -> std::size_t { return computed_; }
  auto steps() const -> std::size_t { return steps_.size(); }

 private:
  /// How the kernel gets the elements of a value for one tile.
  enum class access : signed char {
    in_place,  // contiguous in the tensor
    in_rows,  // contiguous within each inner row; tiles do not cross these rows
    same,  // broadcast along the inner row; the one element fills a tile
    repeated,  // the same elements for every tile, so they are copied only once
    gathered,  // copied for each tile; a 16-bit kernel also copies contiguous elements
    one_row,  // one contiguous row, used for all rows
    computed,  // computed by a step, into the tensor or into a tile
  };
  struct extent_stride {
    std::int64_t n, stride;
  };
  struct value {
    const at::Tensor* tensor = nullptr;
    fused_kernel::access access = fused_kernel::access::in_place;
    std::int64_t wide = 0;  // bytes of a float32 or float64 number in a 16-bit kernel; else 0
    // The axes of a tensor that is read, merged where the strides allow it. The last axis is the
    // innermost.
    std::vector<extent_stride> axes{};
    int tile = -1;
    int last = -1;  // the last step that reads the value
  };
  /// The distances between the elements of a value, in bytes: from one row to the next
  /// (`row_stride`), and from one element of a row to the next (`column_stride`).
  struct moved {
    int value;
    std::int64_t row_stride, column_stride;
  };
  struct step {
    elements_function f;
    const void* attributes;
    int n;
    std::array<int, most_fused_operands> operands;
    int out;
    const op_info* op;
    bool only_here;
  };
  /// How a sum is accumulated.
  struct summed {
    enum class reduction_kind : signed char {
      whole,  // all elements into one result
      rows,  // each row of `each` elements into its own result
      channels,  // row r of `each` elements into result r modulo `kept`
      columns,  // rows of `kept` elements, added element by element
    };
    int value;
    reduction_kind reduction;
    bool again;  // another kernel may compute the same sum
    sum_shape shape;
    std::int64_t row_length;  // elements of a row; a tile lies within a row, or consists of whole rows
    std::int64_t position = 0, width = 1;  // position of the sum's first accumulator; number of accumulators
  };
  /// Steps that together compute a tree of ops. `steps` begins with the root, the step that runs
  /// last. `operands` are the values that the tree reads.
  struct found {
    std::vector<int> steps, operands;
    std::vector<const void*> attributes;
  };
  // The most values that the kernel of a fusion group computes and reads.
  static constexpr std::size_t most_values = (1 + most_element_operands) * most_in_run;
  struct scratch;
  struct totals;

  dims dims_;
  std::vector<std::int64_t> sizes_;
  std::int64_t count_ = 1, item_ = 4, stored_item_ = 4;  // elements; bytes of an element: as computed, and in tensors
  void (*fill_)(void* to, const void* from, index_t n) = nullptr;  // writes the same number n times
  void (*widen_)(float* y, const void* x, index_t step, index_t n) = nullptr;  // converts 16-bit elements to float32
  void (*narrow_)(float* x, void* y, index_t n) = nullptr;  // rounds x to 16 bits; writes the result to x and y
  std::vector<value> values_;
  std::vector<moved> moved_{}, filled_{};  // values that are used in place; numbers that fill a tile
  std::vector<int> copied_{};  // the remaining tensors that the kernel reads
  std::vector<step> steps_;
  std::size_t computed_ = 0;
  std::deque<std::vector<const void*>> attributes_{};  // of steps that fuse several ops
  std::deque<row_attributes> of_rows_{};  // of row ops
  std::int64_t whole_row_ = 0;  // row length of the row ops; tiles have whole rows; 0: no row ops
  std::vector<summed> sums_;
  // `sum_width_` is the number of accumulators of all sums together. The work is cut into `parts_`
  // parts, each a multiple of `tiles_per_part_` tiles.
  std::int64_t sum_width_ = 0, parts_ = 1, tiles_per_part_ = 1;
  void (*sum_rows_)(double* to, const void* x, index_t rows, index_t n) = nullptr;
  void (*add_)(void* to, const void* x, index_t n) = nullptr;
  std::int64_t round_ = 0;  // tiles that a column sum adds in float32 before it adds the result in float64
  // `row_` is the number of elements in a row; tiles do not cross rows. `tile_` is the number of
  // elements in a tile, `tiles_` the number of all tiles, and `tiles_in_row_` the number of tiles
  // in a row. `at_once_` is the smallest number of tiles that is worth a thread.
  std::int64_t row_ = 1, tile_ = 1, tiles_ = 0, tiles_in_row_ = 1, at_once_ = 1;
  bool ahead_ = false;  // prefetches the next tile
  bool far_ = false;  // results bypass the caches

  auto is_narrow() const -> bool { return stored_item_ != item_; }
  /// The number of ops per element, but at least 1, because a kernel that computes only a sum
  /// takes as long as one op.
  auto work() const -> std::int64_t { return std::max<std::int64_t>(1, static_cast<std::int64_t>(computed_)); }
  void fuse(const fused_elements& f);
  auto matches(const op_info* const*& tree, int value, found& m) const -> bool;
  auto is_independent(const found& m) const -> bool;
  void choose_tiles();
  void assign_tiles();
  auto find_row() const -> std::int64_t;
  void choose_parts();
  void find_moves();
  void choose_tile(std::int64_t period, std::int64_t wanted, std::int64_t most);
  void run_tiles(std::int64_t begin, std::int64_t end, totals* sums = nullptr) const;
  void run_with_sums(const destination* sums) const;
  template <class T>
  void add_tile(totals& to, char* const* here, std::int64_t first, std::int64_t n) const;
  template <class T>
  void finish_sum(std::size_t k, const destination& to, const double* totals) const;
  auto offset_of(const value& v, std::int64_t element) const -> std::int64_t;
  void fill(const value& v, char* tile, const char* element, std::int64_t n) const;
  void gather(const value& v, const char* tensor, char* tile, std::int64_t first, std::int64_t n) const;
  static auto merged_axes(const at::Tensor& t, const std::vector<std::int64_t>& sizes) -> std::vector<extent_stride>;
};

}  // namespace koila::inline v0::detail
