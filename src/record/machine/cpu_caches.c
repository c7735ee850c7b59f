/*
 * Reads the cache directories of each CPU, keeps one entry per cache (its index and its list of CPUs identify it), and
 * writes the entries level by level.
 */
#include "record/machine/machine_sections.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/write/feature_encode.h"
#include "record/machine/proc_file.h"

enum {
	MAX_INDEXES = 10, /* caches of a CPU, the same limit as in perf */
	MAX_LEVEL = 15,
};

struct cpu_cache {
	unsigned int index; /* number of the cache's directory, the same for all CPUs that share it */
	uint32_t level, line_bytes, sets, ways;
	char *type, *size, *cpus;
};

struct cpu_caches {
	struct cpu_cache *items;
	size_t count, capacity;
};

/* Returns a file's first line, to be freed by the caller. NULL if the file cannot be read. */
static char *read_line(const char *sys, uint32_t cpu, unsigned int index, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	char *line = NULL;

	if (proc_file_readf(&text, NULL, "%s/devices/system/cpu/cpu%u/cache/index%u/%s", sys, cpu, index,
			    name) == 0)
		line = xasprintf("%.*s", (int)strcspn(text.bytes, "\n"), text.bytes);
	strbuf_fini(&text);
	return line;
}

/* 0 if the kernel does not know: it then omits the file. */
static uint32_t read_number(const char *sys, uint32_t cpu, unsigned int index, const char *name)
{
	char *line = read_line(sys, cpu, index, name);
	uint32_t number = line ? (uint32_t)strtoul(line, NULL, 10) : 0;

	free(line);
	return number;
}

/* Whether the cache was already added for another CPU that shares it. */
static bool is_known(const struct cpu_caches *caches, unsigned int index, const char *cpus)
{
	for (size_t i = 0; i < caches->count; i++)
		if (caches->items[i].index == index && strcmp(caches->items[i].cpus, cpus) == 0)
			return true;
	return false;
}

static char *or_empty(char *line)
{
	return line ? line : xstrdup("");
}

/* Takes ownership of `cpus`. */
static void add_cache(struct cpu_caches *caches, const char *sys, uint32_t cpu, unsigned int index,
		      char *cpus)
{
	const uint32_t level = read_number(sys, cpu, index, "level");

	*ARRAY_ADD(caches->items, caches->count, caches->capacity) = (struct cpu_cache){
		.index = index,
		.level = level < MAX_LEVEL ? level : MAX_LEVEL,
		.line_bytes = read_number(sys, cpu, index, "coherency_line_size"),
		.sets = read_number(sys, cpu, index, "number_of_sets"),
		.ways = read_number(sys, cpu, index, "ways_of_associativity"),
		.type = or_empty(read_line(sys, cpu, index, "type")),
		.size = or_empty(read_line(sys, cpu, index, "size")),
		.cpus = cpus,
	};
}

static void read_caches(struct cpu_caches *caches, const char *sys, uint32_t cpu)
{
	for (unsigned int index = 0; index < MAX_INDEXES; index++) {
		char *cpus = read_line(sys, cpu, index, "shared_cpu_list");

		if (!cpus)
			return;
		if (is_known(caches, index, cpus))
			free(cpus);
		else
			add_cache(caches, sys, cpu, index, cpus);
	}
}

/* u32 level, line_size, sets, ways; strings type, size, cpus */
static void add_entry(struct strbuf *section, const struct cpu_cache *cache)
{
	strbuf_add_u32(section, cache->level, false);
	strbuf_add_u32(section, cache->line_bytes, false);
	strbuf_add_u32(section, cache->sets, false);
	strbuf_add_u32(section, cache->ways, false);
	feature_add_string(section, cache->type);
	feature_add_string(section, cache->size);
	feature_add_string(section, cache->cpus);
}

/* u32 version, u32 nr, then the caches: level 1 of all CPUs, then level 2, and so on */
void cpu_caches_make(struct strbuf *section, const char *sys, uint32_t cpus_available)
{
	enum { VERSION = 1 };
	struct cpu_caches caches = { 0 };

	for (uint32_t cpu = 0; cpu < cpus_available; cpu++)
		read_caches(&caches, sys, cpu);
	if (caches.count) {
		strbuf_add_u32(section, VERSION, false);
		strbuf_add_u32(section, (uint32_t)caches.count, false);
	}
	for (uint32_t level = 0; level <= MAX_LEVEL; level++)
		for (size_t i = 0; i < caches.count; i++)
			if (caches.items[i].level == level)
				add_entry(section, &caches.items[i]);
	for (size_t i = 0; i < caches.count; i++) {
		free(caches.items[i].type);
		free(caches.items[i].size);
		free(caches.items[i].cpus);
	}
	free(caches.items);
}
