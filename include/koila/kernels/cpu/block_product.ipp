// SPDX-License-Identifier: MIT
#pragma once
// The kernel for products of row-major float32 matrices that lie in cache. The sums of a few rows
// and a few vectors of columns stay in registers. The kernel allocates no memory and is not
// specialised for particular shapes.
#include <koila/ops/common/instructions.ipp>
#include <koila/shape/dims.hpp>

#include <cstddef>
#include <utility>

namespace koila::inline v0::detail {

/// A row-major matrix in memory. Each row is contiguous; rows start `step` elements apart.
template <class T>
struct block {
  T* elements;
  index_t step;
};

/// The operands of a product c = a b, or c += a b if `add`, of matrices a (m, k), b (k, n) and c
/// (m, n). If `go_on`, the sums start at the values of c instead of at 0.
struct block_product {
  block<const float> a, b;
  block<float> c;
  index_t m, n, k;
  bool add;
  bool go_on = false;
};

/// Computes a tile of c in registers. A tile has some rows, and some vectors of `Bytes` bytes in
/// each row. If the columns do not fill whole vectors, the last vector ends at the last column.
/// In that case the last vector overlaps the vector before it, and both vectors hold the same
/// sums for their common columns.
template <int Bytes>
struct block_sums {
  static constexpr index_t lanes = Bytes / sizeof(float);
  using vector [[gnu::vector_size(Bytes)]] = float;
  using loose_vector [[gnu::vector_size(Bytes), gnu::aligned(alignof(float)), gnu::may_alias]] = float;

  /// Computes the tile that begins at row i and column j. The last vector begins `last` columns
  /// after j.
  template <std::size_t... I, std::size_t... V>
  [[gnu::always_inline]] static inline void run(const block_product& p, index_t i, index_t j, index_t last,
                                                std::index_sequence<I...>, std::index_sequence<V...> all) {
    constexpr std::size_t n = sizeof...(V);
    const index_t row = p.a.step;
    const float* a = p.a.elements + i * row;  // each pointer serves three rows, to save registers
    const float *a3 = a + 3 * row, *a6 = a3 + 3 * row, *b = p.b.elements + j;
    float* const first = p.c.elements + i * p.c.step + j;
    vector sums[sizeof...(I)][n] = {};
    if (p.go_on) (read(sums[I], first + static_cast<index_t>(I) * p.c.step, last, all), ...);
    for (index_t l = p.k; l > 0; --l, ++a, ++a3, ++a6, b += p.b.step) {
      const vector x[] = {*reinterpret_cast<const loose_vector*>(b + column(V, n, last))...};
      (add(sums[I], (I < 3 ? a : I < 6 ? a3 : a6)[static_cast<index_t>(I % 3) * row], x, all), ...);
    }
    float* c = first;
    ((p.add ? add_to(sums[I], c, last, all) : put(sums[I], c, last, all), c += p.c.step), ...);
  }

