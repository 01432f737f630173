// SPDX-License-Identifier: MIT
// Definitions of out_of_memory.hpp.
#include <koila/torch/out_of_memory.hpp>

#if __has_include(<oneapi/dnnl/dnnl.hpp>)
#include <oneapi/dnnl/dnnl.hpp>
#define KOILA_HAS_DNNL
#endif

namespace koila::inline v0::detail {

auto says_out_of_memory(allocation_watch& watch) -> bool {
  try {
    throw;
  } catch (const std::bad_alloc&) { return true; } catch (const c10::OutOfMemoryError&) {
    return true;
  } catch (const c10::Error&) {
    return watch.failed();
#ifdef KOILA_HAS_DNNL
  } catch (const dnnl::error& e) {
    return e.status == dnnl_out_of_memory;
#endif
  } catch (...) { return false; }
}

}  // namespace koila::inline v0::detail
