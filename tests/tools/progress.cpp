// SPDX-License-Identifier: MIT
// The progress bar without a terminal prints a plain line for every tenth of the steps.
#include <koila/tools/progress.hpp>

#include <algorithm>

#include "catch.hpp"

TEST_CASE("progress writes plain lines to a file") {
  std::FILE* file = std::tmpfile();
  {
    koila::progress bar("train", 25, file);
    for (int i = 0; i < 25; ++i) bar.step("loss");
  }
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  CHECK(std::count(text.begin(), text.end(), '\n') == 10);
  CHECK(text.find('\r') == std::string::npos);
  CHECK(text.substr(text.rfind("train")) == "train 25/25  loss\n");
}

TEST_CASE("progress of nothing is no division by it") {
  std::FILE* file = std::tmpfile();
  koila::progress(std::string("none"), 0, file).step("loss");
  CHECK(std::ftell(file) > 0);
  std::fclose(file);
}
