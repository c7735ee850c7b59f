/*
 * pmu_parse_terms() reads the PMU's type, then resolves each term: a config word, a common term, a file in format/, or
 * an alias in events/. An alias is a list of terms again; MAX_ALIAS_DEPTH bounds that recursion.
 */
#include "record/event/pmu.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "record/event/event_term.h"
#include "record/event/named_event.h"
#include "record/machine/proc_file.h"

enum { MAX_ALIAS_DEPTH = 4 }; /* sysfs defines events by terms, never by other events; this stops a loop */

/* The PMUs of CPUs: the only one, or one per kind of core of a hybrid machine. */
static const char *const cpu_pmus[] = { "cpu", "cpu_core", "cpu_atom", "armv8_pmuv3", NULL };

static uint64_t *config_named(struct event_spec *spec, const char *name, size_t length)
{
	if (length == 6 && strncmp(name, "config", 6) == 0)
		return &spec->config;
	if (length == 7 && strncmp(name, "config1", 7) == 0)
		return &spec->config1;
	if (length == 7 && strncmp(name, "config2", 7) == 0)
		return &spec->config2;
	return NULL;
}

/* Moves the lowest bits of *value into bits first..last of *config. */
static void deposit_bits(uint64_t *config, uint64_t *value, unsigned long first, unsigned long last)
{
	for (unsigned long bit = first; bit <= last; bit++) {
		*config = (*config & ~(UINT64_C(1) << bit)) | (*value & 1) << bit;
		*value >>= 1;
	}
}

int pmu_format_apply(struct event_spec *spec, const char *format, uint64_t value, struct error *err)
{
	size_t length = strcspn(format, ":");
	uint64_t *config = config_named(spec, format, length);
	const char *next = format + length;

	if (!config || *next != ':')
		return error_set(err, "its format \"%.*s\" is not understood", (int)strcspn(format, "\n"),
				 format);
	do {
		char *end;
		unsigned long first = strtoul(next + 1, &end, 10);
		unsigned long last = first;

		if (end == next + 1)
			break;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (first > last || last > 63)
			break;
		deposit_bits(config, &value, first, last);
		next = end;
	} while (*next == ',');
	if (*next != '\0' && *next != '\n')
		return error_set(err, "its format \"%.*s\" is not understood", (int)strcspn(format, "\n"),
				 format);
	if (value)
		return error_set(err, "its value has more bits than the PMU accepts");
	return 0;
}

struct pmu_place {
	const char *directory, *pmu;
	unsigned int depth;
};

static int apply_terms(struct event_spec *spec, const struct pmu_place *place, const char *terms,
		       struct error *err);

