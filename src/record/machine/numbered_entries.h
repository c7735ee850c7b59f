#ifndef XPROF_RECORD_NUMBERED_ENTRIES_H
#define XPROF_RECORD_NUMBERED_ENTRIES_H

/* The numbers of entries cpu0, cpu1, … of a directory in sysfs. */

#include <stddef.h>

struct numbered_entries {      /* all zero: empty */
	unsigned int *numbers; /* ascending */
	size_t count, capacity;
};

/* Reads the numbers of all entries called `prefix` and a number. Empty if there is no such directory. */
void numbered_entries_read(struct numbered_entries *entries, const char *directory, const char *prefix);
void numbered_entries_fini(struct numbered_entries *entries);

#endif
