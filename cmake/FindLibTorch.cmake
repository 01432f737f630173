# SPDX-License-Identifier: MIT
# FindLibTorch
#
# Makes imported targets for LibTorch as it is distributed, without a CUDA toolchain:
#
#   LibTorch::host   libtorch_cpu and libc10
#   LibTorch::cuda   the same and libtorch_cuda; only if all dependencies of libtorch_cuda are found
#
# A folder counts as LibTorch if it is
#
#   - an official LibTorch folder, or Python's torch package itself  include/ATen/ATen.h
#                                                                    lib/libtorch_cpu.so
#   - a folder with unpacked wheels, or a site-packages folder       torch/include/ATen/ATen.h
#                                                                    torch/lib/libtorch_cpu.so
#   - a Python prefix, such as a virtual environment                 lib/python*/site-packages/torch
#   - the folder that torch.utils.cmake_prefix_path names            torch/share/cmake
#
# The search order is:
#
#   1. KOILA_LIBTORCH, a CMake or environment variable: if set, no other place is searched
#   2. CMAKE_PREFIX_PATH, a CMake and environment variable
#   3. KOILA_CACHE/libtorch-*, which scripts/setup fills; KOILA_CACHE is a CMake or environment
#      variable, ${XDG_CACHE_HOME:-$HOME/.cache}/koila if not set
#   4. LibTorch_HINTS, a CMake variable
#
# Sets LibTorch_FOUND, LibTorch_VERSION, LibTorch_LOCATION, LibTorch_INCLUDE_DIRS,
# LibTorch_DEFINITIONS, LibTorch_CUDA_FOUND.

if(NOT DEFINED KOILA_LIBTORCH AND DEFINED ENV{KOILA_LIBTORCH})
  set(KOILA_LIBTORCH "$ENV{KOILA_LIBTORCH}" CACHE PATH "The LibTorch to use: wheels unpacked, site-packages, or a LibTorch folder")
endif()
if(NOT KOILA_CACHE)
  if(DEFINED ENV{KOILA_CACHE})
    set(KOILA_CACHE "$ENV{KOILA_CACHE}")
  elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(KOILA_CACHE "$ENV{XDG_CACHE_HOME}/koila")
  else()
    set(KOILA_CACHE "$ENV{HOME}/.cache/koila")
  endif()
endif()

