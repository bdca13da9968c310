#!/usr/bin/env python3
"""cvc5 as a process that speaks SMT-LIB: for `--solver-cmd`, and for the second opinion in tests.

The wheel of cvc5 has no program, only a module. Scripts come on standard input, each ended by a line
`(reset)`; the answers to its commands go to standard output at once. The time for one `check-sat` may
be given as an argument, in milliseconds.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / ".deps" / "cvc5"))

import cvc5  # noqa: E402


def run(script, milliseconds):
    """Runs one script and gives what it prints."""
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(milliseconds))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "query")
    symbols = parser.getSymbolManager()
    printed = []
    try:
        while not (command := parser.nextCommand()).isNull():
            printed.append(command.invoke(solver, symbols))
    except RuntimeError as error:
        printed.append(f'(error "{error}")\n'.replace("\n", " ") + "\n")
        printed.extend(
            line.split('"')[1] + "\n" for line in script.splitlines() if line.startswith("(echo ")
        )
    return "".join(printed)


def main():
    milliseconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60_000
    lines = []
    for line in sys.stdin:
        if line.strip() == "(reset)":
            sys.stdout.write(run("".join(lines), milliseconds))
            sys.stdout.flush()
            lines = []
        else:
            lines.append(line)


if __name__ == "__main__":
    main()
