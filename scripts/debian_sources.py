"""Sources of real C programs: fetches Debian source packages and builds them, noting how files are compiled.

Packages are fetched through the machine's own apt configuration (without root: apt keeps its state in
target/corpus-real) and stay there for the next run. Each program is configured and built by its own build
system with a compiler that notes how it was called.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "corpus-real"


class Project(NamedTuple):
    """A source package, and the commands that build it with the compiler `$CC`.

    The commands find the folder of all builds in `$BUILDS`.
    """

    package: str
    what: str
    main: str  # the file with the `main` of the program that all other files are linked with
    configure: str
    build: str
    parts: tuple = ()  # other packages that are unpacked inside: (folder, package)
    is_partial: bool = False  # whether some of its files are better than none


class CorpusError(Exception):
    """Something the user has to know; the text says what to do."""


def run(command, **options):
    """The output of a command; its messages are the error if it fails."""
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", check=False, **options
    )
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-5:]
        shown = command if isinstance(command, str) else " ".join(map(str, command))
        raise CorpusError(f"`{shown}` failed:\n  " + "\n  ".join(last))
    return done.stdout


# Downloading.


def codename():
    """The name of the distribution's release."""
    release = Path("/etc/os-release").read_text(encoding="utf-8")
    found = re.search(r"^VERSION_CODENAME=\"?(\w+)", release, re.MULTILINE)
    return found.group(1) if found else "unstable"


def source_lists():
    """The machine's lists of packages, as far as they are the distribution's, as lists of sources."""
    suite = re.compile(rf"(?:{codename()}|stable|testing|unstable|sid)\b")
    etc = Path("/etc/apt")
    lines, stanzas = [], []
    for file in sorted([etc / "sources.list", *etc.glob("sources.list.d/*")]):
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        if file.suffix == ".list":
            one_line = re.compile(r"deb(?:-src)?\s+((?:\[.*?\]\s+)?\S+\s+(\S+).*)")
            matches = [one_line.match(line) for line in text.splitlines()]
            lines += [f"deb-src {m.group(1)}" for m in matches if m and suite.match(m.group(2))]
        elif file.suffix == ".sources":
            for stanza in re.split(r"\n\s*\n", text):
                suites = re.search(r"^Suites:\s*(\S+)", stanza, re.MULTILINE)
                if suites and suite.match(suites.group(1)):
                    stanzas.append(re.sub(r"(?m)^Types:.*$", "Types: deb-src", stanza.strip()))
    if not lines and not stanzas:
        raise CorpusError("apt has no lists of the distribution: this works on Debian and its kin")
    return sorted(set(lines)), stanzas


def apt():
    """The start of every apt command: it works in our folder and as the user who calls it."""
    home = WORK / "apt"
    lists = home / "sources.list.d"
    if not lists.is_dir():
        for folder in ["lists/partial", "cache/archives/partial"]:
            (home / folder).mkdir(parents=True, exist_ok=True)
        lines, stanzas = source_lists()
        lists.mkdir()
        (lists / "all.list").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        (lists / "all.sources").write_text("\n\n".join(stanzas) + "\n", encoding="utf-8")
    options = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": lists,
        "Dir::State::lists": home / "lists",
        "Dir::Cache": home / "cache",
        "APT::Sandbox::User": "",
    }
    return ["apt-get", "-qq"] + [f"-o{key}={value}" for key, value in options.items()]


def fetch(package, folder):
    """Fetches the newest sources of a package; those of the release if a mirror lost the newest."""
    for name in [package, f"{package}/{codename()}"]:
        try:
            return run([*apt(), "source", "--download-only", name], cwd=folder)
        except CorpusError as error:
            failure = error
    raise failure


