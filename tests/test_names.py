"""Which test programs may have the tests that a pattern of GoogleTest means, as their sources tell.

The program itself knows better, but only once it is built. The sources give the name of a test up to its
parameters, so the answer can be yes for a program that has no such test, and is never no for one that has it.
"""

import difflib
import re
import subprocess
from functools import lru_cache
from pathlib import Path

TESTS = Path(__file__).resolve().parent
# What each macro makes of a suite and a name: as a pattern, since prefix and parameters are unknown.
FORMS = {
    'TEST': '{0}.{1}',
    'TEST_F': '{0}.{1}',
    'TEST_P': '*/{0}.{1}/*',
    'TYPED_TEST': '{0}/*.{1}',
    'TYPED_TEST_P': '*/{0}/*.{1}',
}
TEST = re.compile(r'^\s*(' + '|'.join(FORMS) + r')\(\s*(\w+)\s*,\s*(\w+)\s*\)', re.MULTILINE)
INCLUDE = re.compile(r'^\s*#include\s+"([^"]+)"', re.MULTILINE)


def sources_of_programs(build, tests):
    """For each test of intro-tests.json by its name, the files below tests/ that its program is made of."""
    sources = {}
    for test in tests:
        # The first word may be an emulator.
        program = next(Path(word).relative_to(build) for word in test['cmd'] if build in Path(word).parents)
        inputs = subprocess.run(['ninja', '-C', str(build), '-t', 'inputs', str(program)],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout.split('\n')
        files = {(build / name).resolve() for name in inputs if name.endswith('.cc')}
        sources[test['name']] = with_headers({file for file in files if TESTS in file.parents})
    return sources


def with_headers(files):
    found = set()
    waiting = list(files)
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += headers_of(file)
    return found


@lru_cache(maxsize=None)
def headers_of(file):
    names = INCLUDE.findall(file.read_text())
    return [header.resolve() for name in names for header in (file.parent / name, TESTS / name, TESTS.parent / name)
            if header.is_file() and TESTS in header.resolve().parents]


@lru_cache(maxsize=None)
def names_in(file):
    return [FORMS[macro].format(suite, name) for macro, suite, name in TEST.findall(file.read_text())]


def may_have(files, pattern):
    """Whether these sources may have a test that the pattern means. What it takes away again (after `-`) is ignored."""
    wanted = [one for one in pattern.partition('-')[0].split(':') if one] or ['*']
    return any(overlap(one, name) for file in files for name in names_in(file) for one in wanted)


def overlap(left, right):
    """Whether a text exists that both patterns match (`*`: any text, `?`: any character)."""
    starts = {0}  # where in `right` a text may be that `left` matches up to here
    for one in left:
        reached = after_stars(right, starts)
        if one == '*':
            starts = set(range(min(reached), len(right) + 1)) if reached else set()
        else:
            starts = {at if right[at] == '*' else at + 1 for at in reached if at < len(right) and
                      (right[at] in ('*', '?', one) or one == '?')}
    return len(right) in after_stars(right, starts)


def after_stars(pattern, starts):
    """These positions, and those behind the stars that begin there."""
    reached = set(starts)
    for at in starts:
        while at < len(pattern) and pattern[at] == '*':
            at += 1
            reached.add(at)
    return reached


def similar(sources, pattern):
    names = {name for files in sources.values() for file in files for name in names_in(file)}
    return difflib.get_close_matches(pattern, sorted(names), n=3, cutoff=0.7)
