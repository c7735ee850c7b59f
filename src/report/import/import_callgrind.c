/*
 * The format that callgrind and others write for KCachegrind (valgrind's manual, "Callgrind Format Specification"): costs of
 * functions by line, and of calls from one function to another. The file does not say which calls led to which, so no stacks can
 * be made: each function gets its own cost, and costs of calls are skipped.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/import/import_format.h"
#include "report/import/import_lines.h"

enum { MOST_EVENTS = 64 };

/* Names that are written as "(12) name" once, and as "(12)" from then on. */
struct names {
	char **items; /* by number; NULL: not defined yet */
	size_t count, capacity;
};

struct callgrind {
	struct import_model *model;
	struct names files, functions, objects;
	const char *file, *function, *object; /* of the costs that follow; NULL: not given */
	char *odd_texts[3];                   /* names without a number */
	uint32_t events[MOST_EVENTS];
	size_t event_count, position_count;
	uint32_t thread, location;
	bool has_location;
	bool is_call; /* the next line is the cost of a call */
	struct error *err;
	uint64_t line;
};

enum { MOST_NAMES = 16 * 1024 * 1024 };

static int complain(const struct callgrind *callgrind, const char *what)
{
	return error_set(callgrind->err, "line %" PRIu64 ": %s", callgrind->line, what);
}

static int find_name(const struct callgrind *callgrind, struct names *names, const char *text, char **odd,
		     const char **name)
{
	char *end;
	unsigned long number;

	if (*text != '(') {
		free(*odd);
		*name = *odd = xstrdup(text);
		return 0;
	}
	number = strtoul(text + 1, &end, 10);
	if (*end != ')' || number >= MOST_NAMES)
		return complain(callgrind, "a name's number is damaged");
	names->items = array_grow(names->items, &names->capacity, number + 1, sizeof(*names->items));
	while (names->count <= number)
		names->items[names->count++] = NULL;
	end += 1 + (end[1] == ' ');
	if (*end && !names->items[number])
		names->items[number] = xstrdup(end);
	if (!names->items[number])
		return complain(callgrind, "a number is used as a name before a line defines it");
	*name = names->items[number];
	return 0;
}

static void names_fini(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
}

static int read_events(struct callgrind *callgrind, char *words)
{
	char *word;

	while ((word = strsep(&words, " "))) {
		if (!*word)
			continue;
		if (callgrind->event_count == MOST_EVENTS)
			return complain(callgrind, "too many events");
		callgrind->events[callgrind->event_count++] =
			import_model_event(callgrind->model, word, NULL);
	}
	return 0;
}

static void count_positions(struct callgrind *callgrind, char *words)
{
	char *word;

	callgrind->position_count = 0;
	while ((word = strsep(&words, " ")))
		callgrind->position_count += *word != '\0';
}

/* Reads the text after "fn=" and similar keys. Names of called functions matter only because they may be defined there. */
static int read_name(struct callgrind *callgrind, const char *key, const char *text)
{
	const char *other;

	callgrind->has_location &= *key == 'c';
	if (!strcmp(key, "fn"))
		return find_name(callgrind, &callgrind->functions, text, &callgrind->odd_texts[0],
				 &callgrind->function);
	if (!strcmp(key, "fl") || !strcmp(key, "fi") || !strcmp(key, "fe"))
		return find_name(callgrind, &callgrind->files, text, &callgrind->odd_texts[1],
				 &callgrind->file);
	if (!strcmp(key, "ob"))
		return find_name(callgrind, &callgrind->objects, text, &callgrind->odd_texts[2],
				 &callgrind->object);
	if (*text == '(') {
		char *none = NULL;
		struct names *names = !strcmp(key, "cfn") ? &callgrind->functions :
				      !strcmp(key, "cob") ? &callgrind->objects :
							    &callgrind->files;

		return find_name(callgrind, names, text, &none, &other);
	}
	return 0;
}

static uint32_t location(struct callgrind *callgrind)
{
	if (!callgrind->has_location)
		callgrind->location = import_model_location(
			callgrind->model, &(struct import_frame){ .function = callgrind->function,
								  .module = callgrind->object,
								  .file = callgrind->file });
	callgrind->has_location = true;
	return callgrind->location;
}

