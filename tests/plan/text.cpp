// SPDX-License-Identifier: MIT
// Names in files may contain any bytes.
#include "plan/support.hpp"

using koila::detail::json, koila::detail::xml;

TEST_CASE("what XML and JSON do not take is written so that they do") {
  CHECK(xml("a<b> & \"c\" \\") == "a&lt;b&gt; &amp; &quot;c&quot; \\");
  CHECK(json("a<b> & \"c\" \\") == "a<b> & \\\"c\\\" \\\\");
  for (const auto write : {xml, json}) {
    CHECK(write("").empty());
    CHECK(write("tab\t line\n \x01\x7F.") == "tab  line    .");
    for (const char* character : {"\u00e4", "\u2192", "\uFFFD", "\uD7FF", "\uE000", "\U0001F600", "\U0010FFFF"}) {
      CAPTURE(character);
      CHECK(write(character) == character);
      const std::string cut(character, std::strlen(character) - 1);
      std::string none;
      for (std::size_t i = 0; i < cut.size(); ++i) none += "\uFFFD";
      CHECK(write(cut) == none);
      CHECK(write(cut + "x") == none + "x");
    }
    // Invalid UTF-8: a byte that neither begins nor continues a character, overlong forms, half of
    // a surrogate pair, and a code point beyond the last one.
    CHECK(write("a\xFFz") == "a\uFFFDz");
    CHECK(write("\x80") == "\uFFFD");
    CHECK(write("\xC0\xAF") == "\uFFFD\uFFFD");
    CHECK(write("\xE0\x80\xAF") == "\uFFFD\uFFFD\uFFFD");
    CHECK(write("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");
    CHECK(write("\xF0\x8F\xBF\xBF") == "\uFFFD\uFFFD\uFFFD\uFFFD");
    CHECK(write("\xF4\x90\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");
  }
}
