#!/usr/bin/env python3
"""The figures of `loupe verify` on programs with known answers, each beside its goal: `make score`.

The programs are not part of the project; they lie beside it (`../shared/corpus`), and so does the tool that
grades them (`../shared/tools/score`). Where they are missing nothing is measured, and that is said. Each row
is one set of tasks with one property. The figures of all sets, and every task with its grade, are kept in
`target/score`.

Variables: TIMEOUT (seconds for each task, 10), JOBS (tasks at once, 2), SETS (names of sets, all if there
are none), UNDECIDED=1 (lists the tasks without a verdict). The exit status is 1 if a verdict is wrong or Loupe
broke, and 0 otherwise: a goal that is missed is no defect, and the table shows it.
"""

import concurrent.futures
import csv
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
KEPT = ROOT / "target" / "score"
# Labelled as without errors, but inputs divide by zero: `loupe run` shows it.
WRONG_LABELS = {
    "dp/SymbolicExecutorTest/037-random-factory-test-7.uc",
    "dp/SymbolicExecutorTest3/004-sequential-unbounded-loop-finishes-with-summarization-correc.uc",
}
# Labelled as fulfilling the property, but gcc shows otherwise: with -fwrapv, which is what Loupe takes signed
# numbers for, the first two come to the error when all inputs are 0; -fsanitize=undefined stops at an overflow
# in the others, for the inputs "2097152 3", "-2147483647 3", "2147483647", "2147483647 2147483647" and "3
# -2147483646" (in bresenham-ll.c if its factor 2 is a variable: gcc folds 2*a - 2*b before it looks).
DISPUTED = {
    ("unreach-call", "svcomp21/array-cav19/array_init_var_plus_ind.c"),
    ("unreach-call", "svcomp21/array-cav19/array_init_var_plus_ind3.c"),
    ("no-overflow", "svcomp21/nla-digbench/geo1-ll.c"),
    ("no-overflow", "svcomp21/nla-digbench/geo2-ll.c"),
    ("no-overflow", "svcomp21/nla-digbench/hard2.c"),
    ("no-overflow", "svcomp21/nla-digbench/bresenham-ll.c"),
    ("no-overflow", "svcomp21/termination-restricted-15/MinusUserDefined.c"),
}
BROKEN = ("WRONG", "error", "hang")


class Goal(NamedTuple):
    """What is to be reached, and what then: correct tasks, in percent or as a count."""

    first: float
    then: float
    is_count: bool = False

    def text(self, total):
        if self.is_count:
            return f"{self.first:.0f} ({self.then:.0f}) of {total}"
        return f"{self.first:.0f} % ({self.then:.0f} %)"

    def is_reached(self, correct, total):
        return (correct if self.is_count else 100 * correct / max(total, 1)) >= self.first


class Set(NamedTuple):
    """Tasks of one kind. `only` are parts of their paths; without a property they are microc programs."""

    name: str
    only: tuple
    property: str | None
    goal: Goal


SETS = [
    Set("svcomp16", ("svcomp16/",), "unreach-call", Goal(105, 115, is_count=True)),
    Set("loops", ("svcomp21/loop-", "svcomp21/loops-"), "unreach-call", Goal(80, 90)),
    Set("nla-digbench", ("svcomp21/nla-digbench/",), "unreach-call", Goal(40, 70)),
    Set("arrays", ("svcomp21/array-",), "unreach-call", Goal(45, 65)),
    Set("recursive", ("svcomp21/recursive",), "unreach-call", Goal(60, 80)),
    Set("no-overflow", (), "no-overflow", Goal(60, 80)),
    Set("termination", (), "termination", Goal(50, 75)),
    Set("valid-memsafety", (), "valid-memsafety", Goal(60, 85)),
    Set("dp", (), None, Goal(114, 124, is_count=True)),
]


class Settings(NamedTuple):
    """What the user wants."""

    loupe: str
    timeout: str
    jobs: int
    lists_undecided: bool


class Graded(NamedTuple):
    """A task and how it went: correct, unknown, disputed, WRONG, error or hang."""

    path: str
    grade: str


def graded_by_the_tool(tasks, settings):
    """Runs the tool that others wrote."""
    results = KEPT / f"{tasks.name}.tsv"
    results.unlink(missing_ok=True)
    command = [sys.executable, SHARED / "tools" / "score", "--loupe", settings.loupe]
    command += ["--property", tasks.property, "--timeout", settings.timeout]
    command += ["--jobs", str(settings.jobs), "--out", results]
    for part in tasks.only:
        command += ["--only", part]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    (KEPT / f"{tasks.name}.txt").write_text(run.stdout + run.stderr)
    if not results.is_file():
        sys.exit(f"score: the set {tasks.name} could not be graded:\n{run.stderr}")

    def grade(row):
        is_disputed = row["grade"] == "WRONG" and (tasks.property, row["path"]) in DISPUTED
        return Graded(row["path"], "disputed" if is_disputed else row["grade"])

    with results.open() as rows:
        return [grade(row) for row in csv.DictReader(rows, delimiter="\t")]