 private:
  template <std::size_t... V>
  [[gnu::always_inline]] static inline void add(vector* sums, float a, const vector* x, std::index_sequence<V...>) {
    ((sums[V] += a * x[V]), ...);
  }
  template <std::size_t... V>
  [[gnu::always_inline]] static inline void read(vector* sums, const float* c, index_t last,
                                                 std::index_sequence<V...>) {
    ((sums[V] = *reinterpret_cast<const loose_vector*>(c + column(V, sizeof...(V), last))), ...);
  }
  /// Reads all vectors before it writes the first one, because the last two vectors may overlap.
  template <std::size_t... V>
  [[gnu::always_inline]] static inline void add_to(vector* sums, float* c, index_t last,
                                                   std::index_sequence<V...> all) {
    ((sums[V] += *reinterpret_cast<const loose_vector*>(c + column(V, sizeof...(V), last))), ...);
    put(sums, c, last, all);
  }
  template <std::size_t... V>
  [[gnu::always_inline]] static inline void put(const vector* sums, float* c, index_t last, std::index_sequence<V...>) {
    ((*reinterpret_cast<loose_vector*>(c + column(V, sizeof...(V), last)) = sums[V]), ...);
  }
  [[gnu::always_inline]] static inline auto column(std::size_t v, std::size_t vectors, index_t last) -> index_t {
    return v + 1 < vectors ? static_cast<index_t>(v) * lanes : last;
  }
};

/// Computes a product with vectors of `Bytes` bytes, or with smaller vectors if there are too few
/// columns to fill such a vector. Computes up to `Most` vectors of columns at once; `Most` must be
/// at least 3. The number of rows that are computed at once is limited, so that the sums stay in
/// `Registers` registers.
template <int Bytes, int Most, int Registers>
struct block_product_kernel {
  [[gnu::always_inline]] static inline void run(const block_product& p) {
    if (p.n >= block_sums<Bytes>::lanes) return over_columns<Bytes, Most>(p);
    if constexpr (Bytes > 32) {
      if (is_padded<Bytes>(p)) return padded<Bytes>(p);
      if (p.n >= block_sums<32>::lanes) return over_columns<32, 2>(p);
    }
    if (is_padded<32>(p)) return padded<32>(p);
    if (p.n >= block_sums<16>::lanes) return over_columns<16, 2>(p);
    if (p.n > 0) padded<16>(p);
  }

 private:
  static constexpr int most_rows = 8;

