/* Both sections share add_caps(), which turns the files in a PMU's caps directory into names and values. */
#include "record/machine/machine_sections.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/write/feature_encode.h"
#include "record/machine/counted_section.h"
#include "record/machine/proc_file.h"

/* Adds name and value. Returns 1, or 0 if the file cannot be read. */
static uint32_t add_cap(struct strbuf *caps, const char *directory, const char *name)
{
	struct strbuf value = STRBUF_INIT;
	uint32_t added = 0;

	if (proc_file_readf(&value, NULL, "%s/%s", directory, name) == 0) {
		strbuf_cut(&value, strcspn(value.bytes, "\n"));
		feature_add_string(caps, name);
		feature_add_string(caps, value.bytes);
		added = 1;
	}
	strbuf_fini(&value);
	return added;
}

/* u32 nr_caps, then name and value of each. */
static uint32_t add_caps(struct strbuf *section, const char *devices, const char *pmu)
{
	char *directory = xasprintf("%s/%s/caps", devices, pmu);
	uint32_t count = counted_section_add(section, directory, add_cap);

	free(directory);
	return count;
}

void pmu_caps_make_cpu(struct strbuf *section, const char *sys)
{
	char *devices = xasprintf("%s/bus/event_source/devices", sys);

	(void)add_caps(section, devices, "cpu");
	free(devices);
}

/* Adds the PMU's caps, then its name. Returns 0 if it has none. */
static uint32_t add_other(struct strbuf *pmus, const char *devices, const char *pmu)
{
	if (strcmp(pmu, "cpu") == 0 || add_caps(pmus, devices, pmu) == 0)
		return 0;
	feature_add_string(pmus, pmu);
	return 1;
}

void pmu_caps_make_others(struct strbuf *section, const char *sys)
{
	char *devices = xasprintf("%s/bus/event_source/devices", sys);

	(void)counted_section_add(section, devices, add_other);
	free(devices);
}