/* "16 400", "+3 400", "0x80483b4 15 90 14": positions, then costs; those at the end that are 0 may be missing. */
static int read_costs(struct callgrind *callgrind, char *words)
{
	size_t number = 0;
	char *word, *end;

	if (callgrind->is_call) {
		callgrind->is_call = false;
		return 0;
	}
	while ((word = strsep(&words, " \t"))) {
		struct import_sample sample = { .thread = callgrind->thread,
						.cpu = PROFILE_NONE,
						.time_ns = IMPORT_NO_TIME };

		if (!*word)
			continue;
		if (number++ < callgrind->position_count)
			continue;
		if (number - callgrind->position_count > callgrind->event_count)
			return complain(callgrind, "more costs than events");
		sample.weight = sample.count = strtoull(word, &end, 0);
		if (*end)
			return complain(callgrind, "a cost is not a number");
		if (!sample.weight)
			continue;
		sample.event = callgrind->events[number - callgrind->position_count - 1];
		sample.stack = import_model_stack(callgrind->model, PROFILE_NONE, location(callgrind));
		import_model_add(callgrind->model, &sample);
	}
	return 0;
}

static bool begins_costs(char first)
{
	return (first >= '0' && first <= '9') || first == '+' || first == '-' || first == '*';
}

static int read_line(struct callgrind *callgrind, char *line)
{
	char *equal = strchr(line, '='), *colon;

	if (begins_costs(*line))
		return read_costs(callgrind, line);
	if (equal && strspn(line, "abcdefghijklmnopqrstuvwxyz") == (size_t)(equal - line)) {
		*equal = '\0';
		if (!strcmp(line, "calls")) {
			callgrind->is_call = true;
			return 0;
		}
		return !strcmp(line, "jump") || !strcmp(line, "jcnd") || !strcmp(line, "jfi") ||
				       !strcmp(line, "jfn") ?
			       0 :
			       read_name(callgrind, line, equal + 1);
	}
	colon = strchr(line, ':');
	if (!colon)
		return 0; /* a blank line, or a comment */
	*colon = '\0';
	if (!strcmp(line, "events") && !callgrind->event_count)
		return read_events(callgrind, colon + 1);
	if (!strcmp(line, "positions"))
		count_positions(callgrind, colon + 1);
	else if (!strcmp(line, "pid"))
		callgrind->thread = import_model_thread(
			callgrind->model,
			&(struct import_thread){ .pid = (uint32_t)strtoul(colon + 1, NULL, 10) });
	return 0;
}

static int read(struct import_model *model, const char *bytes, size_t size, struct error *err)
{
	struct callgrind callgrind = { .model = model, .position_count = 1, .err = err };
	struct import_lines lines;
	int status = 0;

	callgrind.thread = import_model_thread(model, &(struct import_thread){ .comm = NULL });
	import_lines_init(&lines, bytes, size);
	while (status == 0 && import_lines_next(&lines)) {
		callgrind.line = lines.number;
		if (*lines.text != '#')
			status = read_line(&callgrind, lines.text);
	}
	import_lines_fini(&lines);
	names_fini(&callgrind.files);
	names_fini(&callgrind.functions);
	names_fini(&callgrind.objects);
	for (size_t i = 0; i < sizeof(callgrind.odd_texts) / sizeof(*callgrind.odd_texts); i++)
		free(callgrind.odd_texts[i]);
	return status;
}

/* Has the first line, or the two lines that every file has: the events, and a function. */
static bool recognise(const char *bytes, size_t size)
{
	static const char first[] = "# callgrind format";
	const size_t part = size < 65536 ? size : 65536;

	return (size > sizeof(first) && !memcmp(bytes, first, sizeof(first) - 1)) ||
	       (memmem(bytes, part, "\nevents:", 8) && memmem(bytes, part, "\nfn=", 4));
}

const struct import_format import_callgrind = {
	.name = "callgrind",
	.summary = "callgrind (self cost of functions)",
	.recognise = recognise,
	.read = read,
};
