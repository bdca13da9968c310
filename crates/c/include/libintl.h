/* Translated messages: GNU. */
#ifndef _LIBINTL_H
#define _LIBINTL_H

#include <features.h>

#define __USE_GNU_GETTEXT 1
#define __GNU_GETTEXT_SUPPORTED_REVISION(major) ((major) == 0 ? 1 : -1)

extern char *gettext(const char *) __attribute__((__format_arg__(1)));
extern char *dgettext(const char *, const char *) __attribute__((__format_arg__(2)));
extern char *dcgettext(const char *, const char *, int) __attribute__((__format_arg__(2)));
extern char *ngettext(const char *, const char *, unsigned long);
extern char *dngettext(const char *, const char *, const char *, unsigned long);
extern char *dcngettext(const char *, const char *, const char *, unsigned long, int);
extern char *textdomain(const char *);
extern char *bindtextdomain(const char *, const char *);
extern char *bind_textdomain_codeset(const char *, const char *);

#endif