def download(package):
    """The archive of a package's sources."""
    folder = WORK / "packages" / package
    done = folder / "complete"
    if not done.exists():
        print(f"==> fetching the sources of {package}", flush=True)
        folder.mkdir(parents=True, exist_ok=True)
        if not any((WORK / "apt" / "lists").glob("*Sources*")):
            run([*apt(), "update"])
        fetch(package, folder)
        done.touch()
    archives = sorted(folder.glob("*.orig.tar.*")) or sorted(folder.glob("*.tar.*"))
    archives = [archive for archive in archives if archive.suffix != ".asc"]
    if not archives:
        raise CorpusError(f"the sources of {package} hold no archive; delete {folder}")
    return archives[0]


# Building.


def unpack(archive, folder):
    """Unpacks an archive; gives the folder that the program is in."""
    shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(archive) as contents:
        if hasattr(tarfile, "data_filter"):
            contents.extraction_filter = tarfile.data_filter
        contents.extractall(folder)
    inside = list(folder.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def folder_of(project):
    """Where a project is built."""
    return WORK / "build" / project.package


def build(project, archive):
    """Builds a program; gives the commands that compile its files, as a database."""
    top = folder_of(project)
    database = top / "compile_commands.json"
    if not database.exists():
        print(f"==> building {archive.name.split('.orig')[0]}", flush=True)
        folder = unpack(archive, top / "source")
        for inside, package in project.parts:
            shutil.rmtree(folder / inside, ignore_errors=True)
            unpack(download(package), top / "part").rename(folder / inside)
        notes = top / "notes"
        compiler = top / "cc"
        note = f"{{ echo \"$PWD\"; printf '%s\\n' \"$@\"; echo; }} >>{shlex.quote(str(notes))}"
        compiler.write_text(f'#!/bin/sh\n{note}\nexec gcc "$@"\n', encoding="utf-8")
        compiler.chmod(0o755)
        commands = compile_commands(project, folder, compiler, notes)
        within = [str(folder / inside) + os.sep for inside, _ in project.parts]
        commands = [c for c in commands if not c["file"].startswith(tuple(within))]
        database.write_text(json.dumps(commands, indent=1), encoding="utf-8")
    return database


def compile_commands(project, folder, compiler, notes):
    """How the files of a program are compiled, by its build, or, if somebody wants that, as far as that goes."""
    shell = {
        "shell": True,
        "cwd": folder,
        "env": {**os.environ, "CC": str(compiler), "BUILDS": str(WORK / "build")},
    }
    try:
        run(project.configure, **shell)
        notes.write_text("", encoding="utf-8")
        run(project.build, **shell)
    except CorpusError as error:
        if not project.is_partial:
            raise
        print(f"note: {project.package} was not built to its end: {error}", flush=True)
    commands = list(read_notes(notes.read_text(encoding="utf-8"))) if notes.exists() else []
    commands = [c for c in commands if Path(c["file"]).is_relative_to(folder)]
    return commands if commands or not project.is_partial else guessed(folder)


def guessed(folder):
    """Commands for all files of a program that was never built: every folder with headers is searched."""
    headers = sorted({str(header.parent) for header in folder.rglob("*.h")})
    for file in sorted(folder.rglob("*.c")):
        arguments = ["gcc", "-DHAVE_CONFIG_H", *(f"-I{header}" for header in headers), str(file)]
        yield {"directory": str(file.parent), "file": str(file), "arguments": arguments}


def read_notes(text):
    """The commands that compiled a file, each file once."""
    seen = set()
    for note in text.split("\n\n"):
        directory, *arguments = note.split("\n") if note.strip() else [""]
        sources = [word for word in arguments if word.endswith(".c")]
        if "-E" in arguments or len(sources) != 1:
            continue
        file = Path(directory, sources[0]).resolve()
        if file.exists() and file not in seen:
            seen.add(file)
            yield {"directory": directory, "file": str(file), "arguments": reading(arguments)}


def reading(arguments):
    """A command that only reads what the given one compiles."""
    words = iter(arguments)
    kept = ["gcc"]
    for word in words:
        if word in ("-o", "-MF", "-MT", "-MQ"):
            next(words, None)
        elif word != "-c" and not word.startswith(("-M", "-Wp,-M")):
            kept.append(word)
    return kept


