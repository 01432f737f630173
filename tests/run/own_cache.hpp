#pragma once
// An environment in which the machine is measured, and what was measured is kept apart from the user's.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace test {

/// A folder of this process's own for what users' caches hold, and an environment in which it is measured.
class own_cache {
 public:
  own_cache() : path_(std::filesystem::temp_directory_path() / ("koila_machine_" + std::to_string(getpid()))) {
    for (const char* name : {"XDG_CACHE_HOME", "KOILA_MEASURE"})
      if (const char* const value = std::getenv(name)) before_.emplace_back(name, value);
    std::filesystem::remove_all(path_);
    setenv("XDG_CACHE_HOME", path_.c_str(), 1);
    unsetenv("KOILA_MEASURE");
  }
  own_cache(const own_cache&) = delete;
  auto operator=(const own_cache&) -> own_cache& = delete;
  ~own_cache() {
    unsetenv("XDG_CACHE_HOME");
    for (const auto& [name, value] : before_) setenv(name.c_str(), value.c_str(), 1);
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  auto path() const -> std::string { return path_.string(); }

 private:
  std::filesystem::path path_;
  std::vector<std::pair<std::string, std::string>> before_;
};

}  // namespace test
