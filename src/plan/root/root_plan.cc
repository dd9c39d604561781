#include "plan/root/root_plan.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "base/text.h"
#include "host/system_paths.h"
#include "plan/program_files.h"
#include "plan/root/tool_places.h"
#include "plan/root/workspace_exceptions.h"
#include "policy/policy.h"
#include "policy/text/names.h"
#include "validate/guest_paths.h"
#include "validate/planted_link.h"
#include "validate/scope.h"

namespace bawn {
namespace {

constexpr std::string_view kPrivateWorkspace = "/workspace";
constexpr std::string_view kDefaultHome = "/home/user";

class RootPlanner {
 public:
  RootPlanner(const RootInput& input, const PathLookup& lookup)
      : policy_(input.policy), input_(input), lookup_(lookup) {}

  RootPlan run() && {
    plan_.mounts = input_.setup.mounts;
    plan_.base_mount_count = plan_.mounts.size();
    choose_home();
    add_settings();
    add_link_of_var();
    add_places();
    add_exceptions();
    name_library_directories();
    if (input_.setup.user.by_trees) number_trees();
    return std::move(plan_);
  }

 private:
  void add(MountOp op) { plan_.mounts.push_back(std::move(op)); }

  // A pin shows files that another mount shows already: to the command they must have the same
  // owners there.
  void add_pin(MountOp op, std::size_t first) {
    op.owner = owner_around(op, first);
    add(std::move(op));
  }

  [[nodiscard]] FileOwner owner_around(const MountOp& op, std::size_t first) const {
    const MountOp* around = innermost_around(op.destination, first);
    return around != nullptr && around->kind == MountOpKind::bind ? around->owner : op.owner;
  }

  void number_trees() {
    std::uint32_t number = 0;
    for (MountOp& op : mounts_from(plan_.base_mount_count)) {
      if (op.kind == MountOpKind::bind) op.tree = static_cast<std::uint8_t>(++number);
    }
    if (number <= kMostTrees) return;
    refuse("grant.too_many", "filesystem",
           concat("a run that root starts can show at most ", kMostTrees,
                  " files and directories of the host, and this one would show ", number),
           "grant a directory that holds several of them, or name a user in identity.uid and "
           "identity.gid");
  }

  [[nodiscard]] std::span<MountOp> mounts_from(std::size_t first) {
    return std::span(plan_.mounts).subspan(first);
  }

  void refuse(std::string code, std::string subject, std::string message, std::string hint) {
    plan_.violations.push_back(
        {std::move(code), std::move(subject), std::move(message), std::move(hint)});
  }

  // True if a destination lies at or below `path`: then `path` must not become a link.
  [[nodiscard]] bool holds_a_destination(std::string_view path) const {
    const auto lies_here = [&](const Grant& grant) { return path_is_within(grant.at, path); };
    const FilesystemPolicy& grants = policy_.filesystem;
    return std::ranges::any_of(grants.read, lies_here) ||
           std::ranges::any_of(grants.write, lies_here);
  }

  // HOME has the caller's path, so that tools installed below it find their files. It is empty and
  // private.
  void choose_home() {
    plan_.home = kDefaultHome;
    if (!input_.caller_home.starts_with('/')) return;
    const Located home = lookup_.locate(input_.caller_home);
    const bool fits_into_passwd = home.path.find_first_of(":\n") == std::string::npos;
    if (home.kind == FileKind::directory && fits_into_passwd && !is_of_the_system(home.path)) {
      plan_.home = home.path;
    }
  }

  [[nodiscard]] bool is_of_the_system(std::string_view path) const {
    static constexpr std::array<std::string_view, 5> kOurs = {"/dev", "/proc", "/etc", "/run",
                                                              "/sys"};
    const auto holds = [&](std::string_view place) { return overlaps(path, place); };
    return std::ranges::any_of(kOurs, holds) || std::ranges::any_of(kShownTrees, holds);
  }

