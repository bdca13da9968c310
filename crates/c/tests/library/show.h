
/* Shows the value of a constant of any type, with its size. */
static void show_text(const char *text)
{
    printf("\"%s\"\n", text);
}

static void show_float(long double number)
{
    printf("%La\n", number);
}

static void show_number(unsigned long long number)
{
    printf("%llu\n", number);
}

static void show_pointer(const void *pointer)
{
    printf("%p\n", pointer);
}

static void show_handler(void (*handler)(int))
{
    printf("%p\n", (void *)handler);
}

#define SHOW(name) \
    (printf("%s %zu ", #name, sizeof(name)), \
     _Generic((name), \
         char *: show_text, \
         const char *: show_text, \
         float: show_float, \
         double: show_float, \
         long double: show_float, \
         void *: show_pointer, \
         const fenv_t *: show_pointer, \
         locale_t: show_pointer, \
         sem_t *: show_pointer, \
         void (*)(int): show_handler, \
         default: show_number)(name))