def graded_programs_of_the_thesis(tasks, settings):
    """Runs the microc programs whose tests in the thesis say whether there is an error."""
    folder = SHARED / "corpus" / "microc"
    manifest = json.loads((folder / "dp" / "manifest.json").read_text())
    labels = {entry["file"]: entry["expect"].get("symex_error") for entry in manifest}
    labelled = [(file, label) for file, label in labels.items() if label is not None]

    def grade(task):
        file, fails = task
        expected = "unsafe" if fails or file in WRONG_LABELS else "safe"
        command = [settings.loupe, "verify", "--property", "no-errors", "--format", "json"]
        command += ["--timeout", settings.timeout, folder / file]
        patience = 1.5 * float(settings.timeout) + 5
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=patience, check=False)
            found = json.loads(run.stdout)["verdict"]
        except subprocess.TimeoutExpired:
            return Graded(file, "hang")
        except (ValueError, KeyError):
            return Graded(file, "error")
        if {"safe": 0, "unsafe": 1, "unknown": 2}[found] != run.returncode:
            return Graded(file, "error")
        if found == "unknown":
            return Graded(file, found)
        return Graded(file, "correct" if found == expected else "WRONG")

    with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
        results = list(pool.map(grade, labelled))
    rows = "".join(f"{result.path}\t{result.grade}\n" for result in results)
    (KEPT / f"{tasks.name}.tsv").write_text("path\tgrade\n" + rows)
    return results


def row(cells):
    widths = [16, 8, 9, 9, 7, 8, 9, 17]
    first, *others = cells
    return f"{first:{widths[0]}}" + "".join(f"{cell:>{width}}" for cell, width in zip(others, widths[1:]))


def settings_from(arguments):
    if len(arguments) != 1:
        sys.exit("usage: score.py LOUPE")
    value = os.environ.get
    timeout, jobs = value("TIMEOUT") or "10", value("JOBS") or "2"
    try:
        float(timeout)
        jobs = int(jobs)
    except ValueError:
        sys.exit("score: TIMEOUT is a number of seconds, and JOBS a count")
    loupe = str(Path(arguments[0]).resolve())
    return Settings(loupe, timeout, jobs, (value("UNDECIDED") or "0") != "0")


def chosen():
    names = (os.environ.get("SETS") or "").replace(",", " ").split()
    known = [tasks.name for tasks in SETS]
    for name in names:
        if name not in known:
            sys.exit(f"score: there is no set `{name}`; the sets are {', '.join(known)}")
    return [tasks for tasks in SETS if not names or tasks.name in names]


def main():
    settings, sets = settings_from(sys.argv[1:]), chosen()
    for needed in (SHARED / "tools" / "score", SHARED / "corpus" / "manifest.tsv"):
        if not needed.is_file():
            print(f"SKIPPED: nothing was measured, because there is no {os.path.relpath(needed, ROOT)}")
            return 0
    KEPT.mkdir(parents=True, exist_ok=True)
    print(f"{settings.timeout} s for each task, {settings.jobs} at once")
    header = row(["set", "tasks", "correct", "percent", "wrong", "broken", "seconds", "goal (then)"])
    table = [header]
    print(header, flush=True)
    bad, undecided, disputed = [], [], []
    for tasks in sets:
        start = time.monotonic()
        grade = graded_by_the_tool if tasks.property else graded_programs_of_the_thesis
        results = grade(tasks, settings)
        seconds = time.monotonic() - start
        counts = {g: sum(result.grade == g for result in results) for g in ("correct", "WRONG")}
        broken = sum(result.grade in BROKEN for result in results) - counts["WRONG"]
        total, correct = len(results), counts["correct"]
        mark = "" if tasks.goal.is_reached(correct, total) else "  missed"
        percent = f"{100 * correct / max(total, 1):.1f}"
        cells = [tasks.name, total, correct, percent, counts["WRONG"], broken, f"{seconds:.1f}"]
        table.append(row([*cells, tasks.goal.text(total)]) + mark)
        print(table[-1], flush=True)
        bad += [f"{result.grade}: {result.path}" for result in results if result.grade in BROKEN]
        undecided += [f"{tasks.name}: {r.path}" for r in results if r.grade == "unknown"]
        disputed += [f"{tasks.name}: {r.path}" for r in results if r.grade == "disputed"]
    (KEPT / "table.txt").write_text("\n".join(table) + "\n")
    if settings.lists_undecided:
        print("\nundecided:", *undecided, sep="\n  ")
    if disputed:
        print("\nagainst labels that are disputed:", *disputed, sep="\n  ")
    if bad:
        print("\nwrong or broken:", *bad, sep="\n  ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
