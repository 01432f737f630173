// SPDX-License-Identifier: MIT
// Parses the file of digits.
#include "data/digits.hpp"

#include <ATen/ops/clone.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/split.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace {

constexpr int pixels = 784, columns = pixels + 1;

/// A position in a file; lines and columns count from 1.
struct position {
  const std::string& path;
  int line = 0, column = 0;
  [[noreturn]] void refuse(const std::string& reason) const {
    throw std::runtime_error(path + ", line " + std::to_string(line) + ", column " + std::to_string(column) + ": " +
                             reason);
  }
};

auto trimmed(std::string_view s) -> std::string_view {
  constexpr std::string_view spaces = " \t\r";
  const auto begin = s.find_first_not_of(spaces);
  return begin == s.npos ? std::string_view() : s.substr(begin, s.find_last_not_of(spaces) + 1 - begin);
}

/// Returns the first 24 bytes of a text for an error message; unprintable bytes become hex codes.
auto printable(std::string_view text) -> std::string {
  std::string out;
  for (const char c : text.substr(0, 24)) {
    constexpr const char* digits = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code < 0x7f) out += c;
    else out += {'\\', 'x', digits[code / 16], digits[code % 16]};
  }
  return out;
}

/// Returns the number that the text of a column states. Throws unless the number is between 0 and
/// `most`.
auto number_in(std::string_view text, double most, const position& where) -> double {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  const std::string shown = '"' + printable(text) + '"';
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) where.refuse(shown + " is no number");
  if (error == std::errc::result_out_of_range)  // underflow or overflow
    x = std::strtod(std::string(text).c_str(), nullptr);
  if (!(x >= 0 && x <= most))  // also refuses NaN
    where.refuse(shown + " is not between 0 and " + std::to_string(static_cast<int>(most)));
  return x;
}

}  // namespace

auto load_digits(const std::string& path) -> std::pair<digits, digits> {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("no digits at " + path + " (" + std::strerror(errno) + "): scripts/setup brings them");
  std::vector<float> values[2];
  std::vector<std::int64_t> labels[2];
  position where{path};
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    ++where.line;
    where.column = 1;
    if (where.line == 1 && line.compare(0, 3, "\xef\xbb\xbf") == 0) line.erase(0, 3);  // the UTF-8 byte order mark
    if (trimmed(line).empty()) continue;  // the last line may be empty
    if (where.line != rows + 1) {
      where.line = rows + 1;
      where.refuse("the line is empty");
    }
    const int part = rows++ % 5 == 4 ? 1 : 0;
    std::string_view rest = line;
    for (bool more = true; more; ++where.column) {
      if (where.column > columns) where.refuse("a row has 784 pixels and a label, and this one has more columns");
      const auto comma = rest.find(',');
      more = comma != rest.npos;
      const std::string_view text = trimmed(rest.substr(0, comma));
      if (more) rest.remove_prefix(comma + 1);
      if (where.column <= pixels) {
        values[part].push_back(static_cast<float>(number_in(text, 255, where)) / 255.0F);
        if (!more) where.refuse("a row has 784 pixels and a label, and this one ends here");
      } else {
        const double label = number_in(text, 9, where);
        if (label != std::floor(label)) where.refuse('"' + printable(text) + "\" is no label: they are whole numbers");
        labels[part].push_back(static_cast<std::int64_t>(label));
      }
    }
  }
  if (file.bad()) throw std::runtime_error("cannot read " + path + ": " + std::strerror(errno));
  if (rows == 0) throw std::runtime_error(path + ", line 1, column 1: there are no digits: the file is empty");
  const auto pack = [&](int part) {
    const auto n = static_cast<std::int64_t>(labels[part].size());
    return digits{at::from_blob(values[part].data(), {n, pixels}).clone(),
                  at::from_blob(labels[part].data(), {n}, at::kLong).clone()};
  };
  return {pack(0), pack(1)};
}

auto minibatches(const digits& all, std::int64_t size) -> std::vector<digits> {
  const at::Tensor order = at::randperm(all.labels.size(0));  // (samples)
  const std::vector<at::Tensor> images = at::split(at::index_select(all.images, 0, order), size),
                                labels = at::split(at::index_select(all.labels, 0, order), size);
  std::vector<digits> batches;
  for (std::size_t i = 0; i < images.size(); ++i) batches.push_back({images[i], labels[i]});
  return batches;
}
