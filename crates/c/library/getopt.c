/* Options of the command line: <unistd.h>, <getopt.h>. Arguments that are no options are moved
   behind the options, as GNU does. */
#include <getopt.h>
#include <unistd.h>
#include "loupe.h"

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

/* The rest of an argument with several options, or null. */
static char *__loupe_options_left;
/* The arguments between these that are no options have been passed over. */
static int __loupe_first_operand;
static int __loupe_last_operand;

static void __loupe_complain(const char *program, const char *format, ...)
{
    __builtin_va_list arguments;
    if (!opterr)
        return;
    __loupe_put_text(2, program);
    __builtin_va_start(arguments, format);
    __loupe_print(2, format, arguments);
    __builtin_va_end(arguments);
}

/* Moves the operands that were passed over behind the options since then. */
static void __loupe_move_operands(char **arguments)
{
    int operands = __loupe_last_operand - __loupe_first_operand;
    int options = optind - __loupe_last_operand;
    for (int i = 0; i < options; i++) {
        char *option = arguments[__loupe_last_operand + i];
        for (int j = __loupe_last_operand + i; j > __loupe_first_operand + i; j--)
            arguments[j] = arguments[j - 1];
        arguments[__loupe_first_operand + i] = option;
    }
    __loupe_first_operand += options;
    __loupe_last_operand = __loupe_first_operand + operands;
}

static _Bool __loupe_is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != 0;
}

static _Bool __loupe_is_end_of_options(const char *argument)
{
    return argument[0] == '-' && argument[1] == '-' && argument[2] == 0;
}

/* Goes to the next argument with options. Without one, it leaves `optind` at the operands. */
static _Bool __loupe_next_argument(int count, char **arguments, _Bool stops_at_operand)
{
    if (__loupe_last_operand > optind)
        __loupe_last_operand = optind;
    if (__loupe_first_operand > optind)
        __loupe_first_operand = optind;
    if (__loupe_first_operand != __loupe_last_operand && __loupe_last_operand != optind)
        __loupe_move_operands(arguments);
    else if (__loupe_last_operand != optind)
        __loupe_first_operand = optind;
    while (!stops_at_operand && optind < count && !__loupe_is_option(arguments[optind]))
        optind++;
    __loupe_last_operand = optind;
    if (optind < count && __loupe_is_end_of_options(arguments[optind])) {
        optind++;
        if (__loupe_first_operand != __loupe_last_operand)
            __loupe_move_operands(arguments);
        else
            __loupe_first_operand = optind;
        __loupe_last_operand = count;
        optind = count;
    }
    if (optind == count) {
        if (__loupe_first_operand != __loupe_last_operand)
            optind = __loupe_first_operand;
        return 0;
    }
    return __loupe_is_option(arguments[optind]);
}

static const char *__loupe_find_option(const char *options, char option)
{
    if (option == ':' || option == ';')
        return 0;
    for (; *options; options++)
        if (*options == option)
            return options;
    return 0;
}

static int __loupe_missing_argument(const char *options)
{
    return *options == ':' ? ':' : '?';
}

/* The option that `__loupe_options_left` points to. */
static int __loupe_short_option(int count, char **arguments, const char *options)
{
    char option = *__loupe_options_left++;
    const char *found = __loupe_find_option(options, option);
    if (!*__loupe_options_left)
        optind++;
    if (!found) {
        if (*options != ':')
            __loupe_complain(arguments[0], ": invalid option -- '%c'\n", option);
        optopt = option;
        return '?';
    }
    if (found[0] == 'W' && found[1] == ';')
        __loupe_unsupported();
    if (found[1] != ':')
        return option;
    optarg = 0;
    if (*__loupe_options_left) {
        optarg = __loupe_options_left;
        optind++;
    } else if (found[2] != ':') {
        if (optind == count) {
            if (*options != ':')
                __loupe_complain(arguments[0], ": option requires an argument -- '%c'\n", option);
            optopt = option;
            __loupe_options_left = 0;
            return __loupe_missing_argument(options);
        }
        optarg = arguments[optind++];
    }
    __loupe_options_left = 0;
    return option;
}

static size_t __loupe_name_size(const char *argument)
{
    size_t size = 0;
    while (argument[size] && argument[size] != '=')
        size++;
    return size;
}

static _Bool __loupe_begins_with(const char *name, const char *start, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (name[i] != start[i])
            return 0;
    return 1;
}

/* The option with this name or, if there is just one, that starts with it; -1 for none, -2 for
   several. */
static int __loupe_find_long_option(const struct option *options, const char *name, size_t size)
{
    int found = -1;
    for (int i = 0; options[i].name; i++) {
        if (!__loupe_begins_with(options[i].name, name, size))
            continue;
        if (!options[i].name[size])
            return i;
        if (found == -1)
            found = i;
        else if (found == -2 || options[found].has_arg != options[i].has_arg
                 || options[found].flag != options[i].flag || options[found].val != options[i].val)
            found = -2;
    }
    return found;
}

static int __loupe_long_option(int count, char **arguments, const char *options,
                               const struct option *names, int *index)
{
    const char *program = arguments[0];
    char *name = arguments[optind] + 2;
    size_t size = __loupe_name_size(name);
    int found = __loupe_find_long_option(names, name, size);
    if (found < 0) {
        if (*options != ':' && found == -1)
            __loupe_complain(program, ": unrecognized option '--%s'\n", name);
        else if (*options != ':' && opterr)
            __loupe_unsupported(); /* the message lists the candidates */
        optind++;
        optopt = 0;
        return '?';
    }
    const struct option *option = &names[found];
    optind++;
    optarg = 0;
    if (name[size]) {
        if (option->has_arg == no_argument) {
            if (*options != ':')
                __loupe_complain(program, ": option '--%s' doesn't allow an argument\n",
                                 option->name);
            optopt = option->val;
            return '?';
        }
        optarg = name + size + 1;
    } else if (option->has_arg == required_argument) {
        if (optind == count) {
            if (*options != ':')
                __loupe_complain(program, ": option '--%s' requires an argument\n", option->name);
            optopt = option->val;
            return __loupe_missing_argument(options);
        }
        optarg = arguments[optind++];
    }
    if (index)
        *index = found;
    if (!option->flag)
        return option->val;
    *option->flag = option->val;
    return 0;
}

static int __loupe_next_option(int count, char **arguments, const char *options,
                               const struct option *names, int *index)
{
    if (count < 1)
        return -1;
    optarg = 0;
    if (optind == 0 || !__loupe_first_operand) {
        if (optind == 0)
            optind = 1;
        __loupe_first_operand = __loupe_last_operand = optind;
        __loupe_options_left = 0;
    }
    _Bool stops_at_operand = *options == '+';
    if (*options == '-')
        __loupe_unsupported();
    if (*options == '+')
        options++;
    if (!__loupe_options_left || !*__loupe_options_left) {
        if (!__loupe_next_argument(count, arguments, stops_at_operand))
            return -1;
        if (names && arguments[optind][1] == '-')
            return __loupe_long_option(count, arguments, options, names, index);
        __loupe_options_left = arguments[optind] + 1;
    }
    return __loupe_short_option(count, arguments, options);
}

int getopt(int count, char *const arguments[], const char *options)
{
    return __loupe_next_option(count, (char **)arguments, options, 0, 0);
}

int getopt_long(int count, char *const arguments[], const char *options,
                const struct option *names, int *index)
{
    return __loupe_next_option(count, (char **)arguments, options, names, index);
}
