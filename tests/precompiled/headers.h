// Headers that are slow to parse and that most tests include, parsed once for all test programs;
// see tests/meson.build.
//
// A test still includes what it uses: this only saves time. There is no `#pragma once`, because
// compilers warn about it in a header that they compile by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <variant>
#include <vector>