  void add_settings() {
    const std::string uid = std::to_string(input_.setup.user.uid);
    const std::string gid = std::to_string(input_.setup.user.gid);
    const std::string_view name = input_.setup.user.uid == 0 ? "root" : "user";
    add(file_op("/etc/passwd", concat(name, ":x:", uid, ":", gid, "::", plan_.home, ":/bin/sh\n",
                                      "nobody:x:65534:65534::/:/usr/sbin/nologin\n")));
    add(file_op("/etc/group", concat(name, ":x:", gid, ":\n", "nogroup:x:65534:\n")));
    if (!input_.setup.new_netns) {
      const Located resolver = lookup_.locate("/etc/resolv.conf");
      if (resolver.kind == FileKind::regular) {
        add_bind("/etc/resolv.conf", resolver, false, "egress.mode");
        plan_.mounts.back().owner = {};  // everybody reads it; a map for its owner would cost time
      }
    }
  }

  // Made only if the host has this link too: the validator follows the host's links, and the
  // command must reach the same file. A grant below /var/run is at its canonical path, behind the
  // link.
  void add_link_of_var() {
    if (!holds_a_destination("/var/run") && lookup_.locate("/var/run").path == "/run")
      add(link_op("/var/run", "/run", "system"));
  }

  // What a mount permits that the policy opens or not.
  [[nodiscard]] MountExec exec_if(bool opened) const {
    return opened || !input_.setup.programs_listed ? MountExec::execute : MountExec::none;
  }

  // Part of a directory permits what the directory permits.
  [[nodiscard]] MountExec exec_around(std::string_view path) const {
    const MountOp* around = innermost_around(path, plan_.base_mount_count);
    const bool is_mount = around != nullptr && can_have_exec(around->kind);
    return is_mount ? around->exec : exec_if(false);
  }

  void add_bind(std::string_view destination, const Located& source, bool writable,
                std::string_view origin) {
    add_bind(destination, source, writable, origin, exec_around(destination));
  }

  void add_bind(std::string_view destination, const Located& source, bool writable,
                std::string_view origin, MountExec exec) {
    add(bind_op(destination, source, writable, origin));
    plan_.mounts.back().exec = exec;
  }

  void add_scratch(std::string_view path, std::string_view origin, MountExec exec) {
    add(scratch_op(path, origin));
    plan_.mounts.back().exec = exec;
  }

  // Adds what lies at paths that policy and caller choose. Sorted, so that a parent is mounted
  // before its children; if a path occurs twice, the writable mount is on top.
  void add_places() {
    const std::size_t first = plan_.mounts.size();
    add_workspace();
    for (const Grant& each : policy_.filesystem.read) grant(each, false, "filesystem.read");
    for (const Grant& each : policy_.filesystem.write) grant(each, true, "filesystem.write");
    add_home(first);
    pin_workspace(first);
    pin_inputs(first);
    for (const std::string& directory : input_.search) show_tools(directory, first);
    for (const NamedFile& named : files_of(input_.verdict.program, input_.verdict.scope))
      show_program(named, first);
    add_executables(first);
    std::ranges::stable_sort(mounts_from(first), is_before);
    if (remaps_grants(policy_.filesystem)) judge_places(first);
  }

  // An empty home inside a bind mount would need a mount point on the host, so there the home is
  // the host's directory. Only binds that the policy names count: PATH directories are added later.
  void add_home(std::size_t first) {
    const MountOp* around = innermost_around(plan_.home, first);
    if (around == nullptr || around->kind != MountOpKind::bind)
      return add_scratch(plan_.home, "home", exec_if(false));
    if (is_remapped(*around)) judge_home(*around);
  }

