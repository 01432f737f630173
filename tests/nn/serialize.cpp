// SPDX-License-Identifier: MIT
// Saving and loading models. load refuses a damaged file and then leaves the whole model unchanged.
#include "leaks.hpp"
#include "run/support.hpp"

#include <koila/nn/archive.hpp>
#include <koila/nn/linear.hpp>
#include <koila/nn/serialize.hpp>

#include <ATen/core/Dict.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

using namespace koila;
using namespace ::test;
using Catch::Matchers::ContainsSubstring;
using koila::detail::read_tensors, koila::detail::write_tensors;

namespace {

namespace fs = std::filesystem;
using named_tensors = std::vector<std::pair<std::string, at::Tensor>>;

struct work_folder {
  fs::path path = fs::temp_directory_path() / ("koila_serialize_" + std::to_string(::getpid()));
  work_folder() {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  work_folder(const work_folder&) = delete;
  auto operator=(const work_folder&) -> work_folder& = delete;
  ~work_folder() { fs::remove_all(path); }
  auto operator/(const std::string& name) const -> std::string { return (path / name).string(); }
};

auto bytes_of(const std::string& file) -> std::string {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
void put_bytes(const std::string& file, std::string_view bytes) { std::ofstream(file, std::ios::binary) << bytes; }

/// Changes one byte of the file at a time, each byte to several values. Calls f after each change
/// with the position of the byte.
template <class F>
void change_each_byte(const std::string& file, const F& f) {
  const std::string good = bytes_of(file);
  std::fstream to(file, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t position, char c) {
    to.seekp(static_cast<std::streamoff>(position));
    to.put(c).flush();
  };
  for (std::size_t position = 0; position < good.size(); ++position) {
    for (const int change : {1, 16, 128, 255}) {
      put(position, static_cast<char>(good[position] ^ change));
      f(position);
    }
    put(position, good[position]);
  }
  REQUIRE(bytes_of(file) == good);
}

/// Returns the error message of load for a file, or "".
auto refusal_of(const auto& net, const std::string& file) -> std::string {
  try {
    load(net, file);
  } catch (const std::runtime_error& e) { return e.what(); }
  return "";
}

auto same(const named_tensors& a, const named_tensors& b) -> bool {
  bool all = a.size() == b.size();
  for (std::size_t k = 0; all && k < a.size(); ++k)
    all = a[k].first == b[k].first && a[k].second.scalar_type() == b[k].second.scalar_type() &&
          at::equal(a[k].second, b[k].second);
  return all;
}

}  // namespace

TEST_CASE("trials B7: whatever byte of a saved file is changed, it is refused, and the model stays as it was") {
  const work_folder f;
  const nn::linear<4, 3> saved, net;
  save(saved, f / "net.pt");
  const at::Tensor weight = tensor_of(net.weight).detach().clone(), bias = tensor_of(net.bias).detach().clone();
  int changed = 0, refused = 0;
  change_each_byte(f / "net.pt",
                   [&](std::size_t) { ++changed, refused += refusal_of(net, f / "net.pt").empty() ? 0 : 1; });
  CHECK(changed > 4000);
  CHECK(refused == changed);
  CHECK((identical(tensor_of(net.weight), weight) && identical(tensor_of(net.bias), bias)));
  load(net, f / "net.pt");
  CHECK((identical(tensor_of(net.weight), tensor_of(saved.weight)) &&
         identical(tensor_of(net.bias), tensor_of(saved.bias))));
}

TEST_CASE("trials B7: a saved file that is cut, longer, or has parts exchanged is refused") {
  const work_folder f;
  const nn::linear<4, 3> net;
  save(net, f / "net.pt");
  const std::string good = bytes_of(f / "net.pt");
  std::vector<std::string> bad = {good + "x", good + '\0', good + good, '\0' + good,
                                  good + good.substr(good.size() - 28)};
  for (std::size_t n = 0; n < good.size(); n += n < 100 || n + 100 > good.size() ? 1 : 17)
    bad.push_back(good.substr(0, n));
  for (std::size_t n = 1; n < good.size(); n += 97) bad.push_back(good.substr(n));
  for (std::size_t position = 0; position + 128 <= good.size(); position += 64) {
    std::string s = good;
    std::swap_ranges(s.begin() + static_cast<std::ptrdiff_t>(position),
                     s.begin() + static_cast<std::ptrdiff_t>(position + 64),
                     s.begin() + static_cast<std::ptrdiff_t>(position + 64));
    if (s != good) bad.push_back(s);
  }
  int loaded = 0;
  for (const std::string& s : bad) {
    fs::remove(f.path / "bad.pt");
    put_bytes(f / "bad.pt", s);
    loaded += refusal_of(net, f / "bad.pt").empty() ? 1 : 0;
  }
  CHECK(bad.size() > 200);
  CHECK(loaded == 0);
  put_bytes(f / "bad.pt", "");
  CHECK(refusal_of(net, f / "bad.pt") == "koila: load: " + (f / "bad.pt") + " is empty");
  put_bytes(f / "bad.pt", good.substr(0, good.size() / 2));
  CHECK(refusal_of(net, f / "bad.pt") == "koila: load: " + (f / "bad.pt") +
                                             " is damaged: it was cut or changed since it was saved, " +
                                             "for its checksum is not that of its bytes");
}

TEST_CASE("trials B7: a file of torch.save that is changed is refused, or has the same values") {
  const work_folder f;
  c10::Dict<std::string, at::Tensor> all;
  all.insert("weight", at::randn({3, 4}));
  all.insert("bias", at::randn({3}));
  const std::vector<char> bytes = torch::jit::pickle_save(all);
  put_bytes(f / "net.pt", {bytes.data(), bytes.size()});
  const named_tensors good = read_tensors(f / "net.pt");
  CHECK(same(good, {{"weight", all.at("weight")}, {"bias", all.at("bias")}}));
  int refused = 0, others = 0;
  change_each_byte(f / "net.pt", [&](std::size_t) {
    [[maybe_unused]] const koila::test::leaks_of_libtorch lost;
    try {
      others += same(read_tensors(f / "net.pt"), good) ? 0 : 1;
    } catch (const std::runtime_error&) { ++refused; }
  });
  CHECK(refused > 1000);
  CHECK(others == 0);
  const std::string cut(bytes.data(), bytes.size() - 1);
  put_bytes(f / "net.pt", cut);
  CHECK_THROWS_WITH(read_tensors(f / "net.pt"), ContainsSubstring("is damaged") && ContainsSubstring("it has no end"));
  // The file has no koila checksum. A koila file that Python has rewritten has none either.
  CHECK(cut.find("koila xxh64") == std::string::npos);
}

TEST_CASE("checksums are those that others compute") {
  const auto xxh64_of = [](std::string_view s, std::size_t piece) {
    koila::detail::xxh64 x;
    for (std::size_t position = 0; position < s.size(); position += piece)
      x.add(s.data() + position, std::min(piece, s.size() - position));
    return x.value();
  };
  CHECK(koila::detail::crc32("123456789", 9) == 0xCBF43926);
  CHECK(koila::detail::crc32("456789", 6, koila::detail::crc32("123", 3)) == 0xCBF43926);
  CHECK(xxh64_of("", 1) == 0xEF46DB3751D8E999);
  CHECK(xxh64_of("abc", 3) == 0x44BC2CF5AD770999);
  const std::string_view text = "Nobody inspects the spammish repetition";
  for (const std::size_t piece : {1U, 7U, 31U, 32U, 33U, 100U}) CHECK(xxh64_of(text, piece) == 0xFBCEA83C8A378BF1);
}

TEST_CASE(
    "tensors of any dtype, shape, layout and name are read as they were written, and the same give the same bytes") {
  const work_folder f;
  named_tensors all;
  for (const auto type : {at::kBool, at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kHalf, at::kBFloat16,
                          at::kFloat, at::kDouble})
    all.push_back({c10::toString(type), at::randint(2, {3, 5}).to(type)});
  const at::Tensor base = at::randn({6, 300});
  all.insert(all.end(), {{"0-d", at::scalar_tensor(2.5)},
                         {"empty", at::empty({0, 3})},
                         {"transposed", base.t()},
                         {"a part", base.slice(1, 7, 9)},
                         {"the same part", base.slice(1, 7, 9)},
                         {"expanded", at::ones({1, 4}).expand({3, 4})},
                         {"trained", at::ones({2}).set_requires_grad(true)},
                         {"", at::ones({1})},
                         {std::string("a/b.c \"d\"\n\\ \0 e", 15), at::ones({2})},
                         {"\u00e9 \u20ac \U0001F600", at::ones({70'000, 1})}});
  write_tensors(all, f / "all.pt");
  const named_tensors back = read_tensors(f / "all.pt");
  CHECK(same(back, all));
  for (const auto& [name, t] : back) {
    CAPTURE(name);
    CHECK((t.is_contiguous() && !t.requires_grad()));
    CHECK(t.storage().nbytes() == t.nbytes());  // only the slice is written, not the rest of its storage
  }
  write_tensors(all, f / "again.pt");
  CHECK(bytes_of(f / "again.pt") == bytes_of(f / "all.pt"));
  write_tensors({}, f / "none.pt");
  CHECK(read_tensors(f / "none.pt").empty());
}

TEST_CASE("a file of more records than the oldest zip format counts is read") {
  const work_folder f;
  constexpr int n = 66'000;
  named_tensors all;
  const at::Tensor values = at::arange(n);
  for (int i = 0; i < n; ++i) all.push_back({"n" + std::to_string(i), values[i]});
  write_tensors(all, f / "many.pt");
  const named_tensors back = read_tensors(f / "many.pt");
  REQUIRE(back.size() == all.size());
  for (const int i : {0, 1, 65'534, 65'535, 65'536, n - 1}) {
    CHECK(back[static_cast<std::size_t>(i)].first == "n" + std::to_string(i));
    CHECK(back[static_cast<std::size_t>(i)].second.item<int>() == i);
  }
}

TEST_CASE("trials B8: a model is saved through a link and into a pipe, and loaded from them") {
  const work_folder f;
  const nn::linear<4, 3> net, other;
  fs::create_symlink("net.pt", f.path / "link.pt");
  put_bytes(f / "net.pt", "old");
  fs::permissions(f.path / "net.pt", fs::perms::owner_read | fs::perms::owner_write);
  put_bytes(f / "net.pt.part", "mine");
  save(net, f / "link.pt");
  CHECK(fs::is_symlink(f.path / "link.pt"));
  CHECK(fs::status(f.path / "net.pt").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(bytes_of(f / "net.pt.part") == "mine");
  load(other, f / "link.pt");
  CHECK(identical(tensor_of(net.weight), tensor_of(other.weight)));

  REQUIRE(::mkfifo((f / "pipe").c_str(), 0600) == 0);
  const nn::linear<4, 3> third;
  std::thread writer([&] { save(net, f / "pipe"); });
  load(third, f / "pipe");
  writer.join();
  CHECK(identical(tensor_of(net.weight), tensor_of(third.weight)));
}

TEST_CASE("what cannot be saved is refused before the file is touched") {
  const work_folder f;
  put_bytes(f / "net.pt", "old");
  const at::Tensor good = at::ones({2});
  CHECK_THROWS_AS(write_tensors({{"a", good}, {"b", at::Tensor()}}, f / "net.pt"), shape_error);
  CHECK_THROWS_AS(write_tensors({{"a", good}, {"b", good.to_sparse()}}, f / "net.pt"), shape_error);
  CHECK_THROWS_AS(write_tensors({{"a", good}, {"b", at::ones({2}, at::kComplexFloat)}}, f / "net.pt"), shape_error);
  CHECK_THROWS_WITH(write_tensors({{"a", good}, {"b", good}, {"a", good}}, f / "net.pt"),
                    "koila: save: two tensors are named \"a\"");
  CHECK(bytes_of(f / "net.pt") == "old");
  CHECK_THROWS_WITH(read_tensors(f.path.string()), "koila: load: cannot read " + f.path.string() + ": Is a directory");
}
