// SPDX-License-Identifier: MIT
#pragma once
// The compiler options of a file that decide which fused kernels the file compiles. Expressions of
// files with different options have different types: KOILA_FILE_OPTIONS is a namespace in their
// names. So if a program has files with different options, each file runs the kernels that were
// compiled for it, and the order of linking changes nothing.

// Fused kernels need x86-64, optimisation, and floating-point arithmetic that is not relaxed by
// options such as -ffast-math. The kernel of a square root also needs -fno-math-errno.
#if !defined(__x86_64__) || !defined(__OPTIMIZE__) || defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || \
    defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__) || __FINITE_MATH_ONLY__ != 0 ||                 \
    defined(KOILA_NO_FUSED_TYPES)
#define KOILA_FILE_OPTIONS no_fused_types
namespace koila::inline v0::detail::inline KOILA_FILE_OPTIONS {
inline constexpr bool compiles_fused = false, compiles_fused_roots = false;
}
#elif !defined(__NO_MATH_ERRNO__)
#define KOILA_FILE_OPTIONS fused_types
namespace koila::inline v0::detail::inline KOILA_FILE_OPTIONS {
inline constexpr bool compiles_fused = true, compiles_fused_roots = false;
}
#else
#define KOILA_FILE_OPTIONS fused_types_and_roots
namespace koila::inline v0::detail::inline KOILA_FILE_OPTIONS {
inline constexpr bool compiles_fused = true, compiles_fused_roots = true;
}
#endif
