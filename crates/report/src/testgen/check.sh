#!/bin/sh
# Runs the program on every test, and compares what happens with what Loupe saw. Says what gcov counted.
cd "$(dirname "$0")" || exit 2
passed=0 failed=0
while read -r test expected; do
    rm -f build/outcome
    seconds=10
    input=/dev/null
    [ -f "../$test.stdin" ] && input="../../$test.stdin"
    [ "$expected" = any ] && seconds=2
    # The name and the environment are part of what a program sees.
    {
        (
            cd build || exit 2
            set --
            [ -f "../../$test.args" ] && . "../../$test.args"
            exec env -i PATH=. LOUPE_INPUT="../../$test.in" LOUPE_OUTCOME=outcome \
                LOUPE_SECONDS="$seconds" program "$@" <"$input" >"$test.out"
        )
        status=$?
    } 2>"build/$test.err"
    if [ -s build/outcome ]; then
        outcome=$(cat build/outcome)
    else
        outcome=exit:$status
    fi
    if [ "$outcome" = broken ]; then
        echo "$test: the harness does not work: $(cat "build/$test.err")"
        failed=$((failed + 1))
    elif [ "$expected" != any ] && [ "$outcome" != "$expected" ]; then
        echo "$test: expected $expected, but this is $outcome"
        failed=$((failed + 1))
    elif [ -f "expected/$test.out" ] && ! cmp -s "expected/$test.out" "build/$test.out"; then
        echo "$test: the output is another than in expected/$test.out"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done <expected/outcomes
echo "tests: $passed passed, $failed failed"
# Each object by itself: files that several include are counted for each.
for data in build/*.gcda; do
    [ -f "$data" ] && "${GCOV:-gcov}" -n -b -c "$data"
done
[ "$failed" -eq 0 ]
