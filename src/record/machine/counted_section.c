/* The number of entries precedes them, so they are first collected in a buffer of their own. */
#include "record/machine/counted_section.h"

#include <dirent.h>

uint32_t counted_section_add(struct strbuf *section, const char *directory, counted_section_entry *add)
{
	DIR *stream = opendir(directory);
	const struct dirent *entry;
	struct strbuf entries = STRBUF_INIT;
	uint32_t count = 0;

	while (stream && (entry = readdir(stream)))
		if (entry->d_name[0] != '.')
			count += add(&entries, directory, entry->d_name);
	if (count) {
		strbuf_add_u32(section, count, false);
		strbuf_add(section, entries.bytes, entries.size);
	}
	if (stream)
		closedir(stream);
	strbuf_fini(&entries);
	return count;
}
