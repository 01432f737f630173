#include <koila/ops/family/lines.hpp>

namespace koila::test::lines_family {

constexpr auto along(index_t d) -> along_attributes {
  along_attributes a;
  a.dim.assign(d);
  return a;
}
constexpr value samples{dims({extent{5}, extent{2}}, float32), rows(0)};
static_assert(flows::on_lines(&samples, 1, along(1), samples.d).out == rows(0));
static_assert(flows::on_lines(&samples, 1, along(-1), samples.d).out == rows(0));
static_assert(flows::on_lines(&samples, 1, along(0), samples.d).operand[0].is == need::whole);
static_assert(flows::on_lines(&samples, 1, {}, samples.d).operand[0].is == need::whole);

}  // namespace koila::test::lines_family
