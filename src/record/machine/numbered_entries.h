#ifndef XPROF_RECORD_NUMBERED_ENTRIES_H
#define XPROF_RECORD_NUMBERED_ENTRIES_H

/* How sysfs enumerates things: a directory with entries cpu0, cpu1, … among others. */

#include <stddef.h>

struct numbered_entries {      /* all zero is none */
	unsigned int *numbers; /* ascending */
	size_t count, capacity;
};

/* Of the entries whose name is `prefix` and a number. None when there is no such directory. */
void numbered_entries_read(struct numbered_entries *entries, const char *directory, const char *prefix);
void numbered_entries_fini(struct numbered_entries *entries);

#endif
