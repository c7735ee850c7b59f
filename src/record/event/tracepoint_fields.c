/* A format file has a line for each field, "field:char prev_comm[16];	offset:8; ...". */
#include "record/event/tracepoint_fields.h"

#include <ctype.h>
#include <string.h>

#include "record/machine/proc_file.h"

int tracepoint_format_read(struct strbuf *format, const char *tracefs, const char *tracepoint,
			   struct error *err)
{
	const size_t system = strcspn(tracepoint, ":");

	return proc_file_readf(format, err, "%s/events/%.*s/%s/format", tracefs, (int)system, tracepoint,
			       tracepoint + system + (tracepoint[system] == ':'));
}

static bool is_name_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The name is the last word before the semicolon, without an array's size. */
bool tracepoint_fields_each(const char *format, bool (*visit)(const char *name, size_t length, void *context),
			    void *context)
{
	for (const char *line = format; line; line = strchr(line, '\n')) {
		const char *end, *start;

		line += strspn(line, "\t \n");
		if (strncmp(line, "field:", strlen("field:")) != 0)
			continue;
		end = line + strcspn(line, ";[");
		while (end > line && isspace((unsigned char)end[-1]))
			end--;
		for (start = end; start > line && is_name_letter(start[-1]);)
			start--;
		if (visit(start, (size_t)(end - start), context))
			return true;
	}
	return false;
}
