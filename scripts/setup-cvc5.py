#!/usr/bin/env python3
"""Puts cvc5 into .deps/cvc5, for the tests that want a second opinion on Z3's answers.

It is the Python module of that name, fetched with pip; scripts/cvc5-stdin.py makes a solver process of
it. Loupe itself does not need it. A run that finds the right version in place changes nothing and needs
no network; a new one is prepared beside it and moved into place when it has answered a question.
"""

import fcntl
import shutil
import subprocess
import sys
from pathlib import Path

VERSION = "1.4.2"

DEPS = Path(__file__).resolve().parent.parent / ".deps"
HOME = DEPS / "cvc5"
WORK = DEPS / "cvc5-new"

PROBE = """
import importlib.metadata, sys
sys.path.insert(0, sys.argv[1])
import cvc5
solver = cvc5.Solver(cvc5.TermManager())
assert solver.checkSat().isSat()
print(importlib.metadata.version('cvc5'))
"""


class SetupError(Exception):
    """Something the user has to know; the text says what to do."""


def version(folder):
    """The version of the module in a folder, or why there is none."""
    command = [sys.executable, "-c", PROBE, str(folder)]
    probe = subprocess.run(command, capture_output=True, text=True, check=False)
    if probe.returncode == 0:
        return probe.stdout.strip()
    return (probe.stderr.strip().splitlines() or ["it does not run"])[-1]


def install():
    """Fetches the module and moves it into place."""
    print(f"==> fetching cvc5 {VERSION} (about 15 MB)", flush=True)
    options = ["--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "--quiet"]
    pip = [sys.executable, "-m", "pip", "install", *options, "--root-user-action=ignore"]
    command = [*pip, "--target", str(WORK), f"cvc5=={VERSION}"]
    if subprocess.run(command, check=False).returncode != 0:
        raise SetupError(
            f"pip could not install cvc5 {VERSION}; its own message is above.\n"
            "  Only tests need it: without it, those that ask for a second opinion are skipped."
        )
    found = version(WORK)
    if found != VERSION:
        raise SetupError(f"cvc5 {VERSION} was fetched, but: {found}")
    shutil.rmtree(HOME, ignore_errors=True)
    WORK.rename(HOME)


def main():
    DEPS.mkdir(exist_ok=True)
    with open(DEPS / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # a second run waits for the first
        if not HOME.exists() or version(HOME) != VERSION:
            shutil.rmtree(WORK, ignore_errors=True)
            try:
                install()
            finally:
                shutil.rmtree(WORK, ignore_errors=True)
    print(f"cvc5 {VERSION} is set up")


if __name__ == "__main__":
    try:
        main()
    except (SetupError, OSError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("interrupted; run it again")
