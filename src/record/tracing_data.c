/*
 * tracing_data_make() writes the parts in their order: the magic number, header_page, header_event, the format files by
 * system, then empty sections. A count is written as 0 and filled in when its list is complete.
 */
#include "record/tracing_data.h"

#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "record/machine/proc_file.h"

/* The parts of "SYSTEM:NAME[:MODIFIERS]". */
struct tracepoint_name {
	const char *system, *name;
	size_t system_length, name_length;
};

static struct tracepoint_name split_name(const struct event_spec *spec)
{
	const char *text = spec->tracepoint ? spec->tracepoint : spec->name;
	struct tracepoint_name split = { .system = text, .system_length = strcspn(text, ":") };

	split.name = split.system + split.system_length;
	split.name += *split.name == ':';
	split.name_length = strcspn(split.name, ":");
	return split;
}

static bool same_system(const struct tracepoint_name *one, const struct tracepoint_name *other)
{
	return one->system_length == other->system_length &&
	       memcmp(one->system, other->system, one->system_length) == 0;
}

static bool same_tracepoint(const struct tracepoint_name *one, const struct tracepoint_name *other)
{
	return same_system(one, other) && one->name_length == other->name_length &&
	       memcmp(one->name, other->name, one->name_length) == 0;
}

static bool is_tracepoint(const struct event_spec *spec)
{
	return spec->type == PERF_TYPE_TRACEPOINT;
}

/* Adds u64 size, then the file's bytes. */
static int add_file(struct strbuf *bytes, const char *path, struct error *err)
{
	struct strbuf file = STRBUF_INIT;
	int result;

	result = proc_file_read(&file, path, err);
	strbuf_add_u64(bytes, file.size, false);
	strbuf_add(bytes, file.bytes ? file.bytes : "", file.size);
	strbuf_fini(&file);
	return result;
}

static int add_tracefs_file(struct strbuf *bytes, const char *tracefs, const char *name, struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	int result;

	strbuf_addf(&path, "%s/%s", tracefs, name);
	result = add_file(bytes, path.bytes, err);
	strbuf_fini(&path);
	return result;
}

static int add_format(struct strbuf *bytes, const char *tracefs, const struct tracepoint_name *name,
		      struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	int result;

	strbuf_addf(&path, "events/%.*s/%.*s/format", (int)name->system_length, name->system,
		    (int)name->name_length, name->name);
	result = add_tracefs_file(bytes, tracefs, path.bytes, err);
	strbuf_fini(&path);
	return result;
}

static void put_u32(struct strbuf *bytes, size_t at, uint32_t value)
{
	memcpy(bytes->bytes + at, &value, sizeof(value));
}

/* Whether an event before `number` names the same tracepoint (with `system_only`, the same system). */
static bool seen_before(const struct event_specs *specs, size_t number, bool system_only)
{
	struct tracepoint_name name = split_name(&specs->items[number]);

	for (size_t i = 0; i < number; i++) {
		struct tracepoint_name other = split_name(&specs->items[i]);

		if (is_tracepoint(&specs->items[i]) &&
		    (system_only ? same_system(&name, &other) : same_tracepoint(&name, &other)))
			return true;
	}
	return false;
}

/* Adds the system's name, u32 count, then the format file of each of its tracepoints. */
static int add_system(struct strbuf *bytes, const struct event_specs *specs, size_t first,
		      const char *tracefs, struct error *err)
{
	struct tracepoint_name system = split_name(&specs->items[first]);
	uint32_t count = 0;
	size_t count_at;

	strbuf_add(bytes, system.system, system.system_length);
	strbuf_addc(bytes, '\0');
	count_at = bytes->size;
	strbuf_add_u32(bytes, 0, false);
	for (size_t i = first; i < specs->count; i++) {
		struct tracepoint_name name = split_name(&specs->items[i]);

		if (!is_tracepoint(&specs->items[i]) || !same_system(&name, &system) ||
		    seen_before(specs, i, false))
			continue;
		if (add_format(bytes, tracefs, &name, err) < 0)
			return -1;
		count++;
	}
	put_u32(bytes, count_at, count);
	return 0;
}

static int add_systems(struct strbuf *bytes, const struct event_specs *specs, const char *tracefs,
		       struct error *err)
{
	size_t count_at = bytes->size;
	uint32_t count = 0;

	strbuf_add_u32(bytes, 0, false);
	for (size_t i = 0; i < specs->count; i++) {
		if (!is_tracepoint(&specs->items[i]) || seen_before(specs, i, true))
			continue;
		if (add_system(bytes, specs, i, tracefs, err) < 0)
			return -1;
		count++;
	}
	put_u32(bytes, count_at, count);
	return 0;
}

int tracing_data_make(struct strbuf *bytes, const struct event_specs *specs,
		      const struct event_sources *sources, struct error *err)
{
	static const char magic[] = "\x17\x08"
				    "Dtracing0.6"; /* with its terminating zero */
	const uint16_t order = 1;
	const char *tracefs = event_sources_find_tracefs(sources);
	bool any = false;

	for (size_t i = 0; i < specs->count; i++)
		any |= is_tracepoint(&specs->items[i]);
	if (!any)
		return 0;
	if (!tracefs)
		return error_set(err, "tracefs is not mounted any more");
	strbuf_add(bytes, magic, sizeof(magic));
	strbuf_addc(bytes, *(const char *)&order ? 0 : 1); /* 1: big endian */
	strbuf_addc(bytes, (char)sizeof(long));
	strbuf_add_u32(bytes, (uint32_t)sysconf(_SC_PAGESIZE), false);
	strbuf_add(bytes, "header_page", sizeof("header_page"));
	if (add_tracefs_file(bytes, tracefs, "events/header_page", err) < 0)
		return -1;
	strbuf_add(bytes, "header_event", sizeof("header_event"));
	if (add_tracefs_file(bytes, tracefs, "events/header_event", err) < 0)
		return -1;
	strbuf_add_u32(bytes, 0, false); /* events of ftrace itself */
	if (add_systems(bytes, specs, tracefs, err) < 0)
		return -1;
	strbuf_add_u32(bytes, 0, false); /* kallsyms */
	strbuf_add_u32(bytes, 0, false); /* printk formats */
	strbuf_add_u64(bytes, 0, false); /* saved command lines: the file's COMM records have them */
	return 1;
}
