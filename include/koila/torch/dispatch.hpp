// SPDX-License-Identifier: MIT
#pragma once
// The dispatch guard under which programs run. The guard has its own file, so that training
// steps, which users compile, need not include thread_state.hpp.
#include <ATen/core/LegacyTypeDispatch.h>

namespace koila::inline v0::detail {

/// While this object exists, operators skip autograd, and do not check views and versions of
/// tensors.
using below_autograd = at::AutoDispatchBelowADInplaceOrView;

}  // namespace koila::inline v0::detail
