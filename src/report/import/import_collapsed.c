/*
 * Folded stacks, "outermost;...;leaf 12", as stackcollapse scripts, bpftrace and xprof write them. The text does not say whether
 * the first frame is a command or a function: it stays a frame.
 */
#include <stdlib.h>
#include <string.h>

#include "report/import/import_format.h"
#include "report/import/import_lines.h"
#include "text/folded_line.h"

enum { LINES_THAT_TELL = 100 };

static bool is_blank_or_comment(const char *line)
{
	return !*line || *line == '#';
}

/* Cuts off the mark of a frame's kind. */
static void take_annotation(char *name, struct import_frame *frame)
{
	const size_t length = strlen(name);

	if (length <= 4 || strncmp(name + length - 4, "_[", 2) || name[length - 1] != ']')
		return;
	switch (name[length - 2]) {
	case 'k': frame->mode = FRAME_KERNEL; break;
	case 'j': frame->is_jit = true; break;
	case 'i': frame->is_inlined = true; break;
	default: return;
	}
	name[length - 4] = '\0';
}

static uint32_t add_stack(struct import_model *model, char *line)
{
	uint32_t stack = PROFILE_NONE;

	while (line) {
		char *name = strsep(&line, ";");
		struct import_frame frame = { .function = name };

		take_annotation(name, &frame);
		if (*name)
			stack = import_model_frame(model, stack, &frame);
	}
	return stack;
}

static int read(struct import_model *model, const char *bytes, size_t size, struct error *err)
{
	/* Tools agree that the number after a stack counts samples; if one means something else, the text does not say so. */
	const uint32_t event = import_model_event(model, "samples", "count");
	const uint32_t thread = import_model_thread(model, &(struct import_thread){ .comm = NULL });
	struct import_lines lines;
	int status = 0;

	import_lines_init(&lines, bytes, size);
	while (status == 0 && import_lines_next(&lines)) {
		struct import_sample sample = {
			.event = event, .thread = thread, .cpu = PROFILE_NONE, .time_ns = IMPORT_NO_TIME
		};

		if (is_blank_or_comment(lines.text))
			continue;
		if (!folded_line_take_weight(lines.text, &sample.weight) || !*lines.text) {
			status = error_set(err,
					   "line %llu is not a folded stack, such as 'main;parse;read "
					   "12'",
					   (unsigned long long)lines.number);
			break;
		}
		sample.count = sample.weight;
		sample.stack = add_stack(model, lines.text);
		import_model_add(model, &sample);
	}
	import_lines_fini(&lines);
	return status;
}

/* True if all of the first lines end with a number. */
static bool recognise(const char *bytes, size_t size)
{
	struct import_lines lines;
	int stacks = 0;
	bool fits = true;

	import_lines_init(&lines, bytes, size);
	while (fits && lines.number < LINES_THAT_TELL && import_lines_next(&lines)) {
		uint64_t weight;

		if (is_blank_or_comment(lines.text))
			continue;
		fits = strlen(lines.text) == lines.line.size &&
		       folded_line_take_weight(lines.text, &weight) && *lines.text;
		stacks++;
	}
	import_lines_fini(&lines);
	return fits && stacks;
}

const struct import_format import_collapsed = {
	.name = "collapsed",
	.summary = "folded stacks",
	.recognise = recognise,
	.read = read,
};
