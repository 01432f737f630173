// SPDX-License-Identifier: MIT
#pragma once
// Definitions of serialize.hpp.
#include <koila/nn/archive.hpp>
#include <koila/nn/serialize.hpp>
#include <koila/ops/common/definitions.hpp>
#include <koila/torch/pickle.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace koila::inline v0::detail {

/// Writes a dictionary of tensors in Python's pickle protocol 2, with the few opcodes that a
/// dictionary needs. LibTorch's pickler is not used, because some of its objects throw in their
/// destructors. Such an exception ends the process if memory is short.
class pickle_writer {
 public:
  auto text() && -> std::string {
    s_ += "u.";  // SETITEMS, for all since the mark; STOP
    return std::move(s_);
  }
  /// Adds a tensor. The record data/`number` must contain the tensor's elements in order.
  void add(std::string_view name, const at::Tensor& t, std::size_t number) {
    put(name);
    s_ += "ctorch._utils\n_rebuild_tensor_v2\n((";
    put("storage");
    ((s_ += "ctorch\n") += storage_of(dtype_of(t))) += '\n';
    put(std::to_string(number));
    put("cpu");
    put(t.numel());
    s_ += "tQ";  // TUPLE, BINPERSID: the storage; then offset, sizes, strides
    put(std::int64_t{0});
    s_ += '(';
    for (const std::int64_t n : t.sizes()) put(n);
    s_ += "t(";
    for (std::int64_t d = 0; d < t.dim(); ++d) {
      std::int64_t stride = 1;
      for (std::int64_t inner = d + 1; inner < t.dim(); ++inner) stride *= std::max<std::int64_t>(t.size(inner), 1);
      put(stride);
    }
    s_ +=
        "t\x89"
        "ccollections\nOrderedDict\n)RtR";  // requires no gradient, has no hooks
  }

 private:
  std::string s_ = "\x80\x02}(";  // PROTO 2, EMPTY_DICT, MARK

  void put_number(std::uint64_t n, int bytes) {
    for (int i = 0; i < bytes; ++i) s_ += static_cast<char>(n >> 8 * i);
  }
  void put(std::string_view text) {
    s_ += 'X';
    put_number(text.size(), 4);
    s_ += text;
  }
  void put(std::int64_t n) {
    const auto u = static_cast<std::uint64_t>(n);
    if (u < 1 << 8) s_ += 'K', put_number(u, 1);
    else if (u < 1U << 31) s_ += 'J', put_number(u, 4);
    else s_ += "\x8a\x08", put_number(u, 8);
  }
  static auto storage_of(dtype t) -> std::string_view {
    constexpr std::string_view names[] = {"",
                                          "BoolStorage",
                                          "ByteStorage",
                                          "CharStorage",
                                          "ShortStorage",
                                          "IntStorage",
                                          "LongStorage",
                                          "HalfStorage",
                                          "BFloat16Storage",
                                          "FloatStorage",
                                          "DoubleStorage"};
    return names[static_cast<int>(t)];
  }
};

void write_tensors(const std::vector<std::pair<std::string, at::Tensor>>& all, const std::string& file) {
  std::vector<std::string_view> names;
  pickle_writer pickle;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto& [name, tensor] = all[k];
    require_supported(tensor, name);
    pickle.add(name, tensor, k);
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  if (const auto two = std::adjacent_find(names.begin(), names.end()); two != names.end())
    throw argument_error("koila: save: two tensors are named \"" + std::string(*two) + "\"");
  const std::string dictionary = std::move(pickle).text();
  replace_file(file, [&](file_writer& to) {
    archive_writer archive(to);
    archive.add("data.pkl", dictionary);
    for (std::size_t k = 0; k < all.size(); ++k) {  // one copy at a time; no copy if contiguous on the host
      const at::Tensor t = all[k].second.detach().cpu().contiguous();
      archive.add("data/" + std::to_string(k), t.const_data_ptr(), t.nbytes());
    }
    archive.finish();
  });
}

/// Returns all bytes of a file or of a pipe.
inline auto bytes_of(const std::string& file) -> std::vector<char> {
  struct closing {
    int file;
    ~closing() {
      if (file >= 0) ::close(file);
    }
  };
  const auto fail = [&](int error) {
    throw file_error("koila: load: cannot read " + file + ": " + std::strerror(error));
  };
  const closing in{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  if (in.file < 0) fail(errno);
  struct stat is{};
  const bool size_known = ::fstat(in.file, &is) == 0 && S_ISREG(is.st_mode);
  std::vector<char> bytes(size_known ? static_cast<std::size_t>(is.st_size) + 1
                                     : 1 << 16);  // + 1 to see the end of the file
  for (std::size_t have = 0;;) {
    if (have == bytes.size()) bytes.resize(2 * have);
    const ssize_t n = ::read(in.file, bytes.data() + have, std::min<std::size_t>(bytes.size() - have, 1 << 30));
    if (n < 0 && errno != EINTR) fail(errno);
    if (n > 0) have += static_cast<std::size_t>(n);
    if (n != 0) continue;
    bytes.resize(have);
    return bytes;
  }
}

auto read_tensors(const std::string& file) -> std::vector<std::pair<std::string, at::Tensor>> {
  const std::vector<char> bytes = bytes_of(file);
  if (bytes.empty()) throw file_error("koila: load: " + file + " is empty");
  require_whole({bytes.data(), bytes.size()}, file);  // before anything parses it
  auto all = unpickled(bytes);
  if (!all)
    throw file_error(
        "koila: load: " + file +
        " is no dictionary of tensors; of a state_dict torch.save(dict(net.state_dict()), file) writes one");
  return *std::move(all);
}

}  // namespace koila::inline v0::detail
