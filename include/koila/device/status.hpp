#pragma once
// What a status code of the CUDA runtime means to who called: whether to try again smaller, to
// fail, or to give up the process.
#include <exception>

namespace koila::device {

enum class outcome {
  success,
  out_of_memory,  ///< the same with less memory may succeed
  failed,  ///< this call failed; others may succeed
  unrecoverable  ///< the device's context is lost: every later call of this process fails too
};

/// By the numbers of cudaError_t, which the headers of the toolkit are checked against where there
/// is one (cuda.ipp). Errors of kernels are sticky: the runtime returns them from every later call,
/// so nothing is retried after them.
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

/// The same of what LibTorch throws for a device, by type and never by text: c10::OutOfMemoryError,
/// and c10::AcceleratorError by its status. Any other exception: failed.
auto outcome_of(const std::exception& e) -> outcome;

}  // namespace koila::device

#ifdef KOILA_DEFINITIONS
#include <koila/device/status.ipp>
#endif
