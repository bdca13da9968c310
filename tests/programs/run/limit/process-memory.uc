// Values that live in no object still take memory.
// loupe: run --max-memory 100 => limit
main() {
    var record, copy;
    record = {inside: 0};
    while (1) {
        copy = record;
        record.inside = copy;
    }
    return 0;
}
