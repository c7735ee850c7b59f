/*
 * Parses from the outside in: event_specs_parse() splits the text at commas and braces, parse_one() chooses between a breakpoint,
 * terms between slashes and a name, and apply_modifiers() reads the letters after them. Names are looked up in named_event.h, in
 * sysfs (pmu.h) and in tracefs.
 */
#include "record/event/event_parser.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cli/suggest.h"
#include "record/event/event_term.h"
#include "record/event/named_event.h"
#include "record/event/pmu.h"
#include "record/event/tracepoint_glob.h"
#include "record/machine/proc_file.h"

static const char BREAKPOINT[] = "mem:";
struct name_search {
	const char *wanted;
	struct event_spec *spec; /* filled in if found */
	bool found;
};

static bool match_name(const struct named_event *event, void *context)
{
	struct name_search *search = context;

	if (strcmp(event->name, search->wanted) != 0)
		return false;
	search->spec->type = event->type;
	search->spec->config = event->config;
	search->found = true;
	return true;
}

static bool offer_name(const struct named_event *event, void *context)
{
	suggestion_offer(context, event->name);
	return false;
}

/* The letters of perf-list(1), "EVENT MODIFIERS". u, k and h limit counting to the named levels; G and H to guest or host. */
static int apply_modifiers(struct event_spec *spec, const char *modifiers, struct error *err)
{
	bool levels = false, sides = false;

	for (const char *letter = modifiers; *letter; letter++) {
		if (strchr("ukh", *letter) && !levels) {
			spec->exclude_user = spec->exclude_kernel = spec->exclude_hypervisor = true;
			levels = true;
		}
		if (strchr("GH", *letter) && !sides) {
			spec->exclude_guest = spec->exclude_host = true;
			sides = true;
		}
		switch (*letter) {
		case 'u': spec->exclude_user = false; break;
		case 'k': spec->exclude_kernel = false; break;
		case 'h': spec->exclude_hypervisor = false; break;
		case 'G': spec->exclude_guest = false; break;
		case 'H': spec->exclude_host = false; break;
		case 'p': spec->precise++; break;
		case 'P': spec->precise_max = true; break;
		case 'D': spec->pinned = true; break;
		case 'e': spec->exclusive = true; break;
		case 'I': spec->exclude_idle = true; break;
		case 'S': spec->sample_read = true; break;
		case 'W': spec->weak = true; break;
		case 'b':
			return error_set(err,
					 "modifier 'b' counts with BPF, as perf stat does; leave it out");
		default:
			return error_set(
				err,
				"modifier '%c' is unknown: use u, k, h, G, H, I, p (up to ppp), P, D, e, S "
				"or W",
				*letter);
		}
	}
	if (spec->precise > 3)
		return error_set(err, "more than three p: precise_ip ends at 3");
	return 0;
}

/* rNNN: only hexadecimal digits. */
static bool parse_raw(struct event_spec *spec, const char *name)
{
	char *end;

	if (name[0] != 'r' || !name[1] || name[1 + strspn(name + 1, "0123456789abcdefABCDEF")])
		return false;
	if (strlen(name) > 1 + 16)
		return false;
	spec->type = PERF_TYPE_RAW;
	spec->config = strtoull(name + 1, &end, 16);
	return true;
}

static int no_tracefs(struct error *err)
{
	return error_set(err, "tracepoints need tracefs, which is not mounted: "
			      "'mount -t tracefs nodev /sys/kernel/tracing' as root");
}

