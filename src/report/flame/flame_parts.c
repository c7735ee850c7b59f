/* flame_parts_add() copies line by line; part_of() tells which lines begin or end a part. Parts do not nest. */
#include "report/flame/flame_parts.h"

#include <stdbool.h>
#include <string.h>

static const struct {
	const char *name;
	enum flame_part part;
} part_names[] = { { "lanes", FLAME_PART_LANES }, { "blocks", FLAME_PART_BLOCKS } };

enum edge { NO_EDGE, BEGINS, ENDS };

/* Skips `prefix`. False if `line` does not begin with it. */
static bool skip(const char **line, const char *prefix)
{
	const size_t length = strlen(prefix);

	if (strncmp(*line, prefix, length) != 0)
		return false;
	*line += length;
	return true;
}

static unsigned int part_of(const char *line, enum edge *edge)
{
	*edge = NO_EDGE;
	line += strspn(line, "\t");
	if (!skip(&line, "/* ") && !skip(&line, "<!-- "))
		return 0;
	if (skip(&line, "begin "))
		*edge = BEGINS;
	else if (skip(&line, "end "))
		*edge = ENDS;
	else
		return 0;
	for (size_t i = 0; i < sizeof(part_names) / sizeof(*part_names); i++)
		if (skip(&line, part_names[i].name) && (skip(&line, " */\n") || skip(&line, " -->\n")))
			return part_names[i].part;
	*edge = NO_EDGE;
	return 0;
}

void flame_parts_add(struct strbuf *out, const char *text, unsigned int parts)
{
	bool keeps = true;

	while (*text) {
		const size_t end = strcspn(text, "\n"), length = end + (text[end] == '\n');
		enum edge edge;
		const unsigned int part = part_of(text, &edge);

		if (edge == BEGINS)
			keeps = (part & parts) != 0;
		else if (edge == ENDS)
			keeps = true;
		else if (keeps)
			strbuf_add(out, text, length);
		text += length;
	}
}
