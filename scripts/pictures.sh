#!/bin/sh
# Draws the pictures of docs/techniques.md: `make pictures`. Needs Graphviz (`dot`).
#   scripts/pictures.sh LOUPE
set -eu
loupe=$(realpath "$1")
command -v dot >/dev/null || {
    echo 'dot is missing: install Graphviz (Debian: apt-get install graphviz)' >&2
    exit 1
}
cd "$(dirname "$0")/../docs/techniques"
dots=$(mktemp -d)
trap 'rm -rf "$dots"' EXIT

# NAME ARGUMENTS…: the tree of executions of an exploration, whatever its status is.
picture() {
    name=$1
    shift
    "$loupe" explore "$@" --tree "$dots/$name.dot" >"$dots/$name.txt" 2>&1 || test $? -le 2
    dot -Tsvg "$dots/$name.dot" -o "$name.svg"
    echo "docs/techniques/$name.svg"
}

picture prune prune.c
picture merge-without merge.c
picture merge-with merge.c --merge dynamic
picture subsume-without subsume.uc --max-iterations 3
picture subsume-with subsume.uc --subsume
picture summary-without summary.c --max-iterations 3
picture summary-with summary.c --loops auto
picture compact-without compact.c --max-iterations 3
picture compact-with compact.c --loops compact
picture guide-without guide.c --first-error
picture guide-with guide.c --first-error --guide
