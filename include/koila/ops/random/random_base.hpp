// SPDX-License-Identifier: MIT
#pragma once
// Random numbers as a function of (seed, call of the op, sample, position in the sample), so that
// the numbers do not depend on the chunks. The generator is Philox4x32-10 of Salmon et al.,
// Parallel random numbers: as easy as 1, 2, 3 (2011).
#include <koila/expr/op.hpp>
#include <koila/expr/random_state.hpp>

namespace koila::inline v0 {

namespace detail {

/// Attributes that an op passes to the random ops that it expands to. `drawn_as` is the identity of
/// the call, `kept` is the value of kept elements, and `leading` is the number of leading dims
/// along which elements are drawn separately.
inline constexpr struct drawn_as : attribute_name<drawn_as> {
  using attribute_name::operator=;
  static constexpr auto member(auto& a) -> decltype((a.call)) { return a.call; }
} drawn_as;

/// The identity of a call of a random op, assigned when the op is called. Two calls of dropout have
/// different identities. A copy of a call keeps the identity. Calls are numbered from 1 on, so that
/// every run of a program draws the same numbers. At compile time calls are not counted, and no two
/// identities are equal.
struct random_identity {
  std::uint64_t id;

  constexpr random_identity() : id(next()) {}
  constexpr void assign(const random_identity& c) { id = c.id; }
  friend constexpr auto operator==(const random_identity& a, const random_identity& b) -> bool {
    return a.id == b.id && a.id != 0;
  }

 private:
  static constexpr auto next() -> std::uint64_t {
    if (std::is_constant_evaluated()) return 0;
    return random_numbers().calls.fetch_add(1) + 1;
  }
};

struct philox_words {
  std::uint32_t w[4];
  friend constexpr auto operator==(const philox_words&, const philox_words&) -> bool = default;
};

/// The multipliers of a round of Philox, and the numbers that a round adds to the key.
inline constexpr std::uint32_t philox_factors[] = {0xD2511F53, 0xCD9E8D57}, philox_steps[] = {0x9E3779B9, 0xBB67AE85};
inline constexpr int philox_rounds = 10;

/// The 128 random bits of a counter and a key.
[[gnu::always_inline]] constexpr auto philox(philox_words c, std::uint32_t k0, std::uint32_t k1) -> philox_words {
  for (int round = 0; round < philox_rounds; ++round) {
    const std::uint64_t a = std::uint64_t{philox_factors[0]} * c.w[0], b = std::uint64_t{philox_factors[1]} * c.w[2];
    c = {{static_cast<std::uint32_t>(b >> 32) ^ c.w[1] ^ k0, static_cast<std::uint32_t>(b),
          static_cast<std::uint32_t>(a >> 32) ^ c.w[3] ^ k1, static_cast<std::uint32_t>(a)}};
    k0 += philox_steps[0];
    k1 += philox_steps[1];
  }
  return c;
}

constexpr auto low_bits(std::uint64_t x) -> std::uint32_t { return static_cast<std::uint32_t>(x); }
constexpr auto high_bits(std::uint64_t x) -> std::uint32_t { return static_cast<std::uint32_t>(x >> 32); }

/// The counter of a block of 128 random bits, for one sample and one call of an op. `block` is the
/// index of the block in the sample.
constexpr auto random_counter(std::uint64_t call, std::uint64_t sample, std::uint64_t block) -> philox_words {
  return {{low_bits(block), low_bits(sample), low_bits(call), (high_bits(block) & 0xFFFF) | high_bits(sample) << 16}};
}
/// The 128 random bits of a block.
constexpr auto random_bits(std::uint64_t seed, std::uint64_t call, std::uint64_t sample, std::uint64_t block)
    -> philox_words {
  return philox(random_counter(call, sample, block), low_bits(seed), high_bits(seed));
}

/// Maps an element of a value with the dims (before, samples, after) to its sample and to its
/// position in the sample.
struct sample_positions {
  index_t samples = 1, after = 1;
  index_t first = 0;
  bool sampled = false;

  constexpr sample_positions(const index_t* sizes, int rank, const portion& where)
      : first(where.first), sampled(where.batch_relation.sampled()) {
    for (int i = sampled ? where.batch_relation.axis + 1 : 0; i < rank; ++i) after *= sizes[i];
    if (!sampled) return;
    after *= where.batch_relation.inner;
    const index_t rows = where.batch_relation.outer * where.batch_relation.inner;
    samples = rows == 0 ? 0 : sizes[where.batch_relation.axis] / rows;
  }
  constexpr auto sample(index_t element) const -> index_t { return sampled ? first + element / after % samples : 0; }
  constexpr auto position(index_t element) const -> index_t {
    return sampled ? element / (after * samples) * after + element % after : element;
  }
};

}  // namespace detail

namespace rules {

/// Returns true if p is in [0, 1] or unknown.
constexpr auto probability(const attr<double>& p) -> bool { return !p.known || (p.value >= 0 && p.value <= 1); }

}  // namespace rules

namespace flows {

/// The flow of an op that draws one random number for each element of x. The result is per sample
/// if x is per sample.
constexpr auto drawn(const value& x) -> relations {
  relations f;
  if (x.batch_relation.sampled()) f.out = x.batch_relation;
  return f;
}

}  // namespace flows

namespace detail {

/// An op that draws one number for each element of x. Only the dims of x are read.
template <class Op>
struct drawing_like : op<Op, 1> {
  struct attributes {
    detail::random_identity call;
    friend constexpr auto operator==(const attributes&, const attributes&) -> bool = default;
  };
  static constexpr unsigned shape_only = 1;
  static constexpr auto rule(const dims& x, const attributes&) -> verdict {
    if (x.type != dtype::unknown && !is_floating(x.type)) return reason::not_a_floating_type;
    return x.with(x.type);
  }
  static constexpr auto flow(const value& x, const dims&, const attributes&) -> relations { return flows::drawn(x); }
  static constexpr auto cost(const dims&, const dims& out) -> op_cost {
    return {20.0 * static_cast<double>(out.count()), static_cast<double>(out.bytes()), 0};
  }
  static constexpr auto gradient(const auto&, const auto&, const auto&, const attributes&) {
    return gradients(no_gradient);
  }
};

}  // namespace detail

}  // namespace koila::inline v0
