// Values inside of values, a million deep: records in the usual dialect, arrays where they are values.
// loupe: run => result 0
// loupe: run --arrays value => result 0
main() {
    var record, copy, array, i;
    record = {inside: 0};
    array = 0;
    i = 0;
    while (i < 1000000) {
        copy = record;
        record.inside = copy;
        array = [array];
        i = i + 1;
    }
    output i;
    return 0;
}
