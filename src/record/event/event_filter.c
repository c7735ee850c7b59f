/* Before the kernel sees a filter, its names are compared with the fields in the tracepoint's format file. */
#include "record/event/event_filter.h"

#include <ctype.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cli/suggest.h"
#include "record/event/tracepoint_fields.h"

int event_filters_add(struct event_filters *filters, const char *text, size_t events_before,
		      struct error *err)
{
	if (events_before == 0)
		return error_set(err, "it filters the events of the -e before it, and there is none");
	*ARRAY_ADD(filters->items, filters->count, filters->capacity) =
		(struct event_filter){ .text = text, .events_before = events_before };
	return 0;
}

void event_filters_fini(struct event_filters *filters)
{
	free(filters->items);
	*filters = (struct event_filters){ 0 };
}

static void add_condition(struct event_spec *spec, const char *condition)
{
	char *both = spec->filter ? xasprintf("(%s) && (%s)", spec->filter, condition) : xstrdup(condition);

	free(spec->filter);
	spec->filter = both;
}

struct field_search {
	const char *name;
	size_t length;
	struct suggestion suggestion;
	struct strbuf all;
};

static bool match_field(const char *name, size_t length, void *context)
{
	const struct field_search *search = context;

	return length == search->length && strncmp(name, search->name, length) == 0;
}

static bool offer_field(const char *name, size_t length, void *context)
{
	struct field_search *search = context;
	char *word = xstrndup(name, length);

	suggestion_offer(&search->suggestion, word);
	strbuf_addf(&search->all, "%s%s", search->all.size ? ", " : "", word);
	free(word);
	return false;
}

static int unknown_field(const char *format, struct field_search *search, struct error *err)
{
	char *typed = xstrndup(search->name, search->length);

	suggestion_init(&search->suggestion, typed);
	strbuf_init(&search->all);
	tracepoint_fields_each(format, offer_field, search);
	if (search->suggestion.nearest[0])
		error_set(err, "there is no field '%s'; did you mean %s? There are %s", typed,
			  search->suggestion.nearest, search->all.bytes);
	else
		error_set(err, "there is no field '%s'; there are %s", typed,
			  search->all.size ? search->all.bytes : "none");
	strbuf_fini(&search->all);
	free(typed);
	return -1;
}

/* Words that the kernel accepts in place of a field: filter_parse_regex() and parse_pred() of its trace_events_filter.c */
static bool is_special_field(const char *name, size_t length)
{
	static const char *const known[] = { "CPU", "cpu", "COMM", "comm", "common_cpu", "stacktrace" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i]) == length && strncmp(name, known[i], length) == 0)
			return true;
	return false;
}

/* Returns the end of a value: a quoted text, or everything up to a space, a parenthesis, && or ||. */
static const char *skip_value(const char *at)
{
	if (*at == '"' || *at == '\'') {
		const char *end = strchr(at + 1, *at);

		return end ? end + 1 : at + strlen(at);
	}
	return at + strcspn(at, " \t()&|");
}

/* Each word before an operator is a field. */
static int check_fields(const char *filter, const char *format, struct error *err)
{
	for (const char *at = filter; *at;) {
		struct field_search search = { .name = at };

		if (!isalpha((unsigned char)*at) && *at != '_') {
			at++;
			continue;
		}
		while (isalnum((unsigned char)*at) || *at == '_' || *at == '.')
			at++;
		search.length = (size_t)(at - search.name);
		if (!is_special_field(search.name, search.length) &&
		    !tracepoint_fields_each(format, match_field, &search))
			return unknown_field(format, &search, err);
		at += strspn(at, " \t");
		at += strspn(at, "=!<>~&");
		at += strspn(at, " \t");
		at = skip_value(at);
	}
	return 0;
}

static int apply_one(struct event_spec *spec, const char *text, const struct event_sources *sources,
		     struct error *err)
{
	const char *tracefs = event_sources_find_tracefs(sources);
	struct strbuf format = STRBUF_INIT;
	int result;

	if (!spec->tracepoint)
		return error_set(err, "event '%s' is not a tracepoint, and the kernel filters only those",
				 spec->name);
	result = tracepoint_format_read(&format, tracefs, spec->tracepoint, err);
	if (result == 0 && check_fields(text, format.bytes, err) < 0)
		result = error_wrap(err, "filter '%s' of %s", text, spec->tracepoint);
	if (result == 0)
		add_condition(spec, text);
	strbuf_fini(&format);
	return result;
}

int event_filters_apply(const struct event_filters *filters, size_t events_before, struct event_specs *specs,
			size_t first, const struct event_sources *sources, struct error *err)
{
	for (size_t i = 0; i < filters->count; i++)
		for (size_t spec = first;
		     spec < specs->count && filters->items[i].events_before == events_before; spec++)
			if (apply_one(&specs->items[spec], filters->items[i].text, sources, err) < 0)
				return error_wrap(err, "--filter");
	return 0;
}

void event_filters_exclude_process(struct event_specs *specs, int pid)
{
	char *condition = xasprintf("common_pid != %d", pid);

	for (size_t i = 0; i < specs->count; i++)
		if (specs->items[i].type == PERF_TYPE_TRACEPOINT)
			add_condition(&specs->items[i], condition);
	free(condition);
}
