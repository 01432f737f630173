// Ops that move, cut, join or choose elements.
#include <koila/ops.hpp>

// clang-format off: a mistake and its sentence stand on one line

using namespace koila;

int main() {
  input<batch, 6, 4> x{"x"};
  input<batch, 5, 4> y{"y"};
  input<6, 4> m{"m"};
  input<float64, 2> wide{"wide"};
  input<> scalar{"scalar"};
  input<3> v{"v"};
  input<4> w{"w"};
  input<int64, 2> i{"i"};
  input<int64, 2, 3> at{"at"};
  input<int64, 7, 2> far{"far"};
  input<2, 3> source{"source"};
  input<1, 1, 1, 1, 1, 1, 1, 1> deep{"deep"};
#ifdef MISTAKE
  cat(x, y, dim = 2_c);  // says: cat:
  cat(x, m, dim = 1_c);  // says: cat:
  cat(x, y, dim = 3_c);  // says: cat:
  chunk(x, 2_c, dim = 3_c);  // says: chunk:
  chunk(x, 7_c, dim = 1_c);  // says: chunk:
  expand(x, 2_c, 6_c, 5_c);  // says: expand:
  expand(m, 4_c);  // says: expand:
  flatten(x, 2_c, 1_c);  // says: flatten:
  flatten(x, start_dim = 3_c);  // says: flatten:
  flip(x, 3_c);  // says: flip:
  flip(x, 1_c, -2_c);  // says: flip:
  gather(m, 0_c, m);  // says: gather:
  gather(m, 0_c, i);  // says: gather:
  gather(m, 2_c, at);  // says: gather:
  gather(m, 1_c, far);  // says: gather:
  gather_backward(m, m, i, dim = 0_c);  // says: gather_backward:
  index(m, v);  // says: index:
  index(scalar, i);  // says: index:
  index(deep, at);  // says: index:
  index_select(m, 0_c, v);  // says: index_select:
  index_select(m, 0_c, at);  // says: index_select:
  index_select(m, 2_c, i);  // says: index_select:
  detail::index_select_backward(m, m, v);  // says: index_select_backward:
  narrow(x, 3_c, 0_c, 1_c);  // says: narrow:
  narrow(x, 1_c, 4_c, 3_c);  // says: narrow:
  narrow(scalar, 0_c, 0_c, 1_c);  // says: narrow:
  pad(x, list(1_c));  // says: pad:
  pad(x, list(4_c, 0_c), mode = kReflect);  // says: pad:
  pad(x, list(1_c, 1_c), mode = kMean);  // says: pad:
  pad_backward(x, x, padding = list(1_c));  // says: pad_backward:
  permute(x, 0_c, 1_c);  // says: permute:
  permute(x, 0_c, 1_c, 3_c);  // says: permute:
  permute(x, 0_c, 1_c, -2_c);  // says: permute:
  repeat(x, 2_c, 2_c);  // says: repeat:
  repeat(x, 1_c, -1_c, 1_c);  // says: repeat:
  repeat_backward(x, x, 2_c, 2_c);  // says: repeat_backward:
  reshape(x, batch, 23_c);  // says: reshape:
  reshape(x, 24_c);  // says: reshape:
  reshape(x, -1_c, -1_c);  // says: reshape:
  view(x, batch, 23_c);  // says: reshape:
  detail::reshape_like(m, v);  // says: reshape_like:
  roll(x, 1_c, 3_c);  // says: roll:
  roll(x, list(1_c, 2_c), 1_c);  // says: roll:
  scatter(m, 0_c, v, m);  // says: scatter:
  scatter(m, 0_c, at, m);  // says: scatter:
  scatter_add(m, 2_c, at, source);  // says: scatter_add:
  scatter_add(m, 0_c, at, wide);  // says: scatter_add:
  select(x, 3_c, 0_c);  // says: select:
  select(x, 1_c, 6_c);  // says: select:
  select(scalar, 0_c, 0_c);  // says: select:
  slice(x, 3_c);  // says: slice:
  slice(x, 1_c, 0_c, 6_c, 0_c);  // says: slice:
  slice_backward(m, x);  // says: slice_backward:
  slice_backward(y, x, 2_c);  // says: slice_backward:
  split(x, list(2_c, 3_c), dim = 1_c);  // says: split:
  split(x, list(2_c, 4_c), dim = 3_c);  // says: split:
  split(x, 2_c, dim = 3_c);  // says: split:
  squeeze(x, dim = 3_c);  // says: squeeze:
  swapaxes(x, 0_c, 3_c);  // says: transpose:
  t(x);  // says: t:
  transpose(x, 0_c, 3_c);  // says: transpose:
  tril(v);  // says: tril:
  triu(v);  // says: triu:
  unbind(x, dim = 3_c);  // says: unbind:
  unflatten(x, 1_c, list(2_c, 4_c));  // says: unflatten:
  unflatten(x, 3_c, list(2_c, 3_c));  // says: unflatten:
  unflatten(x, 1_c, list(-1_c, -1_c));  // says: unflatten:
  unsqueeze(x, dim = 4_c);  // says: unsqueeze:
  unsqueeze(deep, dim = 0_c);  // says: unsqueeze:
#endif
}