static bool is_plain_name(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* --- events with numbers of the kernel --------------------------------------------------- */

struct number_search {
	const char *wanted;
	struct event_spec *spec;
	bool found;
};

static bool match_number(const struct named_event *event, void *context)
{
	struct number_search *search = context;

	if (event->type == PERF_TYPE_SOFTWARE || strcmp(event->name, search->wanted) != 0)
		return false;
	search->spec->type = event->type;
	search->spec->config = event->config;
	search->found = true;
	return true;
}

/*
 * cpu_atom/cycles/: not in sysfs, but an event that every CPU has. On machines with several kinds of cores, the upper half of
 * config has the type of the PMU (PERF_PMU_TYPE_SHIFT, linux/perf_event.h).
 */
static bool find_numbered(struct event_spec *spec, const char *pmu, const char *name)
{
	struct number_search search = { .wanted = name, .spec = spec };
	const uint64_t number = spec->type;
	bool is_cpu = false;

	for (const char *const *cpu = cpu_pmus; *cpu; cpu++)
		is_cpu |= strcmp(*cpu, pmu) == 0;
	if (!is_cpu)
		return false;
	named_event_each(match_number, &search);
	if (search.found && spec->cpus)
		spec->config |= number << 32;
	return search.found;
}

/* Applies a name that is no term of the format: an event of the PMU, which takes no value. */
static int apply_alias(struct event_spec *spec, const struct pmu_place *place, const char *name,
		       const char *value, struct error *err)
{
	struct pmu_place deeper = *place;
	struct strbuf text = STRBUF_INIT;
	bool is_listed = true;
	int result;

	if (!value && proc_file_readf(&text, NULL, "%s/%s/events/%s", place->directory, place->pmu, name) < 0)
		is_listed = false;
	if (!is_listed && place->depth == 0 && find_numbered(spec, place->pmu, name))
		result = 0;
	else if (value || !is_listed)
		result = error_set(err,
				   "PMU %s has no term or event '%s'; 'ls %s/%s/{format,events}' shows them",
				   place->pmu, name, place->directory, place->pmu);
	else if (++deeper.depth > MAX_ALIAS_DEPTH)
		result = error_set(err, "events of %s are defined by each other", place->pmu);
	else
		result = apply_terms(spec, &deeper, text.bytes, err);
	strbuf_fini(&text);
	return result;
}

static int apply_term(struct event_spec *spec, const struct pmu_place *place, char *term, struct error *err)
{
	char *equals = strchr(term, '=');
	struct strbuf format = STRBUF_INIT;
	uint64_t value, *target;
	int result;

	if (equals)
		*equals++ = '\0';
	target = config_named(spec, term, strlen(term));
	if (target)
		return event_term_value(term, equals, target, err);
	result = event_term_apply(spec, term, equals, err);
	if (result != 0)
		return result < 0 ? -1 : 0;
	if (!is_plain_name(term))
		return error_set(err, "'%s' is not a term", term);
	if (proc_file_readf(&format, NULL, "%s/%s/format/%s", place->directory, place->pmu, term) < 0) {
		result = apply_alias(spec, place, term, equals, err);
	} else {
		result = event_term_value(term, equals, &value, err);
		if (result == 0 && pmu_format_apply(spec, format.bytes, value, err) < 0)
			result = error_wrap(err, "term '%s'", term);
	}
	strbuf_fini(&format);
	return result;
}

static int apply_terms(struct event_spec *spec, const struct pmu_place *place, const char *terms,
		       struct error *err)
{
	char *copy = xstrndup(terms, strcspn(terms, "\n"));
	char *rest = NULL;
	int result = 0;

	for (char *term = strtok_r(copy, ",", &rest); term && result == 0; term = strtok_r(NULL, ",", &rest))
		result = apply_term(spec, place, term, err);
	free(copy);
	return result;
}

static int read_type(struct event_spec *spec, const struct pmu_place *place, struct error *err)
{
	char path[512];
	long long type;

	snprintf(path, sizeof(path), "%s/%s/type", place->directory, place->pmu);
	if (!is_plain_name(place->pmu) || proc_file_read_number(path, &type, NULL) < 0)
		return error_set(err, "no such PMU; 'ls %s' shows them", place->directory);
	spec->type = (uint32_t)type;
	return 0;
}

/* NULL if the PMU lists no CPUs: it is then on all. */
static void read_cpus(struct event_spec *spec, const struct pmu_place *place)
{
	struct strbuf cpus = STRBUF_INIT;

	free(spec->cpus);
	spec->cpus = proc_file_readf(&cpus, NULL, "%s/%s/cpus", place->directory, place->pmu) < 0 ?
			     NULL :
			     xstrdup(cpus.bytes);
	strbuf_fini(&cpus);
}

bool pmu_has_cpu(const char *cpus, int cpu)
{
	const char *next = cpus;

	while (next) {
		char *end;
		const long first = strtol(next, &end, 10);
		const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;

		if (end == next || (first <= cpu && cpu <= last)) /* a malformed list excludes no CPU */
			return true;
		next = *end == ',' ? end + 1 : NULL;
	}
	return !cpus;
}

bool pmu_exists(const char *directory, const char *pmu)
{
	char path[512];
	long long type;

	snprintf(path, sizeof(path), "%s/%s/type", directory, pmu);
	return is_plain_name(pmu) && proc_file_read_number(path, &type, NULL) == 0;
}

int pmu_parse_terms(struct event_spec *spec, const char *directory, const char *pmu, const char *terms,
		    struct error *err)
{
	const struct pmu_place place = { .directory = directory, .pmu = pmu };
	int result = read_type(spec, &place, err);

	if (result == 0) {
		read_cpus(spec, &place);
		result = apply_terms(spec, &place, terms, err);
	}
	if (result < 0) {
		free(spec->name);
		free(spec->cpus);
		spec->name = spec->cpus = NULL;
	}
	return result;
}

int pmu_find_cpu_event(struct event_spec *spec, const char *directory, const char *name, struct error *err)
{
	if (!is_plain_name(name))
		return 0;
	for (const char *const *pmu = cpu_pmus; *pmu; pmu++) {
		struct strbuf terms = STRBUF_INIT;
		int result = 0;

		if (proc_file_readf(&terms, NULL, "%s/%s/events/%s", directory, *pmu, name) == 0)
			result = pmu_parse_terms(spec, directory, *pmu, terms.bytes, err) < 0 ? -1 : 1;
		strbuf_fini(&terms);
		if (result != 0)
			return result;
	}
	return 0;
}
