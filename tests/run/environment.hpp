// SPDX-License-Identifier: MIT
#pragma once
// Sets environment variables and creates a folder for the duration of a test.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace test {

/// Sets or removes an environment variable while this object exists.
class with_variable {
 public:
  with_variable(std::string name, const std::optional<std::string>& value) : name_(std::move(name)) {
    if (const char* const before = std::getenv(name_.c_str())) before_ = before;
    set(value);
  }
  with_variable(const with_variable&) = delete;
  auto operator=(const with_variable&) -> with_variable& = delete;
  ~with_variable() { set(before_); }

 private:
  std::string name_;
  std::optional<std::string> before_;

  void set(const std::optional<std::string>& value) const {
    if (value) setenv(name_.c_str(), value->c_str(), 1);
    else unsetenv(name_.c_str());
  }
};

/// An empty folder. The destructor removes it with its contents.
class own_folder {
 public:
  own_folder() : path_(std::filesystem::temp_directory_path() / ("koila_machine_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  own_folder(const own_folder&) = delete;
  auto operator=(const own_folder&) -> own_folder& = delete;
  ~own_folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  auto file(const std::string& name) const -> std::string { return (path_ / name).string(); }
  auto path() const -> std::string { return path_.string(); }
  /// Returns the number of files and folders in it, at any depth.
  auto entries() const -> std::ptrdiff_t {
    return std::distance(std::filesystem::recursive_directory_iterator(path_),
                         std::filesystem::recursive_directory_iterator());
  }

 private:
  std::filesystem::path path_;
};

}  // namespace test
