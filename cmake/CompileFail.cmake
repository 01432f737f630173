# SPDX-License-Identifier: MIT
# add_compile_fail_test(<source> <name>)
#
# Adds a test that parses `source` twice with the compiler of this build. Without MISTAKE, the
# source must compile. With MISTAKE defined, the compiler must refuse the source for the reason that
# the source states. compile_fail.sh explains how a source states the reason.
#
# Sources may include koila's and Boost's headers. A source that has a line `// libtorch` may also
# include LibTorch's headers.
get_target_property(compile_fail_light koila_light INTERFACE_INCLUDE_DIRECTORIES)
get_target_property(compile_fail_boost Boost::headers INTERFACE_INCLUDE_DIRECTORIES)
list(REMOVE_ITEM compile_fail_boost ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES} compile_fail_boost-NOTFOUND)
list(TRANSFORM compile_fail_light PREPEND "-I")
list(TRANSFORM compile_fail_boost PREPEND "-isystem")
set(compile_fail_flags -std=c++20 ${compile_fail_light} ${compile_fail_boost})

set(compile_fail_libtorch_flags ${LibTorch_INCLUDE_DIRS})
list(TRANSFORM compile_fail_libtorch_flags PREPEND "-isystem")
foreach(definition IN LISTS LibTorch_DEFINITIONS)
  list(APPEND compile_fail_libtorch_flags "-D${definition}")
endforeach()

set(compile_fail_runner "${CMAKE_CURRENT_LIST_DIR}/compile_fail.sh")

# A precompiled header, because most sources include koila/ops.hpp first, which takes most of their
# compile time. Sources that include another header first do not use the precompiled header.
set(compile_fail_header "${CMAKE_CURRENT_BINARY_DIR}/compile_fail/ops.hpp")
file(CONFIGURE OUTPUT "${compile_fail_header}" CONTENT "#include <koila/ops.hpp>\n")
add_custom_command(
  OUTPUT "${compile_fail_header}.gch"
  COMMAND "${CMAKE_CXX_COMPILER}" ${compile_fail_flags} -x c++-header "${compile_fail_header}" -o "${compile_fail_header}.gch" -MD -MF
          "${compile_fail_header}.d" -MT "${compile_fail_header}.gch"
  DEPENDS "${compile_fail_header}" DEPFILE "${compile_fail_header}.d" VERBATIM)
add_custom_target(compile_fail_header ALL DEPENDS "${compile_fail_header}.gch")
# This test makes the precompiled header again if one of its headers has changed. Compilers do not
# check this.
add_test(NAME compile_fail.header COMMAND "${CMAKE_COMMAND}" --build "${CMAKE_BINARY_DIR}" --target compile_fail_header)
set_tests_properties(compile_fail.header PROPERTIES LABELS "light;compile_fail" TIMEOUT 300 FIXTURES_SETUP compile_fail_header)

function(add_compile_fail_test source name)
  set(flags ${compile_fail_flags})
  set(fixture)
  file(STRINGS "${source}" needs_libtorch REGEX "^// libtorch$")
  file(STRINGS "${source}" first_header REGEX "^#include" LIMIT_COUNT 1)
  if(needs_libtorch)
    list(APPEND flags ${compile_fail_libtorch_flags})
  elseif(first_header STREQUAL "#include <koila/ops.hpp>")
    list(APPEND flags -include "${compile_fail_header}")
    set(fixture compile_fail_header)
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  add_test(NAME "compile_fail.${name}" COMMAND bash "${compile_fail_runner}" "${source}" "${CMAKE_CXX_COMPILER}" ${flags})
  set_tests_properties("compile_fail.${name}" PROPERTIES LABELS "light;compile_fail" TIMEOUT 300 FIXTURES_REQUIRED "${fixture}")
endfunction()

# add_compile_fail_many_test(<source> <name>)
#
# Adds a test that compiles `source` in the same way and checks each mistake in the source, see
# compile_fail_many.sh.
set(compile_fail_many_runner "${CMAKE_CURRENT_LIST_DIR}/compile_fail_many.sh")

function(add_compile_fail_many_test source name)
  set(flags ${compile_fail_flags})
  file(STRINGS "${source}" needs_libtorch REGEX "^// libtorch$")
  if(needs_libtorch)
    list(APPEND flags ${compile_fail_libtorch_flags})
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  add_test(NAME "compile_fail_many.${name}"
           COMMAND bash "${compile_fail_many_runner}" "${source}" "${CMAKE_CXX_COMPILER}" ${flags})
  set_tests_properties("compile_fail_many.${name}" PROPERTIES LABELS "light;compile_fail" TIMEOUT 300)
endfunction()
