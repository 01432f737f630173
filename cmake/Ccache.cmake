# SPDX-License-Identifier: MIT
# Compiles through ccache if it is installed. The settings let it cache precompiled headers and the
# files that use them. CCACHE_DEPEND compares the content of all headers. Without it, a precompiled
# header is taken for the same if only comments of its headers have changed. But g++ keeps checksums
# of these headers in it, and would read them a second time in spite of `#pragma once`. What was
# cached without CCACHE_DEPEND is in another namespace.
find_program(KOILA_CCACHE ccache DOC "ccache, or empty for none")
mark_as_advanced(KOILA_CCACHE)
if(KOILA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
      CCACHE_DEPEND=1 CCACHE_NAMESPACE=koila-depend
      "${KOILA_CCACHE}")
endif()
# The content of a precompiled header must not depend on the time of its compilation, or ccache
# would never find it again.
set(koila_pch_flags "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>" $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
