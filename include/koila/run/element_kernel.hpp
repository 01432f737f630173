#pragma once
// A kernel of element-wise values: what one or several ops compute of elements, tile by tile, in a core's nearest cache.
#include <koila/plan/element_runs.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

namespace koila {

/// Computes values of the same dims from tensors that are broadcast to them. It is told once what to compute, in order, and then
/// run as often as wanted on what the tensors show. It allocates nothing when it runs.
class element_kernel {
 public:
  /// `d`: of what it computes; float32 or float64.
  explicit element_kernel(const dims& d);

  /// A value that is read: a tensor whose dims are broadcast to the kernel's. Its strides stay, its data may move. Gives its number.
  auto read(const at::Tensor& t) -> int;
  /// A value that is computed of those with these numbers; `stored`: where all its elements are written, one after the other, or null
  /// where nothing but later values of this kernel reads it. Gives its number.
  auto compute(elements_function f, const void* attributes, const int* in, int n, at::Tensor* stored) -> int;
  /// Called when all is told.
  void prepare();
  /// Computes. The threads are LibTorch's.
  void run() const;

  /// How many values it computes.
  auto computed() const -> std::size_t { return steps_.size(); }

 private:
  /// How the elements of a tile of a value are found.
  enum class lies : signed char {
    there,  // in the tensor, one after the other
    in_rows,  // so within each of its inner rows, which tiles do not cross
    same,  // one element for the inner row
    repeated,  // in a tile that is filled once
    gathered,  // in a tile that is filled anew
    computed,  // in a tile of its own, or of one that is read no more
  };
  struct extent_stride {
    std::int64_t n, stride;
  };
  struct value {
    const at::Tensor* tensor = nullptr;
    lies how = lies::there;
    std::vector<extent_stride> axes{};  // of a tensor that is read, joined where they lie together; the last is the innermost
    int tile = -1;
    int last = -1;  // step that reads it last
  };
  struct step {
    elements_function f;
    const void* attributes;
    int n;
    std::array<int, most_element_operands> in;
    int out;
  };
  static constexpr std::size_t most_values = (1 + most_element_operands) * most_in_run;  // that a run computes and reads
  struct scratch;

  std::vector<std::int64_t> sizes_;
  std::int64_t count_ = 1, item_ = 4;
  std::vector<value> values_;
  std::vector<step> steps_;
  std::int64_t row_ = 1, tile_ = 1, tiles_ = 0, tiles_in_row_ = 1, at_once_ = 1;  // tiles do not cross rows of row_ elements
  bool ahead_ = false;  // the next tile is asked of memory

  void choose_tiles();
  void assign_tiles();
  auto find_row() const -> std::int64_t;
  void run_tiles(std::int64_t begin, std::int64_t end) const;
  auto offset_of(const value& v, std::int64_t element) const -> std::int64_t;
  void fill(char* tile, const char* element, std::int64_t n) const;
  void gather(const value& v, const char* tensor, char* tile, std::int64_t first, std::int64_t n) const;
  static auto joined(const at::Tensor& t, const std::vector<std::int64_t>& sizes) -> std::vector<extent_stride>;
};

}  // namespace koila

#ifdef KOILA_DEFINITIONS
#include <koila/run/element_kernel.ipp>
#endif
