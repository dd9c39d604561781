"""A row that breaks a rule of src/programs/README.md ends the build, and the message names it."""
import json
import pathlib
import subprocess
import sys
import tempfile

GOOD = {"options": {"code": "--x:", "plain": "-ab:"}, "traits": "at_files", "files": "/usr/lib/own/ /usr/libexec/own/ helper"}
RUNNERS = {"launcher": {"launcher": {}}, "likeshell": {"like": "shell"}, "shell": {"interpreter": "shell"}}
WORDS = {"code_runners": "runner", "privileged": "sudo"}
GROUPS = {"program": {"danger": "code_injection", "reason": "is obeyed"}}
BAD = {
    "an unknown key": {"option": {}},
    "an unknown role": {"options": {"cod": "-x:"}},
    "roles that are not sorted": {"options": {"plain": "-a", "code": "-x:"}},
    "an option twice": {"options": {"code": "-x:", "plain": "-ax"}},
    "code without a value": {"options": {"code": "--x"}},
    "a flag with a value": {"options": {"unsafe": "--x:"}},
    "an unknown trait": {"traits": "at_file"},
    "traits that are not sorted": {"traits": "routes at_files"},
    "an unknown style": {"style": "dos"},
    "an unknown key of a launcher": {"launcher": {"operand": 1}},
    "a row to be like that does not exist": {"like": "nothing"},
    "an unknown group of variables": {"environment": {"programs": "X"}},
    "no name of a variable": {"environment": {"program": "X-Y"}},
    "a variable twice": {"environment": {"program": "X X"}},
    "a port that is none": {"port": 70000},
    "files that are not sorted": {"files": "b a"},
    "a file that is no directory of libraries": {"files": "/usr/bin/"},
    "all libraries": {"files": "/usr/lib/"},
    "a directory without its slash": {"files": "/usr/lib/x"},
    "a directory that goes up": {"files": "/usr/lib/../bin/"},
    "a shell that belongs to a program": {"files": "shell"},
    "a launcher that belongs to a program": {"files": "launcher"},
    "a program like a shell that belongs to a program": {"files": "likeshell"},
    "a program of the lists that belongs to a program": {"files": "runner"},
    "a privileged program that belongs to a program": {"files": "sudo"},
}


def compile_rows(script, rows):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        files = {"environment": GROUPS, "rows": rows, "words": WORDS}
        for name, value in files.items():
            text = value if isinstance(value, str) else json.dumps(value)
            (folder / f"{name}.json").write_text(text)
        inputs = [folder / f"{name}.json" for name in files]
        done = subprocess.run([sys.executable, script, folder / "out", *inputs], capture_output=True, text=True)
        return done.returncode, done.stderr, (folder / "out").exists()


def main(script):
    failures = []
    code, told, written = compile_rows(script, {"good": GOOD, **RUNNERS})
    if code != 0 or not written:
        failures.append(f"a good row is refused: {told}")
    for why, row in BAD.items():
        code, told, written = compile_rows(script, {"bad": row, **RUNNERS})
        if code == 0 or written or not told.startswith("rows.json: bad: "):
            failures.append(f"{why}: {code} {told}")
    for why, text in {
        "rows that are not sorted": '{"b": {}, "a": {}}',
        "a row twice": '{"a": {}, "a": {}}',
        "a comment": '{"a": {} /* x */}',
    }.items():
        code, told, written = compile_rows(script, text)
        if code == 0 or written or not told.startswith("rows.json: "):
            failures.append(f"{why}: {code} {told}")
    sys.exit("\n".join(failures) or 0)


main(sys.argv[1])
