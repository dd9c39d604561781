#!/usr/bin/env python3
"""Turns the rows of this folder into constant tables of C++: compile.py OUTPUT FILE...

README.md describes the format. A row that breaks a rule is an error that names file and row, and
nothing is written. The tables hold numbers only, which point into one text, so they need no
relocation when a program starts.
"""
import json
import pathlib
import re
import sys

ROLES = (
    "plain text pattern pair no_command no_shell directory root replace split source setting host "
    "config shell program inject to_assembler to_compiler to_linker to_preprocessor unsafe code "
    "command"
).split()
TRAITS = (
    "any_case at_files first_operand_is_text follower kills_by_name multi_call names_or_text "
    "old_letters own_cwd_option plain_words raises_privilege remote_paths routes slash_is_data "
    "subcommands text_only"
).split()
CHOICES = {
    "style": "gnu words long_only".split(),
    "interpreter": "none script code shell".split(),
    "hosts": "unknown none every first dotted remote_path git socat".split(),
    "arguments": "options git sed socat".split(),
    "reader": "table none applet env find flock loader setarch xargs".split(),
    "danger": "reserved code_injection credential".split(),
    "tail": "command shell other_root".split(),
}
ROW_KEYS = "why like style interpreter launcher hosts port arguments traits options environment files".split()
LAUNCHER_KEYS = "reader operands optional_number tail shell_without_command".split()
GROUP_KEYS = "danger reason any_case variables".split()
VARIABLE_TABLES = {
    "name": "kVariableNames",
    "prefix": "kVariablePrefixes",
    "suffix": "kVariableSuffixes",
    "harmless": "kHarmlessVariables",
}
TEXT_ROLES = {"text", "pattern", "pair"}
EFFECTS = {role for role in ROLES if role.startswith("to_")} | {"config", "unsafe", "code", "command"}
NO_VALUE_ROLES = {"no_command", "no_shell", "pair", "plain", "source", "unsafe"}


class RowError(Exception):
    pass


def check(condition, message):
    if not condition:
        raise RowError(message)


def check_keys(value, known):
    check(isinstance(value, dict), "is no object")
    for key in value:
        check(key in known, f"unknown key '{key}'; known are: {' '.join(known)}")


def check_sorted(words, what):
    for before, after in zip(words, words[1:]):
        check(before < after, f"{what}: '{after}' must not come after '{before}'")


def words_of(value):
    parts = [value] if isinstance(value, str) else value
    check(isinstance(parts, list) and all(isinstance(part, str) for part in parts), "is no text")
    return " ".join(parts).split(" ") if parts else []


def pick(row, key):
    choices = CHOICES[key]
    value = row.get(key, choices[0])
    check(value in choices, f"{key}: '{value}' is none of: {' '.join(choices)}")
    return value


def no_duplicates(pairs):
    out = {}
    for key, value in pairs:
        check(key not in out, f"'{key}' occurs twice")
        out[key] = value
    return out


def read_token(token, style):
    """Yields (name, takes, prefixes) for each option of one token."""
    if style == "gnu" and re.fullmatch(r"-(?:[^-:=]:{0,2})+", token):
        for letter, colons in re.findall(r"([^:])(:{0,2})", token[1:]):
            yield "-" + letter, len(colons), ""
        return
    match = re.fullmatch(r"([^:=]+)(?:(::?)(?:=(.+))?)?", token)
    check(match and match[1] not in ("-", "--"), f"'{token}' is no option")
    yield match[1], len(match[2] or ""), match[3] or ""


def read_options(row):
    options = {}
    style = pick(row, "style")
    check_keys(row.get("options", {}), ROLES)
    check_sorted(list(row.get("options", {})), "options")
    for role, value in row.get("options", {}).items():
        for token in words_of(value):
            for name, takes, prefixes in read_token(token, style):
                check(name not in options, f"option '{name}' occurs twice")
                check(takes or role in NO_VALUE_ROLES, f"option '{name}' must take a value (':')")
                check(role != "unsafe" or not takes, f"option '{name}' takes a value, so it is 'code'")
                options[name] = (takes, role, prefixes)
    return dict(sorted(options.items()))