  void judge_home(const MountOp& around) {
    const std::string ground = ground_of(plan_.home, around);
    const std::optional<FileKind> kind = kind_at(ground);
    if (kind == FileKind::directory) return;
    const bool is_free = kind == FileKind::missing;
    refuse("grant.no_ground", plan_.home,
           concat("HOME ", quote(plan_.home),
                  is_free ? " would not exist" : " would not be a directory", " inside of ",
                  quote(around.source.path), ", which ", around.origin, " shows at ",
                  quote(around.destination)),
           concat(is_free ? concat("make a directory ", quote(ground), ", or choose") : "choose",
                  " a destination that does not hold the home"));
  }

  // No value if a link leads elsewhere, or if the path cannot be looked up.
  [[nodiscard]] std::optional<FileKind> kind_at(const std::string& path) const {
    const Located there = lookup_.locate(path);
    return there.error.empty() && there.path == path ? std::optional(there.kind) : std::nullopt;
  }

  // Searches the mounts from `first` on; they need not be sorted yet.
  [[nodiscard]] const MountOp* innermost_around(std::string_view path, std::size_t first) const {
    const MountOp* innermost = nullptr;
    for (const MountOp& op : std::span(plan_.mounts).subspan(first)) {
      if (path_is_within(path, op.destination) &&
          (innermost == nullptr || is_before(*innermost, op)))
        innermost = &op;
    }
    return innermost;
  }

  // The host path behind guest path `path`, which lies inside the mount `around`.
  static std::string ground_of(std::string_view path, const MountOp& around) {
    return concat(around.source.path, path.substr(around.destination.size()));
  }

  // Mount order: parents before children; at the same path scratch, then read-only, then writable.
  static bool is_before(const MountOp& a, const MountOp& b) {
    if (a.destination != b.destination) return a.destination < b.destination;
    const auto rank = [](const MountOp& op) {
      return op.kind == MountOpKind::scratch ? 0 : op.writable ? 2 : 1;
    };
    return rank(a) < rank(b);
  }

  void add_workspace() {
    if (policy_.workspace.mode == WorkspaceMode::private_dir) {
      add_scratch(kPrivateWorkspace, "workspace", exec_if(policy_.executables.from_workspace));
      plan_.cwd = kPrivateWorkspace;
      return;
    }
    const Located& workspace = input_.verdict.workspace;
    plan_.cwd = input_.verdict.cwd.path;
    if (is_of_the_system(workspace.path))
      return plan_.violations.push_back(workspace_of_system(workspace.path));
    judge_owner(workspace);
    add_bind(workspace.path, workspace, policy_.workspace.mode == WorkspaceMode::direct,
             "workspace", exec_if(policy_.executables.from_workspace));
  }

  void judge_owner(const Located& workspace) {
    const std::optional<FileOwner>& chosen_for = input_.setup.user.chosen_for;
    if (!chosen_for || *chosen_for == workspace.owner) return;
    refuse("path.changed", workspace.path,
           concat("the workspace ", quote(workspace.path), " has got another owner meanwhile"),
           "stop the program that changes the workspace, and try again");
  }

  void grant(const Grant& grant, bool writable, std::string_view key) {
    const std::string& path = grant.path;
    const Located located = lookup_.locate(path);
    if (located.kind == FileKind::missing)
      return plan_.violations.push_back(grant_missing(grant, located, key, lookup_));
    if (overlaps("/proc", located.path)) {
      return refuse(
          "grant.system", path,
          concat(key, " grants ", quote(path), ", which tier c makes anew for each run"),
          concat("grant the directories below it that are needed, or take it out of ", key));
    }
    if (!grant.at.empty()) judge_exceptions(grant, located, writable, key);
    add_bind(grant.at.empty() ? located.path : grant.at, located, writable, key,
             exec_if(grant.exec));
  }