  /// Splits the columns into as few parts as possible, with about the same number of vectors in
  /// each. Two vectors that overlap are in one part, so that their common columns are added to c
  /// only once.
  template <int B, int V>
  [[gnu::always_inline]] static inline void over_columns(const block_product& p) {
    constexpr index_t lanes = block_sums<B>::lanes;
    const index_t vectors = (p.n + lanes - 1) / lanes, parts = (vectors + V - 1) / V;
    for (index_t part = 0, done = 0; part < parts; ++part) {
      const index_t some = (vectors - done + parts - part - 1) / (parts - part), j = done * lanes;
      done += some;
      part_of<B, V>(p, some, j, (done < vectors ? done * lanes : p.n) - lanes - j);
    }
  }
  template <int B, int V>
  [[gnu::always_inline]] static inline void part_of(const block_product& p, index_t vectors, index_t j, index_t last) {
    if (vectors == V) return over_rows<B, V>(p, j, last);
    if constexpr (V > 1) part_of<B, V - 1>(p, vectors, j, last);
  }
  /// Splits the rows into parts of `most` rows. If more than `most` and fewer than 2 * `most` rows
  /// are left, splits these rows into two parts of about the same size, so that neither part has
  /// very few rows.
  template <int B, int V>
  [[gnu::always_inline]] static inline void over_rows(const block_product& p, index_t j, index_t last) {
    constexpr int most = Registers / V < most_rows ? Registers / V : most_rows;
    for (index_t i = 0; i < p.m;) {
      const index_t left = p.m - i, some = left >= 2 * most ? most : left > most ? (left + 1) / 2 : left;
      rows_of<B, V, most>(p, some, i, j, last);
      i += some;
    }
  }
  template <int B, int V, int M>
  [[gnu::always_inline]] static inline void rows_of(const block_product& p, index_t some, index_t i, index_t j,
                                                    index_t last) {
    if constexpr (M > 1)
      if (some < M) return rows_of<B, V, M - 1>(p, some, i, j, last);
    block_sums<B>::run(p, i, j, last, std::make_index_sequence<M>(), std::make_index_sequence<V>());
  }
  /// Returns true if one zero-padded vector for all columns is faster than two vectors of half
  /// the size. Padding takes about as long as computing a few rows, so there must be many rows.
  /// The sums are the same with and without padding.
  template <int B>
  [[gnu::always_inline]] static inline auto is_padded(const block_product& p) -> bool {
    constexpr index_t least_rows = 24;
    return p.n > block_sums<B>::lanes / 2 && p.m >= least_rows;
  }
  /// Computes a product that has fewer columns than a vector has elements.
  template <int B>
  [[gnu::always_inline]] static inline void padded(const block_product& p) {
    constexpr index_t depths = 256, heights = 64, lanes = block_sums<B>::lanes;
    alignas(B) float b[depths * lanes], c[heights * lanes];
    for (index_t i = 0; i < p.m; i += heights) {
      const index_t height = p.m - i < heights ? p.m - i : heights;
      for (index_t l = 0; l == 0 || l < p.k; l += depths) {
        const index_t depth = p.k - l < depths ? p.k - l : depths;
        if (i == 0 || p.k > depths) pad<B>({p.b.elements + l * p.b.step, p.b.step}, depth, p.n, b);
        over_rows<B, 1>(
            {{p.a.elements + i * p.a.step + l, p.a.step}, {b, lanes}, {c, lanes}, height, lanes, depth, false, l > 0},
            0, 0);
      }
      for (index_t r = 0; r < height; ++r) unpad<B>(c + r * lanes, p.n, p.c.elements + (i + r) * p.c.step, p.add);
    }
  }
  /// Copies the first n elements of a padded vector to `to`, or adds them to `to`. Vectors of more
  /// than 16 bytes are copied in two halves, which may overlap.
  template <int B>
  [[gnu::always_inline]] static inline void unpad(const float* from, index_t n, float* to, bool add) {
    if constexpr (B > 16) {
      using piece = typename block_sums<B / 2>::loose_vector;
      float* const end = to + n - block_sums<B / 2>::lanes;
      piece first = *reinterpret_cast<const piece*>(from), last = *reinterpret_cast<const piece*>(from + (end - to));
      if (add) {  // reads both halves before it writes the first one
        first += *reinterpret_cast<const piece*>(to);
        last += *reinterpret_cast<const piece*>(end);
      }
      *reinterpret_cast<piece*>(to) = first;
      *reinterpret_cast<piece*>(end) = last;
    } else {
      for (index_t j = 0; j < n; ++j) to[j] = add ? to[j] + from[j] : from[j];
    }
  }
  /// Copies n columns and pads them with zeros to whole vectors. Vectors of more than 16 bytes are
  /// copied in two halves, which may overlap.
  template <int B>
  [[gnu::always_inline]] static inline void pad(block<const float> from, index_t depth, index_t n, float* to) {
    constexpr index_t lanes = block_sums<B>::lanes, half = lanes / 2;
    if constexpr (B > 16) {
      using piece = typename block_sums<B / 2>::loose_vector;
      for (index_t l = 0; l < depth; ++l, from.elements += from.step, to += lanes) {
        const piece first = *reinterpret_cast<const piece*>(from.elements),
                    last = *reinterpret_cast<const piece*>(from.elements + n - half);
        *reinterpret_cast<piece*>(to + half) = piece{};
        *reinterpret_cast<piece*>(to) = first;
        *reinterpret_cast<piece*>(to + n - half) = last;
      }
    } else {
      for (index_t l = 0; l < depth; ++l)
        for (index_t j = 0; j < lanes; ++j) to[l * lanes + j] = j < n ? from.elements[l * from.step + j] : 0;
    }
  }
};

using block_product_function = void (*)(const block_product&);
/// Returns the kernel for this machine, or null if the machine lacks the instructions that make the
/// kernel faster than BLAS.
inline auto best_block_product() -> block_product_function {
#ifdef __x86_64__
  if (instructions_to_use() == instructions::avx512)
    return functions_of<block_product_kernel<64, 4, 24>, const block_product&>::avx512;
  if (instructions_to_use() == instructions::avx2)
    return functions_of<block_product_kernel<32, 3, 12>, const block_product&>::avx2;
#endif
  return nullptr;
}

}  // namespace koila::inline v0::detail
