// SPDX-License-Identifier: MIT
// koila::cuda: the backend for CUDA devices. This file is compiled only if KOILA_CUDA is set, with
// the headers of the CUDA toolkit and of LibTorch.
#include <koila/device/backend.hpp>
#include <koila/device/status.hpp>

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include <algorithm>

namespace koila::inline v0::device {

namespace {

/// Returns the driver's free memory, limited by the fraction that the process may use, plus the
/// cached segments without a block in use.
auto cuda_free_memory(int index) -> index_t {
  namespace caching = c10::cuda::CUDACachingAllocator;
  const auto device = static_cast<c10::DeviceIndex>(index);
  const c10::cuda::CUDAGuard guard(device);
  std::size_t free = 0, total = 0;
  C10_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  const auto stats = caching::getDeviceStats(device);
  constexpr auto all = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  const index_t reserved = stats.reserved_bytes[all].current;
  const index_t most = static_cast<index_t>(caching::getMemoryFraction(device) * static_cast<double>(total));
  const index_t cached = reserved - stats.active_bytes[all].current - stats.inactive_split_bytes[all].current;
  return std::max<index_t>(0, std::min(static_cast<index_t>(free), most - reserved)) + std::max<index_t>(0, cached);
}

auto cuda_rules() -> caching_rules {
  using config = c10::CachingAllocator::AcceleratorAllocatorConfig;
  static_assert(c10::CachingAllocator::kMinBlockSize == caching_rules::block);
  static_assert(c10::CachingAllocator::kSmallSize == caching_rules::largest_small);
  static_assert(c10::CachingAllocator::kSmallBuffer == caching_rules::small_segment);
  static_assert(c10::CachingAllocator::kMinLargeAlloc == caching_rules::least_own);
  static_assert(c10::CachingAllocator::kRoundLarge == caching_rules::own_multiple);
  caching_rules r;
  r.large_segment = static_cast<index_t>(config::large_segment_size());
  if (config::max_split_size() < std::size_t{1} << 62) r.max_split = static_cast<index_t>(config::max_split_size());
  r.max_unsplit_rounding = static_cast<index_t>(std::min(config::max_non_split_rounding_size(), std::size_t{1} << 62));
  r.expandable_segments = config::use_expandable_segments();
  const auto& divisions = config::roundup_power2_divisions();
  for (std::size_t i = 0; i < std::min(divisions.size(), r.divisions.size()); ++i)
    r.divisions[i] = static_cast<index_t>(divisions[i]);
  return r;
}

static_assert(outcome_of(cudaSuccess) == outcome::success);
static_assert(outcome_of(cudaErrorMemoryAllocation) == outcome::out_of_memory);
static_assert([] {
  for (const int status :
       {cudaErrorCudartUnloading, cudaErrorDevicesUnavailable, cudaErrorECCUncorrectable, cudaErrorNvlinkUncorrectable,
        cudaErrorIllegalAddress, cudaErrorLaunchTimeout, cudaErrorContextIsDestroyed, cudaErrorAssert,
        cudaErrorHardwareStackError, cudaErrorIllegalInstruction, cudaErrorMisalignedAddress,
        cudaErrorInvalidAddressSpace, cudaErrorInvalidPc, cudaErrorLaunchFailure, cudaErrorMpsRpcFailure,
        cudaErrorExternalDevice, cudaErrorUnknown})
    if (outcome_of(status) != outcome::unrecoverable) return false;
  return true;
}());

const backend cuda_backend{&cuda_free_memory, &cuda_rules};

}  // namespace

}  // namespace koila::inline v0::device

/// CMakeLists.txt makes linkers require this symbol, so that every program contains the
/// registration below.
extern "C" auto koila_cuda_registered() -> bool;
extern "C" auto koila_cuda_registered() -> bool {
  static const bool done = (koila::device::use(c10::DeviceType::CUDA, &koila::device::cuda_backend), true);
  return done;
}

namespace {
[[maybe_unused]] const bool registered = koila_cuda_registered();
}
