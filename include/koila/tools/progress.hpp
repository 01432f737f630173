// SPDX-License-Identifier: MIT
#pragma once
// A progress bar on a terminal, plain lines elsewhere.
#include <unistd.h>

#include <cstdio>
#include <string>

namespace koila::inline v0 {

/// Shows how far a loop is: `progress bar("train", steps); ...; bar.step("loss 0.31");`. On a
/// terminal, the bar redraws one line. Elsewhere, `progress` writes a line after each tenth of the
/// steps.
class progress {
 public:
  progress(std::string title, long total, std::FILE* to = stdout)
      : title_(std::move(title)), total_(total), to_(to), terminal_(isatty(fileno(to)) != 0) {}
  progress(const progress&) = delete;
  auto operator=(const progress&) -> progress& = delete;
  ~progress() {
    if (terminal_ && done_ > 0) std::fputc('\n', to_);
  }

  /// Counts one step. `note` is shown after the count.
  void step(const std::string& note = {}) {
    ++done_;
    if (terminal_) {
      constexpr long width = 30;
      const long filled = total_ > 0 ? done_ * width / total_ : width;
      std::string bar(static_cast<std::size_t>(filled), '#');
      bar.resize(width, '.');
      std::fprintf(to_, "\r%s [%s] %ld/%ld  %s\x1b[K", title_.c_str(), bar.c_str(), done_, total_, note.c_str());
    } else if (total_ <= 0 || done_ * 10 / total_ != (done_ - 1) * 10 / total_) {
      std::fprintf(to_, "%s %ld/%ld  %s\n", title_.c_str(), done_, total_, note.c_str());
    }
    std::fflush(to_);
  }

 private:
  std::string title_;
  long total_, done_ = 0;
  std::FILE* to_;
  bool terminal_;
};

}  // namespace koila::inline v0