static int parse_tracepoint(struct event_spec *spec, const char *name, const char *colon,
			    const struct event_sources *sources, struct error *err)
{
	const char *tracefs = event_sources_find_tracefs(sources);
	struct error read_err;
	struct strbuf text = STRBUF_INIT;
	int result;

	if (!tracefs)
		return no_tracefs(err);
	result = proc_file_readf(&text, &read_err, "%s/events/%.*s/%s/id", tracefs, (int)(colon - name), name,
				 colon + 1);
	if (result == 0) {
		spec->type = PERF_TYPE_TRACEPOINT;
		spec->config = strtoull(text.bytes, NULL, 10);
		spec->tracepoint = xstrdup(name);
	} else if (read_err.errno_value == ENOENT) {
		error_set(err, "no such tracepoint; 'ls %s/events' shows them", tracefs);
	} else if (read_err.errno_value == EACCES || read_err.errno_value == EPERM) {
		error_set(err, "may not read %s: run as root, or 'mount -o remount,mode=755 %s'", tracefs,
			  tracefs);
	} else {
		error_set(err, "%s", read_err.message);
	}
	strbuf_fini(&text);
	return result;
}

static int unknown_event(const char *name, struct error *err)
{
	struct suggestion suggestion;

	if (strpbrk(name, "{}"))
		return error_set(err, "braces go around a group of events: {cycles,instructions}:u");
	suggestion_init(&suggestion, name);
	named_event_each(offer_name, &suggestion);
	if (suggestion.nearest[0])
		return error_set(err, "no such event; did you mean %s?", suggestion.nearest);
	return error_set(err,
			 "no such event; use a name from 'xprof list', rNNN, a tracepoint SYSTEM:NAME, or "
			 "PMU/TERM=VALUE/");
}

/* Parses a name without modifiers. */
static int parse_name(struct event_spec *spec, const char *name, const struct event_sources *sources,
		      struct error *err)
{
	struct name_search search = { .wanted = name, .spec = spec };
	int found;

	named_event_each(match_name, &search);
	if (search.found || parse_raw(spec, name))
		return 0;
	found = strchr(name, '/') ? 0 : pmu_find_cpu_event(spec, sources->pmu_directory, name, err);
	if (found != 0)
		return found < 0 ? -1 : 0;
	return unknown_event(name, err);
}

/* Parses NAME[:MODIFIERS] or SYSTEM:TRACEPOINT[:MODIFIERS], and changes `text`. */
static int parse_named(struct event_spec *spec, char *text, const struct event_sources *sources,
		       struct error *err)
{
	char *first = strchr(text, ':');
	char *second = first ? strchr(first + 1, ':') : NULL;
	struct event_spec plain = *spec;

	if (second) {
		*second = '\0';
		return parse_tracepoint(spec, text, first, sources, err) ||
				       apply_modifiers(spec, second + 1, err) ?
			       -1 :
			       0;
	}
	if (!first)
		return parse_name(spec, text, sources, err);
	/* "cycles:u" or "sched:sched_switch": the former if the part before the colon names an event. */
	*first = '\0';
	if (parse_name(&plain, text, sources, err) == 0) {
		*spec = plain;
		return apply_modifiers(spec, first + 1, err);
	}
	if (apply_modifiers(&plain, first + 1, NULL) == 0)
		return -1; /* valid modifiers follow, so an event was meant */
	*first = ':';
	return parse_tracepoint(spec, text, first, sources, err);
}

/* Parses mem:ADDRESS[/BYTES][:rwx[:MODIFIERS]]; perf_event_open(2), "bp_type". */
static int parse_breakpoint(struct event_spec *spec, const char *text, struct error *err)
{
	char *end;
	const char *access;

	spec->type = PERF_TYPE_BREAKPOINT;
	spec->config1 = strtoull(text + strlen(BREAKPOINT), &end, 0);
	spec->config2 = *end == '/' ? strtoull(end + 1, &end, 0) : 0;
	if (end == text + strlen(BREAKPOINT) || (*end && *end != ':') || spec->config2 > 8)
		return error_set(err,
				 "breakpoints are mem:ADDRESS[/BYTES][:r|w|rw|x], with 1, 2, 4 or 8 bytes");
	for (access = *end ? end + 1 : end; *access && *access != ':'; access++) {
		const char *letters = "rwx", *letter = strchr(letters, *access);

		if (!letter)
			return error_set(err, "'%c' is not an access: use r, w, rw or x", *access);
		spec->breakpoint_type |= 1u << (letter - letters); /* HW_BREAKPOINT_R, _W, _X */
	}
	if (!spec->breakpoint_type)
		spec->breakpoint_type = HW_BREAKPOINT_RW;
	if (!spec->config2)
		spec->config2 = spec->breakpoint_type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	return *access ? apply_modifiers(spec, access + 1, err) : 0;
}

