/* Each line is copied, because a mapped text does not end with a NUL. */
#include "report/import/import_lines.h"

#include <string.h>

void import_lines_init(struct import_lines *lines, const char *bytes, size_t size)
{
	*lines = (struct import_lines){ .next = bytes, .end = bytes + size };
	strbuf_init(&lines->line);
}

bool import_lines_next(struct import_lines *lines)
{
	const char *end;
	size_t length;

	if (lines->next >= lines->end)
		return false;
	end = memchr(lines->next, '\n', (size_t)(lines->end - lines->next));
	length = (size_t)((end ? end : lines->end) - lines->next);
	strbuf_reset(&lines->line);
	strbuf_add(&lines->line, lines->next, length);
	lines->next += length + 1;
	if (lines->line.size && lines->line.bytes[lines->line.size - 1] == '\r')
		strbuf_cut(&lines->line, lines->line.size - 1);
	lines->text = lines->line.bytes;
	lines->number++;
	return true;
}

void import_lines_fini(struct import_lines *lines)
{
	strbuf_fini(&lines->line);
}
