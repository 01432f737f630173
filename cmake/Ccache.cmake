# SPDX-License-Identifier: MIT
# Compiles through ccache if it is installed. The settings let ccache cache precompiled headers and
# the files that use them. With CCACHE_DEPEND, ccache compares the content of all headers. Without
# CCACHE_DEPEND, ccache would reuse an old precompiled header if only comments of its headers have
# changed. But g++ stores checksums of the headers in the precompiled header. After such a change
# the checksums differ, so g++ would read the headers a second time in spite of `#pragma once`. The
# namespace keeps out files that were cached without CCACHE_DEPEND.
find_program(KOILA_CCACHE ccache DOC "ccache, or empty for none")
mark_as_advanced(KOILA_CCACHE)
if(KOILA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
      CCACHE_DEPEND=1 CCACHE_NAMESPACE=koila-depend
      "${KOILA_CCACHE}")
endif()
# The content of a precompiled header must not depend on the time of its compilation. Otherwise
# ccache would never find the header again.
set(koila_pch_flags "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>" $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