/* Whether the word before the slash is an event with terms of its own, not a PMU. */
static bool is_event_with_terms(const char *head, const struct event_sources *sources)
{
	struct event_spec probe = { 0 };
	bool is_event;

	if (pmu_exists(sources->pmu_directory, head))
		return false;
	is_event = strchr(head, ':') || parse_name(&probe, head, sources, NULL) == 0;
	event_spec_fini(&probe);
	return is_event;
}

/* Parses PMU/TERMS/MODIFIERS or EVENT/TERMS/MODIFIERS, and changes `text`. */
static int parse_with_terms(struct event_spec *spec, char *text, const struct event_sources *sources,
			    struct error *err)
{
	char *open = strchr(text, '/');
	char *close = strrchr(open + 1, '/');
	char *modifiers;
	int result;

	if (!close)
		return error_set(err, "the closing slash is missing: PMU/TERM=VALUE,.../");
	*open = *close = '\0';
	modifiers = close + 1;
	if (*modifiers == ':')
		modifiers++;
	if (is_event_with_terms(text, sources))
		result = parse_named(spec, text, sources, err) || event_terms_apply(spec, open + 1, err) ?
				 -1 :
				 0;
	else
		result = pmu_parse_terms(spec, sources->pmu_directory, text, open + 1, err);
	return result || apply_modifiers(spec, modifiers, err) ? -1 : 0;
}

static int parse_one(struct event_specs *specs, const char *name, const struct event_sources *sources,
		     struct error *err)
{
	struct event_spec spec = { .exclude_guest = true };
	char *text = xstrdup(name);
	int result;

	if (strncmp(text, BREAKPOINT, strlen(BREAKPOINT)) == 0)
		result = parse_breakpoint(&spec, text, err);
	else if (strchr(text, '/'))
		result = parse_with_terms(&spec, text, sources, err);
	else
		result = parse_named(&spec, text, sources, err);
	free(text);
	if (result < 0) {
		event_spec_fini(&spec);
		return error_wrap(err, "event '%s'", name);
	}
	if (!spec.name)
		spec.name = xstrdup(name);
	*ARRAY_ADD(specs->items, specs->count, specs->capacity) = spec;
	return 0;
}

/* Adds each tracepoint that a pattern such as sched:*[/TERMS/][:MODIFIERS] matches. */
static int parse_pattern(struct event_specs *specs, const char *text, const struct event_sources *sources,
			 struct error *err)
{
	const char *tracefs = event_sources_find_tracefs(sources);
	const size_t length = tracepoint_glob_length(text);
	char *pattern = xstrndup(text, length);
	struct tracepoint_names names = { 0 };
	int result;

	if (!tracefs)
		result = no_tracefs(err);
	else
		result = tracepoint_glob_find(&names, tracefs, pattern, err);
	if (result < 0)
		error_wrap(err, "event '%s'", text);
	for (size_t i = 0; i < names.count && result == 0; i++) {
		char *event = xasprintf("%s%s", names.items[i], text + length);

		result = parse_one(specs, event, sources, err);
		free(event);
	}
	tracepoint_names_fini(&names);
	free(pattern);
	return result;
}

