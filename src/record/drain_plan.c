/*
 * CPUs that share a core, package or node have the same list of CPUs in sysfs, so each distinct list becomes
 * a lane. If the user gave lists of CPUs, each part of them becomes a lane.
 */
#include "record/drain_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "record/machine/numbered_entries.h"
#include "record/machine/proc_file.h"
#include "record/process/target.h"

enum {
	/*
	 * One thread unwinds and writes some 100,000 stacks a second (doc/scale.md), those of 100 busy CPUs at 999 Hz. A third of
	 * that leaves room for higher rates, and for processes that start.
	 */
	DRAIN_CPUS_OF_A_LANE = 32,
	PATH_BYTES = 4096,
	NO_LANE = -1,
};

/* The names of the groups of CPUs seen so far; a group's index is its lane. */
struct groups {
	char **names;
	size_t count, capacity;
};

static const struct {
	const char *name, *file; /* below SYS/devices/system/cpu/cpuN/topology; NULL: each CPU for itself */
} parts[] = {
	{ "cpu", NULL },
	{ "core", "thread_siblings_list" },
	{ "package", "core_siblings_list" },
};

static size_t group_of(struct groups *groups, const char *name)
{
	for (size_t i = 0; i < groups->count; i++)
		if (strcmp(groups->names[i], name) == 0)
			return i;
	groups->names =
		array_grow(groups->names, &groups->capacity, groups->count + 1, sizeof(*groups->names));
	groups->names[groups->count] = xstrdup(name);
	return groups->count++;
}

static void groups_fini(struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		free(groups->names[i]);
	free(groups->names);
}

/* --- the user's lists ------------------------------------------------------------------ */

/*
 * Takes the next part of "0-3/0-3:4-7/4-7". Drops the CPUs after the slash, on which perf's thread would run. Returns false at
 * the end.
 */
static bool next_part(const char **spec, struct strbuf *list)
{
	const size_t size = strcspn(*spec, ":");
	const char *slash = memchr(*spec, '/', size);

	if (!size && !**spec)
		return false;
	strbuf_reset(list);
	strbuf_add(list, *spec, slash ? (size_t)(slash - *spec) : size);
	*spec += size + ((*spec)[size] == ':');
	return true;
}

static bool is_part_name(const char *spec)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(spec, parts[i].name) == 0)
			return true;
	return strcmp(spec, "numa") == 0;
}

static int check_list(const char *text, const char *spec, struct error *err)
{
	struct target cpus = { 0 };
	int result = target_parse_cpus(&cpus, text, err);

	target_fini(&cpus);
	return result < 0 ?
		       error_set(err,
				 "'%s' does not choose threads: use cpu, core, package, numa, or lists of "
				 "CPUs as in 0-3:4-7",
				 spec) :
		       0;
}

int drain_spec_check(const char *spec, struct error *err)
{
	const char *rest = spec;
	struct strbuf list = STRBUF_INIT;
	int result = 0;

	if (is_part_name(spec))
		return 0;
	do {
		if (!next_part(&rest, &list))
			strbuf_reset(&list);
		result = check_list(list.size ? list.bytes : "", spec, err);
	} while (result == 0 && *rest);
	strbuf_fini(&list);
	return result;
}

/* --- the lane of each ring ----------------------------------------------------------------------- */

static void assign(int *lanes, const int *cpus, size_t cpu_count, const char *list, size_t lane)
{
	struct target of_list = { 0 };

	if (target_parse_cpus(&of_list, list, NULL) == 0)
		for (size_t i = 0; i < cpu_count; i++)
			if (target_has_cpu(&of_list, cpus[i]))
				lanes[i] = (int)lane;
	target_fini(&of_list);
}

static size_t assign_lists(int *lanes, const int *cpus, size_t cpu_count, const char *spec)
{
	struct strbuf list = STRBUF_INIT;
	size_t lane = 0;

	while (next_part(&spec, &list))
		assign(lanes, cpus, cpu_count, list.bytes, lane++);
	strbuf_fini(&list);
	return lane;
}