  // hide and protect apply to guest paths in the workspace. A grant that shows such a file at
  // another path would evade them, and a grant at the same path would be covered by them.
  void judge_exceptions(const Grant& grant, const Located& source, bool writable,
                        std::string_view key) {
    const auto judge = [&](const std::vector<std::string>& paths, std::string_view exception,
                           bool matters) {
      for (const std::string& path : paths) {
        const std::string target =
            lookup_.locate(in_workspace(path, input_.verdict.workspace.path)).path;
        const bool at_its_name =
            path_is_within(grant.at, input_.verdict.workspace.path) && overlaps(grant.at, target);
        if (!at_its_name && !(matters && overlaps(source.path, target))) continue;
        refuse(
            "grant.exception", grant.path,
            concat(key, " shows ", quoted(grant), ", and ", exception, " names ", quote(path),
                   at_its_name ? ", which is at the same place"
                               : ", which would be there by another name"),
            concat("grant something apart from it, or take ", quote(path), " out of ", exception));
      }
    };
    judge(policy_.workspace.hide, "workspace.hide", true);
    judge(policy_.workspace.protect, "workspace.protect", writable);
  }

  static bool overlaps(std::string_view a, std::string_view b) {
    return path_is_within(a, b) || path_is_within(b, a);
  }

  static bool is_remapped(const MountOp& op) {
    return op.kind == MountOpKind::bind && op.destination != op.source.path;
  }

  // Checks only mounts that involve a destination; all others are at their host paths.
  void judge_places(std::size_t first) {
    for (std::size_t i = first; i < plan_.mounts.size(); ++i) {
      const MountOp& op = plan_.mounts[i];
      const MountOp* around = nullptr;  // innermost mount that contains op.destination
      for (std::size_t j = first; j < i; ++j) {
        const MountOp& earlier = plan_.mounts[j];
        if (!path_is_within(op.destination, earlier.destination)) continue;
        if (earlier.destination != op.destination) {
          if (around == nullptr || earlier.destination.size() >= around->destination.size())
            around = &earlier;
        } else if (is_remapped(op) || is_remapped(earlier)) {
          refuse_second(op, earlier);
        }
      }
      const bool needs_ground = around != nullptr && around->kind == MountOpKind::bind;
      if (needs_ground && (is_remapped(op) || is_remapped(*around))) judge_ground(op, *around);
    }
  }

  void refuse_second(const MountOp& op, const MountOp& earlier) {
    refuse("grant.place_taken", op.destination,
           concat(op.origin, " and ", earlier.origin, " both put something at ",
                  quote(op.destination)),
           "give the grant another destination");
  }

  // A mount needs an existing mount point of the same kind. It must not be a link, which would lead
  // the mount elsewhere.
  void judge_ground(const MountOp& op, const MountOp& around) {
    const std::string ground = ground_of(op.destination, around);
    const std::optional<FileKind> there = kind_at(ground);
    const bool is_free = there == FileKind::missing;
    const bool is_directory =
        op.kind == MountOpKind::scratch || op.source.kind == FileKind::directory;
    if (there && !is_free && (there == FileKind::directory) == is_directory) return;
    const std::string_view kind = is_directory ? "directory" : "file";
    refuse("grant.no_ground", op.destination,
           concat(op.origin, " puts a ", kind, " at ", quote(op.destination), ", inside of ",
                  quote(around.source.path), " (", around.origin, "), where there is no ", kind,
                  " to lie on; nothing is made on the host"),
           concat(is_free ? concat("make a ", kind, " ", quote(ground), ", or choose") : "choose",
                  " a destination outside of ", quote(around.destination)));
  }

  [[nodiscard]] bool is_covered(std::string_view path) const {
    return std::ranges::any_of(plan_.mounts, [&](const MountOp& op) {
      return is_remapped(op) && path_is_within(path, op.destination);
    });
  }

  // Skips a directory that contains the home: it would show everything in the home. Skips one that
  // a run's link leads to, and one that another mount shows already, perhaps writable.
  void show_tools(const std::string& directory, std::size_t first) {
    for (const std::string& path : tool_places(directory, plan_.home)) {
      const Located located = lookup_.locate(path);
      const bool may_be_shown = located.kind == FileKind::directory &&
                                !is_led_astray(located, input_.verdict.scope, plan_.home) &&
                                !path_is_within(plan_.home, located.path);
      const bool is_seen = is_of_the_system(located.path) || is_covered(located.path) ||
                           is_bound(located.path, first);
      if (may_be_shown && !is_seen)
        add_bind(located.path, located, false, "executables.caller_path");
    }
  }

