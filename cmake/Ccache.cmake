# Compiles through ccache if it is installed. The settings let it cache precompiled headers and the
# files that use them.
find_program(KOILA_CCACHE ccache DOC "ccache, or empty for none")
mark_as_advanced(KOILA_CCACHE)
if(KOILA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
      "${KOILA_CCACHE}")
endif()
# The content of a precompiled header must not depend on the time of its compilation, or ccache
# would never find it again.
set(koila_pch_flags "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>" $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
