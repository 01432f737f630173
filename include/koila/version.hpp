// SPDX-License-Identifier: MIT
#pragma once
// The version of koila, as CMake's `koila_VERSION`. The inline namespace v0 has the major version:
// object files that were compiled for different versions do not link.

#define KOILA_VERSION_MAJOR 0
#define KOILA_VERSION_MINOR 1
#define KOILA_VERSION_PATCH 0
