// GoogleTest for cross builds, compiled from the distribution's sources in one piece.
#include "src/gmock-all.cc"
#include "src/gmock_main.cc"
#include "src/gtest-all.cc"
