// Replaces the C library's start code behind the early init. This links only if the early init
// calls nothing outside of itself.
extern "C" [[noreturn, gnu::used]] void _start() {
  for (;;) {
  }
}
