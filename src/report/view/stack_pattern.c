/*
 * Names of frames are interned in a string pool before the pattern is parsed, so that a step of the pattern is a number
 * and matching compares numbers alone. A pattern that ends in "..." needs one pass over the nodes: a node matches if its
 * caller does.
 */
#include "report/view/stack_pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/str_pool.h"
#include "base/xalloc.h"
#include "report/rows/frame_text.h"
#include "text/web_text.h"

static const char anything[] = "...";

enum { ANY_FRAMES = UINT32_MAX - 1, NO_FRAME = UINT32_MAX }; /* the latter is returned by str_pool_find() */

/* A frame's name alone, and with its file, as strings of the pool. */
struct names {
	uint32_t alone, with_file;
};

struct pattern {
	struct str_pool *pool;
	struct names *names; /* by frame */
	uint32_t *steps;     /* strings of the pool, the outermost first, or NO_FRAME or ANY_FRAMES */
	size_t count, capacity;
	bool from_root, to_leaf;
};

static uint32_t add_to_pool(struct str_pool *pool, struct strbuf *scratch, const char *text)
{
	size_t i;

	strbuf_reset(scratch);
	web_text_clean(scratch, text);
	for (i = 0; i < scratch->size; i++)
		if (scratch->bytes[i] == ';')
			scratch->bytes[i] = ':';
	return str_pool_add(pool, scratch->bytes);
}

static void name_frames(struct pattern *pattern, const struct profile *profile,
			const struct frame_table *frames)
{
	struct strbuf text = STRBUF_INIT, scratch = STRBUF_INIT;
	uint32_t i;

	pattern->names = xmalloc(((size_t)frames->count + 1) * sizeof(*pattern->names));
	for (i = 0; i < frames->count; i++) {
		const struct frame *frame = &frames->frames[i];

		strbuf_reset(&text);
		frame_text_add(&text, profile, frame, false);
		pattern->names[i].alone = add_to_pool(pattern->pool, &scratch, text.bytes);
		if (frame->dso_name != PROFILE_NONE)
			strbuf_addf(&text, "@%s", profile_text(profile, frame->dso_name));
		pattern->names[i].with_file = add_to_pool(pattern->pool, &scratch, text.bytes);
	}
	strbuf_fini(&scratch);
	strbuf_fini(&text);
}

static void add_step(struct pattern *pattern, uint32_t step)
{
	*ARRAY_ADD(pattern->steps, pattern->count, pattern->capacity) = step;
}

/* Call after name_frames(): the pool then has the names of frames and no others. */
static void parse(struct pattern *pattern, const char *text)
{
	struct strbuf step = STRBUF_INIT;

	pattern->from_root = pattern->to_leaf = true;
	for (;; text++) {
		size_t length = strcspn(text, ";");

		strbuf_reset(&step);
		strbuf_add(&step, text, length);
		text += length;
		if (strcmp(step.bytes, anything) != 0)
			add_step(pattern, str_pool_find(pattern->pool, step.bytes));
		else if (pattern->count == 0)
			pattern->from_root = false;
		else if (*text)
			add_step(pattern, ANY_FRAMES);
		else
			pattern->to_leaf = false;
		if (!*text)
			break;
	}
	strbuf_fini(&step);
}

static bool is_step(const struct names *names, uint32_t step)
{
	return step != NO_FRAME && (step == names->alone || step == names->with_file);
}

/* Do the node and its callers match the first `count` steps, of which the node's is the last? */
static bool ends_here(const struct pattern *pattern, const struct profile *profile,
		      const struct frame_table *frames, uint32_t node, size_t count)
{
	for (; count && pattern->steps[count - 1] != ANY_FRAMES; count--) {
		if (node == PROFILE_NONE ||
		    !is_step(&pattern->names[frame_table_of_stack(frames, profile, node)],
			     pattern->steps[count - 1]))
			return false;
		node = profile_stack_at(profile, node)->parent;
	}
	if (count == 0)
		return !pattern->from_root || node == PROFILE_NONE;
	for (; node != PROFILE_NONE; node = profile_stack_at(profile, node)->parent)
		if (ends_here(pattern, profile, frames, node, count - 1))
			return true;
	return false;
}

bool *stack_pattern_match(const char *pattern_text, const struct profile *profile,
			  const struct frame_table *frames)
{
	struct pattern pattern = { .pool = str_pool_create() };
	uint32_t count = profile_stack_count(profile), node, parent;
	bool *matches = xcalloc((size_t)count + 1, sizeof(*matches));

	name_frames(&pattern, profile, frames);
	parse(&pattern, pattern_text);
	for (node = 0; node < count; node++) {
		parent = profile_stack_at(profile, node)->parent;
		matches[node] = pattern.count == 0 ||
				ends_here(&pattern, profile, frames, node, pattern.count) ||
				(!pattern.to_leaf && parent != PROFILE_NONE && matches[parent]);
	}
	free(pattern.steps);
	free(pattern.names);
	str_pool_destroy(pattern.pool);
	return matches;
}
