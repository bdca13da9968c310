/* The environment: <stdlib.h>, <unistd.h>. It is empty when the program starts. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "loupe.h"

static char *__loupe_empty_environment[1];
char **environ = __loupe_empty_environment;

/* Whether an entry `name=value` has a name of this length. */
static int __loupe_has_name(const char *entry, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (entry[i] != name[i])
            return 0;
    return entry[length] == '=';
}

static char **__loupe_find_variable(const char *name, size_t length)
{
    if (!environ)
        return 0;
    for (char **entry = environ; *entry; entry++)
        if (__loupe_has_name(*entry, name, length))
            return entry;
    return 0;
}

char *getenv(const char *name)
{
    size_t length = __loupe_length(name);
    char **entry = __loupe_find_variable(name, length);
    return entry ? *entry + length + 1 : 0;
}

char *secure_getenv(const char *name)
{
    size_t length = __loupe_length(name);
    char **entry = __loupe_find_variable(name, length);
    return entry ? *entry + length + 1 : 0;
}

static int __loupe_append_variable(char *entry)
{
    size_t count = 0;
    while (environ && environ[count])
        count++;
    char **larger = __loupe_allocate((count + 2) * sizeof(char *), 0);
    __loupe_copy(larger, environ, count * sizeof(char *));
    larger[count] = entry;
    larger[count + 1] = 0;
    environ = larger;
    return 0;
}

/* The length of a name that may be set, or 0. */
static size_t __loupe_name_length(const char *name)
{
    size_t length = 0;
    if (!name)
        return 0;
    while (name[length])
        if (name[length++] == '=')
            return 0;
    return length;
}

int setenv(const char *name, const char *value, int overwrite)
{
    size_t length = __loupe_name_length(name);
    if (length == 0) {
        __loupe_errno = EINVAL;
        return -1;
    }
    char **present = __loupe_find_variable(name, length);
    if (present && !overwrite)
        return 0;
    size_t value_length = __loupe_length(value);
    char *entry = __loupe_allocate(length + value_length + 2, 0);
    __loupe_copy(entry, name, length);
    entry[length] = '=';
    __loupe_copy(entry + length + 1, value, value_length + 1);
    if (!present)
        return __loupe_append_variable(entry);
    *present = entry;
    return 0;
}

static void __loupe_remove_variable(const char *name, size_t length)
{
    char **entry = __loupe_find_variable(name, length);
    while (entry && *entry) {
        *entry = entry[1];
        entry++;
    }
}

int unsetenv(const char *name)
{
    size_t length = __loupe_name_length(name);
    if (length == 0) {
        __loupe_errno = EINVAL;
        return -1;
    }
    __loupe_remove_variable(name, length);
    return 0;
}

int putenv(char *entry)
{
    size_t length = 0;
    while (entry[length] && entry[length] != '=')
        length++;
    if (!entry[length]) {
        __loupe_remove_variable(entry, length);
        return 0;
    }
    char **present = __loupe_find_variable(entry, length);
    if (!present)
        return __loupe_append_variable(entry);
    *present = entry;
    return 0;
}

int clearenv(void)
{
    environ = 0;
    return 0;
}

/* Without a command: whether there is a shell. */
int system(const char *command)
{
    if (command)
        __loupe_length(command);
    return __loupe_input_int();
}
