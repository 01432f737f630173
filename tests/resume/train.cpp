// SPDX-License-Identifier: MIT
// train <checkpoint> <result>: trains for 2,000 steps and writes all bits of the result. If there
// is a checkpoint, training continues from it. The program prints the number of each finished step;
// tests/resume/run kills it after one of these. With KOILA_TEST_KILL_AT=<call>:<n>, the program
// kills itself in a system call while it saves the n-th checkpoint: after half of a `write`, before
// `fsync` or `rename`, or, for `renamed`, after `rename` and before the folder is on the disk.
#include <koila/koila.hpp>
#include <koila/nn/nn.hpp>
#include <koila/nn/serialize.hpp>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

using namespace koila;

namespace {

constexpr std::int64_t all_steps = 2000, between_checkpoints = 10;

struct classifier {
  nn::linear<8, 16> in{"in"};
  nn::batch_norm<16> norm{"norm"};
  nn::dropout drop{0.3};
  nn::linear<16, 3> out{"out"};
  auto operator()(const auto& x) const { return out(drop(relu(norm(in(x))))); }
};

int checkpoint_number = 0;
bool is_saving = false;

/// Returns true if the program must die at this call.
auto dies_at(std::string_view call) -> bool {
  static const char* const asked = std::getenv("KOILA_TEST_KILL_AT");
  if (!is_saving || asked == nullptr) return false;
  const std::string_view text = asked;
  const auto colon = text.find(':');
  return text.substr(0, colon) == call && std::atoi(asked + colon + 1) == checkpoint_number;
}
void die() { (void)::kill(::getpid(), SIGKILL); }

void say(const std::string& line) {
  if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) std::_Exit(3);  // the reader has closed the pipe
}

}  // namespace

// These functions replace the C library's functions in the whole program.
extern "C" auto write(int file, const void* bytes, std::size_t n) -> ssize_t {
  const bool dies = dies_at("write");
  const ssize_t written = ::syscall(SYS_write, file, bytes, dies ? n / 2 : n);
  if (dies) die();
  return written;
}
extern "C" auto fsync(int file) -> int {
  if (dies_at("fsync")) die();
  return static_cast<int>(::syscall(SYS_fsync, file));
}
extern "C" auto rename(const char* from, const char* to) noexcept -> int {
  if (dies_at("rename")) die();
  const auto result = static_cast<int>(::syscall(SYS_rename, from, to));
  if (dies_at("renamed")) die();
  return result;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  at::set_num_threads(1);
  at::manual_seed(1);
  const at::Tensor rows = at::randn({64, 8}), labels = at::randint(3, {64}, at::kLong);
  const classifier net;
  const input<batch, 8> x{"x"};
  const input<int64, batch> label{"label"};
  auto train = step(cross_entropy(net(x), label), adamw{.amsgrad = true},
                    groups(group(net.in, {.weight_decay = 0.1}), group(net.norm), group(net.out)), {.chunk = 8});
  if (std::ifstream(argv[1]).good()) load(net, train, argv[1]);
  else at::manual_seed(2);
  const warmup schedule{50, cosine_annealing_lr{.lr = 0.01, .t_max = all_steps}};
  for (std::int64_t t = train.steps(); t < all_steps; t = train.steps()) {
    const at::Tensor some = at::randperm(64, at::kLong).narrow(0, 0, 20);
    train.optimizer.lr = schedule(t);
    train.group(2).lr = schedule(t) / 2;
    (void)train(x = rows.index_select(0, some), label = labels.index_select(0, some));
    if (train.steps() % between_checkpoints == 0) {
      ++checkpoint_number, is_saving = true;
      save(net, train, argv[1]);
      is_saving = false;
    }
    say(std::to_string(train.steps()) + "\n");
  }
  std::ofstream out(argv[2], std::ios::binary);
  const auto write = [&](const at::Tensor& t) {
    const at::Tensor dense = t.detach().contiguous();
    out.write(static_cast<const char*>(dense.const_data_ptr()), static_cast<std::streamsize>(dense.nbytes()));
  };
  for (const named_leaf& p : named_parameters(net)) write(p.tensor());
  for (const named_leaf& b : named_buffers(net)) write(b.tensor());
  write(at::randn({16}));  // also writes the random numbers that would come next
  out.close();
  return out ? 0 : 1;
}
