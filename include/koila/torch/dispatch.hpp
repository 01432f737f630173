// SPDX-License-Identifier: MIT
#pragma once
// The guard under which a program runs. It is apart from thread_state.hpp because training steps,
// which users compile, need no more.
#include <ATen/core/LegacyTypeDispatch.h>

namespace koila::detail {

/// While this object exists, operators skip autograd and the checks of views and versions.
using below_autograd = at::AutoDispatchBelowADInplaceOrView;

}  // namespace koila::detail
