#ifndef XPROF_RECORD_COUNTED_SECTION_H
#define XPROF_RECORD_COUNTED_SECTION_H

/*
 * Feature sections that list the entries of a directory of sysfs: a u32 with their number, then the entries.
 */

#include "base/strbuf.h"

/*
 * Appends the section's text for the file `name` of the directory. Returns 1, or 0 if the file is not such an
 * entry.
 */
typedef uint32_t counted_section_entry(struct strbuf *section, const char *directory, const char *name);

/*
 * Appends a section, in the order of readdir() as perf does. Returns the number of entries; appends nothing
 * if it is 0.
 */
uint32_t counted_section_add(struct strbuf *section, const char *directory, counted_section_entry *add);

#endif