# Returns the folder with include/ and lib/ that `folder` refers to, or an empty string.
function(_libtorch_location out folder)
  file(GLOB in_python "${folder}/lib/python3*/site-packages/torch")
  foreach(location "${folder}" "${folder}/torch" ${in_python} "${folder}/../..")
    if(EXISTS "${location}/include/ATen/ATen.h" AND EXISTS "${location}/lib/libtorch_cpu.so")
      get_filename_component(location "${location}" REALPATH)
      set(${out} "${location}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${out} "" PARENT_SCOPE)
endfunction()

# Returns the names of the shared libraries that `library` needs.
function(_libtorch_needed out library)
  set(names "")
  if(CMAKE_READELF)
    execute_process(COMMAND "${CMAKE_READELF}" -d "${library}" OUTPUT_VARIABLE dynamic ERROR_QUIET)
    string(REGEX REPLACE "[][]" " " dynamic "${dynamic}")  # an open bracket would hide a list's semicolons
    string(REGEX MATCHALL "NEEDED[^\n]* [^ \n]+" names "${dynamic}")
    list(TRANSFORM names REPLACE "^.* " "")
    list(FILTER names EXCLUDE REGEX "^(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+|gomp))\\.")
  endif()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# Searches for the libraries that `library` needs, first in `dirs` and then in the system. Sets
# `found` to the paths of the libraries that it finds, and `missing` to the names of the other
# libraries.
function(_libtorch_resolve found missing library dirs)
  set(paths "")
  set(absent "")
  _libtorch_needed(names "${library}")
  foreach(name IN LISTS names)
    unset(path)
    find_library(path NAMES "${name}" HINTS ${dirs} NO_CACHE)
    if(path)
      list(APPEND paths "${path}")
    else()
      list(APPEND absent "${name}")
    endif()
  endforeach()
  set(${found} "${paths}" PARENT_SCOPE)
  set(${missing} "${absent}" PARENT_SCOPE)
endfunction()

if(KOILA_LIBTORCH)
  set(_libtorch_folders "${KOILA_LIBTORCH}")
else()
  file(GLOB _libtorch_cached "${KOILA_CACHE}/libtorch-*")
  list(SORT _libtorch_cached COMPARE NATURAL ORDER DESCENDING)
  string(REPLACE ":" ";" _libtorch_prefixes "$ENV{CMAKE_PREFIX_PATH}")
  set(_libtorch_folders ${CMAKE_PREFIX_PATH} ${_libtorch_prefixes} ${_libtorch_cached} ${LibTorch_HINTS})
endif()

set(LibTorch_LOCATION "")
foreach(_libtorch_folder IN LISTS _libtorch_folders)
  _libtorch_location(LibTorch_LOCATION "${_libtorch_folder}")
  if(LibTorch_LOCATION)
    break()
  endif()
endforeach()

set(_libtorch_reason "")
set(_libtorch_missing "")
if(LibTorch_LOCATION)
  foreach(_libtorch_header torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
    if(EXISTS "${LibTorch_LOCATION}/include/${_libtorch_header}")
      file(STRINGS "${LibTorch_LOCATION}/include/${_libtorch_header}" _libtorch_lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
      string(REGEX MATCHALL "[0-9]+" _libtorch_lines "${_libtorch_lines}")
      list(JOIN _libtorch_lines "." LibTorch_VERSION)
      if(LibTorch_VERSION)
        break()
      endif()
    endif()
  endforeach()

  # NVIDIA's wheels are unpacked beside torch/: nvidia/cu13/lib, or nvidia/cuda_runtime/lib etc.
  file(GLOB _libtorch_nvidia LIST_DIRECTORIES true "${LibTorch_LOCATION}/../nvidia/*/lib")
  set(_libtorch_dirs "${LibTorch_LOCATION}/lib" ${_libtorch_nvidia})
  list(TRANSFORM _libtorch_dirs REPLACE "[^/]+/\\.\\./" "")
  _libtorch_resolve(_libtorch_needs _libtorch_missing "${LibTorch_LOCATION}/lib/libtorch_cpu.so" "${_libtorch_dirs}")

  set(LibTorch_INCLUDE_DIRS "${LibTorch_LOCATION}/include" "${LibTorch_LOCATION}/include/torch/csrc/api/include")

  # Builds before 2.7 may have the old ABI of std::string. Their own CMake files state which ABI
  # they have.
  set(LibTorch_DEFINITIONS "")
  if(EXISTS "${LibTorch_LOCATION}/share/cmake/Torch/TorchConfig.cmake")
    file(STRINGS "${LibTorch_LOCATION}/share/cmake/Torch/TorchConfig.cmake" _libtorch_abi REGEX "_GLIBCXX_USE_CXX11_ABI=[01]")
    if(_libtorch_abi MATCHES "(_GLIBCXX_USE_CXX11_ABI=[01])")
      set(LibTorch_DEFINITIONS "${CMAKE_MATCH_1}")
    endif()
  endif()
else()
  if(NOT KOILA_LIBTORCH)
    list(APPEND _libtorch_folders "${KOILA_CACHE}/libtorch-*")
  endif()
  list(JOIN _libtorch_folders "\n    " _libtorch_searched)
  set(_libtorch_reason "
  LibTorch was not found. Looked in
    ${_libtorch_searched}
  Either run scripts/setup of koila, which brings it into its cache folder, or name a LibTorch with -DKOILA_LIBTORCH=<folder>:
  a folder with the unpacked wheel of torch, a site-packages folder, or an official LibTorch folder.
")
endif()
if(_libtorch_missing)
  list(JOIN _libtorch_missing " " _libtorch_missing)
  set(_libtorch_reason "
  ${LibTorch_LOCATION}/lib/libtorch_cpu.so needs ${_libtorch_missing},
  neither beside it, nor in ../nvidia/*/lib, nor in the system's library folders. PyPI's wheels nvidia-cuda-runtime and
  nvidia-cuda-cupti hold them: unpack them into the folder that holds torch/.
")
  set(LibTorch_LOCATION "")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch REQUIRED_VARS LibTorch_LOCATION VERSION_VAR LibTorch_VERSION
                                  REASON_FAILURE_MESSAGE "${_libtorch_reason}")

set(LibTorch_CUDA_FOUND FALSE)
if(LibTorch_FOUND)
  find_package(Threads REQUIRED)
  if(NOT TARGET LibTorch::host)
    foreach(_libtorch_name c10 torch_cpu)
      add_library(LibTorch::${_libtorch_name} SHARED IMPORTED)
      set_target_properties(LibTorch::${_libtorch_name} PROPERTIES
        IMPORTED_LOCATION "${LibTorch_LOCATION}/lib/lib${_libtorch_name}.so"
        INTERFACE_INCLUDE_DIRECTORIES "${LibTorch_INCLUDE_DIRS}"
        INTERFACE_COMPILE_DEFINITIONS "${LibTorch_DEFINITIONS}")
    endforeach()
    # The linker gets these libraries as dependencies of libtorch_cpu (-rpath-link). The executable
    # itself does not link them.
    set_target_properties(LibTorch::torch_cpu PROPERTIES IMPORTED_LINK_DEPENDENT_LIBRARIES "${_libtorch_needs}")

    add_library(LibTorch::host INTERFACE IMPORTED)
    target_link_libraries(LibTorch::host INTERFACE LibTorch::torch_cpu LibTorch::c10 Threads::Threads)
  endif()

  if(EXISTS "${LibTorch_LOCATION}/lib/libtorch_cuda.so")
    set(_libtorch_missing "")
    set(_libtorch_needs "")
    foreach(_libtorch_name libc10_cuda.so libtorch_nvshmem.so libtorch_cuda.so)
      if(EXISTS "${LibTorch_LOCATION}/lib/${_libtorch_name}")
        _libtorch_resolve(_libtorch_paths _libtorch_absent "${LibTorch_LOCATION}/lib/${_libtorch_name}" "${_libtorch_dirs}")
        list(APPEND _libtorch_needs ${_libtorch_paths})
        list(APPEND _libtorch_missing ${_libtorch_absent})
      endif()
    endforeach()
    list(REMOVE_DUPLICATES _libtorch_needs)
    if(_libtorch_missing)
      list(REMOVE_DUPLICATES _libtorch_missing)
      list(JOIN _libtorch_missing " " _libtorch_missing)
      if(NOT LibTorch_FIND_QUIETLY)
        message(STATUS "LibTorch::cuda is left out: libtorch_cuda.so needs ${_libtorch_missing}")
      endif()
    else()
      set(LibTorch_CUDA_FOUND TRUE)
      if(NOT TARGET LibTorch::cuda)
        add_library(LibTorch::c10_cuda SHARED IMPORTED)
        set_target_properties(LibTorch::c10_cuda PROPERTIES IMPORTED_LOCATION "${LibTorch_LOCATION}/lib/libc10_cuda.so"
                              IMPORTED_LINK_DEPENDENT_LIBRARIES "${_libtorch_needs}")
        add_library(LibTorch::cuda INTERFACE IMPORTED)
        file(GLOB _libtorch_cuda_includes LIST_DIRECTORIES true "${LibTorch_LOCATION}/../nvidia/*/include")
        target_include_directories(LibTorch::cuda SYSTEM INTERFACE ${_libtorch_cuda_includes})
        # No code refers to a symbol of libtorch_cuda. The library registers its kernels when it is
        # loaded, so the linker must not drop it.
        target_link_libraries(LibTorch::cuda INTERFACE LibTorch::host LibTorch::c10_cuda)
        # LibTorch's headers call the CUDA runtime.
        set(_libtorch_cudart "${_libtorch_needs}")
        list(FILTER _libtorch_cudart INCLUDE REGEX "/libcudart\\.so")
        target_link_libraries(LibTorch::cuda INTERFACE ${_libtorch_cudart})
        target_link_options(LibTorch::cuda INTERFACE
          "LINKER:--push-state,--no-as-needed,${LibTorch_LOCATION}/lib/libtorch_cuda.so,--pop-state")
      endif()
    endif()
  endif()
endif()
