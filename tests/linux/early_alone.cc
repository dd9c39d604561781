// Takes the place of the C library's start behind the early init's code: what that calls must be in
// it.
extern "C" [[noreturn, gnu::used]] void _start() {
  for (;;) {
  }
}
