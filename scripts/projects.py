#!/usr/bin/env python3
"""Fetches and builds the five projects of Proteus' Tables 3 and 4, and notes how their files are compiled: `make projects`.

They are Debian source packages, fetched and built by `debian_sources.py`; versions are those of the machine's
distribution, not those of the document. What comes of it is a `compile_commands.json` for each, with the files
that its build compiles, which `loupe bench --suite proteus-projects` reads. A project that cannot be fetched is told and left
out, and the others go on; of one that cannot be built, the files that its build came to are taken.

Names of packages may be given, all are meant if there are none. Needs apt, gcc and make, and for apache2 the headers of expat;
network only for what is not there yet.
"""

import shutil
import sys

from debian_sources import CorpusError, Project, build, download

# What others are built with, if the machine has none.
M4 = Project(
    "m4", "macro processor", "m4.c", "./configure CC=$CC", "make -C lib && make -C src"
)

PROJECTS = [
    Project(
        "coreutils",
        "utilities",
        "",
        "FORCE_UNSAFE_CONFIGURE=1 ./configure CC=$CC",
        "make",
        is_partial=True,
    ),
    Project(
        "gmp",
        "arithmetic",
        "",
        # In C throughout; Debian leaves the documentation out.
        "mkdir -p doc && printf 'all:\\n' >doc/Makefile.in && "
        "M4=$(command -v m4 || echo $BUILDS/m4/source/*/src/m4) ./configure CC=$CC --disable-assembly",
        "make",
        is_partial=True,
    ),
    Project(
        "pcre2",
        "regular expressions",
        "",
        "./configure CC=$CC --prefix=$BUILDS/pcre2/installed",
        "make && make install",
        is_partial=True,
    ),
    Project(
        "libxml2",
        "XML",
        "",
        "./configure CC=$CC --without-python",
        # Without testapi.c, which is generated and nearly all loops.
        "make libxml2.la xmllint xmlcatalog",
        is_partial=True,
    ),
    Project(
        "apache2",
        "web server",
        "",
        "./configure CC=$CC --with-included-apr --enable-mods-shared=reallyall "
        "--with-pcre=$BUILDS/pcre2/installed/bin/pcre2-config",
        "make",
        (("srclib/apr", "apr"), ("srclib/apr-util", "apr-util")),
        is_partial=True,
    ),
]


def main():
    names = sys.argv[1:]
    missing = []
    for project in PROJECTS:
        if names and project.package not in names:
            continue
        try:
            if project.package == "gmp" and not shutil.which("m4"):
                build(M4, download(M4.package))
            database = build(project, download(project.package))
            print(f"{project.package}: {database}", flush=True)
        except (CorpusError, OSError) as error:
            missing.append(project.package)
            print(f"{project.package} is left out: {error}", flush=True)
    if missing:
        sys.exit(f"error: not there: {', '.join(missing)}; the rest is")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted; run it again")
