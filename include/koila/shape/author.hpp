// SPDX-License-Identifier: MIT
#pragma once
// The namespace of the names that only authors of ops write.

namespace koila::inline v0 {

/// Names that only authors of ops write, such as `dims`, `verdict` and `relations`. They are not in
/// namespace koila, so a program may have its own `value` or `layout` beside `using namespace
/// koila`. The struct of an op sees these names without a qualification, because its base `op` has
/// them as members. Other code writes `author::dims`, or `using namespace koila::author`.
namespace author {}

// koila's own namespaces see these names, too. Namespace koila itself must not: a user who opens
// koila would open namespace author as well.
namespace detail {
using namespace author;
}
namespace device {
using namespace author;
}
namespace flows {
using namespace author;
}
namespace internal {
using namespace author;
}
namespace kernels {
using namespace author;
}
namespace ops {
using namespace author;
}
namespace rules {
using namespace author;
}

}  // namespace koila::inline v0
