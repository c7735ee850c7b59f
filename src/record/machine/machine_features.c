/*
 * Calls one function per feature for its bytes, and sets the feature unless there are none. PMU_MAPPINGS is short, so it
 * is made here.
 */
#include "record/machine/machine_features.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "format/write/feature_encode.h"
#include "record/machine/counted_section.h"
#include "record/machine/machine_sections.h"
#include "record/machine/proc_file.h"

/* u32 type, string name. Returns 1, or 0 if the entry is not a PMU. */
static uint32_t add_pmu(struct strbuf *section, const char *directory, const char *name)
{
	struct strbuf type = STRBUF_INIT;
	uint32_t added = 0;

	if (proc_file_readf(&type, NULL, "%s/%s/type", directory, name) == 0) {
		strbuf_add_u32(section, (uint32_t)strtoul(type.bytes, NULL, 10), false);
		feature_add_string(section, name);
		added = 1;
	}
	strbuf_fini(&type);
	return added;
}

void machine_features_make_pmu_mappings(struct strbuf *section, const char *sys)
{
	char *directory = xasprintf("%s/bus/event_source/devices", sys);

	(void)counted_section_add(section, directory, add_pmu);
	free(directory);
}

static void set(struct perf_writer *writer, unsigned int feature, struct strbuf *section)
{
	if (section->size)
		perf_writer_set_feature(writer, feature, section->bytes, section->size);
	strbuf_reset(section);
}

void machine_features_set(struct perf_writer *writer, const char *sys)
{
	const uint32_t cpus_available = cpu_topology_available(sys);
	struct strbuf section = STRBUF_INIT;

	cpu_topology_make(&section, sys, cpus_available);
	set(writer, HEADER_CPU_TOPOLOGY, &section);
	memory_nodes_make_numa(&section, sys);
	set(writer, HEADER_NUMA_TOPOLOGY, &section);
	machine_features_make_pmu_mappings(&section, sys);
	set(writer, HEADER_PMU_MAPPINGS, &section);
	pmu_caps_make_cpu(&section, sys);
	set(writer, HEADER_CPU_PMU_CAPS, &section);
	pmu_caps_make_others(&section, sys);
	set(writer, HEADER_PMU_CAPS, &section);
	cpu_caches_make(&section, sys, cpus_available);
	set(writer, HEADER_CACHE, &section);
	memory_nodes_make_blocks(&section, sys);
	set(writer, HEADER_MEM_TOPOLOGY, &section);
	strbuf_fini(&section);
}
