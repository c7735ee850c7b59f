#include "record/event_spec.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cli/suggest.h"
#include "record/pmu.h"
#include "record/proc_file.h"

static const char *const system_tracefs[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing", NULL };

const struct event_sources event_sources_system = {
	.pmu_directory = "/sys/bus/event_source/devices",
	.tracefs = system_tracefs,
};

struct named_event {
	const char *name;
	uint32_t type;
	uint64_t config;
};

/* enum perf_hw_id and perf_sw_ids, under the names that perf gives them */
static const struct named_event named_events[] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "idle-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "idle-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS },
	{ "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
	{ "bpf-output", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT },
	{ "cgroup-switches", PERF_TYPE_SOFTWARE, 11 }, /* PERF_COUNT_SW_CGROUP_SWITCHES, Linux 5.13 */
};

/* enum perf_hw_cache_id, _op_id and _op_result_id: config = id | op << 8 | result << 16 */
static const char *const cache_names[] = { "L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node" };
static const char *const cache_operations[] = { "load", "store", "prefetch" };
static const char *const cache_operation_plurals[] = { "loads", "stores", "prefetches" };

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
enum { EVENT_NAME_SIZE = 128 }; /* longer than any name the kernel or this file has */

static void cache_event_name(char name[static EVENT_NAME_SIZE], size_t cache, size_t operation, bool misses)
{
	snprintf(name, EVENT_NAME_SIZE, "%s-%s%s", cache_names[cache],
		 misses ? cache_operations[operation] : cache_operation_plurals[operation],
		 misses ? "-misses" : "");
}

/* Calls visit for every event until it returns true. */
static void for_each_named_event(bool (*visit)(const struct named_event *event, void *context), void *context)
{
	for (size_t i = 0; i < COUNT_OF(named_events); i++)
		if (visit(&named_events[i], context))
			return;
	for (size_t cache = 0; cache < COUNT_OF(cache_names); cache++)
		for (size_t operation = 0; operation < COUNT_OF(cache_operations); operation++)
			for (unsigned int misses = 0; misses < 2; misses++) {
				char name[EVENT_NAME_SIZE];
				struct named_event event = {
					.name = name,
					.type = PERF_TYPE_HW_CACHE,
					.config = cache | operation << 8 | (uint64_t)misses << 16,
				};

				cache_event_name(name, cache, operation, misses);
				if (visit(&event, context))
					return;
			}
}

struct name_search {
	const char *wanted;
	struct event_spec *spec; /* filled when found */
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

struct name_visit {
	void (*visit)(const char *name, void *context);
	void *context;
};

static bool pass_name(const struct named_event *event, void *context)
{
	const struct name_visit *visit = context;

	visit->visit(event->name, visit->context);
	return false;
}

void event_spec_names(void (*visit)(const char *name, void *context), void *context)
{
	for_each_named_event(pass_name, &(struct name_visit){ visit, context });
}

bool event_spec_is_cpu_clock(const struct event_spec *spec)
{
	return spec->type == PERF_TYPE_SOFTWARE && spec->config == PERF_COUNT_SW_CPU_CLOCK;
}

/*
 * The letters of perf-list(1), "EVENT MODIFIERS". u, k and h leave only the levels that are named;
 * G and H only the guest's or the host's side.
 */
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
		default:
			return error_set(
				err, "modifier '%c' is unknown: use u, k, h, G, H, p (up to ppp), P, D or e",
				*letter);
		}
	}
	if (spec->precise > 3)
		return error_set(err, "more than three p: precise_ip ends at 3");
	return 0;
}

/* rNNN: hexadecimal digits and nothing else. */
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

const char *event_sources_find_tracefs(const struct event_sources *sources)
{
	for (const char *const *directory = sources->tracefs; *directory; directory++) {
		char path[512];
		struct stat status;

		snprintf(path, sizeof(path), "%s/events", *directory);
		if (stat(path, &status) == 0)
			return *directory;
		if (errno == EACCES)
			return *directory; /* it is there; reading will say what is wrong */
	}
	return NULL;
}

