// loupe: run --input "3 1 2" => result 6
main() {
    var list, x, sum;
    list = null;
    x = input;
    while (x >= 0) {
        list = alloc {value: x, next: list};
        x = input;
    }
    sum = 0;
    while (list != null) {
        output (*list).value;
        sum = sum + (*list).value;
        list = (*list).next;
    }
    return sum;
}