static size_t assign_nodes(int *lanes, const int *cpus, size_t cpu_count, const char *sys)
{
	struct numbered_entries nodes = { 0 };
	char path[PATH_BYTES];
	struct strbuf list = STRBUF_INIT;
	size_t lane = 0;

	snprintf(path, sizeof(path), "%s/devices/system/node", sys);
	numbered_entries_read(&nodes, path, "node");
	for (size_t i = 0; i < nodes.count; i++) {
		snprintf(path, sizeof(path), "%s/devices/system/node/node%u/cpulist", sys, nodes.numbers[i]);
		strbuf_reset(&list);
		if (proc_file_read(&list, path, NULL) == 0 && list.size > 1)
			assign(lanes, cpus, cpu_count, list.bytes, lane++);
	}
	strbuf_fini(&list);
	numbered_entries_fini(&nodes);
	return lane;
}

static size_t assign_topology(int *lanes, const int *cpus, size_t cpu_count, const char *file,
			      const char *sys)
{
	struct groups groups = { 0 };
	char path[PATH_BYTES];
	struct strbuf list = STRBUF_INIT;
	size_t count;

	for (size_t i = 0; i < cpu_count; i++) {
		strbuf_reset(&list);
		if (file) {
			snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/topology/%s", sys, cpus[i],
				 file);
			if (proc_file_read(&list, path, NULL) < 0)
				strbuf_reset(&list);
		} else {
			strbuf_addf(&list, "%d", cpus[i]);
		}
		lanes[i] = (int)group_of(&groups, list.size ? list.bytes : "");
	}
	count = groups.count;
	strbuf_fini(&list);
	groups_fini(&groups);
	return count;
}

static const char *topology_file(const char *spec)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(spec, parts[i].name) == 0)
			return parts[i].file;
	return NULL;
}

/* Splits the lanes of nodes with many CPUs. Returns the new number of lanes. */
static size_t part_large_lanes(int *lanes, size_t cpu_count, size_t lane_count)
{
	const size_t before = lane_count;

	for (size_t lane = 0; lane < before; lane++) {
		size_t members = 0, now = lane;

		for (size_t i = 0; i < cpu_count; i++) {
			if (lanes[i] != (int)lane)
				continue;
			if (members && members % DRAIN_CPUS_OF_A_LANE == 0)
				now = lane_count++;
			members++;
			lanes[i] = (int)now;
		}
	}
	return lane_count;
}

void drain_plan_make(struct drain_plan *plan, const char *spec, const int *cpus, size_t cpu_count,
		     const char *sys)
{
	int *lanes = xcalloc(cpu_count + 1, sizeof(*lanes));
	size_t count;

	for (size_t i = 0; i < cpu_count; i++)
		lanes[i] = NO_LANE;
	if (!spec || strcmp(spec, "numa") == 0)
		count = assign_nodes(lanes, cpus, cpu_count, sys);
	else if (is_part_name(spec))
		count = assign_topology(lanes, cpus, cpu_count, topology_file(spec), sys);
	else
		count = assign_lists(lanes, cpus, cpu_count, spec);
	for (size_t i = 0; i < cpu_count; i++)
		lanes[i] = lanes[i] == NO_LANE ? 0 : lanes[i];
	count = count ? count : 1;
	if (!spec)
		count = part_large_lanes(lanes, cpu_count, count);
	if (count > DRAIN_PLAN_MAX_LANES)
		count = DRAIN_PLAN_MAX_LANES;
	*plan = (struct drain_plan){ .lane_count = count, .at_once = spec != NULL };
	plan->lane_of_ring = xcalloc(cpu_count + 1, sizeof(*plan->lane_of_ring));
	plan->cpus = xcalloc(count, sizeof(*plan->cpus));
	for (size_t i = 0; i < cpu_count; i++) {
		plan->lane_of_ring[i] = (size_t)lanes[i] % count;
		if (cpus[i] >= 0 && cpus[i] < CPU_SETSIZE)
			CPU_SET((size_t)cpus[i], &plan->cpus[plan->lane_of_ring[i]]);
	}
	free(lanes);
}

void drain_plan_fini(struct drain_plan *plan)
{
	free(plan->lane_of_ring);
	free(plan->cpus);
	*plan = (struct drain_plan){ 0 };
}