  [[nodiscard]] bool is_bound(std::string_view path, std::size_t first) const {
    const MountOp* around = innermost_around(path, first);
    return around != nullptr && around->kind == MountOpKind::bind;
  }

  // Binds the validated program file, unless another mount shows it already.
  void show_program(const NamedFile& named, std::size_t first) {
    const Located& file = *named.file;
    const auto shows = [&](const MountOp& op) {
      return op.kind == MountOpKind::bind && path_is_within(file.path, op.destination);
    };
    const bool placed = std::ranges::any_of(mounts_from(first), shows);
    if (placed || is_in_system_tree(file.path)) return;
    if (named.by_the_run) return plan_.violations.push_back(choice_of_the_run(file));
    add_bind(file.path, file, false, "program");
  }

  // In a run whose programs are listed no mount so far permits to map or execute a file, but for
  // what the policy opens.
  void add_executables(std::size_t first) {
    if (!input_.verdict.executables) return;
    const std::vector<AllowedFile>& files = input_.verdict.executables->files;
    for (const std::string_view path : kLibraryDirectories) open_libraries(path, first);
    for (const AllowedFile& allowed : files) open_libraries_of(allowed.file, first);
    for (const AllowedFile& allowed : files) permit(allowed, first);
  }

  // The host path of something that a mount so far shows; "" if none does.
  [[nodiscard]] std::string shown_source(std::string_view path, std::size_t first) const {
    const MountOp* around = innermost_around(path, first);
    if (around != nullptr) return around->kind == MountOpKind::bind ? ground_of(path, *around) : "";
    return is_in_system_tree(path) ? std::string(path) : "";
  }

  static bool is_in_system_tree(std::string_view path) {
    return std::ranges::any_of(kShownTrees,
                               [&](std::string_view tree) { return path_is_within(path, tree); });
  }

  [[nodiscard]] MountExec exec_at(std::string_view path, std::size_t first) const {
    const MountOp* around = innermost_around(path, first);
    if (around != nullptr) return around->exec;
    for (const MountOp& op : std::span(plan_.mounts).first(plan_.base_mount_count)) {
      if (op.kind == MountOpKind::mirror && path_is_within(path, op.destination)) return op.exec;
    }
    return MountExec::none;
  }

  // A link in the place of the directory leads to one that is opened under its own name.
  void open_libraries(std::string_view path, std::size_t first) {
    const std::string source = shown_source(path, first);
    if (source.empty() || exec_at(path, first) != MountExec::none) return;
    const Located directory = lookup_.locate(source);
    if (directory.path != source || directory.kind != FileKind::directory) return;
    // Code that the command has written there could be loaded.
    const MountOp* around = innermost_around(path, first);
    if ((around != nullptr && around->writable) || input_.verdict.scope.can_change(directory))
      return;
    add_bind(path, directory, false, "libraries", MountExec::map);
  }

  // The libraries of a package with a directory of its own: beside `bin`, or beside the program.
  void open_libraries_of(const Located& file, std::size_t first) {
    if (file.kind != FileKind::regular || path_is_within(file.path, "/usr")) return;
    const std::string_view directory = directory_of(file.path);
    const std::string_view package = directory_of(directory);
    if (directory != concat(package, "/bin") && directory != concat(package, "/sbin"))
      return path_is_within(directory, "/opt") ? open_libraries(directory, first) : void();
    if (package.empty() || package == "/") return;
    for (const std::string_view name : {"lib", "lib32", "lib64"})
      open_libraries(concat(package, "/", name), first);
  }