static int parse_text(struct event_specs *specs, const char *start, size_t length,
		      const struct event_sources *sources, struct error *err)
{
	char *text = xstrndup(start, length);
	int result;

	if (tracepoint_glob_length(text))
		result = parse_pattern(specs, text, sources, err);
	else
		result = parse_one(specs, text, sources, err);
	free(text);
	return result;
}

/* Length up to the first of `ends` that is not between the slashes of terms, or to the end of the text. */
static size_t event_length(const char *text, const char *ends)
{
	bool in_terms = false;
	size_t length = 0;

	if (strncmp(text, BREAKPOINT, strlen(BREAKPOINT)) == 0) /* its slash does not begin terms */
		return strcspn(text, ends);
	for (; text[length]; length++) {
		if (text[length] == '/')
			in_terms = !in_terms;
		if (strchr(ends, text[length]) && !in_terms)
			break;
	}
	return length;
}

/* "cycles" -> "cycles:u", "cycles:u" -> "cycles:up", "cpu/x/" -> "cpu/x/u" */
static void add_modifiers_to_name(struct event_spec *spec, const char *modifiers)
{
	const size_t length = strlen(spec->name);
	const bool needs_colon = spec->name[length - 1] != '/' &&
				 (spec->type == PERF_TYPE_TRACEPOINT || !strchr(spec->name, ':'));
	char *name = xasprintf("%s%s%s", spec->name, needs_colon ? ":" : "", modifiers);

	free(spec->name);
	spec->name = name;
}

/* Applies the modifiers after a group's closing brace. */
static int apply_group_modifiers(struct event_specs *specs, size_t first, const char *start, size_t length,
				 struct error *err)
{
	char *modifiers = xstrndup(start, length);
	int result = 0;

	for (size_t i = first; i < specs->count && result == 0; i++) {
		result = apply_modifiers(&specs->items[i], modifiers, err);
		if (result == 0)
			add_modifiers_to_name(&specs->items[i], modifiers);
	}
	if (result < 0)
		error_wrap(err, "modifiers of the group");
	free(modifiers);
	return result;
}

/* Parses one event up to one of the `ends`, and moves *text to that. */
static int parse_next(struct event_specs *specs, const char **text, const char *ends,
		      const struct event_sources *sources, struct error *err)
{
	size_t length = event_length(*text, ends);

	if (length == 0)
		return error_set(err, "an event's name is missing");
	if (parse_text(specs, *text, length, sources, err) < 0)
		return -1;
	*text += length;
	return 0;
}

/* Parses {EVENT,...}[:MODIFIERS], and moves *text past it. */
static int parse_group(struct event_specs *specs, const char **text, const struct event_sources *sources,
		       struct error *err)
{
	const size_t first = specs->count;

	do {
		(*text)++; /* the brace, or the comma */
		if (parse_next(specs, text, ",}", sources, err) < 0)
			return -1;
	} while (**text == ',');
	if (**text != '}')
		return error_set(err, "a group's closing brace is missing: {cycles,instructions}");
	(*text)++;
	if (specs->count - first > 1)
		specs->items[first].group_size = specs->count - first;
	if (**text == ':') {
		size_t length = strcspn(++*text, ",");

		if (apply_group_modifiers(specs, first, *text, length, err) < 0)
			return -1;
		*text += length;
	}
	return 0;
}

int event_specs_parse(struct event_specs *specs, const char *text, const struct event_sources *sources,
		      struct error *err)
{
	for (;;) {
		if (*text == '{') {
			if (parse_group(specs, &text, sources, err) < 0)
				return -1;
			if (*text && *text != ',')
				return error_set(err, "'%s' after a group: separate events with commas",
						 text);
		} else if (parse_next(specs, &text, ",", sources, err) < 0) {
			return -1;
		}
		if (!*text)
			return 0;
		text++;
	}
}

int event_specs_restrict(struct event_specs *specs, const char *modifiers, struct error *err)
{
	return apply_group_modifiers(specs, 0, modifiers, strlen(modifiers), err);
}
