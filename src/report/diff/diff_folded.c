/* Both texts are sorted, so one merge pass is enough. */
#include "report/diff/diff_folded.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A parsed line: the stack and, after the last blank, its weight. */
struct line {
	const char *text;
	size_t length; /* of the stack */
	uint64_t weight;
	const char *next;
};

static bool read_line(struct line *line, const char *text)
{
	const char *end = strchrnul(text, '\n'), *blank = end;

	if (!*text)
		return false;
	while (blank > text && *blank != ' ')
		blank--;
	*line = (struct line){ .text = text,
			       .length = (size_t)(blank - text),
			       .weight = strtoull(blank, NULL, 10),
			       .next = *end ? end + 1 : end };
	return true;
}

static int compare_stacks(const struct line *a, const struct line *b)
{
	size_t length = a->length < b->length ? a->length : b->length;
	int difference = memcmp(a->text, b->text, length);

	return difference ? difference : (a->length > b->length) - (a->length < b->length);
}

static void add_line(struct strbuf *out, const struct line *line, double before, uint64_t after)
{
	strbuf_add(out, line->text, line->length);
	strbuf_addf(out, " %.0f %" PRIu64 "\n", round(before), after);
}

void diff_folded_add(struct strbuf *out, const char *before, const char *after, double factor)
{
	struct line old, new;
	bool has_old = read_line(&old, before), has_new = read_line(&new, after);

	while (has_old || has_new) {
		int order = !has_new ? -1 : !has_old ? 1 : compare_stacks(&old, &new);

		if (order < 0)
			add_line(out, &old, (double)old.weight * factor, 0);
		else if (order > 0)
			add_line(out, &new, 0, new.weight);
		else
			add_line(out, &old, (double)old.weight * factor, new.weight);
		if (order <= 0)
			has_old = read_line(&old, old.next);
		if (order >= 0)
			has_new = read_line(&new, new.next);
	}
}
