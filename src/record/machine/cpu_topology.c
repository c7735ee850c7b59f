/*
 * CPUs of one core, die or socket have the same list of CPUs in sysfs, so each distinct list is kept once. If
 * a file is missing, its name before Linux 5.3 is tried.
 */
#include "record/machine/machine_sections.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "format/write/feature_encode.h"
#include "record/machine/proc_file.h"

/* Distinct lists of CPUs ("0-3,8"). */
struct cpu_lists {
	char **texts;
	size_t count, capacity;
};

static void add_list(struct cpu_lists *lists, const struct strbuf *text)
{
	size_t length = strcspn(text->bytes, "\n");

	for (size_t i = 0; i < lists->count; i++)
		if (strncmp(lists->texts[i], text->bytes, length) == 0 && lists->texts[i][length] == '\0')
			return;
	*ARRAY_ADD(lists->texts, lists->count, lists->capacity) = xasprintf("%.*s", (int)length, text->bytes);
}

static void fini_lists(struct cpu_lists *lists)
{
	for (size_t i = 0; i < lists->count; i++)
		free(lists->texts[i]);
	free(lists->texts);
}

/* u32 nr, then the lists */
static void add_lists(struct strbuf *section, const struct cpu_lists *lists)
{
	strbuf_add_u32(section, (uint32_t)lists->count, false);
	for (size_t i = 0; i < lists->count; i++)
		feature_add_string(section, lists->texts[i]);
}

static bool read_topology(struct strbuf *text, const char *sys, uint32_t cpu, const char *name)
{
	strbuf_reset(text);
	return proc_file_readf(text, NULL, "%s/devices/system/cpu/cpu%u/topology/%s", sys, cpu, name) == 0;
}

/* `old` is the file's name before Linux 5.3. NULL if it had none. */
static void collect(struct cpu_lists *lists, const char *sys, uint32_t cpu, const char *name, const char *old)
{
	struct strbuf text = STRBUF_INIT;

	if (read_topology(&text, sys, cpu, name) || (old && read_topology(&text, sys, cpu, old)))
		add_list(lists, &text);
	strbuf_fini(&text);
}

/* -1 if the CPU is offline or the file is missing. */
static uint32_t read_id(const char *sys, uint32_t cpu, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	uint32_t id = UINT32_MAX;

	if (read_topology(&text, sys, cpu, name))
		id = (uint32_t)strtol(text.bytes, NULL, 10);
	strbuf_fini(&text);
	return id;
}

uint32_t cpu_topology_available(const char *sys)
{
	long configured = sysconf(_SC_NPROCESSORS_CONF);
	uint32_t available = configured > 0 ? (uint32_t)configured : 0;
	struct strbuf text = STRBUF_INIT;

	/* "0-7", "0,2-3": ascending, so the last number is the largest. */
	if (proc_file_readf(&text, NULL, "%s/devices/system/cpu/present", sys) == 0) {
		const char *last = text.bytes;

		for (const char *at = text.bytes; *at; at++)
			if (*at == '-' || *at == ',')
				last = at + 1;
		available = (uint32_t)strtoul(last, NULL, 10) + 1;
	}
	strbuf_fini(&text);
	return available;
}

/*
 * Lists of sockets, lists of cores, { u32 core_id, u32 socket_id } of each CPU. With dies also their lists, and u32 die_id of
 * each CPU.
 */
void cpu_topology_make(struct strbuf *section, const char *sys, uint32_t cpus_available)
{
	struct cpu_lists sockets = { 0 }, cores = { 0 }, dies = { 0 };
	/* Without dies, the kernel reports -1 or has no such file. */
	const bool has_dies = read_id(sys, 0, "die_id") != UINT32_MAX;

	for (uint32_t cpu = 0; cpu < cpus_available; cpu++) {
		collect(&sockets, sys, cpu, "package_cpus_list", "core_siblings_list");
		collect(&cores, sys, cpu, "core_cpus_list", "thread_siblings_list");
		if (has_dies)
			collect(&dies, sys, cpu, "die_cpus_list", NULL);
	}
	if (sockets.count || cores.count) {
		add_lists(section, &sockets);
		add_lists(section, &cores);
		for (uint32_t cpu = 0; cpu < cpus_available; cpu++) {
			strbuf_add_u32(section, read_id(sys, cpu, "core_id"), false);
			strbuf_add_u32(section, read_id(sys, cpu, "physical_package_id"), false);
		}
		if (dies.count) {
			add_lists(section, &dies);
			for (uint32_t cpu = 0; cpu < cpus_available; cpu++)
				strbuf_add_u32(section, read_id(sys, cpu, "die_id"), false);
		}
	}
	fini_lists(&sockets);
	fini_lists(&cores);
	fini_lists(&dies);
}
