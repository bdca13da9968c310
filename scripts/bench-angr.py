#!/usr/bin/env python3
"""Explores a C program of benches/programs/paths with angr, for `make bench`.

Prints {"paths": …, "seconds": …}: the paths that ended in at most a minute, depth first. The program is compiled without
optimisation; __VERIFIER_nondet_int and __VERIFIER_nondet_char give fresh symbols. Loading the program is not
counted, only the exploration. Needs the package `angr` (PyPI; tried: angr 9.2.213 with bitstring 4 and pycparser 3.0, newer
ones of these two break it).
"""

import json
import logging
import os
import subprocess
import sys
import tempfile
import time

import angr
import claripy

STUBS = """
int __VERIFIER_nondet_int(void) { return 0; }
char __VERIFIER_nondet_char(void) { return 0; }
"""
LIMIT = 60  # seconds


class Number(angr.SimProcedure):
    """A fresh number."""

    def run(self):
        return claripy.BVS("input", 32)


class Character(angr.SimProcedure):
    """A fresh character."""

    def run(self):
        return claripy.BVS("input", 8).sign_extend(24)


def main():
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        stubs = os.path.join(folder, "stubs.c")
        with open(stubs, "w", encoding="utf-8") as file:
            file.write(STUBS)
        binary = os.path.join(folder, "program")
        subprocess.run(["gcc", "-O0", "-no-pie", "-o", binary, sys.argv[1], stubs], check=True)
        project = angr.Project(binary, auto_load_libs=False)
        project.hook_symbol("__VERIFIER_nondet_int", Number())
        project.hook_symbol("__VERIFIER_nondet_char", Character())
        main_address = project.loader.find_symbol("main").rebased_addr
        state = project.factory.call_state(main_address)
        manager = project.factory.simulation_manager(state)
        manager.use_technique(angr.exploration_techniques.DFS())
        start = time.monotonic()
        while manager.active and time.monotonic() - start < LIMIT:
            manager.step()
        seconds = time.monotonic() - start
        print(json.dumps({"paths": len(manager.deadended), "seconds": seconds}))


if __name__ == "__main__":
    main()