def read_launcher(row):
    launcher = row.get("launcher", {"reader": "none"})
    check_keys(launcher, LAUNCHER_KEYS)
    operands = launcher.get("operands", 0)
    check(isinstance(operands, int) and 0 <= operands < 8, "operands is no small number")
    flags = [launcher.get(key, False) for key in ("optional_number", "shell_without_command")]
    check(all(flag in (True, False) for flag in flags), "a launcher's flag is no truth value")
    return (f"LaunchReader::{pick(launcher, 'reader')}", f"Tail::{pick(launcher, 'tail')}", operands,
            *(str(flag).lower() for flag in flags))


def read_traits(row, options):
    traits = words_of(row["traits"]) if "traits" in row else []
    check_sorted(traits, "traits")
    for trait in traits:
        check(trait in TRAITS, f"unknown trait '{trait}'; known are: {' '.join(TRAITS)}")
    roles = {role for _, role, _ in options.values()}
    if roles & TEXT_ROLES or "first_operand_is_text" in traits:
        traits.append("has_text")
    if roles & EFFECTS or any(prefixes for _, _, prefixes in options.values()):
        traits.append("has_effects")
    return " | ".join(f"bit(Trait::{trait})" for trait in traits) or 0


def is_code_runner(name, all_rows, words):
    row = all_rows.get(name, {})
    row = {**all_rows.get(row.get("like"), {}), **row}
    listed = words_of(words["code_runners"]) + words_of(words["privileged"])
    return "interpreter" in row or "launcher" in row or name in listed


def read_files(row, all_rows, words):
    """What belongs to the program: names of programs, and paths below library directories. A program
    that runs code or other programs never belongs to another one."""
    files = words_of(row.get("files", []))
    check_sorted(files, "files")
    for file in files:
        private = re.fullmatch(r"/usr/(lib|libexec)/[^/.*]+(/[^/.*]+)*/", file)
        check(private or re.fullmatch(r"[^/.*]+", file), f"files: '{file}' is no name, and no directory below a library directory")
        name = file.rstrip("/").rsplit("/", 1)[-1]
        check(not is_code_runner(name, all_rows, words), f"files: '{name}' runs code or other programs")
    return files