static int parse_tracepoint(struct event_spec *spec, const char *name, const char *colon,
			    const struct event_sources *sources, struct error *err)
{
	const char *tracefs = event_sources_find_tracefs(sources);
	struct error read_err;
	struct strbuf text;
	int result;

	if (!tracefs)
		return error_set(err, "tracepoints need tracefs, which is not mounted: "
				      "'mount -t tracefs nodev /sys/kernel/tracing' as root");
	strbuf_init(&text);
	result = proc_file_readf(&text, &read_err, "%s/events/%.*s/%s/id", tracefs, (int)(colon - name), name,
				 colon + 1);
	if (result == 0) {
		spec->type = PERF_TYPE_TRACEPOINT;
		spec->config = strtoull(text.bytes, NULL, 10);
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
	for_each_named_event(offer_name, &suggestion);
	if (suggestion.nearest[0])
		return error_set(err, "no such event; did you mean %s?", suggestion.nearest);
	return error_set(err,
			 "no such event; names are those of 'perf list', rNNN, a tracepoint SYSTEM:NAME, "
			 "or PMU/TERM=VALUE/");
}

/* `name` without modifiers. */
static int parse_name(struct event_spec *spec, const char *name, const struct event_sources *sources,
		      struct error *err)
{
	struct name_search search = { .wanted = name, .spec = spec };
	int found;

	for_each_named_event(match_name, &search);
	if (search.found || parse_raw(spec, name))
		return 0;
	found = strchr(name, '/') ? 0 : pmu_find_cpu_event(spec, sources->pmu_directory, name, err);
	if (found != 0)
		return found < 0 ? -1 : 0;
	return unknown_event(name, err);
}

/* NAME[:MODIFIERS] or SYSTEM:TRACEPOINT[:MODIFIERS]; `text` is changed. */
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
	/* "cycles:u" or "sched:sched_switch": the former if the part before the colon is an event. */
	*first = '\0';
	if (parse_name(&plain, text, sources, err) == 0) {
		*spec = plain;
		return apply_modifiers(spec, first + 1, err);
	}
	if (apply_modifiers(&plain, first + 1, NULL) == 0)
		return -1; /* what follows reads as modifiers, so it was meant to be an event */
	*first = ':';
	return parse_tracepoint(spec, text, first, sources, err);
}

/* PMU/TERMS/MODIFIERS; `text` is changed. */
static int parse_pmu(struct event_spec *spec, char *text, const struct event_sources *sources,
		     struct error *err)
{
	char *open = strchr(text, '/');
	char *close = strrchr(open + 1, '/');
	char *modifiers;

	if (!close)
		return error_set(err, "the closing slash is missing: PMU/TERM=VALUE,.../");
	*open = *close = '\0';
	modifiers = close + 1;
	if (*modifiers == ':')
		modifiers++;
	return pmu_parse_terms(spec, sources->pmu_directory, text, open + 1, err) ||
			       apply_modifiers(spec, modifiers, err) ?
		       -1 :
		       0;
}

static int parse_one(struct event_specs *specs, const char *start, size_t length,
		     const struct event_sources *sources, struct error *err)
{
	struct event_spec spec = { .exclude_guest = true };
	char *text = xstrndup(start, length);
	char *name = xstrndup(start, length);
	int result;

	if (strchr(text, '/'))
		result = parse_pmu(&spec, text, sources, err);
	else
		result = parse_named(&spec, text, sources, err);
	free(text);
	if (result < 0) {
		error_wrap(err, "event '%s'", name);
		free(name);
		return -1;
	}
	if (!spec.name)
		spec.name = name;
	else
		free(name);
	specs->items = array_grow(specs->items, &specs->capacity, specs->count + 1, sizeof(spec));
	specs->items[specs->count++] = spec;
	return 0;
}

/* Up to the next of the `ends`, or the text's, that is not between the slashes of a PMU's terms. */
static size_t event_length(const char *text, const char *ends)
{
	bool in_terms = false;
	size_t length = 0;

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

/* What follows a group's closing brace. */
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

/* One event up to one of the `ends`; *text is moved behind it. */
static int parse_next(struct event_specs *specs, const char **text, const char *ends,
		      const struct event_sources *sources, struct error *err)
{
	size_t length = event_length(*text, ends);

	if (length == 0)
		return error_set(err, "an event's name is missing");
	if (parse_one(specs, *text, length, sources, err) < 0)
		return -1;
	*text += length;
	return 0;
}

/* {EVENT,...}[:MODIFIERS]; *text is moved behind it. */
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
				return error_set(err, "'%s' behind a group: a comma goes between events",
						 text);
		} else if (parse_next(specs, &text, ",", sources, err) < 0) {
			return -1;
		}
		if (!*text)
			return 0;
		text++;
	}
}

void event_specs_fini(struct event_specs *specs)
{
	for (size_t i = 0; i < specs->count; i++)
		free(specs->items[i].name);
	free(specs->items);
	*specs = (struct event_specs){ 0 };
}
