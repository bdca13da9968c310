main() {
    var r, arg, argc, argv, i;


    r = 1;
    arg = 1;
    argc = input;
    argv = [[0], [1, 0], [2, 1, 0]];
    if (arg < argc) {

        if (argv[input]) {

            r = 0;

            arg = arg + 1;

        }
    }
    while (arg < argc) {

        i = 0;

        while (argv[arg][i] != 0) {

            i = i + 1;

            output argv[arg][i];

        }
        arg = arg + 1;
    }
    if (r) {
        output 10;
    }

    return 0;
}
