#!/usr/bin/env python3
"""Lowers every function of real C programs and says how many Loupe can: `make corpus-real`.

The programs are Debian source packages, fetched and built by `debian_sources.py`. gcc then says
which functions every file defines; Loupe has to lower them, once with its own headers and once with those
of the machine. A function counts if its file is accepted, the program is valid, and nothing in the
function would end a path as not modelled.

The first argument is the program that lowers (crates/c/examples/real_stats.rs); names of packages may
follow, all if there are none. Needs apt, gcc and make; network only for what is not there yet.
"""

import collections
import functools
import json
import os
import re
import sys
import time
from pathlib import Path

from debian_sources import WORK, CorpusError, Project, build, download, run

LEAST = 95.0  # percent of the functions
SLOW = 1.0  # seconds for a file

PROJECTS = [
    Project("lua5.4", "interpreter", "lua.c", "true", "make linux CC=$CC"),
    Project("tcc", "compiler", "tcc.c", "./configure --cc=$CC", "make tcc libtcc.a ONE_SOURCE=no"),
    Project("dash", "shell", "main.c", "./configure CC=$CC", "make"),
    Project("mawk", "interpreter", "main.c", "./configure CC=$CC", "make mawk"),
    Project("gzip", "compression", "gzip.c", "./configure CC=$CC", "make"),
    Project("m4", "macro processor", "m4.c", "./configure CC=$CC", "make -C lib && make -C src"),
]

DEFINITION = re.compile(r"/\* (.*):\d+:[NO]F \*/ .*?\b(\w+) \((?!\*)")
SYSTEM_HEADER = re.compile(rb"^ *# *pragma +GCC +system_header", re.MULTILINE)


def defined_functions(command, notes):
    """The functions that a file and the program's own headers define, as gcc sees them."""
    check = [*command["arguments"], "-w", "-O0", "-fsyntax-only", "-aux-info", str(notes)]
    run(check, cwd=command["directory"])
    text = notes.read_text(encoding="utf-8", errors="replace")
    found = [DEFINITION.match(line) for line in text.splitlines()]
    directory = Path(command["directory"])
    return {match.group(2) for match in found if match and is_own(directory / match.group(1))}


@functools.cache
def is_own(file):
    """Whether a file is the program's: neither is the machine's nor calls itself a system header."""
    if file.is_relative_to("/usr"):
        return False
    return not (file.is_file() and SYSTEM_HEADER.search(file.read_bytes()))


# Lowering.


UNDEFINED = re.compile(r"the result of `(\w+)`, which is not defined")


class Tally:
    """What became of the functions of a program."""

    def __init__(self):
        self.total = 0
        self.lowered = 0
        self.seconds = 0.0
        self.slow = []
        self.reasons = collections.defaultdict(list)

    def add(self, outcome, wanted, elsewhere):
        """Counts the functions that gcc found in a file; the program defines those `elsewhere`."""
        name = Path(outcome["file"]).name
        self.seconds += outcome["seconds"]
        if outcome["seconds"] > SLOW:
            self.slow.append(f"{name} took {outcome['seconds']:.1f} s")
        self.total += len(wanted)
        for function in sorted(wanted):
            missing = [outcome["rejected"] or "not in the program"]
            for reason in outcome["functions"].get(function, missing):
                undefined = UNDEFINED.match(reason)
                if undefined and undefined.group(1) in elsewhere:
                    continue  # linking settles it
                words, _, place = reason.partition(" (at ")
                place = Path(place.rstrip(")")).name or name
                self.reasons[words].append(f"{function} ({place})")
                break
            else:
                self.lowered += 1

    def percent(self):
        return 100.0 * self.lowered / max(1, self.total)


def link(lowerer, project, commands, wanted, headers):
    """Lowers all files of a program together; says what came of it, and whether it could be linked."""
    named = [c for c in commands if Path(c["file"]).name == project.main]
    folder = Path(named[0]["file"]).parent if named else None
    program = [c for c in commands if Path(c["file"]).parent == folder]
    defined = set().union(*(wanted[c["file"]] for c in program))
    others = [
        c
        for c in commands
        if "main" not in wanted[c["file"]]
        # What the program defines itself, a linker does not take from an archive.
        and (c in program or defined.isdisjoint(wanted[c["file"]]))
    ]
    database = WORK / "build" / project.package / "together.json"
    database.write_text(json.dumps(named + others), encoding="utf-8")
    outcome = json.loads(run([lowerer, *headers, "--together", database]))
    cost = f"{outcome['seconds']:.1f} s, {outcome['megabytes']} MB"
    if outcome["rejected"]:
        print(f"    {len(named + others)} files cannot be linked ({cost}): {outcome['rejected']}")
        return False
    print(f"    linked: {len(named + others)} files, {len(outcome['functions'])} functions, {cost}")
    return True


def lower(lowerer, project, headers):
    """Lowers a program; prints and gives what came of it."""
    database = build(project, download(project.package))
    commands = json.loads(database.read_text(encoding="utf-8"))
    lines = sum(Path(c["file"]).read_bytes().count(b"\n") for c in commands)
    wanted = {c["file"]: defined_functions(c, database.parent / "aux") for c in commands}
    elsewhere = set().union(*wanted.values())
    tally = Tally()
    for line in run([lowerer, *headers, database]).splitlines():
        outcome = json.loads(line)
        tally.add(outcome, wanted[outcome["file"]], elsewhere)
    row = (project.package, len(commands), lines, tally.total, tally.lowered, tally.percent())
    print("%-10s %5d %7d %9d %7d %6.2f %%" % row, f"{tally.seconds:6.1f} s", flush=True)
    groups = sorted(tally.reasons.items(), key=lambda group: (-len(group[1]), group[0]))
    for words, functions in groups:
        more = "" if len(functions) <= 3 else ", …"
        print(f"    {len(functions)}: {words}: {', '.join(functions[:3])}{more}")
    for slow in tally.slow:
        print(f"    slow: {slow}")
    is_linked = link(lowerer, project, commands, wanted, headers)
    # Some files refuse to be compiled without the insides of the machine's library.
    return tally.percent() if is_linked or not headers else 0.0


def main():
    if len(sys.argv) < 2:
        raise CorpusError("the first argument is the program that lowers")
    lowerer, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
    projects = [project for project in PROJECTS if not names or project.package in names]
    start = time.monotonic()
    for project in projects:
        build(project, download(project.package))
    least = 100.0
    for headers in [[], ["--system-headers"]]:
        print("==> with the headers of the machine" if headers else "==> with Loupe's own headers")
        print("program    files   lines functions lowered            time")
        least = min([least, *(lower(lowerer, project, headers) for project in projects)])
    print(f"==> {time.monotonic() - start:.0f} s; the least is {least:.2f} %")
    if least < LEAST:
        raise CorpusError(f"less than {LEAST} % of the functions of a program were lowered")


if __name__ == "__main__":
    try:
        main()
    except (CorpusError, OSError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("interrupted; run it again")
