// SPDX-License-Identifier: MIT
#pragma once
// Classifies a status of the CUDA runtime: the caller may try again with less memory, fail, or
// give up the process.
#include <exception>

namespace koila::inline v0::device {

enum class outcome {
  success,
  out_of_memory,  ///< the same call may succeed with less memory
  failed,  ///< this call failed; later calls may succeed
  unrecoverable  ///< the device's context is lost, so every later call of this process fails, too
};

/// Classifies a status. `cuda_status` is a cudaError_t as a number. cuda.ipp, which is compiled
/// with the CUDA toolkit, checks these numbers against the toolkit's headers. Errors of kernels
/// are sticky. The runtime returns a sticky error from every later call, so koila does not retry
/// after such an error.
constexpr auto outcome_of(int cuda_status) -> outcome {
  switch (cuda_status) {
    case 0: return outcome::success;
    case 2:  // cudaErrorMemoryAllocation
      return outcome::out_of_memory;
    case 4:  // cudaErrorCudartUnloading
    case 46:  // cudaErrorDevicesUnavailable
    case 214:  // cudaErrorECCUncorrectable
    case 220:  // cudaErrorNvlinkUncorrectable
    case 226:  // cudaErrorContained
    case 700:  // cudaErrorIllegalAddress
    case 702:  // cudaErrorLaunchTimeout
    case 709:  // cudaErrorContextIsDestroyed
    case 710:  // cudaErrorAssert
    case 714:  // cudaErrorHardwareStackError
    case 715:  // cudaErrorIllegalInstruction
    case 716:  // cudaErrorMisalignedAddress
    case 717:  // cudaErrorInvalidAddressSpace
    case 718:  // cudaErrorInvalidPc
    case 719:  // cudaErrorLaunchFailure
    case 721:  // cudaErrorTensorMemoryLeak
    case 806:  // cudaErrorMpsRpcFailure
    case 810:  // cudaErrorMpsClientTerminated
    case 911:  // cudaErrorExternalDevice
    case 999:  // cudaErrorUnknown
      return outcome::unrecoverable;
    default: return outcome::failed;
  }
}

/// Classifies an exception that LibTorch throws for a device, by its type and never by its text:
/// c10::OutOfMemoryError, or c10::AcceleratorError with its status. Returns `failed` for any other
/// exception.
auto outcome_of(const std::exception& e) -> outcome;

}  // namespace koila::inline v0::device
