/* A table of the terms, each with the function that understands its value. */
#include "record/event/event_term.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "record/event/branch_filter.h"
#include "record/machine/proc_file.h"

static int parse_number(const char *text, uint64_t *number, struct error *err)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 0);
	if (end == text || *end || errno || *text == '-')
		return error_set(err, "'%s' is not a number", text);
	return 0;
}

int event_term_value(const char *name, const char *value, uint64_t *number, struct error *err)
{
	*number = 1;
	return value && parse_number(value, number, err) < 0 ? error_wrap(err, "term '%s'", name) : 0;
}

static int set_name(struct event_spec *spec, const char *value, struct error *err)
{
	(void)err;
	free(spec->name);
	spec->name = xstrdup(value);
	return 0;
}

static int set_period(struct event_spec *spec, const char *value, struct error *err)
{
	return parse_number(value, &spec->period, err);
}

static int set_frequency(struct event_spec *spec, const char *value, struct error *err)
{
	return parse_number(value, &spec->frequency, err);
}

static int set_call_graph(struct event_spec *spec, const char *value, struct error *err)
{
	spec->call_graph_given = true;
	spec->call_graph = (struct call_graph){ .mode = CALL_GRAPH_NONE };
	return strcmp(value, "no") == 0 ? 0 : call_graph_parse(&spec->call_graph, value, err);
}

static int set_stack_size(struct event_spec *spec, const char *value, struct error *err)
{
	uint64_t bytes;

	if (parse_number(value, &bytes, err) < 0)
		return -1;
	if (bytes == 0 || bytes > STACK_DUMP_MAX_BYTES)
		return error_set(err, "'%s' is not a size for stack dumps: use 8 to %d bytes", value,
				 STACK_DUMP_MAX_BYTES);
	spec->stack_dump_bytes = (uint32_t)((bytes + 7) & ~UINT64_C(7));
	return 0;
}

static int set_max_stack(struct event_spec *spec, const char *value, struct error *err)
{
	long long limit;
	uint64_t frames;

	if (parse_number(value, &frames, err) < 0)
		return -1;
	if (proc_file_read_number("/proc/sys/kernel/perf_event_max_stack", &limit, NULL) < 0)
		limit = 127;
	if (frames == 0 || frames > (uint64_t)limit || frames > UINT16_MAX)
		return error_set(err,
				 "'%s' is not a number of frames that the kernel allows: use 1 to %lld "
				 "(kernel.perf_event_max_stack)",
				 value, limit);
	spec->max_stack = (uint16_t)frames;
	return 0;
}

static int set_inherit(struct event_spec *spec, const char *value, struct error *err)
{
	uint64_t number = 1;

	if (value && parse_number(value, &number, err) < 0)
		return -1;
	spec->inherit_given = true;
	spec->inherit = number != 0;
	return 0;
}

static int set_no_inherit(struct event_spec *spec, const char *value, struct error *err)
{
	if (set_inherit(spec, value, err) < 0)
		return -1;
	spec->inherit = !spec->inherit;
	return 0;
}

/* Without a time, a sample cannot be assigned to the mappings at that time. */
static int set_time(struct event_spec *spec, const char *value, struct error *err)
{
	(void)spec;
	return strcmp(value, "0") == 0 ? error_set(err, "every sample has a time; leave the term out") : 0;
}

static int set_branch_type(struct event_spec *spec, const char *value, struct error *err)
{
	char *filter = xstrdup(value);
	int result;

	for (char *bar = filter; (bar = strchr(bar, '|'));)
		*bar = ',';
	result = branch_filter_parse(&spec->branch_filter, filter, err);
	free(filter);
	return result;
}

static int keep(struct event_spec *spec, const char *value, struct error *err)
{
	(void)spec, (void)value, (void)err;
	return 0;
}

static int refuse_trace(struct event_spec *spec, const char *value, struct error *err)
{
	(void)spec, (void)value;
	return error_set(err, "xprof does not record hardware traces; use 'perf record'");
}

static int refuse_overwrite(struct event_spec *spec, const char *value, struct error *err)
{
	(void)spec, (void)value;
	return error_set(err, "xprof writes everything it samples; leave the term out");
}

static int refuse_percore(struct event_spec *spec, const char *value, struct error *err)
{
	(void)spec, (void)value;
	return error_set(err, "counting per core is for 'perf stat'; leave the term out");
}

static const struct term {
	const char *name;
	int (*set)(struct event_spec *spec, const char *value, struct error *err);
	bool needs_value;
} terms[] = {
	{ "name", set_name, true },
	{ "period", set_period, true },
	{ "freq", set_frequency, true },
	{ "call-graph", set_call_graph, true },
	{ "stack-size", set_stack_size, true },
	{ "max-stack", set_max_stack, true },
	{ "inherit", set_inherit, false },
	{ "no-inherit", set_no_inherit, false },
	{ "time", set_time, true },
	{ "branch_type", set_branch_type, true },
	{ "metric-id", keep, true },
	{ "no-overwrite", keep, false },
	{ "overwrite", refuse_overwrite, false },
	{ "percore", refuse_percore, false },
	{ "aux-output", refuse_trace, false },
	{ "aux-action", refuse_trace, true },
	{ "aux-sample-size", refuse_trace, true },
};

int event_term_apply(struct event_spec *spec, const char *name, const char *value, struct error *err)
{
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		if (strcmp(terms[i].name, name) != 0)
			continue;
		if (terms[i].needs_value && (!value || !*value))
			return error_set(err, "term '%s' needs a value", name);
		return terms[i].set(spec, value, err) < 0 ? error_wrap(err, "term '%s'", name) : 1;
	}
	return 0;
}

int event_terms_apply(struct event_spec *spec, const char *text, struct error *err)
{
	char *copy = xstrdup(text);
	char *rest = NULL;
	int result = 1;

	for (char *term = strtok_r(copy, ",", &rest); term && result == 1;
	     term = strtok_r(NULL, ",", &rest)) {
		char *equals = strchr(term, '=');

		if (equals)
			*equals++ = '\0';
		result = event_term_apply(spec, term, equals, err);
		if (result == 0)
			result = error_set(
				err,
				"'%s' is not a term of this event: use period, freq, name, call-graph, "
				"stack-size, max-stack, inherit, no-inherit or branch_type",
				term);
	}
	free(copy);
	return result < 0 ? -1 : 0;
}
