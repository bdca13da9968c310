/* Information about the language, which is that of the locale "C": <langinfo.h>. */
#include <langinfo.h>
#include "loupe.h"

/* From ABDAY_1 on. */
static const char *const __loupe_time_texts[] = {
    "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sunday", "Monday", "Tuesday", "Wednesday",
    "Thursday", "Friday", "Saturday", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
    "Oct", "Nov", "Dec", "January", "February", "March", "April", "May", "June", "July", "August",
    "September", "October", "November", "December", "AM", "PM", "%a %b %e %H:%M:%S %Y", "%m/%d/%y",
    "%H:%M:%S", "%I:%M:%S %p",
};

/* What is not among POSIX's items is not known here. */
char *nl_langinfo(nl_item item)
{
    if (item >= ABDAY_1 && item <= T_FMT_AMPM)
        return (char *)__loupe_time_texts[item - ABDAY_1];
    switch (item) {
    case CODESET:
        return "ANSI_X3.4-1968";
    case RADIXCHAR:
        return ".";
    case THOUSEP:
        return "";
    case YESEXPR:
        return "^[yY]";
    case NOEXPR:
        return "^[nN]";
    case CRNCYSTR:
        return "-";
    default:
        __loupe_unsupported();
        return "";
    }
}
