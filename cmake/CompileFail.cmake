# SPDX-License-Identifier: MIT
# add_compile_fail_test(<source> <name>)
#
# A test that parses `source` twice with the compiler of this build: as it stands, which must
# succeed, and with MISTAKE defined, which must be refused for the reason that the source states.
# compile_fail.sh explains how a source states it.
#
# Sources may include koila's and Boost's headers; LibTorch's too if they have a line `// libtorch`.
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

# A header that most sources include first, compiled once, because it takes most of their time.
# Sources that begin with other headers do not use it.
set(compile_fail_header "${CMAKE_CURRENT_BINARY_DIR}/compile_fail/ops.hpp")
file(CONFIGURE OUTPUT "${compile_fail_header}" CONTENT "#include <koila/ops.hpp>\n")
add_custom_command(
  OUTPUT "${compile_fail_header}.gch"
  COMMAND "${CMAKE_CXX_COMPILER}" ${compile_fail_flags} -x c++-header "${compile_fail_header}" -o "${compile_fail_header}.gch" -MD -MF
          "${compile_fail_header}.d" -MT "${compile_fail_header}.gch"
  DEPENDS "${compile_fail_header}" DEPFILE "${compile_fail_header}.d" VERBATIM)
add_custom_target(compile_fail_header ALL DEPENDS "${compile_fail_header}.gch")
# Compilers do not check whether it is older than the headers that it includes.
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
# A test that compiles `source` in the same way, and checks each mistake in it: see
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
