// The mean of numbers up to the end of the input. Without any input it divides by zero.

push(list, value) {
    return alloc {value: value, next: list};
}

mean(list) {
    var sum, count;
    sum = 0;
    count = 0;
    while (list != null) {
        sum = sum + (*list).value;
        count = count + 1;
        list = (*list).next;
    }
    return sum / count;
}

main() {
    var list, x;
    list = null;
    x = input;
    while (x != -1) {
        list = push(list, x);
        x = input;
    }
    output mean(list);
    return 0;
}
