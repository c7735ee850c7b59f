#ifndef XPROF_RECORD_COUNTED_SECTION_H
#define XPROF_RECORD_COUNTED_SECTION_H

/* Feature sections that list what a directory of sysfs has: a u32 with their number, then the entries. */

#include "base/strbuf.h"

/* Appends what the section says of the entry `name` of the directory; returns 1, or 0 when it is none. */
typedef uint32_t counted_section_entry(struct strbuf *section, const char *directory, const char *name);

/* In the directory's own order, as perf has them. Returns how many there are, and appends nothing when it is 0. */
uint32_t counted_section_add(struct strbuf *section, const char *directory, counted_section_entry *add);

#endif
