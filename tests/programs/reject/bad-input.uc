// loupe: run --input abc => rejected
// loupe: run --input "1 2 x" => rejected
// loupe: run --input "x3" => rejected
// loupe: run --input "1 x0" => rejected
// loupe: run --input 1 --input-file reject/none.input => rejected
// loupe: run --input-file reject/none.input => rejected
// loupe: run --int-width 8 --input 128 => rejected 9:12
main() {
    return input;
}
