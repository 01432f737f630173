// SPDX-License-Identifier: MIT
// The parser of the digits, with valid and invalid files.
#include "data/digits.hpp"

#include <filesystem>
#include <fstream>
#include <functional>

#include <unistd.h>

#include "pch.hpp"

namespace {

struct csv {
  std::string path = (std::filesystem::temp_directory_path() / ("koila_digits_" + std::to_string(::getpid()))).string();
  explicit csv(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  csv(const csv&) = delete;
  auto operator=(const csv&) -> csv& = delete;
  ~csv() { std::filesystem::remove_all(path); }
};

/// Returns a row of 784 pixels and a label, in which `text` replaces the given column. Columns
/// count from 1.
auto row(int column = 0, const std::string& text = "", int columns = 785) -> std::string {
  std::string s;
  for (int c = 1; c <= columns; ++c)
    s += (c > 1 ? "," : "") + (c == column ? text : c == 785 ? std::string("7") : std::to_string(c % 256));
  return s;
}

/// Returns the error message of load_digits for a file with this text. The file's name is removed.
auto error_of(const std::string& text) -> std::string {
  const csv file(text);
  try {
    (void)load_digits(file.path);
  } catch (const std::runtime_error& e) {
    const std::string what = e.what();
    return what.rfind(file.path, 0) == 0 ? what.substr(file.path.size()) : what;
  }
  return "";
}

}  // namespace

TEST_CASE("trials B9: a row that is no digit is an error with its line and column") {
  const std::string good = row() + "\n";
  CHECK(error_of("") == ", line 1, column 1: there are no digits: the file is empty");
  CHECK(error_of("hello\n") == ", line 1, column 1: \"hello\" is no number");
  CHECK(error_of(good + "1,2,3\n") == ", line 2, column 3: a row has 784 pixels and a label, and this one ends here");
  CHECK(error_of(row(0, "", 784)) == ", line 1, column 784: a row has 784 pixels and a label, and this one ends here");
  CHECK(error_of(good + good + row(0, "", 801)) ==
        ", line 3, column 786: a row has 784 pixels and a label, and this one has more columns");
  CHECK(error_of(good + row(785, "11") + "\n") == ", line 2, column 785: \"11\" is not between 0 and 9");
}

TEST_CASE("trials B9: what cannot be seen is shown by its code, and the mark of UTF-8 is left out") {
  using namespace std::string_literals;
  CHECK(error_of("\0001\000,"s + row()) == ", line 1, column 1: \"\\x001\\x00\" is no number");
  CHECK(error_of(row(2, "1\r2")) == ", line 1, column 2: \"1\\x0d2\" is no number");
  const csv marked("\xef\xbb\xbf" + row() + "\n" + row());
  CHECK(load_digits(marked.path).first.labels.size(0) == 2);
  const csv small(row(1, "1e-400") + "\n" + row(2, "0." + std::string(400, '0') + "7"));
  CHECK(load_digits(small.path).first.images[0][0].item<float>() == 0);
}

TEST_CASE("trials B9: pixels and labels of another kind too") {
  const std::string good = row() + "\n";
  CHECK(error_of(good + row(17, "nan")) == ", line 2, column 17: \"nan\" is not between 0 and 255");
  CHECK(error_of(row(1, "-1")) == ", line 1, column 1: \"-1\" is not between 0 and 255");
  CHECK(error_of(row(784, "256")) == ", line 1, column 784: \"256\" is not between 0 and 255");
  CHECK(error_of(row(3, "1e999")) == ", line 1, column 3: \"1e999\" is not between 0 and 255");
  CHECK(error_of(row(3, "0x10")) == ", line 1, column 3: \"0x10\" is no number");
  CHECK(error_of(row(3, "1 2")) == ", line 1, column 3: \"1 2\" is no number");
  CHECK(error_of(row(3, "")) == ", line 1, column 3: \"\" is no number");
  CHECK(error_of(row(785, "7.5")) == ", line 1, column 785: \"7.5\" is no label: they are whole numbers");
  CHECK(error_of(row(785, "-1")) == ", line 1, column 785: \"-1\" is not between 0 and 9");
  CHECK(error_of(row() + ",\n") ==
        ", line 1, column 786: a row has 784 pixels and a label, and this one has more columns");
  CHECK(error_of(good + "\n" + good) == ", line 2, column 1: the line is empty");
  CHECK(error_of(" \n\n") == ", line 1, column 1: there are no digits: the file is empty");
  CHECK(error_of(good + std::string(9, '\0')).find(", line 2, column 1: ") == 0);
}

TEST_CASE("trials B9: a missing file and a folder are errors that name them") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_WITH(load_digits("/no/such/digits.csv"),
                    "no digits at /no/such/digits.csv (No such file or directory): scripts/setup brings them");
  const csv folder("");
  std::filesystem::remove(folder.path);
  std::filesystem::create_directory(folder.path);
  CHECK_THROWS_WITH(load_digits(folder.path), "cannot read " + folder.path + ": Is a directory");
}

TEST_CASE("rows with spaces, lines that end as on Windows and empty ones at the end are read") {
  const std::string rows[] = {row() + " \r\n", row(1, " 255 ") + "\t\n", row(785, "0.0") + "\n", row() + "\n",
                              row(2, "51") + "\n\n \r\n"};
  std::string text;
  for (const std::string& r : rows) text += r;
  const csv file(text);
  const auto [training, test] = load_digits(file.path);
  CHECK((training.images.sizes() == at::IntArrayRef{4, 784} && test.images.sizes() == at::IntArrayRef{1, 784}));
  CHECK(training.images[1][0].item<float>() == 1.0F);
  CHECK(test.images[0][1].item<float>() == 51 / 255.0F);
  CHECK(training.labels[0].item<int>() == 7);
  CHECK(training.labels[2].item<int>() == 0);
  CHECK(test.labels[0].item<int>() == 7);
  const csv one(row());  // no newline at the end, and no row for the test set
  CHECK(load_digits(one.path).first.labels.size(0) == 1);
  CHECK(load_digits(one.path).second.labels.size(0) == 0);
}