  // The file that was judged becomes a mount of its own, unless a directory around it is open.
  void permit(const AllowedFile& allowed, std::size_t first) {
    const std::string& path = allowed.file.path;
    const auto own = std::ranges::find_if(mounts_from(first), [&](const MountOp& op) {
      return op.kind == MountOpKind::bind && op.destination == path;
    });
    if (own != mounts_from(first).end()) {
      own->exec = MountExec::execute;
      return;
    }
    if (shown_source(path, first).empty()) return;
    const MountExec here = exec_at(path, first);
    Located source = allowed.file;
    source.path = host_path(allowed.file);
    if (here == MountExec::map) add(program_op(path, source, "executables.allow"));
    if (here != MountExec::none) return;
    const MountOp* around = innermost_around(path, first);
    add_bind(path, source, around != nullptr && around->writable, "executables.allow",
             MountExec::execute);
  }

  void name_library_directories() {
    for (const MountOp& op : plan_.mounts) {
      if (op.exec != MountExec::map) continue;
      const bool is_there =
          op.kind == MountOpKind::bind || kind_at(op.destination) == FileKind::directory;
      if (is_there) plan_.library_directories.push_back(op.destination);
    }
  }

  // Protected and hidden files must keep their names. If the command could move one away, it could
  // put its own file there, and the next run would not find the original.
  void pin_workspace(std::size_t first) {
    const std::string& root = input_.verdict.workspace.path;
    if (root.empty()) return;
    const auto pin = [&](const std::vector<std::string>& paths, std::string_view key) {
      for (const std::string& path : paths)
        pin_ancestors(lookup_.locate(in_workspace(path, root)).path, key, first);
    };
    pin(policy_.workspace.protect, "workspace.protect");
    pin(policy_.workspace.hide, "workspace.hide");
    if (policy_.workspace.mode == WorkspaceMode::read_only) pin_ancestors(root, "workspace", first);
  }

  // A mount point cannot be renamed. So every ancestor that the command could rename is
  // bind-mounted on itself: those in a writable workspace, and those in a writable grant around it.
  void pin_ancestors(std::string_view path, std::string_view origin, std::size_t first) {
    for (const std::string& directory : directories_between("/", path)) {
      const MountOp* around = innermost_around(directory, first);
      const bool can_be_renamed = around != nullptr && around->kind == MountOpKind::bind &&
                                  around->writable && !is_remapped(*around) &&
                                  around->destination != directory;
      if (!can_be_renamed) continue;
      const Located ancestor = lookup_.locate(directory);
      if (ancestor.path != directory || !ancestor.error.empty()) {
        refuse_moving(directory, origin);
      } else if (ancestor.kind == FileKind::directory) {
        add_pin(bind_op(directory, ancestor, true, origin), first);
      }
    }
  }

  // Protects the inputs at every guest path at which the command could change them.
  void pin_inputs(std::size_t first) {
    const std::span<MountOp> now = mounts_from(first);
    const std::vector<MountOp> places(now.begin(), now.end());  // pinning adds more
    for (const ProtectedInput& input : input_.inputs) {
      for (const MountOp& place : places) pin_input(input, place, first);
    }
  }

  void pin_input(const ProtectedInput& input, const MountOp& place, std::size_t first) {
    if (place.kind != MountOpKind::bind || !place.writable ||
        !path_is_within(input.file.path, place.source.path))
      return;
    const std::string name =
        concat(place.destination, input.file.path.substr(place.source.path.size()));
    const auto is_there = [&](const std::string& path) {
      const MountOp* around = innermost_around(path, first);
      return around->kind == MountOpKind::bind && around->writable &&
             path_is_within(input.file.path, ground_of(path, *around));
    };
    for (const std::string& directory : directories_between(place.destination, name)) {
      if (is_there(directory) && innermost_around(directory, first)->destination != directory)
        pin_directory(directory, ground_of(directory, place), input.origin, first);
    }
    const auto has_name = [&](const MountOp& op) { return op.destination == name; };
    if (is_there(name) && std::ranges::none_of(inputs_, has_name)) add_input_at(name, input, first);
  }

