# SPDX-License-Identifier: MIT
# snippets.awk <page.md>: prints the C++ snippets of a page as one program. Compilers then report
# errors at the page's own lines.
/^```cpp$/ { inside = 1; printf "#line %d \"%s\"\n", FNR + 1, FILENAME; next }
/^```$/ { inside = 0; next }
inside
