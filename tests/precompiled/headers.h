// What takes long to read and most tests include, read once for all test programs; see
// tests/meson.build.
//
// A test still includes what it uses: this only saves time. (No `#pragma once`: compilers warn of
// it in a header that they compile by itself.)
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
