#!/usr/bin/env python3
"""Puts the shared library of Z3 into .deps/z3/lib, where .cargo/config.toml expects it.

It comes from the wheel of z3-solver, fetched with pip, or from the file that LOUPE_Z3_LIB names.
A run that finds the right library in place changes nothing and needs no network. A new one is
prepared in .deps/new and moved into place when it has been checked, so a run that is cut short
leaves nothing that the next would mistake for a library.
"""

import fcntl
import filecmp
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

VERSION = "5.4.0"  # as NEEDED in crates/solver/src/library.rs
WHEEL = "z3-solver==5.4.0.0"
SONAME = "libz3.so.5.4"  # as in crates/solver/build.rs

DEPS = Path(__file__).resolve().parent.parent / ".deps"
HOME = DEPS / "z3"
WORK = DEPS / "new"
LIBRARY = HOME / "lib" / SONAME

# Run in a process of its own: loading a damaged library can kill the process. The last line
# succeeds only if the library that was loaded has the SONAME under which binaries ask for it.
PROBE = """
import ctypes, os, sys
z3 = ctypes.CDLL(os.path.abspath(sys.argv[1]))
numbers = [ctypes.c_uint() for _ in range(4)]
z3.Z3_get_version(*map(ctypes.byref, numbers))
print(".".join(str(number.value) for number in numbers[:3]), flush=True)
ctypes.CDLL(sys.argv[2], mode=os.RTLD_NOLOAD)
"""


class SetupError(Exception):
    """Something the user has to know; the text says what to do."""


def check(library):
    """Raises SetupError unless `library` loads and is the release that Loupe needs."""
    command = [sys.executable, "-c", PROBE, str(library), SONAME]
    probe = subprocess.run(command, capture_output=True, text=True, check=False)
    found = probe.stdout.strip()
    if found not in ("", VERSION):
        raise SetupError(f"{library} is Z3 {found}, but Loupe needs Z3 {VERSION}")
    if probe.returncode != 0:
        reason = (probe.stderr.strip().splitlines() or [f"exit status {probe.returncode}"])[-1]
        raise SetupError(f"{library} cannot be used as {SONAME}: {reason}")


def is_set_up(given):
    """Is the right library in place, and the one the user gave, if any?"""
    try:
        check(LIBRARY)
    except SetupError:
        return False
    return given is None or filecmp.cmp(given, LIBRARY)


def fetch():
    """The library out of the wheel, unpacked under .deps/new."""
    pip = [sys.executable, "-m", "pip"]
    if subprocess.run([*pip, "--version"], capture_output=True, check=False).returncode != 0:
        raise SetupError(
            "python3 has no pip, which fetches the library of Z3.\n"
            "  Install it (Debian, Ubuntu: the package python3-pip) and run `make setup` again."
        )
    print(f"==> fetching Z3 {VERSION} ({WHEEL}, about 40 MB)", flush=True)
    options = ["--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "--quiet"]
    download = [*pip, "download", *options, "--dest", str(WORK), WHEEL]
    if subprocess.run(download, check=False).returncode != 0:
        raise SetupError(
            f"pip could not download {WHEEL}; its own message is above.\n"
            "  Is the network there? It is needed once. Then run `make setup` again. Without network,\n"
            f"  name a library of Z3 {VERSION} that you have: make setup LOUPE_Z3_LIB=/path/to/libz3.so"
        )
    (wheel,) = WORK.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return Path(archive.extract("z3/lib/libz3.so", WORK))


def install(library):
    """Moves a checked copy of `library` into place."""
    check(library)
    lib = WORK / "home" / "lib"
    lib.mkdir(parents=True)
    shutil.copy2(library, lib / SONAME)
    (lib / "libz3.so").symlink_to(SONAME)  # the name the linker looks for
    shutil.rmtree(HOME, ignore_errors=True)
    (WORK / "home").rename(HOME)


def main():
    if not sys.platform.startswith("linux"):
        raise SetupError(f"Loupe is set up for Linux only, and this is {sys.platform}")
    given = os.environ.get("LOUPE_Z3_LIB") or None
    if given is not None and not os.path.isfile(given):
        raise SetupError(f"LOUPE_Z3_LIB names {given}, and there is no such file")
    DEPS.mkdir(exist_ok=True)
    with open(DEPS / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # a second run waits for the first
        if not is_set_up(given):
            shutil.rmtree(WORK, ignore_errors=True)
            WORK.mkdir()
            try:
                install(given or fetch())
            finally:
                shutil.rmtree(WORK, ignore_errors=True)
    print(f"z3 {VERSION} is set up")


if __name__ == "__main__":
    try:
        main()
    except (SetupError, OSError, zipfile.BadZipFile, KeyError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("interrupted; run `make setup` again")
