/*
 * The text of perf script, and of xprof's: a line for a sample, its frames below it, the leaf first, then a blank line. The first
 * line may end with the frame itself.
 *
 *	make 4711/4712 [003] 12.345678:     250000 cpu-clock:ppp:
 *	        ffffffff8120b1a0 vfs_read+0xa0 ([kernel.kallsyms])
 *	            7f1d8a3b2f14 read+0x14 (/usr/lib/x86_64-linux-gnu/libc.so.6)
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/import/import_format.h"
#include "report/import/import_lines.h"

enum { LINES_THAT_TELL = 400 };

struct script {
	struct import_model *model;
	struct import_sample sample;
	bool has_sample;
	uint32_t *frames; /* locations of the sample, the leaf first */
	size_t frame_count, frame_capacity;
};

/* The parts of a sample's first line. */
struct heading {
	char *comm;
	uint32_t pid, tid, cpu;
	uint64_t time_ns, period;
	char *event;
	char *rest; /* after the event */
};

/* Reads "12.345678:" or "12.345678901:" at the word. Returns the text after it, NULL if it is no time. */
static char *read_time(char *word, uint64_t *time_ns)
{
	uint64_t unit = 100000000;
	char *end;

	if (!isdigit((unsigned char)*word))
		return NULL;
	*time_ns = strtoull(word, &end, 10) * 1000000000;
	if (*end != '.' || !isdigit((unsigned char)end[1]))
		return NULL;
	for (end++; isdigit((unsigned char)*end); end++, unit /= 10)
		*time_ns += (uint64_t)(*end - '0') * unit;
	return *end == ':' ? end + 1 : NULL;
}

static char *skip_blanks(char *text)
{
	return text + strspn(text, " \t");
}

/* Reads "4711/4712 [003] 12.345678:" or parts of it. Returns the text after it, NULL if it is something else. */
static char *read_thread(char *word, struct heading *heading)
{
	bool has_both = false;
	char *end;

	heading->pid = heading->tid = (uint32_t)strtoul(word, &end, 10);
	if (end == word)
		return NULL;
	if (*end == '/' && isdigit((unsigned char)end[1])) {
		heading->tid = (uint32_t)strtoul(end + 1, &end, 10);
		has_both = true;
	}
	if (*end != ' ' && *end != '\t')
		return NULL;
	word = skip_blanks(end);
	heading->cpu = PROFILE_NONE;
	if (*word == '[') {
		heading->cpu = (uint32_t)strtoul(word + 1, &end, 10);
		if (*end != ']')
			return NULL;
		word = skip_blanks(end + 1);
	}
	end = read_time(word, &heading->time_ns);
	if (end || !has_both || !isdigit((unsigned char)*word))
		return end;
	heading->time_ns = IMPORT_NO_TIME; /* without a time, the period follows */
	return word;
}

/* Reads "250000 cpu-clock:ppp:" or "cycles:". The event ends with a colon and a blank, or with the line. */
static bool read_event(char *word, struct heading *heading)
{
	char *end;

	heading->period = 1;
	word = skip_blanks(word);
	if (isdigit((unsigned char)*word)) {
		const uint64_t period = strtoull(word, &end, 10);

		if (*end == ' ') {
			heading->period = period;
			word = skip_blanks(end);
		}
	}
	end = word + strcspn(word, " \t");
	if (end == word || end[-1] != ':')
		return false;
	heading->event = word;
	heading->rest = *end ? skip_blanks(end) : end;
	end[-1] = '\0';
	return true;
}

/* A command may have blanks and digits in its name: takes the first place after which everything fits. */
static bool read_heading(char *line, struct heading *heading)
{
	heading->comm = skip_blanks(line);
	for (char *blank = strpbrk(heading->comm, " \t"); blank; blank = strpbrk(blank, " \t")) {
		char *end = blank, *behind;

		blank = skip_blanks(blank);
		behind = read_thread(blank, heading);
		if (behind && read_event(behind, heading)) {
			*end = '\0';
			return true;
		}
	}
	return false;
}

/* Cuts "+0x1f" off a function's name. */
static void cut_offset(char *name)
{
	char *plus = strrchr(name, '+');

	if (plus && !strncmp(plus, "+0x", 3) && plus[3] &&
	    strspn(plus + 3, "0123456789abcdef") == strlen(plus + 3))
		*plus = '\0';
}

