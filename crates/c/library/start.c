/* Where execution begins. `__loupe_mainN` stands for the program's `main` with N parameters. The
   arguments live as long as the function that starts `main`, so they are no heap blocks that a
   program could leak or free. */
#include "loupe.h"

extern int __loupe_main0(void);
extern int __loupe_main1(int);
extern int __loupe_main2(int, char **);
extern int __loupe_main3(int, char **, char **);
extern char **environ;

static size_t __loupe_argument_length(int argument)
{
    int length = 0;
    while (__loupe_argument_byte(argument, length))
        length++;
    return (size_t)length;
}

static void __loupe_read_argument(int argument, char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        text[i] = (char)__loupe_argument_byte(argument, (int)i);
    text[length] = 0;
}

void __loupe_start0(void)
{
    __loupe_finish(__loupe_main0());
}

void __loupe_start1(void)
{
    __loupe_finish(__loupe_main1(__loupe_argument_count()));
}

/* Where `main` looks at how many arguments there are and not at them, they need not be built; where it does not even
   look at that, nothing depends on the command line. */
void __loupe_counted2(void)
{
    __loupe_finish(__loupe_main2(__loupe_argument_count(), 0));
}

void __loupe_counted3(void)
{
    __loupe_finish(__loupe_main3(__loupe_argument_count(), 0, 0));
}

void __loupe_bare1(void)
{
    __loupe_finish(__loupe_main1(1));
}

void __loupe_bare2(void)
{
    __loupe_finish(__loupe_main2(1, 0));
}

void __loupe_bare3(void)
{
    __loupe_finish(__loupe_main3(1, 0, 0));
}

void __loupe_start2(void)
{
    int count = __loupe_argument_count();
    char **arguments = __builtin_alloca(((size_t)count + 1) * sizeof(char *));
    for (int i = 0; i < count; i++) {
        size_t length = __loupe_argument_length(i);
        arguments[i] = __builtin_alloca(length + 1);
        __loupe_read_argument(i, arguments[i], length);
    }
    arguments[count] = 0;
    __loupe_finish(__loupe_main2(count, arguments));
}

void __loupe_start3(void)
{
    int count = __loupe_argument_count();
    char **arguments = __builtin_alloca(((size_t)count + 1) * sizeof(char *));
    for (int i = 0; i < count; i++) {
        size_t length = __loupe_argument_length(i);
        arguments[i] = __builtin_alloca(length + 1);
        __loupe_read_argument(i, arguments[i], length);
    }
    arguments[count] = 0;
    __loupe_finish(__loupe_main3(count, arguments, environ));
}