  void add_input_at(const std::string& name, const ProtectedInput& input, std::size_t first) {
    inputs_.push_back(bind_op(name, input.file, false, input.origin));
    inputs_.back().exec = exec_around(name);
    inputs_.back().owner = owner_around(inputs_.back(), first);
  }

  void pin_directory(const std::string& destination, const std::string& on_host,
                     std::string_view origin, std::size_t first) {
    const Located directory = lookup_.locate(on_host);
    if (directory.path != on_host || directory.kind != FileKind::directory)
      return refuse_moving(on_host, origin);
    add_pin(bind_op(destination, directory, true, origin), first);
  }

  // The directory was there when the path below it was looked up, so it has changed since.
  void refuse_moving(const std::string& directory, std::string_view origin) {
    refuse("path.changed", directory,
           concat(quote(directory), ", which holds what ", origin,
                  " names, has become a link, or cannot be looked up any more"),
           "stop the program that changes the workspace, and try again");
  }

  // Exceptions are mounted last, on top of everything else.
  void add_exceptions() {
    const std::size_t first = plan_.mounts.size();
    WorkspaceExceptions found = find_exceptions(policy_, input_.verdict, lookup_);
    for (const Located& target : found.protect)
      add_pin(bind_op(target.path, target, false, "workspace.protect"), plan_.base_mount_count);
    for (const Located& target : found.hide) hide(target.path);
    for (const MountOp& input : inputs_) add_input(input, found);
    plan_.still_missing = std::move(found.still_missing);
    for (Violation& violation : found.violations) plan_.violations.push_back(std::move(violation));
    std::ranges::stable_sort(mounts_from(first), is_before);
  }

  void hide(const std::string& path) {
    add(path_op(MountOpKind::hidden, path, "workspace.hide"));
    plan_.mounts.back().exec = exec_if(false);
  }

  // A hidden or protected directory covers the input already.
  void add_input(const MountOp& input, const WorkspaceExceptions& found) {
    const auto covers = [&](const Located& exception) {
      return path_is_within(input.destination, exception.path);
    };
    if (std::ranges::any_of(found.hide, covers) || std::ranges::any_of(found.protect, covers))
      return;
    add(input);
  }

  const Policy& policy_;
  const RootInput& input_;
  const PathLookup& lookup_;
  std::vector<MountOp> inputs_;  // the files that bawn has read, one op for each guest path
  RootPlan plan_;
};

// A hint for a grant that was not found and has a ':', which separates the destination on a command
// line: the file name may contain it, or the destination may not be absolute.
std::string_view colon_hint(const Grant& grant, const PathLookup& lookup) {
  if (!grant.at.empty()) {
    const bool is_a_name =
        lookup.locate(concat(grant.path, ":", grant.at)).kind != FileKind::missing;
    return is_a_name ? "; a path that contains ':/' can only be granted in a policy file" : "";
  }
  return grant.path.find(':') == std::string::npos
             ? ""
             : "; a destination must be absolute, as in '/srv/data:/data'";
}

}  // namespace

Violation workspace_of_system(const std::string& path) {
  return {"workspace.system", path,
          concat("the workspace ", quote(path),
                 " is or holds a part of the system, which a run only reads"),
          "name a directory of your own: --workspace DIR (policy key: workspace.root)"};
}

Violation grant_missing(const Grant& grant, const Located& located, std::string_view key,
                        const PathLookup& lookup) {
  return {"grant.missing", grant.path,
          concat(key, " grants ", quoted(grant), ", which ",
                 located.error.empty() ? "does not exist"
                                       : concat("cannot be opened: ", located.error)),
          concat("create it, or take it out of ", key, colon_hint(grant, lookup))};
}

RootPlan plan_root(const RootInput& input, const PathLookup& lookup) {
  return RootPlanner(input, lookup).run();
}

}  // namespace bawn