/* Cuts off the module's path in the parentheses that close at the line's end; the path may have parentheses itself. */
static char *take_module(char *text)
{
	size_t length = strlen(text), depth = 0;

	if (!length || text[length - 1] != ')')
		return NULL;
	for (size_t i = length; i-- > 0;) {
		depth += text[i] == ')';
		depth -= text[i] == '(';
		if (!depth && i && text[i - 1] == ' ') {
			text[length - 1] = text[i - 1] = '\0';
			return text + i + 1;
		}
	}
	return NULL;
}

/* Adds "7f1d8a3b2f14 read+0x14 (/usr/lib/libc.so.6)". False if it is no frame. */
static bool add_frame(struct script *script, char *text)
{
	struct import_frame frame = { .mode = FRAME_USER };
	char *name, *module;

	frame.address = strtoull(text, &name, 16);
	if (name == text || (*name != ' ' && *name))
		return false;
	name = skip_blanks(name);
	module = take_module(name);
	cut_offset(name);
	if (module && !strcmp(module, "inlined"))
		frame.is_inlined = true;
	else if (module && strcmp(module, "[unknown]"))
		frame.module = module;
	if (*name && strcmp(name, "[unknown]"))
		frame.function = name;
	frame.has_address = !frame.function;
	if (frame.module && import_module_is_kernel(frame.module))
		frame.mode = FRAME_KERNEL;
	*ARRAY_ADD(script->frames, script->frame_count, script->frame_capacity) =
		import_model_location(script->model, &frame);
	return true;
}

static void end_sample(struct script *script)
{
	if (!script->has_sample)
		return;
	script->sample.stack = PROFILE_NONE;
	for (size_t i = script->frame_count; i-- > 0;)
		script->sample.stack =
			import_model_stack(script->model, script->sample.stack, script->frames[i]);
	import_model_add(script->model, &script->sample);
	script->has_sample = false;
	script->frame_count = 0;
}

static void begin_sample(struct script *script, const struct heading *heading)
{
	struct import_thread thread = { heading->comm, heading->pid, heading->tid };

	/* perf writes ":4711" for a thread without a known name. */
	if (*heading->comm == ':' && strspn(heading->comm + 1, "-0123456789") == strlen(heading->comm + 1))
		thread.comm = NULL;
	end_sample(script);
	script->sample = (struct import_sample){
		.event = import_model_recorded_event(script->model, heading->event),
		.thread = import_model_thread(script->model, &thread),
		.cpu = heading->cpu,
		.count = 1,
		.weight = heading->period,
		.time_ns = heading->time_ns,
	};
	script->has_sample = true;
	if (*heading->rest)
		add_frame(script, heading->rest);
}

static int read_line(struct script *script, struct import_lines *lines, struct error *err)
{
	struct heading heading;

	if (!*lines->text) {
		end_sample(script);
	} else if (*lines->text == '#') {
		return 0;
	} else if ((*lines->text == ' ' || *lines->text == '\t') && script->has_sample &&
		   add_frame(script, skip_blanks(lines->text))) {
		return 0;
	} else if (read_heading(lines->text, &heading)) {
		begin_sample(script, &heading);
	} else if (!script->has_sample) {
		return error_set(err, "line %" PRIu64 " is neither a sample nor one of its frames",
				 lines->number);
	}
	return 0;
}

static int read(struct import_model *model, const char *bytes, size_t size, struct error *err)
{
	struct script script = { .model = model };
	struct import_lines lines;
	int status = 0;

	import_lines_init(&lines, bytes, size);
	while (status == 0 && import_lines_next(&lines))
		status = read_line(&script, &lines, err);
	end_sample(&script);
	import_lines_fini(&lines);
	free(script.frames);
	return status;
}

/* True if the first line that is neither blank nor a comment is a sample's. */
static bool recognise(const char *bytes, size_t size)
{
	struct import_lines lines;
	struct heading heading;
	bool found = false;

	import_lines_init(&lines, bytes, size);
	while (lines.number < LINES_THAT_TELL && import_lines_next(&lines)) {
		if (!*lines.text || *lines.text == '#')
			continue;
		found = strlen(lines.text) == lines.line.size && read_heading(lines.text, &heading);
		break;
	}
	import_lines_fini(&lines);
	return found;
}

const struct import_format import_perf_script = {
	.name = "perf-script",
	.summary = "text of perf script",
	.recognise = recognise,
	.read = read,
};
