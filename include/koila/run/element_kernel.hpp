#pragma once
// A kernel of element-wise values: what one or several ops compute of elements, tile by tile, in a
// core's nearest cache.
#include <koila/plan/fusion_groups.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <vector>

namespace at {
class Tensor;
}

namespace koila {

namespace detail {

/// Where a kernel reads and writes more than so many bytes, nothing of it stays in the caches, and
/// results go past them. Tests set it.
inline std::atomic<std::int64_t> bytes_far{std::int64_t{64} << 20};

}  // namespace detail

/// Computes values of the same dims from tensors that are broadcast to them. It is told once what
/// to compute, in order, and then run as often as wanted on what the tensors show. It allocates
/// nothing when it runs.
class element_kernel {
 public:
  /// `d`: of what it computes; float32, float64, or 16 bits, whose elements are computed in float32
  /// and each rounded.
  explicit element_kernel(const dims& d);

  /// A value that is read: a tensor whose dims are broadcast to the kernel's. Its strides stay, its
  /// data may move. Gives its number. Of the kernel's dtype; beside values of 16 bits it may be one
  /// number of float32 or float64.
  auto read(const at::Tensor& t) -> int;
  /// The row that a step of rows has for all of them. Gives its number.
  auto read_row(const at::Tensor& t) -> int;
  /// A value that is computed of those with these numbers; `stored`: where all its elements are
  /// written, one after the other, or null where nothing but later values of this kernel reads it.
  /// `op`: whose function it is; `once`: no other kernel computes the value, so that its bits may
  /// be others. `row`: elements of the rows that it is computed of; 0: it is of elements. Gives its
  /// number.
  auto compute(elements_function f, const void* attributes, const int* in, int n, at::Tensor* stored,
               const op_info* op = nullptr, bool once = true, std::int64_t row = 0) -> int;
  /// A sum, over the dims `over` (as bits), of the value with this number. `again`: it may be
  /// computed again by a kernel that does other things besides, and must have the same bits.
  void sum(int value, unsigned over, bool again = false);
  /// Called when all is told. Several steps become one where a kernel of them is among `fused`.
  void prepare(const std::vector<const fused_elements*>& fused = {});
  /// Where a sum goes: to a tensor whose elements lie together, or it is added to what is there.
  struct destination {
    at::Tensor* to;
    bool add;
  };
  /// Computes; the sums go to where `sums` says, in their order. The threads are LibTorch's;
  /// results do not depend on their number.
  void run(const destination* sums = nullptr) const;

  /// How many values it computes, and in how many steps.
  auto computed() const -> std::size_t { return computed_; }
  auto steps() const -> std::size_t { return steps_.size(); }

 private:
  /// How the elements of a tile of a value are found.
  enum class lies : signed char {
    there,  // in the tensor, one after the other
    in_rows,  // so within each of its inner rows, which tiles do not cross
    same,  // one element for the inner row
    repeated,  // in a tile that is filled once
    gathered,  // in a tile that is filled anew; of 16 bits all that is read anew
    one_row,  // in the tensor, and the same for each row
    computed,  // in a tile of its own, or of one that is read no more
  };
  struct extent_stride {
    std::int64_t n, stride;
  };
  struct value {
    const at::Tensor* tensor = nullptr;
    lies how = lies::there;
    std::int64_t wide = 0;  // bytes of a number that is not of 16 bits where the others are
    std::vector<extent_stride>
        axes{};  // of a tensor that is read, joined where they lie together; the last is the innermost
    int tile = -1;
    int last = -1;  // step that reads it last
  };
  /// Where a value's elements are: from its first so many bytes on for each row, and for each
  /// element in it.
  struct moved {
    int value;
    std::int64_t row, column;
  };
  struct step {
    elements_function f;
    const void* attributes;
    int n;
    std::array<int, most_fused_operands> in;
    int out;
    const op_info* op;
    bool once;
  };
  /// How a sum is added up.
  struct summed {
    enum class way : signed char {
      all,  // to one element
      rows,  // each row of `each` elements to one, which no other row is added to
      channels,  // each row of `each` elements to one of `kept`, in turn
      columns,  // rows of `kept` elements, one to the other
    };
    int value;
    way how;
    bool again;  // it may be computed again by another kernel
    sum_shape shape;
    std::int64_t row;  // tiles are in one row of so many elements, or have whole ones
    std::int64_t at = 0, width = 1;  // where the elements are that it is added up in, and how many
  };
  /// Steps that are a tree of ops: the last of them first, and what they read.
  struct found {
    std::vector<int> steps, operands;
    std::vector<const void*> attributes;
  };
  static constexpr std::size_t most_values =
      (1 + most_element_operands) * most_in_run;  // that a run computes and reads
  struct scratch;
  struct totals;

  dims dims_;
  std::vector<std::int64_t> sizes_;
  std::int64_t count_ = 1, item_ = 4, stored_item_ = 4;  // bytes of an element: as it is computed, and in tensors
  void (*fill_)(void* to, const void* from, index_t n) = nullptr;  // so many times the same number
  void (*widen_)(float* y, const void* x, index_t step, index_t n) = nullptr;  // of 16 bits: reads them
  void (*narrow_)(float* x, void* y, index_t n) = nullptr;  // rounds, and writes them to y
  std::vector<value> values_;
  std::vector<moved> moved_{}, filled_{};  // what lies where it is read or written; and numbers that fill a tile
  std::vector<int> copied_{};  // values that are found in another way
  std::vector<step> steps_;
  std::size_t computed_ = 0;
  std::deque<std::vector<const void*>> attributes_{};  // of steps that are several ops
  std::deque<row_attributes> of_rows_{};  // of steps of rows
  std::int64_t whole_row_ = 0;  // elements of their rows, of which tiles have whole ones
  std::vector<summed> sums_;
  std::int64_t sum_width_ = 0, parts_ = 1,
               together_ = 1;  // elements of all sums; parts of the work, of so many tiles or a multiple
  void (*sum_rows_)(double* to, const void* x, index_t rows, index_t n) = nullptr;
  void (*add_)(void* to, const void* x, index_t n) = nullptr;
  std::int64_t round_ = 0;  // tiles of which columns are added up in float32
  std::int64_t row_ = 1, tile_ = 1, tiles_ = 0, tiles_in_row_ = 1,
               at_once_ = 1;  // tiles do not cross rows of row_ elements
  bool ahead_ = false;  // the next tile is asked of memory
  bool far_ = false;  // what is stored goes past the caches

  auto is_narrow() const -> bool { return stored_item_ != item_; }
  /// Ops for each element; a sum alone has none, and takes as long as one.
  auto work() const -> std::int64_t { return std::max<std::int64_t>(1, static_cast<std::int64_t>(computed_)); }
  void fuse(const fused_elements& f);
  auto matches(const op_info* const*& tree, int value, found& m) const -> bool;
  auto is_apart(const found& m) const -> bool;
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
  static auto joined(const at::Tensor& t, const std::vector<std::int64_t>& sizes) -> std::vector<extent_stride>;
};

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/element_kernel.ipp>
#endif