class Tables:
    def __init__(self):
        self.text = "\0"
        self.places = {"": 0}
        self.rows = {}
        self.groups = {}
        self.variables = {}
        self.lists = {}
        self.words = {}

    def place(self, word):
        if word not in self.places:
            self.places[word] = len(self.text)
            self.text += word + "\0"
        return self.places[word]

    def add_row(self, name, row, all_rows):
        check_keys(row, ROW_KEYS)
        if "like" in row:
            model = all_rows.get(row["like"])
            check(model is not None and "like" not in model, f"there is no row '{row['like']}' to be like")
            rest = {key: value for key, value in model.items() if key not in ("why", "traits", "environment")}
            row = {**rest, **{key: value for key, value in row.items() if key != "like"}}
        port = row.get("port", 0)
        check(isinstance(port, int) and 0 <= port < 65536, "port is no port")
        options = read_options(row)
        self.rows[name] = (options, read_files(row, all_rows, self.words), (
            read_traits(row, options), port, f"Style::{pick(row, 'style')}",
            f"InterpreterKind::{pick(row, 'interpreter')}", f"Hosts::{pick(row, 'hosts')}",
            f"Arguments::{pick(row, 'arguments')}", *read_launcher(row)))
        for group, value in row.get("environment", {}).items():
            check(group in self.groups, f"unknown group of variables '{group}'")
            self.add_variables(group, words_of(value))

    def add_group(self, name, group):
        check_keys(group, GROUP_KEYS)
        check("reason" in group, "has no reason")
        any_case = group.get("any_case", False)
        check(any_case in (True, False), "any_case is no truth value")
        self.groups[name] = (pick(group, "danger"), str(any_case).lower(), group["reason"])
        self.add_variables(name, words_of(group.get("variables", [])))

    def add_variables(self, group, words):
        index = list(self.groups).index(group)
        for word in words:
            kind = "harmless" if word[0] == "!" else "prefix" if word[-1] == "*" else "suffix" if word[0] == "*" else "name"
            entry = (kind, word.strip("!*"))
            check(re.fullmatch(r"\w+", entry[1]), f"'{word}' is no variable")
            check(entry not in self.variables, f"variable '{word}' occurs twice")
            self.variables[entry] = index

    def add_list(self, name, value):
        check(re.fullmatch(r"[a-z_]+", name), "is no name of a list")
        words = words_of(value)
        check(len(set(words)) == len(words), "has a word twice")
        self.lists[name] = words

    def option_entries(self, options):
        takes = ("nothing", "value", "optional_value")
        return [(self.place(name), self.place(prefixes), f"Takes::{takes[colons]}", f"Role::{role}")
                for name, (colons, role, prefixes) in options.items()]

    def lines(self):
        options, rows, names, shared, files = [], [], [], {}, []
        for name, (own, own_files, fields) in sorted(self.rows.items()):
            entries = self.option_entries(own)
            first = shared.setdefault(str(entries), len(options))
            if first == len(options):
                options += entries
            names.append(self.place(name))
            rows.append((first, len(entries), len(files), len(own_files), *fields))
            files += [self.place(file) for file in own_files]
        yield from array("std::uint16_t", "kNames", names)
        yield from array("ProgramRow", "kPrograms", rows)
        yield from array("Option", "kOptions", options)
        yield from array("std::uint16_t", "kFiles", files)
        groups = [(self.place(reason), f"VariableDanger::{danger}", any_case)
                  for danger, any_case, reason in self.groups.values()]
        yield from array("VariableGroup", "kVariableGroups", groups)
        for kind, table in VARIABLE_TABLES.items():
            found = sorted((word, group) for (each, word), group in self.variables.items() if each == kind)
            yield from array("Variable", table, [(self.place(word), group) for word, group in found])
        words, ranges = [], []
        for name, own in self.lists.items():
            yield f"static_assert(WordList::{name} == WordList{{{len(ranges)}}});"
            ranges.append((len(words), len(own)))
            words += [self.place(word) for word in own]
        yield from array("std::uint16_t", "kWords", words)
        yield from array("WordRange", "kWordLists", ranges)
        check(len(self.text) < 65536, "the text does not fit into 16 bits")
        yield "constexpr char kText[] ="
        for start in range(0, len(self.text), 80):
            chunk = self.text[start:start + 80]
            quoted = "".join("\\000" if c == "\0" else "\\" + c if c in '"\\' else c for c in chunk)
            yield f'    "{quoted}"'
        yield "    ;"


def array(kind, name, items):
    yield f"constexpr {kind} {name}[] = {{"
    for item in items:
        yield "    " + (f"{{{', '.join(map(str, item))}}}" if isinstance(item, tuple) else str(item)) + ","
    yield "};"


def main(output, paths):
    tables = Tables()
    files = {}
    where = ""
    try:
        for path in map(pathlib.Path, paths):
            where = path.name
            files[path.stem] = json.loads(path.read_text("utf-8"), object_pairs_hook=no_duplicates)
            if path.stem != "environment":
                check_sorted(list(files[path.stem]), "rows")
        for name, group in files.pop("environment").items():
            where = f"environment.json: {name}"
            tables.add_group(name, group)
        tables.words = files.pop("words")
        for name, value in tables.words.items():
            where = f"words.json: {name}"
            tables.add_list(name, value)
        all_rows = {}
        for stem, rows in files.items():
            for name, row in rows.items():
                where = f"{stem}.json: {name}"
                check(name not in all_rows, "is also in another file")
                all_rows[name] = row
        for stem, rows in files.items():
            for name, row in rows.items():
                where = f"{stem}.json: {name}"
                tables.add_row(name, row, all_rows)
        where = "tables"
        text = "\n".join(tables.lines()) + "\n"
    except (RowError, ValueError) as error:
        sys.exit(f"{where}: {error}")
    pathlib.Path(output).write_text(text, "utf-8")


main(sys.argv[1], sys.argv[2:])
