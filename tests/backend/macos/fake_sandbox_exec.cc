// A fake /usr/bin/sandbox-exec for tests: reads the same options, records its arguments, and
// executes the command. It confines nothing.
//
// Two variables control it. BAWN_FAKE_SANDBOX_EXEC_RECORD names the file for its arguments, each
// ended by a NUL. BAWN_FAKE_SANDBOX_EXEC_REFUSE makes it refuse the profile as the real program
// would.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  if (const char* record = std::getenv("BAWN_FAKE_SANDBOX_EXEC_RECORD")) {
    std::FILE* file = std::fopen(record, "wb");
    if (file == nullptr) return 71;
    for (int i = 0; i < argc; ++i) std::fwrite(argv[i], 1, std::strlen(argv[i]) + 1, file);
    std::fclose(file);
  }
  if (std::getenv("BAWN_FAKE_SANDBOX_EXEC_REFUSE") != nullptr) {
    std::fprintf(stderr, "sandbox-exec: profile did not compile\n");
    return 65;
  }
  bool has_profile = false;
  int option = 0;
  while ((option = getopt(argc, argv, "p:D:")) != -1) {
    if (option == '?') return 64;
    if (option == 'p') has_profile = true;
  }
  if (!has_profile || optind >= argc) return 64;
  execvp(argv[optind], argv + optind);
  return 71;
}
