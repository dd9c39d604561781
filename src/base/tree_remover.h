// Removes everything in a directory: any depth, any modes, symbolic links without following them.
//
// It needs two open directories and no recursion, because it moves subdirectories up to the root
// before it empties them. Not safe against a process that changes the tree at the same time: by
// path, a directory could be replaced with a link.
//
// `Calls` makes the system calls. This header includes nothing, because init uses it too, which has
// no library:
//   each_name(directory, visit)       calls visit(name), without "." and ".."
//   is_directory(directory, name)     does not follow a link
//   open(directory, name)             a descriptor, or a negative number; close(descriptor)
//   permit(directory, name)           gives the owner all rights; a failure shows in the next call
//   remove_file, remove_directory(directory, name), and move(from, name, to, number), which gives a
//   directory the name `number`:      whether it worked
#pragma once

namespace bawn {

template <class Calls>
class TreeRemover {
 public:
  explicit TreeRemover(int root) : root_(root) {}  // borrowed

  // Gives up when a whole pass has changed nothing. What cannot be removed is left.
  void run() {
    while (pass()) {
    }
  }

 private:
  bool pass() {
    bool progress = false;
    Calls::each_name(root_, [&](const char* name) {
      if (!Calls::is_directory(root_, name)) {
        progress |= Calls::remove_file(root_, name);
      } else {
        progress |= empty_child(name);
        progress |= Calls::remove_directory(root_, name);
      }
    });
    return progress;
  }

  // The command may have left a directory whose mode denies its owner access.
  bool empty_child(const char* name) {
    Calls::permit(root_, name);
    const int child = Calls::open(root_, name);
    if (child < 0) return false;
    bool progress = false;
    Calls::each_name(child, [&](const char* inner) {
      progress |= Calls::is_directory(child, inner) ? move_up(child, inner)
                                                    : Calls::remove_file(child, inner);
    });
    Calls::close(child);
    return progress;
  }

  // Moving a directory changes its "..", for which the kernel wants write permission on it. If the
  // command has used the new name, the next number is tried.
  bool move_up(int child, const char* inner) {
    Calls::permit(child, inner);
    for (int attempt = 0; attempt < 1000; ++attempt) {
      if (Calls::move(child, inner, root_, ++moved_)) return true;
    }
    return false;
  }

  int root_;
  unsigned long moved_ = 0;
};

}  // namespace bawn
