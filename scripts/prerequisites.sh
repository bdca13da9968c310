#!/bin/sh
# Is everything here that a build needs? Says what is missing and where to get it, all at once.
# (pip is asked for by setup-z3.py, and only when there is something to fetch.)
set -u
cd "$(dirname "$0")/.." || exit 1

missing=0
lacks() {
    printf 'error: %s\n  %s\n' "$1" "$2" >&2
    missing=1
}

needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if command -v cargo >/dev/null; then
    found=$(cargo --version | cut -d ' ' -f 2)
    oldest=$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)
    [ "$oldest" = "$needed" ] ||
        lacks "cargo is version $found, and Loupe needs $needed or newer" "Run: rustup update stable"
elif [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
    lacks "cargo is installed but not on the PATH" "Run: . \"${CARGO_HOME:-$HOME/.cargo}/env\""
else
    lacks "cargo is missing" \
        "Install Rust $needed or newer with rustup, https://rustup.rs (the package of Debian is too old)."
fi
command -v cc >/dev/null ||
    lacks "a C compiler (cc) is missing; Rust links with it" \
        "Debian, Ubuntu: the packages gcc and libc6-dev."
command -v python3 >/dev/null ||
    lacks "python3 is missing; it sets up the library of Z3" \
        "Debian, Ubuntu: the packages python3 and python3-pip."
exit "$missing"
