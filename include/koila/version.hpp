// SPDX-License-Identifier: MIT
#pragma once
// The version of koila, as CMake's `koila_VERSION`. The name of the inline namespace v0 contains
// the major version, so that object files compiled for different major versions do not link.

#define KOILA_VERSION_MAJOR 0
#define KOILA_VERSION_MINOR 1
#define KOILA_VERSION_PATCH 0
